"""No page asks more of a browser than Chromium 79, Safari 14 and Firefox 78 have.

The tables name what is younger than one of these, as far as pages could want it. What a page may
use all the same is filled in by `older.js`, or is ignored by old browsers without harm.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

import pi_table

pytestmark = pytest.mark.pages

PAGES: Final = Path(next(iter(pi_table.__path__))) / "screens/web/pages"
SCRIPTS: Final = sorted(PAGES.rglob("*.js"))
SHEETS: Final = sorted(PAGES.rglob("*.css"))

YOUNG_SYNTAX: Final = {
    "optional_chain": "Chromium 80",
    "??": "Chromium 80",
    "??=": "Chromium 85",
    "||=": "Chromium 85",
    "&&=": "Chromium 85",
    "private_property_identifier": "Safari 14.1, Firefox 90",
    "class_static_block": "Chromium 94",
    "static field": "Safari 14.1",
    "await outside of a function": "Chromium 89",
    "lookbehind": "Safari 16.4",
    "namespace_export": "Firefox 80",
}
YOUNG_NAMES: Final = {
    "any": "Chromium 85",
    "at": "Chromium 92",
    "checkVisibility": "Chromium 105",
    "DisplayNames": "Chromium 81",
    "findLast": "Chromium 97",
    "groupBy": "Chromium 117",
    "hasOwn": "Chromium 93",
    "inert": "Chromium 102",
    "ListFormat": "Safari 14.1",
    "randomUUID": "Chromium 92",
    "replaceAll": "Chromium 85",
    "requestSubmit": "Safari 16",
    "showPopover": "Chromium 114",
    "structuredClone": "Chromium 98",
    "submitter": "Chromium 81",
    "timeout": "Chromium 103 (AbortSignal)",
    "toReversed": "Chromium 110",
    "toSorted": "Chromium 110",
    "WeakRef": "Chromium 84",
}
YOUNG_STYLE: Final = {
    r"\binset(-\w+)*\s*:": "Chromium 87",
    r"\b(margin|padding|border)-(inline|block)\s*:": "Chromium 87",
    r":(is|where|has)\(": "Chromium 88 and 105",
    r":not\([^()]*,": "Chromium 88",
    r"::file-selector-button": "Chromium 89",
    r"\d(cq\w+|lvh|svh|lvw|svw|dvw)\b": "Chromium 105 and 108",
    r"\b(color-mix|(ok)?lch|(ok)?lab|hwb|image-set|round|mod)\(": "Chromium 101 to 125",
    r"\bconic-gradient\(": "Firefox 83",
    r"(^|[;{\s])(rotate|scale|translate)\s*:": "Chromium 104",
    r"@(layer|container|property|scope|starting-style)\b": "Chromium 85 to 118",
    r"(^|[;{\s])appearance\s*:": "Chromium 84",
    r"(^|[;{\s])mask(-\w+)*\s*:": "Chromium 120",
    r"overflow(-[xy])?\s*:\s*clip": "Chromium 90",
    r"\(\s*(width|height|aspect-ratio)\s*[<>=]": "Chromium 104",
    r"(^|[;{]\s*)&": "Chromium 120",
    r"selector\(": "Chromium 83",
}
WITH_FALLBACK: Final = {
    r"^\s*([\w-]+)\s*:[^;]*\ddvh": "the same in vh before it",
    r"^\s*(overflow-wrap)\s*:\s*anywhere": "break-word before it",
}
"""What old browsers ignore, so that the same property must stand in the line before."""
FILLED_IN: Final = {"style.css": ("1cqw", "1cqh"), "older.css": ("fit-content",)}


def found(node: Node) -> Iterator[str]:
    """The names of what is too young, everywhere below a node."""
    kind = node.type
    text = (node.text or b"").decode()
    if kind in YOUNG_SYNTAX:
        yield kind
    if kind == "field_definition" and any(each.type == "static" for each in node.children):
        yield "static field"
    if kind == "await_expression" and not _is_in_function(node):
        yield "await outside of a function"
    if kind == "regex_pattern" and re.search(r"\(\?<[=!]", text):
        yield "lookbehind"
    if kind in ("property_identifier", "identifier") and text in YOUNG_NAMES and _is_used(node):
        yield text
    for child in node.children:
        yield from found(child)


def _is_in_function(node: Node) -> bool:
    kinds = []
    above = node.parent
    while above is not None:
        kinds.append(above.type)
        above = above.parent
    return any("function" in kind or kind == "method_definition" for kind in kinds)


def _is_used(node: Node) -> bool:
    """True where the name is called, made or read of another thing: not for a field of ours."""
    parent = node.parent
    if parent is None or node.type == "identifier":
        return node.text in (b"structuredClone", b"WeakRef")
    if parent.type != "member_expression" or parent.parent is None:
        return False
    is_called = parent.parent.type in ("call_expression", "new_expression")
    return is_called or node.text in (b"inert", b"submitter")


def too_young(script: str) -> list[str]:
    tree = Parser(Language(tree_sitter_javascript.language())).parse(script.encode())
    assert not tree.root_node.has_error
    return [*found(tree.root_node)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_written_in_what_the_oldest_browsers_read(path: Path) -> None:
    young = too_young(path.read_text("utf-8"))
    assert {each: {**YOUNG_SYNTAX, **YOUNG_NAMES}[each] for each in young} == {}


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("a?.b;", "optional_chain"),
        ("a?.[b];", "optional_chain"),
        ("a ?? b;", "??"),
        ("a ??= b;", "??="),
        ("class A { #b = 1; }", "private_property_identifier"),
        ("class A { #b() {} }", "private_property_identifier"),
        ("class A { static b = 1; }", "static field"),
        ("class A { static { b(); } }", "class_static_block"),
        ("await a();", "await outside of a function"),
        ("const a = /(?<=b)c/;", "lookbehind"),
        ('export * as a from "b";', "namespace_export"),
        ("a.at(-1);", "at"),
        ("Object.hasOwn(a, b);", "hasOwn"),
        ("structuredClone(a);", "structuredClone"),
        ("new WeakRef(a);", "WeakRef"),
        ("AbortSignal.timeout(1);", "timeout"),
    ],
)
def test_what_is_too_young_is_found(script: str, name: str) -> None:
    assert too_young(script) == [name]


@pytest.mark.parametrize(
    "script",
    [
        "class A { b = 1; static c() {} async d() { await e; } }",
        "const at = 1; f({ at, timeout: at });",
        "const { at } = a; for (const b of a) c(async () => await b);",
        "try { a ? .5 : 1; } catch { b = { ...c }; }",
        "// a?.b ?? c\nconst text = 'a?.b';",
    ],
)
def test_what_is_old_enough_is_not(script: str) -> None:
    assert too_young(script) == []


def young_style(sheet: str) -> list[str]:
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.S)
    lines = sheet.split("\n")
    young = [each for each in YOUNG_STYLE if re.search(each, sheet, re.M)]
    for before, line in zip(["", *lines], lines, strict=False):
        for each, fallback in WITH_FALLBACK.items():
            if (name := re.search(each, line)) and not before.strip().startswith(f"{name[1]}:"):
                young.append(f"{line.strip()} needs {fallback}")
    return young


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_a_style_sheet_is_written_in_what_the_oldest_browsers_read(path: Path) -> None:
    sheet = path.read_text("utf-8")
    for allowed in FILLED_IN.get(path.name, ()):
        assert allowed in sheet
        sheet = sheet.replace(allowed, "")
    assert young_style(sheet) == []


@pytest.mark.parametrize(
    "sheet",
    [
        "a { inset: 0; }",
        "a { inset-inline: 0; }",
        "a { height: 10cqh; }",
        "a:has(> b) { top: 0; }",
        "a:not(.b, .c) { top: 0; }",
        "a { scale: 2; }",
        "a {\n  min-height: 100dvh;\n}",
        "a {\n  overflow-wrap: anywhere;\n}",
        "@media (width > 20px) { a { top: 0; } }",
        "a { & b { top: 0; } }",
    ],
)
def test_a_style_that_is_too_young_is_found(sheet: str) -> None:
    assert young_style(sheet)


def test_every_container_is_known_to_the_script_that_fills_in_its_units() -> None:
    named = re.search(r'CONTAINERS = "(.*)"', (PAGES / "older.js").read_text("utf-8"))
    assert named
    containers = {
        selector.strip()
        for path in SHEETS
        for selector in re.findall(r"([^{}/]+)\{[^{}]*container-type:", path.read_text("utf-8"))
    }
    assert containers == set(named[1].split(", "))
