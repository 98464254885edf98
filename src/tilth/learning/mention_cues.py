"""Words that tell what kind of thing a name belongs to, and words that belong to no name."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What begins a sentence with a capital, and what is written with one, without being a name.
OPENERS = _words(
    """
    a an the this that these those it he she they we you i his her their its our your my there here
    theirs ours mine yours hers option group
    who what which when where why how if whether while although though because since as so but and
    or nor yet for from in on at by with without about after before during until till between among
    against across over under near into onto of off to up down out not no yes never always often
    sometimes once then now today tomorrow yesterday tonight also too just only even still already
    maybe perhaps please thanks thank hello hi hey dear ok okay sure great good nice right well
    all any both each every few many more most much other another some several such same one two
    three four five six seven eight nine ten first second third next last new old quick fact facts
    let can could may might must shall should will would do does did done is are was were be been
    am has have had having get got go going see seen say said says need needs note reminder
    remember update decision confirmed agreed promised honestly instead however therefore thus
    meanwhile finally later earlier recently currently morning afternoon evening
    night day week month year end start nothing something anything everything everyone nobody
    someone anyone section chapter schedule figure table page step part item version appendix
    regards greetings cheers sincerely best kind love root user users team
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december mon tue wed thu fri sat sun christmas easter
    """
)
# Tongues of people and of machines, and wares that everybody knows: "in Python" is no place.
NO_NAMES = _words(
    """
    english german french spanish italian dutch danish swedish norwegian finnish polish russian
    chinese japanese korean arabic turkish portuguese greek latin welsh irish hebrew hindi
    python rust go golang java kotlin swift ruby scala haskell ocaml erlang elixir typescript
    javascript perl php lua julia fortran cobol bash zsh sql html css latex markdown json yaml toml
    xml csv pdf linux windows macos android ios docker kubernetes git github gitlab slack jira
    notion figma excel word outlook postgres postgresql mysql sqlite redis kafka nginx terraform
    ansible jenkins grafana prometheus react vue angular django flask rails node npm internet api
    """
)
ORGANISATIONS = _words(
    """
    lab labs laboratory laboratories institute institution inc corp corporation llc ltd limited gmbh
    ag plc co company companies studio studios press publishing publishers trust foundation fund
    university college school schools academy faculty hospital clinic bank group network society
    association federation council committee commission ministry department agency bureau office
    authority court parliament garden gardens orchard orchards nursery nurseries farm farms
    logistics partners capital holdings ventures industries technologies technology solutions
    software
    consulting consultants services systems motors airlines airways insurance telecom extension
    conservancy union club museum library gallery theatre theater church orchestra choir ensemble
    brewery bakery cafe restaurant hotel pharmacy records media games energy pharma biotech
    robotics analytics science sciences research visualization collective cooperative alliance
    consortium initiative party league logistik aerospace electronics bank supermarket shop store
    """
)
# After a name, in small letters: "the Aerwyn Telemetry consortium".
ORGANISATIONS_AFTER = _words(
    """
    consortium company team group lab foundation startup firm agency department committee
    office journal newsroom board board's staff
    """
)
PROJECTS = _words(
    """
    project engine app platform portal bot pipeline dashboard framework suite toolkit initiative
    program programme redesign migration rollout launch campaign
    """
)
PROJECTS_AFTER = _words(
    """
    project projects pipeline repo repository dashboard app program programme initiative corridor
    migration rollout redesign prototype roadmap milestone backlog sprint codename library module
    package service outage tool rules survey baseline work release codebase context
    """
)
PLACES = _words(
    """
    street avenue road lane square lake river valley bay island islands mountain mountains hill
    hills flats city town village park beach coast county forest harbour harbor falls bridge
    mounts district region station airport peninsula desert canyon pass ridge
    """
)
PLACES_AFTER = _words(
    """
    district region valley county city village town street river bay island mountains area coast
    province state peninsula cluster datacentre datacenter airport station
    """
)
TITLES = _words(
    """
    mr mrs ms mx miss dr prof professor sir dame herr frau ceo cto cfo coo ciso cio cmo vp cpo pm
    sre dba president director captain officer judge senator sister brother aunt uncle father
    mother manager lead engineer doctor auditor founder chair minister king queen coordinator
    colleague accountant lawyer teacher author maintainer entomologist horticulturist postdoc
    reader contributor boss intern conductor designer developer analyst
    """
)
# What people do, as it stands right after their name.
DOES = _words(
    """
    is was has had wants says thinks needs works lives knows likes prefers asks leads runs owns
    manages does goes comes feels loves hates plans hopes reports joins moves writes reads speaks
    said met led wrote thought sat put got made took gave told went came ran left spoke sent found
    felt knew held kept bought built brought taught agreed will would can could and or who also
    just really still never always drove won began helped
    """
)
# What stands before somebody: who is with, told, thanked.
BEFORE_PERSONS = _words(
    """
    with by asked told met thanked emailed called pinged thank ask tell ping email meet invited
    introduced helped hired visited saw joined cc copied copy dear hi hello thanks for
    """
)
BEFORE_PLACES = _words("in near around outside inside across throughout within towards")
GOES_TO = _words(
    """
    move moved moving moves relocate relocated travel travelled traveling trip flew fly flying
    drove went back visit
    """
)
