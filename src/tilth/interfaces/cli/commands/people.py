"""Commands of entities and conversations that call one verb or another."""

from collections.abc import Sequence
from typing import Annotated

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import ConversationId, EpisodeId
from tilth.core.scope import GLOBAL
from tilth.core.verb import Arg
from tilth.episodes.context import Narrowed, Place
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.error_codes import EXIT_NO
from tilth.knowledge.entities import views as entity_views
from tilth.knowledge.entities.identity import LinkConfidence
from tilth.knowledge.entities.verbs import Limit, Named, Type
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.people import views
from tilth.people.profile import ProfileConfidence, Trait, parse_profile_confidence
from tilth.people.verbs.identity_verbs import Shown


@command(
    "entity add",
    examples=(
        "tilth entity add PostgreSQL --type tech --alias pg",
        "tilth entity add Marina --type person --transport email --address marina@example.org",
    ),
)
def add(
    terminal: Terminal,
    name: Annotated[str, Arg("the name that it is shown by", metavar="NAME")],
    *,
    type: Type = EntityType.THING,
    aliases: Annotated[
        Sequence[str], Arg("another name; may be repeated", metavar="NAME", flags=("--alias",))
    ] = (),
    namesake: Annotated[bool, Arg("make another one, though the name is known")] = False,
    transport: Annotated[str, Arg("the transport of --address", metavar="T")] = "",
    address: Annotated[
        str, Arg("the address, as that transport writes it", metavar="ADDRESS")
    ] = "",
    display_name: Shown = "",
    verified: Annotated[
        bool, Arg("you know that the address is theirs; only a human may say so")
    ] = False,
    note: Annotated[str, Arg("what is known of them: a trait, notes", metavar="TEXT")] = "",
    scope: Place = GLOBAL,
) -> int:
    """
    Record an entity, or add to a known one.

    A name that a thing goes by already means that thing. A name that comes close is
    recorded, and a human is asked whether the two are one. With an address or a note it
    is recorded as somebody who is reached there.
    """
    with terminal.open() as brain:
        if not (transport or address or note or display_name or verified):
            added = brain.entities.add(
                name, type=type, aliases=aliases, scope=scope, is_namesake=namesake
            )
            terminal.screen.answer(added, entity_views.added(added))
            return 0
        told = brain.people.introduce(
            name,
            type=type,
            aliases=aliases,
            transport=transport,
            address=address,
            display_name=display_name,
            confidence=LinkConfidence.CONFIRMED if verified else LinkConfidence.SUGGESTED,
            traits={"notes": note} if note else {},
            scope=scope,
            is_namesake=namesake,
        )
        terminal.screen.answer(told, views.introduced(told))
    return 0


@command(
    "entity suggest",
    examples=(
        "tilth entity suggest Marina",
        "tilth entity suggest marina@example.org --transport email",
    ),
)
def suggest(
    terminal: Terminal,
    name: Named,
    *,
    transport: Annotated[str, Arg("the name is an address on this transport", metavar="T")] = "",
    display_name: Shown = "",
    limit: Limit = 5,
    scope: Narrowed = None,
) -> int:
    """
    Suggest what an entity may be the same as, or whose an address may be.

    Each comes with a score from 0 to 1 and the reason.
    """
    with terminal.open() as brain:
        if transport:
            found = brain.people.suggest(
                transport, name, display_name=display_name, limit=limit, scope=scope
            )
        else:
            found = brain.entities.suggest(name, limit=limit, scope=scope)
    terminal.screen.answer({"suggestions": found}, entity_views.suggestions(found))
    if not found:
        terminal.screen.say("nothing comes close")
    return 0


@command(
    "entity resolve",
    examples=(
        "tilth entity resolve pg --type tech",
        "tilth entity resolve marina@example.org --transport email",
    ),
)
def resolve(
    terminal: Terminal,
    name: Annotated[str, Arg("the name, as a text gives it", metavar="NAME")],
    *,
    type: Type = EntityType.THING,
    transport: Annotated[str, Arg("the name is an address on this transport", metavar="T")] = "",
    scope: Narrowed = None,
) -> int:
    """
    Say what a name means, or who is reached at an address.

    A name that means nothing for sure shows what comes close.
    """
    with terminal.open() as brain:
        if not transport:
            resolved = brain.entities.resolve(name, type=type, scope=scope)
            terminal.screen.answer(resolved, entity_views.resolved(resolved))
            return 0
        known = brain.people.resolve(transport, name, scope=scope)
    if known is None:
        raise NotFoundError(
            f"nobody is reached at {transport} {name[:60]}",
            hint=f"who may be: tilth entity suggest ADDRESS --transport {transport}",
        )
    entity, identity = known
    terminal.screen.answer({"entity": entity, "identity": identity}, views.reached(known))
    return 0


@command(
    "entity profile",
    examples=(
        "tilth entity profile Marina",
        "tilth entity profile Marina --key language --value Romanian",
    ),
)
def profile(
    terminal: Terminal,
    name: Named,
    *,
    key: Annotated[str | None, Arg("only this trait, such as language", metavar="KEY")] = None,
    value: Annotated[str | None, Arg("its new value", metavar="TEXT")] = None,
    confidence: Annotated[
        ProfileConfidence | None, Arg("how sure it is (medium)", parse=parse_profile_confidence)
    ] = None,
    evidence: Annotated[
        Sequence[EpisodeId],
        Arg("an episode that shows it; may be repeated", metavar="ID", id=EpisodeId.prefix),
    ] = (),
    history: Annotated[bool, Arg("every version, the oldest first")] = False,
    scope: Narrowed = None,
) -> int:
    """
    Show how an entity is, or record it.

    With --key and --value it is recorded: what was recorded under that key before stays in
    the history.
    """
    if value is None and (confidence or evidence):
        raise InvalidInputError(
            "a confidence or an episode says nothing without a value", hint="add --value TEXT"
        )
    with terminal.open() as brain:
        if value is not None:
            sure = confidence or ProfileConfidence.MEDIUM
            found: Sequence[Trait] = [
                brain.people.tell(name, key or "", value, confidence=sure, evidence=evidence)
            ]
        elif history:
            found = brain.people.history(name, key=key, scope=scope)
        else:
            found = brain.people.profile(name, scope=scope)
            found = [one for one in found if key in {None, one.key}]
    terminal.screen.answer({"profile": found}, views.traits(found))
    return 0


@command(
    "conversation idle",
    examples=("tilth conversation idle", "tilth conversation idle cnv_01KAR"),
)
def idle(
    terminal: Terminal,
    conversation: Annotated[
        str | None, Arg("only this conversation", metavar="NAME", id=ConversationId.prefix)
    ] = None,
    *,
    scope: Narrowed = None,
) -> int:
    """
    Say which active conversations are idle.

    Of one it says so by the exit code too: 0 if it is idle, 1 if not.
    """
    with terminal.open() as brain:
        found = brain.conversations.idle(conversation, scope=scope)
    terminal.screen.answer({"conversations": found}, views.idle(found))
    return EXIT_NO if conversation and not found[0].is_idle else 0
