"""
Synonyms of ordinary words in wishes: for things, and for what is done with them.

Each line is one thing, by the word that stands for it and its synonyms. Only words that are freely
exchangeable share a line, not different things of a kind: `euro` and `pound` are two wishes, `euro`
and `EUR` are one.
"""

import re

from tilth.core.text.tokens import stem

# Phrases are first replaced by one word; up to three words may stand within where … does.
_PHRASES = """
    sms: text message; text messages; as a text; by text
    newsletter: mailing list; mailing lists
    font: text size; letter size; size of the text; size of the letters
    vat: value added tax; value-added tax
    gpu: graphics card; graphics cards; video card
    ai: artificial intelligence
    pdf: portable document format
    csv: comma separated; comma-separated; comma separated values
    2fa: two factor; two-factor; second factor; multi-factor; multi factor
    sso: single sign on; single sign-on
    offline: without internet; without an internet connection; without network; without a network;
        without a connection; no internet; no network; off the grid
    postpone: put … off; put off; push … back; remind … later
    undo: roll … back; take … back; go back to an earlier; put … back as
    deploy: roll … out; bring … live; go live; put … live; push … live
    recurring: every day; every week; every month; every year; each day; each week; each month;
        comes back; come back; over and over; at regular times; on a schedule
    automatic: by itself; by themselves; on its own; on their own; without me; without asking;
        in the background; all by
    bigger: turn … up; scale … up
    login: log in; sign in; log on
    logout: log out; sign out
    bulk: all at once; at once; in one go; in one step; at a time; in a batch; several at
    split: break … up; break … down; cut … up
    merge: put … together; bring … together
    unsubscribe: get … off; opt out; sign … off; take … off
    drag: move … by hand; drag and drop
    realtime: real time; real-time; as it happens
"""
# The first word stands for the others on its line.
_WORDS = """
    excel xlsx xls spreadsheet spreadsheets
    word docx doc
    powerpoint pptx ppt slides slideshow presentation presentations
    mail email emails mails e-mail inbox mailbox
    sms texting
    newsletter newsletters
    invoice invoices bill bills billing
    ticket tickets issue issues
    picture pictures photo photos image images
    video videos clip clips footage
    screenshot screenshots screengrab
    website websites site sites webpage webpages
    calendar calendars agenda
    meeting meetings appointment appointments
    chart charts graph graphs plot plots diagram diagrams
    dashboard dashboards overview overviews
    notification notifications alert alerts notify notified ping
    reminder reminders remind reminded
    mobile phone phones smartphone android iphone ios cellphone handset
    prod production
    deploy deployment release ship rollout
    stage staging
    database databases db
    migration migrations migrate
    repository repositories repo repos
    log logs logfile
    search searches searching lookup
    keyboard shortcut shortcuts hotkey hotkeys key keys keybinding keystroke
    password passwords passphrase
    translate translation translations translated
    transcribe transcript transcripts transcription transcribed
    dark night black
    bigger larger increase enlarge magnify big large
    smaller shrink reduce
    font fonts letters lettering typeface
    undo revert reverted restore restored rollback recover recovered
    delete remove deleted removed erase
    postpone snooze delay defer later
    recurring recur repeat repeats repeating repeated weekly daily monthly yearly periodic regularly
        week month day year
    automatic automatically auto automate automated
    calculate compute computed calculated calculation
    light lights lamp lamps lighting bulb bulbs
    heating thermostat temperature heat warm warmer radiator
    doorbell bell
    camera cameras
    location place where whereabouts nearby gps geofence
    euro euros eur
    pound pounds gbp sterling
    dollar dollars usd
    price prices amount amounts cost costs
    print printed printer printout
    backup backups
    share sharing shared
    sign signature signed
    voice speak speech spoken aloud
    duplicate duplicates double doubles doubled
    label labels tag tags category categories
    filter filtered filtering sorted
    folder folders directory directories
    template templates boilerplate
    comment comments annotation annotations
    history changelog
    speed faster fast quick quicker slow slower
    offline plane airplane
    network internet wifi
    weather forecast
    map maps
    route directions
    address addresses
    contact contacts
    customer customers client clients
    order orders purchase purchases
    payment payments pay
    subscription subscriptions
    role roles permission permissions rights
    mockup mockups design designs wireframe
    report reports
    task tasks todo todos
    project projects
    event events
    message messages
    chat chats conversation conversations
    user users
    account accounts
    product products
    team teams
    member members
    book books
    recipe recipes
    song songs music track tracks
    playlist playlists
    movie movies film films
    table tables
    row rows
    column columns
    form forms
    link links url urls bookmark bookmarks
    note notes
    page pages
    receipt receipts
    contract contracts
    quote quotes estimate estimates
    budget budgets
    expense expenses spending
    salary payroll payslip payslips
    timer timers stopwatch
    alarm alarms
    deadline deadlines
    goal goals
    habit habits
    workout workouts exercise exercises
    meal meals
    flight flights
    hotel hotels
    ticketing booking bookings reservation reservations
    parcel parcels shipment shipments delivery
    stock stocks share-price
    test tests
    branch branches
    commit commits
    pipeline pipelines ci
    container containers docker
    cluster clusters kubernetes
    certificate certificates cert certs
    secret secrets credential credentials
    metric metrics
    error errors exception exceptions crash crashes
    survey surveys poll polls
    lead leads prospect prospects
    campaign campaigns
    garage gate
    lock locks
    plant plants
    window windows shutter shutters blinds
"""
# Words for actions and for any thing, which do not distinguish wishes.
DOING = """
    push build roll run query read execute control turn operate adjust
    theme mode background colour color look appearance style screen environment server servers
    machine incoming against enough happen happens own size came got gave took brought began kept
    meant made ran saw tried wrote bought cancel whenever
"""


def _read_words() -> dict[str, str]:
    groups = [line.split() for line in re.sub(r"\n {8}", " ", _WORDS).strip().splitlines()]
    return {stem(word): stem(group[0]) for group in groups for word in group}


def _read_phrases() -> list[tuple[re.Pattern[str], str]]:
    """Return each phrase as a pattern, longest first, with the word that stands for it."""
    read = []
    for line in re.sub(r"\n {8}", " ", _PHRASES).strip().splitlines():
        word, _, phrases = line.strip().partition(": ")
        read += [(phrase.strip(), word) for phrase in phrases.split(";") if phrase.strip()]
    within = r"((?:\W+\w+){0,3})\W+"
    return [
        (
            re.compile(
                rf"\b{within.join(re.escape(part.strip()) for part in phrase.split('…'))}\b",
                re.IGNORECASE,
            ),
            word,
        )
        for phrase, word in sorted(read, key=lambda one: -len(one[0]))
    ]


WORDS = _read_words()
# Two of these are two things, whatever else is similar.
THINGS = frozenset(WORDS.values())
_UNWANTED = re.compile(
    r"\b(?:instead of|rather than|as opposed to|and not|without having to)\s+"
    r"(?:(?:in|the|a|an|my|to|as)\s+)*\w+",
    re.IGNORECASE,
)
_PATTERNS = _read_phrases()


def replace_synonyms(text: str) -> str:
    """Return *text* with phrases replaced by words, and without what it says is not wanted."""
    text = _UNWANTED.sub(" ", text)
    for pattern, word in _PATTERNS:
        text = pattern.sub(rf"{word}\1" if pattern.groups else word, text)
    return text
