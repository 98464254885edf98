"""
Verbs: what can be asked of a brain, each declared once.

A verb is a typed function with a docstring. Its first parameter is what it works
with; the others are annotated with `Arg`. From the declaration come the method of
`Brain`, its typed stub, the command, the reference page and the authority matrix.

    @verb("gap show", roles=ANYONE, examples=("tilth gap show gap_01J…",))
    def show(brain: Needs, gap_id: GapArg, *, scope: Narrowed = None) -> GapStory: ...

Arguments that several verbs share are the keys of a `TypedDict`, which a verb takes as
`**told: Unpack[…]`. Callers may give every value as text: it is read, or refused in
words, in the same way whether it comes from a program or from a command line.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import KW_ONLY, MISSING, fields, replace
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum
from functools import cached_property, reduce
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tilth.core.actor import Actor, ActorKind
from tilth.core.calls.parameters import Parameter, parameters_of
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.instant import parse_instant, parse_span, to_micros
from tilth.core.json import Json
from tilth.core.view import Line, number_of

if TYPE_CHECKING:
    from inspect import Signature

ANYONE: Final = frozenset(ActorKind)
KNOWN: Final = ANYONE - {ActorKind.ANONYMOUS}
WORKERS: Final = KNOWN - {ActorKind.IMPORT}
HUMANS: Final = frozenset({ActorKind.HUMAN})

View = Callable[..., Iterable[Line]]
_Function = TypeVar("_Function", bound=Callable[..., object])
_SHOWN_CHARS = 60
INTEGER_MAX = 2**63 - 1  # What a column of a store holds.


class Section(StrEnum):
    """Under what heading `tilth --help` lists a command."""

    START = "start"
    ASK = "ask"
    TELL = "tell"
    DECIDE = "decide"
    LOOK_AFTER = "look after"
    AGENTS = "agents"
    ADVANCED = "advanced"


class Caller(Protocol):
    """What a verb is called with, as far as every verb needs it."""

    @property
    def by(self) -> Actor:
        """Who asks."""

    def setting(self, name: str) -> object:
        """Return the value in force of a setting."""


@dataclass(frozen=True, slots=True, eq=False)
class Arg:
    """
    What one argument of a verb is.

    Annotations nest: what an inner one says holds where an outer one is silent.

    Attributes:
        help: What it is, as a lower-case phrase. Defaults are added to it.
        metavar: The word that stands for its value; the parameter's name, if empty.
        flags: Its spellings on the command line; `--` and the name without `is_`, if empty.
        least: The smallest number that is taken.
        most: The largest.
        parse: How text is read, where the type does not say it.
        setting: The setting whose value stands where none is given.
        id: The prefix of the IDs that it takes; any unique beginning of one will do.
        choices: The words that it takes, where the type does not say them.
        nargs: How many words the command line takes for a list at once, as in `argparse`.
        exclusive: The name of a set of arguments of which one may be given.
        is_words: Whether several words on the command line are one text.
        is_stdin: Whether `-` on the command line means standard input.
        is_required: Whether an option must be given.
        is_hidden: Whether the command line leaves it out.
        unless_given: What the command line gives where the option is not on it.
        progress: The label under which the command line shows how far the work has come.
        rows: The verb whose arguments each of its mappings has.
    """

    help: str = ""
    _: KW_ONLY
    metavar: str = ""
    flags: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    parse: Callable[[str], object] | None = None
    setting: str = ""
    id: str = ""
    choices: tuple[str, ...] = ()
    nargs: str = ""
    exclusive: str = ""
    is_words: bool = False
    is_stdin: bool = False
    is_required: bool = False
    is_hidden: bool = False
    unless_given: bool | str | None = None
    progress: str = ""
    rows: str = ""

    def over(self, inner: "Arg") -> "Arg":
        """Return this, completed with what *inner* says."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        told = {one.name: own[one.name] for one in fields(self) if own[one.name] != one.default}
        return replace(inner, **told)


