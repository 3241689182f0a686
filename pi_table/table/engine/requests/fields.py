"""The fields of acts. An act with fields has a struct, whose types say which values are allowed.

Each field's type is annotated with a function that returns the refusal of a value that is not
allowed. The function receives the name of the field, the value, and the validation error.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import Meta

from pi_table.common.errors import InputError, TableError
from pi_table.common.language import Lang, language_named, say
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.storage.pin import PATTERN

F = TypeVar("F")
Refusal = Callable[[str, Any, msgspec.ValidationError], TableError]


class Fields(msgspec.Struct, frozen=True):
    """The fields of an act, without its name and seat. Unknown members of the JSON are ignored."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"  # it may hold a PIN


def not_a_text(name: str, *_: object) -> InputError:
    return InputError(say("{name} is a text of 1 to 255 characters.", name=repr(name)))


def no_settings(*_: object) -> InputError:
    return InputError(say("What the house sets is an object of settings and their values."))


Flag = Annotated[
    bool, lambda name, _, __: InputError(say("{name} is true or false.", name=repr(name)))
]
Whole = Annotated[
    int,
    Meta(ge=0, lt=1 << 40),
    lambda name, _, __: InputError(say("{name} is a whole number, 0 or more.", name=repr(name))),
]
Text = Annotated[str, Meta(min_length=1, max_length=255), not_a_text]
Pin = Annotated[
    str,
    Meta(pattern=PATTERN),
    lambda *_: Unable("bad-pin", say("A PIN has four to eight digits.")),
]
Settings = Annotated[dict[str, Any], no_settings]
Language = Annotated[Lang, lambda _, name, __: language_named(name)]  # it raises the refusal


class InLanguage(Fields, frozen=True):
    lang: Language = "en"


def read_fields(kind: type[F], do: Mapping[str, Any]) -> F:
    """Return the fields of an act from JSON. Raises the refusal of the first wrong field."""
    try:
        return msgspec.convert(do, kind)
    except msgspec.ValidationError:
        pass
    for field in msgspec.structs.fields(kind):  # type: ignore[arg-type]
        name = field.encode_name
        if name in do or field.required:
            _check(name, do.get(name), field.type)
    raise AssertionError(kind)  # the struct was refused, but none of its fields


def _check(name: str, value: object, kind: Any) -> None:
    try:
        msgspec.convert(value, kind)
        return
    except msgspec.ValidationError:
        refused, refusal = next(refusals(kind))
    try:
        msgspec.convert(value, refused)
    except msgspec.ValidationError as error:
        raise refusal(name, value, error) from None
    raise AssertionError(kind)  # the whole type refused the value, but its part did not


def refusals(kind: Any) -> Iterator[tuple[Any, Refusal]]:
    """Yield each part of a field's type that has a refusal function, with that function."""
    yield from ((kind, each) for each in getattr(kind, "__metadata__", ()) if callable(each))
    for part in get_args(kind):
        yield from refusals(part)
