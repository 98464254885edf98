"""What people are to one another and to their work, in words: kin, roles, and where one works."""

# What one says of somebody's place in a family, and what one shares a life with.
KIN = (
    r"(?:(?:great[- ])?(?:grand)?(?:mother|father|mum|mom|dad|ma|pa|parents?|son|daughter|child|"
    r"kids?|children)|grand(?:ma|pa)|(?:step|half|twin|older|younger|elder|little|big)?[- ]?"
    r"(?:brother|sister|sibling)s?|aunt|uncle|cousins?|niece|nephew|wife|husband|spouse|partner|"
    r"girlfriend|boyfriend|fianc[ée]e?|ex(?:[- ](?:wife|husband))?|godmother|godfather|godson|"
    r"goddaughter|step(?:mother|father|son|daughter|mum|dad)|"
    r"(?:mother|father|sister|brother|son|daughter)-in-law|in-laws|family|"
    r"dog|cat|pet|horse|puppy|kitten|rabbit|parrot|hamster|baby|toddler|twins?)"
)
_PERSONS = (
    r"accountant|administrator|admin|adviser|advisor|agent|ambassador|analyst|apprentice|architect|"
    r"archivist|artist|assistant|associate|attorney|auditor|author|babysitter|baker|barber|bassist|"
    r"boss|broker|buddy|builder|bookkeeper|candidate|caretaker|carpenter|chair|chairman|chairwoman|"
    r"champion|chef|chief|clerk|client|coach|co-?founder|colleague|conductor|consultant|contact|"
    r"contractor|contributor|controller|cook|coordinator|counsel|counsellor|curator|customer|deputy|"
    r"dentist|designer|developer|dev|director|doctor|dr|driver|drummer|economist|editor|electrician|"
    r"employee|engineer|entomologist|evangelist|examiner|executive|expert|florist|flatmate|founder|"
    r"freelancer|friend|gardener|gp|guitarist|guardian|hairdresser|head|headmaster|housemate|"
    r"illustrator|inspector|instructor|intern|investor|interpreter|janitor|journalist|judge|"
    r"keeper|keyboarder|landlady|landlord|lawyer|lead|leader|lecturer|librarian|maintainer|manager|"
    r"marketer|mathematician|mechanic|member|mentor|midwife|minister|mayor|musician|nanny|neighbou?r|"
    r"nurse|nutritionist|officer|operator|organi[sz]er|owner|painter|paralegal|paramedic|partner|"
    r"pastor|pharmacist|photographer|physicist|physio(?:therapist)?|pianist|pilot|planner|plumber|"
    r"postdoc|president|principal|producer|professor|programmer|psychologist|publisher|realtor|"
    r"receptionist|recruiter|referee|rep|representative|researcher|reviewer|roommate|sales(?:man|"
    r"woman|person)|scientist|secretary|sergeant|shareholder|singer|solicitor|specialist|"
    r"spokesperson|sponsor|sre|stakeholder|student|supervisor|supplier|surgeon|surveyor|sysadmin|"
    r"tailor|teacher|teammate|technician|tenant|tester|therapist|trainee|trainer|translator|"
    r"treasurer|trustee|tutor|vendor|vet|veterinarian|violinist|vocalist|volunteer|waiter|warden|"
    r"webmaster|welder|winner|worker|writer|civil servant|point person|point of contact|"
    r"product owner|scrum master|handyman|cto|ceo|cfo|coo|ciso|cio|cmo|cpo|dpo|dba|pm|vp|svp|evp|"
    r"hr|qa|md"
)
# A role ends in one of these, with what kind of one before it: "senior data engineer".
_KIND = r"(?:(?!(?:about|of|for|with|to|at|in|on|by|from|that) )[\w&/-]{1,24} )"
ROLE = rf"(?:{_KIND}{{0,4}}?(?:{_PERSONS})(?: of [\w&' -]{{2,40}}?)?)"
# What somebody does with what is theirs to do; only people do these.
DUTIES = (
    r"owns|leads|heads|chairs|coordinates|oversees|supervises|looks after|takes care of|is in "
    r"charge of|is responsible for|is accountable for|signs off on|is on call for|takes over|took "
    r"over|is the owner of|is the only one who can|is taking over|will take over|is the one who"
)
# Programs do these as well, but for nobody's "pictures".
DOINGS = (
    r"runs|manages|maintains|handles|covers|deals with|administers|organises|organizes|keeps|does|"
    r"reviews|approves|checks"
)