def _nearest(word: str, known: Iterable[str]) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistyped

    return get_close_matches(word, list(known), n=1)


@dataclass(frozen=True, slots=True)
class Option:
    """One parameter of a verb: its type, taken apart, and its `Arg`."""

    name: str
    arg: Arg
    kind: Any
    is_optional: bool
    is_many: bool
    collect: Callable[[Iterable[object]], object]
    default: object
    is_positional: bool

    @property
    def is_required(self) -> bool:
        """Whether a caller must give it."""
        return self.default is MISSING and not self.arg.setting

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it takes; none means any."""
        if self.arg.choices:
            return self.arg.choices
        if isinstance(self.kind, type) and issubclass(self.kind, StrEnum):
            return tuple(member.value for member in self.kind)
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def read(self, value: object, caller: Caller) -> object:
        """
        Return *value* as the verb takes it; text is parsed.

        Raises:
            InvalidInputError: it cannot be read.
        """
        if value is None and self.arg.setting:
            value = caller.setting(self.arg.setting)
        if value is None:
            if self.is_optional or self.default is None:
                return None
            raise InvalidInputError(f"{self.name} is missing", hint=self.arg.help)
        if not self.is_many:
            return self._one(value)
        if isinstance(value, str) or not isinstance(value, Iterable):
            value = (value,)
        if self.arg.rows:
            return self.collect(self._row(item, caller) for item in value)
        return self.collect(self._one(item) for item in value)

    def _row(self, item: object, caller: Caller) -> object:
        if isinstance(item, Mapping):
            return VERBS[self.arg.rows].row(caller, item)
        if isinstance(item, self._row_types):
            return item
        raise InvalidInputError(
            f"{self.name} are objects, not {str(item)[:_SHOWN_CHARS]!r}", hint=self.arg.help
        )

    @property
    def _row_types(self) -> tuple[type, ...]:
        """The classes of a row besides a mapping: of `Draft | Mapping[str, object]`, the draft."""
        members = get_args(self.kind) if get_origin(self.kind) in (Union, UnionType) else ()
        return tuple(one for one in members if isinstance(one, type))

    def _one(self, value: object) -> object:
        if isinstance(value, str):
            value = self._text(value)
        elif self._is_text:
            value = self._as_text(value)
        elif self.kind is datetime:
            value = self._as_instant(value)
        if isinstance(value, datetime):
            to_micros(value)
        if not _is_instance(self.kind, value):
            raise self._refused(value, _type_in_words(self.kind))
        if isinstance(value, int) and not isinstance(value, bool):
            self._check_bounds(value)
        return value

    @property
    def _is_text(self) -> bool:
        """Whether it is a string, or an ID, which is a string of a kind."""
        kind = getattr(self.kind, "__supertype__", self.kind)
        return isinstance(kind, type) and issubclass(kind, str)

    def _text(self, text: str) -> object:
        if self.arg.parse is not None:
            return self.arg.parse(text)
        if choices := self.choices:
            if text not in choices:
                close = _nearest(text, choices)
                raise InvalidInputError(
                    f"{text[:_SHOWN_CHARS]!r} is no {self.name.replace('_', ' ')}",
                    hint=f"did you mean {close[0]}?" if close else f"it is {', '.join(choices)}",
                )
            return self.kind(text) if isinstance(self.kind, type) else text
        if isinstance(self.kind, type) and issubclass(self.kind, Enum | str):
            return self.kind(text)
        reader = _READERS.get(self.kind)
        if reader is None:
            return text
        try:
            return reader(text)
        except ValueError as error:
            raise self._refused(text, "a number") from error

    def _as_text(self, value: object) -> object:
        """Return a path as text, and refuse all else: `str()` of it is not what anybody said."""
        as_path = getattr(value, "__fspath__", None)
        if as_path is not None:
            return as_path()
        raise self._refused(value, "a string")

    def _as_instant(self, value: object) -> datetime:
        """Return an instant; of a day its first, as of one that is written."""
        if isinstance(value, datetime):
            return value
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
        raise self._refused(value, "an instant")

    def _check_bounds(self, number: int) -> None:
        least, most = self.arg.least, self.arg.most
        if most is None and abs(number) > INTEGER_MAX:
            raise InvalidInputError(f"{self.name} is at most {INTEGER_MAX}, not {number:.3g}")
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = f"at least {least}" if most is None else f"{least or 0} to {most}"
            raise InvalidInputError(f"{self.name} is {bounds}, not {number}")

    def _refused(self, value: object, what: str) -> InvalidInputError:
        return InvalidInputError(f"{self.name} is {what}, not {str(value)[:_SHOWN_CHARS]!r}")


_READERS: dict[Any, Callable[[str], object]] = {
    datetime: parse_instant,
    timedelta: parse_span,
    int: int,
    float: float,
}


# What people call the values of a type that is not a class of ours.
_CALLED: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    datetime: "an instant",
    timedelta: "a span of time",
    Mapping: "a mapping",
    Callable: "a function",
}


def _is_instance(kind: Any, value: object) -> bool:  # noqa: ANN401 - a type
    """Say whether *value* is of a type: no flag is a number, and a whole number is one too."""
    if get_origin(kind) in (Union, UnionType):
        return any(_is_instance(one, value) for one in get_args(kind))
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    kind = _class_of(kind)
    if isinstance(value, bool):
        return kind in (bool, object)
    return isinstance(value, (int, float) if kind is float else kind)


def _class_of(kind: Any) -> type:  # noqa: ANN401 - a type
    """Return the class behind a type: that of `Mapping[str, str]`, or text for an ID."""
    kind = get_origin(kind) or getattr(kind, "__supertype__", kind)
    if not isinstance(kind, type):
        return object
    return str if issubclass(kind, str) and not issubclass(kind, Enum) else kind


def _type_in_words(kind: Any) -> str:  # noqa: ANN401 - a type
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(dict.fromkeys(_type_in_words(one) for one in get_args(kind)))
    kind = _class_of(kind)
    return _CALLED.get(kind) or f"a {kind.__module__}.{kind.__name__}"


@dataclass(frozen=True, kw_only=True)
class Verb:
    """One verb: the function that does it, and what interfaces need to know of it."""

    function: Callable[..., object]
    command: str = ""
    python: str = ""
    roles: frozenset[ActorKind] = ANYONE
    view: View | None = None
    key: str = ""
    as_json: Callable[[Any], object] | None = None
    status: Callable[[Any], int] | None = None
    is_of_sessions: bool = False
    section: Section = Section.ADVANCED
    examples: tuple[str, ...] = ()
    old: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """Where it is declared."""
        return self.function.__module__

    @cached_property
    def summary(self) -> str:
        """What it does: the first line of its docstring."""
        return self._doc.partition("\n\n")[0].replace("\n", " ")

    @cached_property
    def description(self) -> str:
        """What it does, in full, without arguments, results and errors."""
        return self._doc_parts[0]

    @cached_property
    def doc(self) -> str:
        """The docstring of its method, with every argument, and whom it is not for."""
        told, rest = self._doc_parts
        lines = [f"    {one.name}: {_sentence(help_of(one))}" for one in self.options]
        arguments = "\n".join(["Args:", *lines]) if lines else ""
        return "\n\n".join(part for part in (told, arguments, self._with_roles(rest)) if part)

    def _with_roles(self, rest: str) -> str:
        """Return what is told of results and errors, with the error for whom it is not for."""
        why = _REFUSED.get(self.roles)
        if why is None or "ForbiddenError:" in rest:
            return rest
        refused = f"Raises:\n    ForbiddenError: {why}"
        if "Raises:" in rest:
            return rest.replace("Raises:", refused, 1)
        return f"{rest}\n\n{refused}".lstrip()

    @cached_property
    def signature(self) -> "Signature":
        """The signature of its function, annotated with types alone, as a reader wants it."""
        from inspect import signature  # noqa: PLC0415 - for who reads it

        hints = get_type_hints(self.function, localns={"Json": Json})
        told = signature(self.function)
        parameters = [
            one.replace(annotation=hints.get(one.name, one.annotation))
            for one in told.parameters.values()
        ]
        return told.replace(parameters=parameters, return_annotation=hints["return"])

    @cached_property
    def returns(self) -> Any:  # noqa: ANN401 - a type
        """The type of what it answers."""
        return get_type_hints(self.function, localns={"Json": Json})["return"]

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Its parameters, without what it works with."""
        return options_of(self.function, skip=1)

    @cached_property
    def shown_options(self) -> tuple[Option, ...]:
        """What only its view takes: `--explain` and the like."""
        return () if self.view is None else view_options(self.view)

    def json(self, answer: object) -> object:
        """Return what interfaces show of a result as JSON."""
        if self.as_json is not None:
            return self.as_json(answer)
        return {self.key: answer} if self.key else answer

    def method(self, caller: Caller, args: Sequence[object], told: Mapping[str, object]) -> object:
        """
        Do it for *caller*, with arguments as a program or a command line gives them.

        Raises:
            ForbiddenError: it is not for whoever asks.
            InvalidInputError: an argument is unknown, missing or cannot be read.
        """
        if caller.by.kind not in self.roles:
            raise _forbidden(caller.by, self.roles, _phrase(self.summary))
        return self.function(caller, **self._read(caller, self.named(args, told)))

    def row(self, caller: Caller, told: Mapping[str, object]) -> Mapping[str, object]:
        """
        Read its arguments where another verb takes many of them, each a mapping.

        Raises:
            InvalidInputError: an argument is unknown, missing or cannot be read.
        """
        if missing := [
            one.name for one in self.options if one.is_required and one.name not in told
        ]:
            raise InvalidInputError(f"{missing[0]} is missing", hint=f"as {self.python} takes it")
        return self._read(caller, self.named((), told))

    def _read(self, caller: Caller, given: Mapping[str, object]) -> dict[str, object]:
        return {
            one.name: one.read(given.get(one.name), caller)
            for one in self.options
            if one.name in given or one.arg.setting
        }

    def named(self, args: Sequence[object], told: Mapping[str, object]) -> dict[str, object]:
        """
        Return the arguments of a call by their names, unread.

        Raises:
            InvalidInputError: one has a name that the verb does not know.
        """
        names = [one.name for one in self.options]
        positional = [one.name for one in self.options if one.is_positional]
        if len(args) > len(positional):
            told_first = ", ".join(positional) or "none"
            raise TypeError(
                f"{self.python}() takes {number_of(len(positional), 'argument')} by place"
                f" ({told_first});"
                f" name the others: {', '.join(one for one in names if one not in positional)}"
            )
        given = dict(zip(positional, args, strict=False))
        for name, value in told.items():
            if name in given:
                raise TypeError(f"{self.python}() got {name!r} twice")
            if name not in names:
                close = _nearest(name, names)
                raise InvalidInputError(
                    f"{self.python} has no option {name}",
                    hint=f"did you mean {close[0]}?" if close else f"it has {', '.join(names)}",
                )
            given[name] = value
        if missing := [one for one in self.options if one.is_required and one.name not in given]:
            raise TypeError(f"{self.python}() needs {', '.join(one.name for one in missing)}")
        return given

    @cached_property
    def _doc(self) -> str:
        from inspect import cleandoc  # noqa: PLC0415 - for who reads it

        return cleandoc(self.function.__doc__ or "")

    @cached_property
    def _doc_parts(self) -> tuple[str, str]:
        blocks = self._doc.split("\n\n")
        first = next(
            (at for at, block in enumerate(blocks) if block.startswith(_HEADINGS)), len(blocks)
        )
        return "\n\n".join(blocks[:first]), "\n\n".join(blocks[first:])


