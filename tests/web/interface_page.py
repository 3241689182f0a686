"""The page of the interface, `pi_table/screens/web/API.md`: its lists are made from the types.

``python tests/web/interface_page.py`` writes the lists again, below the line that says so.
"""

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

import pi_table.screens.web
from pi_table.screens.web.interface import About, Table, schema, short

PAGE: Final = Path(next(iter(pi_table.screens.web.__path__))) / "API.md"
BELOW: Final = "<!-- What follows is made from the types: python tests/web/interface_page.py -->"
CODEX: Final = "pi_table.games.rules.codex."
"""Package whose types the page omits; it names the file that explains them."""


def types() -> dict[str, type]:
    """Every type that the interface has, by its name in the schema."""
    found: dict[str, type] = {}
    for info in msgspec.inspect.multi_type_info([About, Table]):
        _gather(info, found)
    (_, components) = msgspec.json.schema_components((About, Table))
    by_title = {f"{cls.__module__}.{cls.__qualname__}": cls for cls in found.values()}
    plain = {cls.__name__: cls for cls in found.values()}
    return {short(name): by_title.get(name) or plain[name] for name in components}


def _gather(info: Any, found: dict[str, type]) -> None:
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.EnumType):
        name = f"{info.cls.__module__}.{info.cls.__qualname__}"
        if name in found:
            return
        found[name] = info.cls
    for name in ("fields", "types", "item_types"):
        for each in getattr(info, name, ()):
            _gather(getattr(each, "type", each), found)
    for name in ("item_type", "value_type", "key_type"):
        if (each := getattr(info, name, None)) is not None:
            _gather(each, found)


def tables() -> str:
    """Return a section for each type whose fields have texts. A field that several types have is
    described once. The page says where to find the other types."""
    defined = schema()["$defs"]
    shown: dict[str, str] = {}
    sections: list[str] = []
    for name, cls in types().items():
        if _documented(cls) and not cls.__module__.startswith(CODEX):
            sections += _of_type(name, cls, defined[name], shown)
    return "\n".join(sections)


def _of_type(name: str, cls: type, defined: dict[str, Any], shown: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a type's section: a list of fields, or of an enum's values.

    ``shown`` has the fields that are on the page already, each with the name of its type.
    """
    told = _documented(cls)
    yield f"### {name}\n"
    if issubclass(cls, enum.Enum):
        about = _one_line(cls.__dict__.get("__doc__") or "")
        texts = {member.value: told.get(member.name, "").rstrip(".") for member in cls}
        values = (
            f"`{value}` ({texts[value]})" if texts[value] else f"`{value}`"
            for value in defined["enum"]
        )
        yield f"{about} Values: {', '.join(values)}.\n"
        return
    known: dict[str, list[str]] = {}
    bare = []
    for field, of in defined["properties"].items():
        text = told.get(field, "")
        kind = _kind(of)
        if not _is_always_there(field, defined) and "Missing" not in text:
            kind += "; may be missing"
        row = f"`{field}` ({kind})" + (f": {text}" if text else "")
        if text.startswith("True ") and kind == "boolean":
            row = f"`{field}`: {text[0].lower()}{text[1:]}"
        if not text:
            bare.append(row)
        elif row in shown:
            known.setdefault(shown[row], []).append(f"`{field}`")
        else:
            shown[row] = name
            yield f"- {row}"
    if bare:
        yield f"- {', '.join(bare)}"
    for other, same in known.items():
        yield f"- {', '.join(same)}: as in {other}"
    yield ""


def _is_always_there(field: str, defined: dict[str, Any]) -> bool:
    return field in defined.get("required", ()) or "default" in defined["properties"][field]


def _kind(of: dict[str, Any]) -> str:
    """Return the type of a field, in words."""
    if "$ref" in of:
        return str(of["$ref"].rpartition("/")[2])
    if "anyOf" in of:
        return " or ".join(map(_kind, of["anyOf"]))
    if "enum" in of:
        return " or ".join(f"`{value}`" for value in of["enum"])
    if of.get("type") == "array":
        return f"list of {_kind(of['items'])}" if "items" in of else "list"
    if of.get("type") == "object":
        return f"object with {_kind(of['additionalProperties'])} values"
    return str(of.get("type", "anything"))


def _documented(cls: type) -> dict[str, str]:
    """Return the docstring below each field, of a type and of its base types."""
    told: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if not each.__module__.startswith("pi_table"):
            continue
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name))
                    | ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ) if not issubclass(cls, enum.Enum) or name in cls.__members__:
                    told[name] = _one_line(said)
    return told


def _one_line(text: str) -> str:
    """Return a docstring as Markdown in one line, in the terms of JSON."""
    text = " ".join(text.split()).replace("|", "\\|").replace("``", "`")
    return re.sub(r"\bNone\b", "null", text).replace("UNSET", "Missing")


def page() -> str:
    """The page as it is to be."""
    return f"{PAGE.read_text('utf-8').split(BELOW)[0]}{BELOW}\n\n{tables()}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
