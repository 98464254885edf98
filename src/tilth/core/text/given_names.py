"""
Given names, each line with what its bearers are called for short, or in another language.

Nobody goes by two names that are known and of no common line, so they set persons apart (ADR 12).
What is not here says nothing. Names are written as they are compared, folded.
"""

from functools import cache

_LINES = """
    aaron ari aron ron ronnie
    abdul abdullah abdel
    abigail abby gail
    abraham abe abram ibrahim avraham
    adam adas
    adele adela adelaide adelheid heidi addie
    adrian adi adrien adriano
    adriana adrienne addie
    agnes agnieszka aga agnese ines inez
    ahmed ahmad ahmet
    aisha ayesha aicha
    alan allan allen al
    albert al bert albrecht alberto
    alejandra alexandra alessandra aleksandra alex ola sandra sasha sandy lexi alexa
    alejandro alexander alessandro aleksander aleksandr alexandru alexandre alex alec olek sasha
        sandro xander sandy iskander al lex
    alexei alexey alexis alyosha lyosha alex lexi
    alfred al fred alfredo alfie freddy
    ali aly
    alice alicja ala alicia alison allison alisa ali lisa
    amanda mandy
    amelia amelie emilia emilie emily amy millie mila emilka mel emma
    amir emir
    amit ameet
    ana anna ann anne ania anka anya annie hanna hannah nan nancy anita anja annika anneliese
        ane
    anastasia nastya stacy anastasiya ana ania asia
    anders andreas andrew andrzej andrei andrey andre andrea andy drew andres jedrzej andrej
        andrii
    andrea andreea andrej
    angela angelika angie angelina aniela lina
    anil
    anton anthony antonio antoine antoni antek tony toni
    antonia antonina toni tonia antoinette ann tony
    arjun
    arthur artur arturo art artie
    arun
    august augustus gus augustin augusto
    barbara basia barb babs barbie barbora bobbie
    bartholomew bartosz bartek bart bartlomiej
    beata beate
    beatrice beatriz beatrix bea trixie beatrycze
    benedict ben benedikt benedykt benito
    benjamin ben benny benji beniamin jamie
    bernard bernhard bernie bernd bernardo
    bettina elisabeth tina
    bianca blanca
    bogdan bohdan
    boris
    brenda
    brian bryan
    bridget brigitte brigitta birgit biddy gitta
    bruno
    camilla camille kamila camila millie cammie
    carl karl charles carlos carlo karol charlie chuck carol karel karlo charly
    carla karla carly
    caroline carolina karolina carol carrie lina karoline
    catherine katherine katarzyna kasia katarina catalina caterina kate katie kathy cathy kitty
        karen karin kathleen katrin kathrin ekaterina katya katja kat trina catriona caitlin kit
        lena tina kay
    cecilia cecile cecylia celia sissy
    chiara clara klara claire
    christian krystian cristian chris christiaan karsten kit kris
    christina christine krystyna cristina chris tina kirsten kristin kristina christa krysia
        christiane kristine kris
    christopher chris krzysztof krzysiek christoph cristobal kit topher christophe cristoforo
        kris
    clemens clement klemens
    conrad konrad kurt conny
    constantin constantine konstantin kostas costin dinu
    cornelia kornelia nelly conny
    cynthia cindy
    dagmar
    damian damien
    daniel dan danny daniil daniele danilo
    daniela danielle dani ellie dana
    daria daryna dasha darya
    dariusz darek darius dario
    david dave dawid davide davy dawud daoud
    deborah debbie debra deb
    deepak
    denis dennis denys
    diana diane
    diego
    dieter dietrich
    dimitri dmitri dmitry dima dumitru dimitrios mitya dmytro dimitris
    dominik dominic domingo dom nick domenico
    dorothy dorota dorothea dorothee dot dottie dolly thea dorotea dora
    douglas doug
    edith edyta
    edmund ed eddie edmond edmundo ned ted
    edward ed eddie ted edek eduard eduardo edouard ned teddy
    edwin ed eddie ned
    elena helen helena helene ellen lena ilona elaine eleni nell ela ellie eleanor nelly
    eleanor eleonora elinor ellie nora nell leonor elaine ellen nelly helena elena lena
    elias elijah eli ilya ilie
    elizabeth elisabeth elzbieta ela liz lizzie beth betty betsy eliza elsa else lisa liesel
        elisa isabel isabella isabelle bella lisbeth ilse elspeth libby alzbeta elise
    emil emilio emile
    emma
    enrico henry henryk heinrich henri hank harry heinz enrique henrik hal heiko hendrik
    eric erik erich rick ricky
    erica erika
    ernest ernst ernesto ernie
    esther estera hester
    eugene eugeniusz eugen gene evgeny zhenya genek yevgeny
    eva ewa eve evie evelyn ava
    fabian fabio fabien
    fatima fatma fatime
    felix feliks
    ferdinand fernando ferdi nando hernan fred freddy
    filip philip phil felipe filippo philippe philipp pip
    florian flo florin
    florence flo florencia flora
    francesca frances franciszka fran francine franziska francisca fanny frankie francoise
    francesco francis franciszek franz frank francisco paco franco franek francois frankie
        pancho fran
    frederick frederic friedrich fryderyk federico fred freddy fritz frederik rick ricky
    gabriel gabe gabor gabby
    gabriela gabriele gabrielle gaby gabi gabby
    george georg jerzy jorge giorgio georges jurek yuri juri georgios gheorghe jurgen goran
    gerald gerry jerry geraldo
    gerard gerhard gerardo gerd
    giovanni john jan johann johannes juan jean ivan ion ioan sean ian hans jack johnny jon
        janek jens janos vanya gianni johan hannes yannis evan shaun ioannis joao yahya jonathan
    giulia julia julie giulietta juliet julka yulia jules
    giuseppe joseph jozef josef jose joe jozek pepe joey yusuf youssef beppe iosif josip
    grace grazia gracia gracie
    grazyna
    gregory gregor grzegorz greg grzesiek gregorio grigory grisha
    gustav gustavo gustaw gus gustave
    hamid
    harold harry hal harald
    hassan hasan
    hector ettore
    hilary hillary
    horst
    hubert bert hugo hugh
    hussein husain
    ignacy ignacio ignatius nacho nate
    igor
    iga jadwiga hedwig hedy
    irena irene irina ira rena
    iwona yvonne ivonne
    isaac ike izaak itzhak
    ismail ismael
    jacek jacinto hyacinth
    jacob jakob jakub james jim jimmy jaime jake kuba jacques giacomo diego iago jamie jacopo
        yakov yaqub santiago
    jacqueline jackie jack
    jadwiga jaga
    jana jane janina joan joanna johanna jeanne giovanna juana janet jean joanne asia jenny
        ivana janice jan ioana hanna hansi jo jessie yana hannah
    jaroslaw jarek yaroslav jaroslav
    jason
    jeffrey jeff geoffrey geoff gottfried
    jennifer jenny jen guinevere
    jeremy jeremiah jerry jeremi jeremias
    jerome jerry hieronim geronimo
    jessica jess jessie
    joachim joaquin achim jochen
    jolanta yolanda jola iolanda
    jonathan jon jonatan johnny nathan john
    judith judy judyta
    julian juliusz julius julio jules julien giulio julek
    justin justyn justus
    justine justyna
    kamil camilo
    karim kareem
    kenneth ken kenny
    kevin
    khalid khaled
    krystyna krysia
    kumar
    lars laurence lawrence lorenz lorenzo larry wawrzyniec laurent laurentiu lauren
    laura lora laurie lauren
    lawrence larry
    lech leszek
    leila layla
    leo leon lew leonard leonardo lenny lev leonid leszek
    leonie leona
    louis ludwig luis luigi ludwik lou lew luiz
    louise luisa luise lou ludwika eliza
    lucas lukas lukasz luke luca luc
    lucia lucy lucja lucie luz luzia
    lucian lucjan luciano lucien
    madeleine magdalena magda maddie lena malena maggie
    malgorzata margaret margarita margarete margherita maggie meg peggy gosia greta rita
        gretchen daisy marge margot megan meghan margit marguerite margo grete
    manuel emanuel emmanuel manny manolo immanuel
    manuela emanuela
    marcel marceli marcello marcelo
    marcin martin marty martino martinus
    marco mark marek marcus marc markus
    maria mary marie marysia maja molly polly mia miriam maryam mariam masha marianne mariana
        maureen moira maura mimi mitzi ria mireille
    marianne anne
    mario mariusz marius
    martha marta marthe marty patty
    martina martine tina
    mateusz matthew matthias matteo mateo matt matthieu matej mats matei mathias mattia matias
    maurice maurycy moritz mauricio maurizio
    max maximilian maks maksymilian maxim maksim massimo maxime
    mehmet mohammed muhammad mohamed mahmud mo mohammad muhammed
    melanie mel melissa melinda
    melissa mel lissa melanie
    michael michal mike mick mikhail miguel michele michel micha mihai misha mickey michail
        mikael mitch misiek mihail
    michelle michaela michalina mihaela micaela
    miroslaw mirek miroslav
    monica monika monique
    moses moshe musa mojzesz
    mustafa mostafa
    natalia natalie natasha natalya nataly nat
    nathan nathaniel nate nat
    neil niall nigel
    nicholas nicolas mikolaj nikolaus klaus nick nicola nikolai nicolae claus niklas niels nils
        nicky colin kolya miklos nico niccolo mykola
    nicole nicola nicoletta nicky nikola
    nina antonina
    noah noe noach nuh
    nora eleonora
    norbert bert
    olaf olav oleg olof
    olga olya helga ola
    oliver olivier oliwier ollie
    olivia oliwia liv ollie
    omar umar
    oscar oskar ozzie
    otto otis
    pablo paul pawel paolo pavel paulo paulus paavo pol pavlo
    patricia patrycja pat patty trish patrizia tricia trisha
    patrick patryk pat paddy patricio patrizio
    paula paulina pauline paola polly lina
    pedro peter piotr pietro pierre piet petr pete petru pyotr piotrek petros per petro pere
        boutros
    petra petronela
    philippa pippa
    priya
    przemyslaw przemek
    rachel rachela raquel rahel
    rafael rafal raphael raf raffaele rafa ralph
    rahul
    rainer reinhard reinhold
    raj rajesh
    ralf ralph rolf rudolf raoul raul
    ramon raymond ray raimund rajmund raimondo
    rebecca rebeka becky rivka
    regina gina reginald
    renate renata rena
    ricardo richard ryszard rick dick rich ricky riccardo rysiek rico
    robert bob rob bobby roberto bert robbie robin ruprecht
    roberta bobbie bert robbie
    roger rogelio rudiger bobby rob
    roland rolando orlando
    roman
    ronald ron ronnie ronaldo reinhold
    rosa rose roza rosie rosalia rosalind
    rosemary rosemarie rosie marie mary rose maria
    roxana roxanne ann rose
    ruth
    sabina sabine sabrina
    salma selma
    samir
    samuel sam sammy samuele shmuel
    samantha sam sammy
    sanjay
    sara sarah sally sadie
    sebastian seba bastian sebastien bastien seb
    sergei sergey sergio serge sergiusz serhii
    shirley
    sigmund zygmunt siegmund segismundo
    silvia sylvia sylwia silvie
    simon szymon simone simeon shimon semyon symon
    simona simone
    slawomir slawek
    sofia sophia sophie zofia zosia sonia sonja sofie zoe sonya
    stanislaw stanislav staszek stan stas stanley stasiek
    stefan stephen steven steve stephan esteban stefano istvan stepan etienne stevie stephane
        szczepan steph
    stefania stephanie stefanie steffi steph fanny annie stevie
    susan zuzanna susanne susana suzanne sue zuza susie suzie susanna hannah sanna
    svetlana sveta
    sven
    sylvester sylwester silvester silvestre
    tadeusz thaddeus tadeo thad tadek
    tamara
    tatiana tanya tania tatjana
    teresa theresa therese terry tess tessa reza
    terence terry
    theodor theodore ted teodor fyodor teddy theo feodor dor
    thomas tomasz tom tommy tomas tommaso tomek foma
    timothy tim tymoteusz timofei timo
    tobias tobiasz toby
    tristan
    ulrich ulli uli ulrik
    ulrike ulrika
    urszula ursula ulla uschi
    uwe
    valentin walenty valentino
    valentina
    valeria valerie waleria lera
    vera wiera wera
    veronica weronika veronika ronnie veronique ron vera
    victor wiktor viktor vittorio vic
    victoria wiktoria viktoria vicky vittoria tori vic
    vincent wincenty vincenzo vince vicente vinzenz vic
    viola violet violetta wioletta ola
    virginia ginny ginger
    vivian viviane
    vladimir wlodzimierz volodya vlad volodymyr waldemar vova
    waclaw vaclav wenceslas wenzel
    walter walt wally gualtiero
    wanda
    wendy
    werner warner
    william wilhelm bill will billy willy guillermo guillaume guglielmo liam wilek vilhelm
        willem
    wojciech wojtek adalbert
    xavier javier ksawery saverio
    zbigniew zbyszek
    zdzislaw zdzisiek
    linda lynda belinda melinda mel
    carmen carmel carmela
    ingrid inge ingeborg inga
    gary garry
    keith
    scott
    craig
    wayne
    kyle
    ryan
    tyler
    brandon brendan
    dylan
    owen ewan
    rhys reece
    gareth garth gary
    declan
    heather
    ashley
    chloe
    tiffany theophania
    amber
    astrid asta
    bjorn
    gunnar gunther gunter
    knut canute
    leif
    magnus
    sigrid siri
    solveig
    freya
    zoltan
    tibor
    ferenc
    attila
    imre emmerich
    ladislav laszlo wladyslaw vladislav wladek
    milan
    zdenek
    marina
    larissa larisa lara
    ludmila lyudmila mila
    galina
    oksana oxana
    taras
    nadia nadja nadine nadzieja nadezhda
    lydia lidia
    jasmine yasmin yasmine jasmin
    kasper jasper caspar gaspar kacper casper
    murat
    emre
    burak
    hakan
    zeynep zainab zaynab
    elif
    ayse
    hiroshi
    kenji
    takashi
    akira
    yuki
    vikram
    vijay
    ravi
    suresh
    ramesh
    sunil
    nikhil
    rohan
    anjali
    kavita
    neha
    pooja puja
    lakshmi
    pilar
    mercedes
    consuelo
    gonzalo
    alvaro
    rodrigo
"""


@cache
def _called() -> dict[str, frozenset[int]]:
    """Return the lines in which each name stands; a line that is set in goes on with the last."""
    found: dict[str, set[int]] = {}
    number = 0
    for line in _LINES.splitlines():
        number += not line.startswith("        ")
        for name in line.split():
            found.setdefault(name, set()).add(number)
    return {name: frozenset(lines) for name, lines in found.items()}


def are_of_two(name: str, other: str) -> bool:
    """Say whether two given names, folded, are known and nobody goes by both."""
    called = _called()
    return bool(name in called and other in called and not called[name] & called[other])