_REFUSED = {
    HUMANS: "the caller is not a human.",
    WORKERS: "the caller is anonymous or an import.",
    KNOWN: "the caller is anonymous.",
}
_HEADINGS = ("Returns:", "Raises:", "Yields:", "Example:", "Examples:")
VERBS: dict[str, Verb] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """A word that has verbs of its own on the command line."""

    name: str
    summary: str
    section: Section
    bare: str


NOUNS: dict[str, Noun] = {}


def noun(name: str, summary: str, *, section: Section, bare: str = "") -> None:
    """
    Declare a noun of the command line.

    Args:
        name: The word.
        summary: What it is, as `tilth --help` lists it.
        section: Under what heading.
        bare: The verb that it means alone.
    """
    NOUNS[name] = Noun(name=name, summary=summary, section=section, bare=bare)


def verb(  # noqa: PLR0913 - a declaration
    command: str,
    *,
    python: str = "",
    roles: AbstractSet[ActorKind],
    view: View | None = None,
    key: str = "",
    as_json: Callable[[Any], object] | None = None,
    status: Callable[[Any], int] | None = None,
    is_of_sessions: bool = False,
    section: Section = Section.ADVANCED,
    examples: Sequence[str] = (),
    old: Sequence[str] = (),
) -> Callable[[_Function], _Function]:
    """
    Declare a verb.

    Args:
        command: Its words on the command line; none, if only programs call it.
        python: The method of `Brain`, where it is not that of its words: `gaps.add` of `gap add`.
        roles: Who may call it; what depends on more is decided by the function.
        view: What turns its result into lines; without one they are a table or a card.
        key: The key of its result in JSON, where the result is not an object.
        as_json: What makes JSON of its result, where that is not the result itself.
        status: What makes an exit code of its result; without it, 0.
        is_of_sessions: Whether the command line records first what hooks wrote.
        section: The heading of a command without a noun in `tilth --help`.
        examples: Command lines for its help.
        old: Commands that it had before, which errors tell the new name of.
    """
    name = python or _method_of(command)

    def declare(function: _Function) -> _Function:
        if name in VERBS and VERBS[name].module != function.__module__:
            raise ValueError(f"{name} is declared twice")
        VERBS[name] = Verb(
            function=function,
            command=command,
            python=name,
            roles=frozenset(roles),
            view=view,
            key=key,
            as_json=as_json,
            status=status,
            is_of_sessions=is_of_sessions,
            section=section,
            examples=tuple(examples),
            old=tuple(old),
        )
        return function

    return declare


