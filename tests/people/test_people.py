"""Identities and profiles, through Python, on both engines."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.entities.identity import LinkConfidence, address_key


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def person(agent):
    return agent.entities.add("Ada Lovelace", type="person").entity.id


def said_by(brain, text, **saying):
    return brain.remember(text, **saying)


def words(found):
    return [episode.text for episode in found.episodes]


def waiting(brain, kind):
    return brain.review.list(kinds=[kind]).proposals


@pytest.mark.row("EM-001")
def test_one_store_tells_of_a_person_and_of_a_project(agent, human, person):
    human.people.link(person, "matrix", "@ada:example.org")
    agent.remember("the pump is fixed", transport="matrix", address="@ada:example.org")
    agent.facts.add(
        subject="Ada Lovelace",
        predicate="works on",
        object="the pump",
        channel="relationship",
        scope="project:pump",
        about=[person],
    )

    assert words(agent.people.interactions(person)) == ["the pump is fixed"]
    assert [one.fact.said.triple.object for one in agent.about(person).facts] == ["the pump"]


@pytest.mark.row("EM-020")
def test_persons_agents_and_services_alone_have_a_type_of_their_own(agent):
    for type_ in ("person", "agent", "service"):
        assert agent.entities.add(f"one {type_}", type=type_).entity.type == type_
    with pytest.raises(InvalidInputError, match="unknown entity type"):
        agent.entities.add("x", type="alien")
    with pytest.raises(InvalidInputError):
        agent.entities.add("", type="person")


@pytest.mark.row("EM-021")
def test_an_address_is_one_entitys_alone(human, person, place):
    other = human.entities.add("Charles Babbage", type="person").entity.id
    human.people.link(person, "email", "ada@example.org")

    with pytest.raises(ConflictError) as refused:
        human.people.link(other, "email", "Ada+x@Example.org")
    assert "unlink first" in refused.value.hint
    with pytest.raises(place.refusals):
        place.run(
            "INSERT INTO identities (identity_no, entity_no, owner, transport, address,"
            " confidence, goes_by) SELECT 999, 999, owner, transport, address, confidence, goes_by"
            " FROM identities"
        )
    human.people.unlink("email", "ada@example.org")
    assert human.people.link(other, "email", "ada@example.org").identity.entity_id == other


@pytest.mark.row("EM-021")
def test_whoever_races_one_link_wins(make, store):
    human = make("human")
    people = [human.entities.add(f"person {n}", type="person").entity.id for n in range(8)]

    def link(entity_id):
        try:
            return human.people.link(entity_id, "irc", "ada").identity.entity_id
        except ConflictError:
            return None

    with ThreadPoolExecutor(8) as pool:
        won = [one for one in pool.map(link, people) if one]
    assert len(won) == 1
    assert human.people.resolve("irc", "ada").entity.id == won[0]


@pytest.mark.row("EM-022")
def test_a_link_is_suggested_until_a_human_verifies_it(agent, human, person):
    linked = human.people.link(person, "matrix", "@ada:example.org").identity
    assert (linked.confidence, linked.verified_at) == (LinkConfidence.SUGGESTED, None)

    with pytest.raises(ForbiddenError):
        agent.people.verify("matrix", "@ada:example.org")
    verified = human.people.verify("matrix", "@ada:example.org")
    assert verified.confidence is LinkConfidence.CONFIRMED
    assert verified.verified_at >= linked.linked_at
    assert human.people.verify("matrix", "@ada:example.org") == verified
    sure = human.people.link(person, "irc", "ada", confidence="confirmed").identity
    assert sure.verified_at is not None
    with pytest.raises(ForbiddenError):
        agent.people.link(person, "slack", "U1", confidence="confirmed")
    with pytest.raises(NotFoundError):
        human.people.verify("slack", "U1")


@pytest.mark.row("EM-022")
def test_what_a_human_links_again_is_the_humans_under_the_name_told_last(agent, human, place):
    service = agent.entities.add("grafana", type="service").entity.id
    agent.people.link(service, "web", "grafana.local", display_name="Graf")

    again = human.people.link(service, "web", "grafana.local", display_name="Grafana")

    assert (again.is_new, again.identity.by.kind) == (False, "human")
    assert again.identity.display_name == "Grafana"
    with pytest.raises(ForbiddenError):
        agent.people.unlink("web", "grafana.local")
    sure = human.people.verify("web", "grafana.local")
    before = place.run("SELECT count(*) FROM ledger")
    for brain in (agent, human):
        assert brain.people.link(service, "web", "grafana.local").identity == sure
    assert place.run("SELECT count(*) FROM ledger") == before
    renamed = human.people.link(service, "web", "grafana.local", display_name="Board").identity
    assert (renamed.display_name, renamed.confidence) == ("Board", LinkConfidence.CONFIRMED)
    assert [one.display_name for one in human.people.identities(service)] == ["Board"]


@pytest.mark.row("EM-023")
def test_suggesting_changes_nothing_and_brings_ten_at_most(agent, human, store):
    for n in range(15):
        one = human.entities.add("Ada", type="person", is_namesake=True).entity.id
        human.people.link(one, "irc", f"ada{n}")
    human.people.link(one, "matrix", "ada@example.org")
    with store.read() as view:
        before = view.head()

    found = agent.people.suggest("email", "ada@example.org", display_name="Ada")

    assert len(found) == 10
    assert (found[0].entity.id, found[0].reason) == (one, "has that address on matrix")
    with store.read() as view:
        assert view.head() == before
    assert agent.people.resolve("email", "ada@example.org") is None


@pytest.mark.row("EM-023")
@pytest.mark.parametrize(
    ("transport", "address", "display_name"),
    [
        ("matrix", "@ada.lovelace:example.org", ""),
        ("telegram", "@ada.lovelace", ""),
        ("email", "Ada.Lovelace@elsewhere.org", ""),
        ("irc", "ada.lovelace", ""),
        ("slack", "U0815", "the countess"),
        ("slack", "U0815", "Ada Lovelace"),
    ],
)
def test_a_handle_and_a_name_are_known_again_on_another_transport(
    agent, human, person, transport, address, display_name
):
    other = human.entities.add("A. L.", type="person").entity.id
    human.people.link(other, "email", "ada.lovelace@example.org")
    human.people.link(other, "discord", "4711", display_name="The Countess")
    human.people.link(human.entities.add("Eve", type="person").entity.id, "email", "eve@x.org")

    found = agent.people.suggest(transport, address, display_name=display_name)

    assert {one.entity.id for one in found} == (
        {other} if "the" in display_name else {person, other}
    )
    assert agent.people.resolve(transport, address) is None


@pytest.mark.row("EM-024")
def test_a_hundred_sweeps_merge_no_people_and_ask_once(human):
    ids = []
    for transport in ("email", "matrix"):
        one = human.entities.add("Ada Lovelace", type="person", is_namesake=True).entity.id
        human.people.link(one, transport, "ada@example.org")
        ids.append(one)

    for _ in range(100):
        human.entities.tidy()

    assert [human.entities.get(one).entity.id for one in ids] == ids
    assert len(waiting(human, "merge")) == 1


@pytest.mark.row("EM-023", "EM-024")
def test_nobody_is_asked_whether_all_of_one_rare_first_name_are_one_person(human):
    for family in ("Marlowe", "Okonkwo", "Brandt", "Ito", "Vasquez", "Lindqvist"):
        human.entities.add(f"Zephyrine {family}", type="person")

    assert waiting(human, "merge") == ()
    human.entities.add("Zephyrine Lindquist", type="person")
    assert len(waiting(human, "merge")) == 1


@pytest.mark.row("EM-024")
def test_an_agent_only_proposes_whose_address_it_is(agent, human, person):
    linked = agent.people.link(person, "email", "ada@example.org")
    assert linked.identity is None
    again = agent.people.link(person, "email", "ADA@example.org")
    assert again.proposal_id == linked.proposal_id
    assert agent.people.resolve("email", "ada@example.org") is None

    (proposal,) = waiting(human, "identity_link")
    assert proposal.id == linked.proposal_id
    human.people.link(person, "email", "ada@example.org", confidence="confirmed")
    assert waiting(human, "identity_link") == ()
    assert agent.people.resolve("email", "ada@example.org").entity.id == person


@pytest.mark.row("EM-024")
def test_an_agent_links_the_address_of_a_service(agent):
    service = agent.entities.add("grafana", type="service").entity.id

    linked = agent.people.link(service, "web", "https://grafana.local", confidence="inferred")

    assert linked.identity.confidence is LinkConfidence.INFERRED
    agent.people.unlink("web", "https://grafana.local")
    assert agent.people.identities(service) == []


@pytest.mark.row("EM-021", "EM-030")
def test_what_came_by_an_address_before_it_changed_hands_stays_with_its_bearer_of_then(
    agent, human, make, person
):
    other = human.entities.add("Ben Ito", type="person").entity.id
    theirs = make("human", owner="else").entities.add("Ada", type="person").entity.id
    office = {"transport": "email", "address": "office@example.org"}
    agent.remember("before anybody knew whose it is", **office)
    human.people.link(person, **office)
    agent.remember("ada speaks", **office)
    elsewhere = make("agent", owner="else")
    elsewhere.remember("of another owner", **office)

    human.people.unlink(**office, keep=True, reason="she left")
    agent.remember("while it is nobody's", **office)
    human.people.link(other, **office)
    agent.remember("ben speaks", **office)

    ada = ["before anybody knew whose it is", "ada speaks"]
    assert words(agent.people.interactions(person)) == ada
    ben = ["while it is nobody's", "ben speaks"]
    assert words(agent.people.interactions(other)) == ben
    make("human", owner="else").people.link(theirs, **office)
    assert words(elsewhere.people.interactions(theirs)) == ["of another owner"]
    human.parts.store.rebuild()
    assert words(agent.people.interactions(person)) == ada
    going = {one for one in human.erase.plan(entity=person).ids if one.startswith("epi_")}
    assert going == {one.id for one in agent.people.interactions(person).episodes}
    human.people.unlink(**office)
    assert words(agent.people.interactions(other)) == []
    human.people.link(person, **office)
    assert words(agent.people.interactions(person)) == [*ada, *ben]


@pytest.mark.row("EM-025")
def test_linking_and_merging_people_is_taken_back_exactly(agent, human, person):
    other = human.entities.add("A. L.", type="person").entity.id
    human.people.link(person, "irc", "ada")
    human.people.link(other, "matrix", "@al:example.org")
    agent.remember("from matrix", transport="matrix", address="@al:example.org")

    human.entities.merge(person, other)
    assert words(agent.people.interactions(person)) == ["from matrix"]
    assert len(agent.people.identities(person)) == 2
    assert agent.people.resolve("matrix", "@al:example.org").entity.id == person

    human.entities.split(other)
    assert words(agent.people.interactions(person)) == []
    assert agent.people.resolve("matrix", "@al:example.org").entity.id == other
    with pytest.raises(ForbiddenError):
        agent.people.unlink("irc", "ada")
    human.people.unlink("irc", "ada", reason="a mistake")
    assert agent.people.resolve("irc", "ada") is None


@pytest.mark.row("EM-026")
@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ada@example.org", "ada@example.org"),
        ("  Ada@Example.ORG ", "ada@example.org"),
        ("ada+lists@example.org", "ada@example.org"),
        ("ada+a+b@example.org", "ada@example.org"),
        ("+ada@example.org", "+ada@example.org"),
        ("a.da@example.org", "a.da@example.org"),
        ("Ada Lovelace <Ada+x@Example.org> ", "ada@example.org"),
        ('"Lovelace, Ada" <ada@example.org>', "ada@example.org"),
        ("<ada@example.org>", "ada@example.org"),
        ("Ada <ada@example.org", "ada <ada@example.org"),
    ],
)
def test_mail_addresses_are_compared_without_case_and_tags(written, key):
    assert address_key("email", written) == key


@pytest.mark.row("EM-026")
def test_an_address_resolves_however_it_is_written(agent, human, person):
    human.people.link(person, "email", "Ada+work@Example.org")

    assert agent.people.resolve("email", " ada+x@example.ORG").entity.id == person
    assert agent.people.resolve("matrix", "ada@example.org") is None
    human.people.link(person, "matrix", "@Ada:example.org")
    assert agent.people.resolve("matrix", "@ada:example.org") is None
    wrong_mail = ("ada", "@example.org", "ada@", "a\nb@example.org", "Ada <ada@example.org")
    for wrong in ("", "  ", "undefined", *wrong_mail):
        with pytest.raises(InvalidInputError):
            agent.people.resolve("email", wrong)
    for asking in (agent.people.resolve, agent.people.suggest):
        with pytest.raises(InvalidInputError, match="unknown transport 'Email'"):
            asking("Email", "ada@example.org")
    with pytest.raises(InvalidInputError, match="unknown transport"):
        human.people.link(person, "pigeon", "ada")


@pytest.mark.row("EM-026")
def test_an_episode_belongs_to_whose_address_it_came_from(agent, human, person):
    told = {"transport": "email", "address": "Ada <Ada+lists@Example.org>"}
    agent.remember("before the link", **told)
    agent.remember("from somebody else", transport="email", address="bob@example.org")
    human.people.link(person, "email", "ada@example.org")
    agent.remember("after the link", **told, role="assistant")
    agent.remember("told to be with her", entity_id=person)

    bob = agent.entities.add("Bob", type="person").entity.id
    agent.remember("Bob, from her machine", **told, entity_id=bob)

    said = agent.people.interactions(person)
    assert words(agent.people.interactions(bob)) == ["Bob, from her machine"]
    assert words(said) == ["before the link", "after the link", "told to be with her"]
    assert said.tally.count == 3
    assert (said.tally.first_at, said.tally.last_at) == (
        said.episodes[0].occurred_at,
        said.episodes[-1].occurred_at,
    )
    human.people.unlink("email", "ada@example.org")
    assert words(agent.people.interactions(person)) == ["told to be with her"]


@pytest.mark.row("EM-027")
def test_entities_are_found_by_name_alias_and_address_alone(agent, human):
    ada = agent.entities.add("Ada Lovelace", type="person", aliases=["Countess"]).entity.id

    human.people.link(ada, "email", "ada@example.org")
    human.people.link(ada, "irc", "countess%_")
    for name in ("Ada Lovelace", "Countess", "Ada+x@Example.org", "countess%_"):
        assert agent.entities.search(name)[0].entity.id == ada
    for wild in ("%", "_", "A%e", "*"):
        assert agent.entities.search(wild) in ((), [])


@pytest.mark.row("EM-027")
def test_parts_of_addresses_and_display_names_are_found_and_no_sign_is_special(agent, human):
    ada, bob = (human.entities.add(name, type="person").entity.id for name in ("Ada", "Bob"))
    human.people.link(ada, "slack", "U0123", display_name="The  Countess")
    human.people.link(ada, "email", "ada@analytical.org", display_name="100% Ada_L!")
    human.people.link(bob, "irc", "ÄDA-Straße", display_name="bob")

    def found(text, **how):
        return [one.entity.id for one in agent.entities.search(text, **how)]

    for text in ("countess", "THE COUNTESS", "u012", "analytical.org", "0% ada", "ada_l!"):
        assert found(text) == [ada], text
    assert found("äda-STRASSE")[0] == bob
    for wild in ("%", "_", "!", "U%3", "U_123", "lytic%org", "lytic!.org"):
        assert found(wild) == [], wild
    for number in range(25):
        human.people.link(ada, "web", f"https://ada.example/{number}")
        one = human.entities.add(f"visitor {number}", type="person").entity.id
        human.people.link(one, "web", f"https://visitor.example/{number}")
    assert len(found("visitor.example")) == 20
    assert len(found("visitor.example", limit=5)) == 5
    human.people.unlink("slack", "U0123")
    assert found("countess") == []


@pytest.mark.row("EM-027")
def test_nobody_is_found_by_an_address_that_may_not_be_seen(make, human):
    hidden = human.entities.add("Ada", type="person", scope="project:a").entity.id
    human.people.link(hidden, "slack", "U0123", display_name="The Countess")

    assert human.entities.search("countess", scope="project:b") == ()
    assert make("human", "mallory", "other").entities.search("countess") == ()


@pytest.mark.row("EM-031", "EM-042", "EM-043")
def test_what_passed_is_read_by_transport_and_masked(agent, human, person):
    human.people.link(person, "email", "ada@example.org")
    human.people.link(person, "matrix", "@ada:example.org")
    mail = agent.remember(
        "call 10.20.30.40 or write to bob@example.com",
        transport="email",
        address="ada@example.org",
    )
    agent.remember("only on matrix", transport="matrix", address="@ada:example.org")

    by_mail = agent.people.interactions(person, transport="email", is_private=True)
    assert [one.id for one in by_mail.episodes] == [mail]
    assert "bob@example.com" not in by_mail.episodes[0].text
    assert "10.20.30.40" not in by_mail.episodes[0].text
    assert by_mail.episodes[0].address == "[email]"
    assert words(agent.people.interactions(person, limit=1)) == ["only on matrix"]
    assert (by_mail.tally.count, agent.people.interactions(person).tally.count) == (1, 2)


@pytest.mark.row("EM-031")
def test_the_counts_are_those_of_what_is_there(agent, human, person):
    human.people.link(person, "irc", "ada", confidence="confirmed")
    agent.people.tell(person, "language", "English")
    agent.people.tell(person, "language", "French")

    assert agent.people.stats() == {
        "entities": {"person": 1},
        "identities": {"irc": 1},
        "confidence": {"confirmed": 1},
        "traits": {"current": 1, "past": 1},
    }


@pytest.mark.row("EM-028")
def test_a_profile_grows_in_versions_and_marks_the_current_one(agent, human, person):
    shown = agent.remember("please answer in French")
    first = agent.people.tell(person, "Language", "English", confidence="low")
    second = agent.people.tell(person, "language", "French", confidence="high", evidence=[shown])
    agent.people.tell(person, "tone", "terse")

    assert [one.value for one in agent.people.profile(person)] == ["French", "terse"]
    history = agent.people.history(person, key="LANGUAGE")
    assert [(one.value, one.is_current) for one in history] == [
        ("English", False),
        ("French", True),
    ]
    assert history[0].seq == first.seq
    assert (history[1].evidence, history[1].confidence) == ((shown,), "high")
    assert agent.people.tell(person, "language", "French", confidence="high") == second
    with pytest.raises(NotFoundError):
        agent.people.tell(person, "mood", "calm", evidence=["epi_" + "0" * 26])
    for key, value in (("", "x"), ("x", ""), ("x", "undefined")):
        with pytest.raises(InvalidInputError):
            agent.people.tell(person, key, value)


@pytest.mark.row("EM-028")
def test_concurrent_updates_make_one_chain(agent, person):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: agent.people.tell(person, "mood", f"mood {n}"), range(24)))

    history = agent.people.history(person, key="mood")
    assert len(history) == 24
    assert [one.is_current for one in history] == [False] * 23 + [True]
    assert [one.seq for one in agent.people.profile(person)] == [history[-1].seq]


@pytest.mark.row("EM-028")
def test_what_a_human_told_only_a_human_replaces(agent, human, person):
    human.people.tell(person, "language", "French")

    with pytest.raises(ForbiddenError):
        agent.people.tell(person, "language", "English")
    assert human.people.tell(person, "language", "English").value == "English"


@pytest.mark.row("EM-028")
def test_what_a_human_says_too_is_the_humans_from_then_on(agent, human, person):
    shown = agent.remember("please answer in French")
    agent.people.tell(person, "language", "French", confidence="high", evidence=[shown])

    told = human.people.tell(person, "language", "French", confidence="high")

    assert (told.by.kind, told.is_current) == ("human", True)
    with pytest.raises(ForbiddenError):
        agent.people.tell(person, "language", "German")
    assert human.people.tell(person, "language", "French", confidence="high") == told
    assert agent.people.tell(person, "language", "French", confidence="high") == told
    assert [one.by.kind for one in agent.people.history(person)] == ["agent", "human"]


@pytest.mark.row("EM-028")
def test_profiles_of_merged_people_come_apart_again(agent, human, person):
    other = human.entities.add("A. L.", type="person").entity.id
    agent.people.tell(person, "language", "English")
    agent.people.tell(other, "language", "French")

    human.entities.merge(person, other)
    assert [one.value for one in agent.people.profile(person)] == ["French"]
    human.entities.split(other)
    assert [one.value for one in agent.people.profile(person)] == ["English"]


@pytest.mark.row("EM-040", "EM-041")
def test_what_is_told_of_people_is_scrubbed(agent, human, person):
    key = "sk-" + "a1B2c3D4" * 4
    human.people.link(person, "irc", "ada", display_name=f"Ada {key}")
    trait = agent.people.tell(person, "token", f"uses {key} <private>at home</private>")

    assert key not in agent.people.identities(person)[0].display_name
    assert key not in trait.value
    assert "at home" not in trait.value


def test_another_owner_sees_nobody(make, human, person):
    human.people.link(person, "irc", "ada")
    human.remember("hello", transport="irc", address="ada")
    stranger = make("human", "mallory", "other")

    assert stranger.people.resolve("irc", "ada") is None
    assert stranger.people.suggest("matrix", "ada") == ()
    with pytest.raises(NotFoundError):
        stranger.people.interactions(person)
    theirs = stranger.entities.add("Ada", type="person").entity.id
    stranger.people.link(theirs, "irc", "ada")
    assert words(stranger.people.interactions(theirs)) == []


def test_an_entity_of_one_project_is_not_reached_from_another(human):
    hidden = human.entities.add("Ada", type="person", scope="project:a").entity.id
    human.people.link(hidden, "irc", "ada")
    human.people.tell(hidden, "mood", "calm")

    assert human.people.resolve("irc", "ada", scope="project:b") is None
    assert human.people.suggest("matrix", "ada", scope="project:b") == ()
    assert human.people.stats(scope="project:b")["identities"] == {}
    with pytest.raises(NotFoundError):
        human.people.profile(hidden, scope="project:b")
    lines = [one.event for one in human.changes(scope="project:b").items]
    assert lines == []


def decide(human, proposal_id, action):
    digest = human.review.show(proposal_id).digest
    return human.review.decide(proposal_id, action, digest=digest)


@pytest.mark.row("I29")
def test_confirming_the_question_links_the_address_and_undo_parts_it_again(agent, human, person):
    asked = agent.people.link(person, "email", "ada@example.org").proposal_id
    assert human.people.resolve("email", "ada@example.org") is None

    decide(human, asked, "confirm")

    known = human.people.resolve("email", "ada@example.org")
    assert known.entity.id == person
    assert (known.identity.confidence, known.identity.by.kind) == ("confirmed", "human")
    human.review.undo(asked)
    assert human.people.resolve("email", "ada@example.org") is None
    assert [one.id for one in waiting(human, "identity_link")] == [asked]


@pytest.mark.row("I29")
def test_a_question_about_an_address_that_is_anothers_by_now_is_not_confirmed(agent, human, person):
    asked = agent.people.link(person, "email", "ada@example.org").proposal_id
    other = human.entities.add("Charles Babbage", type="person").entity.id
    human.people.link(other, "email", "ada@example.org")

    with pytest.raises(ConflictError, match="is Charles Babbage's"):
        decide(human, asked, "confirm")

    assert human.people.resolve("email", "ada@example.org").entity.id == other
    assert [one.id for one in waiting(human, "identity_link")] == [asked]


@pytest.mark.row("I29")
def test_nobody_but_a_human_confirms_who_somebody_is(agent, human, person):
    asked = agent.people.link(person, "email", "ada@example.org").proposal_id

    with pytest.raises(ForbiddenError):
        agent.review.decide(asked, "confirm", digest=human.review.show(asked).digest)

    assert agent.people.resolve("email", "ada@example.org") is None


@pytest.mark.row("XR-04")
def test_words_of_a_project_become_no_trait_that_is_seen_everywhere(agent, human, person):
    said = agent.remember("The alarm code is under the mat.", scope="project:shed")
    where = ("where", "alarm code under the mat")

    for told in (
        lambda: agent.people.tell(person, *where, evidence=[said]),
        lambda: agent.people.tell(person, *where, confidence="high", evidence=[said]),
    ):
        with pytest.raises(ForbiddenError, match="project:shed, and only a human widens") as no:
            told()
        assert "a person" in no.value.hint
    assert agent.people.profile(person, scope="project:other") == []
    agent.entities.add("Shed Cat", type="person", scope="project:shed")
    agent.people.tell("Shed Cat", *where, evidence=[said])
    assert human.people.tell(person, *where, evidence=[said]).value == where[1]