def _method_of(command: str) -> str:
    """Return the method of a command: of the plural of its noun, `entities.merge`."""
    noun, _, word = command.partition(" ")
    if not word:
        return noun
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}{'e' * noun.endswith('x')}s"
    return f"{many}.{word.replace('-', '_')}"


def _forbidden(actor: Actor, roles: AbstractSet[ActorKind], phrase: str) -> ForbiddenError:
    """Return what is told to whoever a verb is not for, since they are of another kind."""
    if roles == HUMANS:
        return ForbiddenError(
            f"only a human may {phrase}, and {actor.name} is {actor.kind.value}",
            hint="let a person do it, at a terminal that no agent started",
        )
    if actor.kind is ActorKind.ANONYMOUS:
        return ForbiddenError(f"nobody knows who {actor.name} is, so it may not {phrase}")
    if actor.kind is ActorKind.IMPORT:
        return ForbiddenError(f"an import tells what was, so it may not {phrase}")
    hint = "let a person do it, at a terminal that no agent started"
    return ForbiddenError(
        f"{actor.name} is {actor.kind.value}, and may not {phrase}",
        hint=hint if ActorKind.HUMAN in roles else "",
    )


def options_of(function: Callable[..., object], *, skip: int) -> tuple[Option, ...]:
    """Return the parameters of *function* but the first *skip*, as their annotations say."""
    hints = _hints(function)
    options: list[Option] = []
    for parameter in parameters_of(function)[skip:]:
        hint = hints[parameter.name]
        if parameter.is_bundle:
            # A `TypedDict`: arguments that several verbs share.
            shared = _hints(get_args(hint)[0])
            options += [_option(Parameter(name, default=...), one) for name, one in shared.items()]
        else:
            options.append(_option(parameter, hint))
    return tuple(options)


def members_of(kind: type) -> tuple[Option, ...]:
    """Return the fields of a dataclass as options, for callers that give it as an object."""
    hints = get_type_hints(kind, localns={"Json": Json})
    options: list[Option] = []
    for one in fields(kind):
        has_default = one.default is not MISSING or one.default_factory is not MISSING
        parameter = Parameter(one.name, None if has_default else MISSING)
        options.append(_option(parameter, Annotated[hints[one.name], Arg()]))
    return tuple(options)


def view_options(view: View) -> tuple[Option, ...]:
    """Return what a view takes besides the result and arguments of its verb."""
    hints = _hints(view)
    return tuple(
        _option(one, hints[one.name])
        for one in parameters_of(view)[1:]
        if get_origin(hints[one.name]) is Annotated
    )


def help_of(option: Option) -> str:
    """Return what an argument is, with its default."""
    told = option.arg.help
    if option.arg.setting:
        return f"{told} (the setting {option.arg.setting})"
    default = option.default
    is_silent = default in (MISSING, None, "", (), frozenset(), ...)
    if is_silent or isinstance(default, bool) or callable(default):
        return told
    if isinstance(default, timedelta):
        return f"{told} ({default // timedelta(hours=1)}h)"
    return f"{told} ({default.value if isinstance(default, Enum) else default})"


def _option(parameter: Parameter, hint: Any) -> Option:  # noqa: ANN401 - a type
    told: list[Arg] = []
    kind, is_optional = _unwrap_hint(hint, told)
    many = _COLLECTIONS.get(get_origin(kind))
    if many:
        kind, _ = _unwrap_hint(get_args(kind)[0], told)
    if not told:
        raise TypeError(f"the parameter {parameter.name} has no Arg")
    return Option(
        name=parameter.name,
        arg=reduce(Arg.over, told),
        kind=kind,
        is_optional=is_optional,
        is_many=many is not None,
        collect=many or tuple,
        default=parameter.default,
        is_positional=parameter.is_positional,
    )


def _unwrap_hint(hint: Any, told: list[Arg]) -> tuple[Any, bool]:  # noqa: ANN401 - types
    """Return a type without annotations and None, and whether it may be None; outer ones first."""
    is_optional = False
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            told += [one for one in reversed(extras) if isinstance(one, Arg)]
            continue
        inner = [one for one in get_args(hint) if one is not NoneType]
        is_optional = is_optional or len(inner) < len(get_args(hint))
        if len(inner) > 1:
            return Union[tuple(inner)], is_optional  # noqa: UP007 - made here
        (hint,) = inner
    return hint, is_optional


_COLLECTIONS: dict[Any, Callable[[Iterable[object]], object]] = {
    tuple: tuple,
    list: list,
    Sequence: tuple,
    Collection: tuple,
    Iterable: tuple,
    frozenset: frozenset,
    AbstractSet: frozenset,
}


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    # `Json` names itself, so it must be known wherever a type mentions it.
    return get_type_hints(function, localns={"Json": Json}, include_extras=True)


def _phrase(summary: str) -> str:
    """Return what a summary says is done, without what it adds behind: to end a sentence."""
    first = min((summary.partition(mark)[0] for mark in (". ", "; ", ": ")), key=len)
    return f"{first[:1].lower()}{first[1:]}".rstrip(".")


def _sentence(phrase: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}."
