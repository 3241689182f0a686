"""Things that the sources of the pages never do."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2] / "pi_table"
WEB: Final = ROOT / "screens" / "web"
PAGES: Final = WEB / "pages"
OURS: Final = [path for path in sorted(PAGES.rglob("*.js")) if "vendor" not in path.parts]
VENDORED: Final = [path for path in sorted(PAGES.rglob("*.js")) if "vendor" in path.parts]
MARKUP: Final = [*sorted(PAGES.rglob("*.html")), *sorted(PAGES.rglob("*.svg"))]


def code(path: Path) -> str:
    """A script without its comments."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"(?<![:\"'`])//.*", "", text)


def found(pattern: str, files: list[Path]) -> list[str]:
    return [
        f"{path.name}: {match[0]}"
        for path in files
        for match in re.finditer(pattern, code(path), re.IGNORECASE)
    ]


def test_there_are_pages_to_be_read() -> None:
    assert {"index.html", "board.html", "phone.html", "seat.html"} & {path.name for path in MARKUP}
    assert len(OURS) > 3


MAKES_MARKUP_OR_CODE: Final = (
    r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|createContextualFragment"
    r"|DOMParser|setHTMLUnsafe|srcdoc|\beval\b|new Function|Function\(|javascript:|postMessage"
    r"|set(?:Timeout|Interval)\(\s*[\"'`]"
)


def test_no_page_makes_markup_or_code_of_a_text() -> None:
    assert found(MAKES_MARKUP_OR_CODE, [*OURS, *VENDORED]) == []


def test_what_makes_markup_would_be_noticed() -> None:
    for text in ("a.innerHTML = b", "eval(a)", "setTimeout('a()', 1)", "new Function(a)"):
        assert re.search(MAKES_MARKUP_OR_CODE, text)


def test_no_page_has_a_script_or_a_style_in_it() -> None:
    # The policy of every answer would stop it; and then the page would not work.
    for path in MARKUP:
        text = path.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<base|<iframe|<object|<embed", text), (
            path
        )
        assert not re.search(r"(?:src|href|action)=[\"']?(?:https?:|//|data:|javascript:)", text), (
            path
        )


def test_no_page_asks_another_host() -> None:
    wanted = r"https?://(?!www\.w3\.org/)[\w.-]+"
    assert [each for each in found(wanted, OURS) if "${" not in each] == []


def test_no_page_keeps_a_key_in_the_browsers_storage() -> None:
    kept = r"localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\."
    assert {each.partition(":")[0] for each in found(kept, [*OURS, *VENDORED])} <= MAY_KEEP


MAY_KEEP: Final = {"texts.js"}
"""Keeps the language that somebody has chosen."""


def test_pages_draw_what_nobody_may_guess_from_the_systems_generator() -> None:
    sealing = [path for path in OURS if re.search(r"seal|phone|desk|seat", path.name)]
    assert sealing
    assert found(r"Math\.random", [*sealing, *VENDORED]) == []
    assert "getRandomValues" in "".join(code(path) for path in OURS)


def test_what_stands_in_a_link_is_never_sent() -> None:
    sends = r"(?:fetch|new WebSocket|new EventSource|sendBeacon|XMLHttpRequest)\([^)]*"
    for each in found(sends, OURS):
        assert not re.search(r"hash|fragment|location\.href|\bkey\b|device", each), each


def test_a_pin_is_typed_unseen() -> None:
    fields = [
        f"{path.name}: {field}"
        for path in (*MARKUP, *OURS)
        for field in re.findall(r"<input[^>]*pin[^>]*>", path.read_text("utf-8"), re.IGNORECASE)
    ]
    scripts = "".join(code(path) for path in OURS if "desk" in path.name)
    assert fields or re.search(r"type\s*[=:]\s*[\"']password[\"']", scripts)
    assert [field for field in fields if "password" not in field] == []


# --- the process of the pages


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def called(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


RUNS_OR_READS_CODE: Final = re.compile(
    r"^(?:eval|exec|compile|__import__|input|os\.(?:system|popen|exec\w*|spawn\w*|fork)"
    r"|subprocess\..*|pickle\..*|marshal\..*|shelve\..*|yaml\.load|importlib\.import_module"
    r"|asyncio\.create_subprocess_\w+|runpy\..*|ctypes\..*)$"
)


def test_the_process_of_the_pages_starts_no_program_and_reads_no_code() -> None:
    seen = [*modules(WEB)]
    assert len(seen) > 3
    wrong = [
        f"{path.name}: {name}"
        for path, tree in seen
        for name in called(tree)
        if RUNS_OR_READS_CODE.match(name)
    ]
    assert wrong == []
    imported = {
        name.name
        for _, tree in seen
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    }
    assert not imported & {"pickle", "marshal", "subprocess", "ctypes", "sqlite3", "xml", "zipfile"}


def test_no_pattern_is_made_of_a_text_from_outside() -> None:
    wrong = []
    for folder in (WEB, ROOT / "table/engine", ROOT / "protocols/ipc"):
        for path, tree in modules(folder):
            for node in ast.walk(tree):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                name = ast.unparse(node.func)
                if re.match(r"^re\.(?:compile|match|search|sub|findall|fullmatch|finditer)$", name):
                    made = [*ast.walk(node.args[0])]
                    if any(isinstance(each, ast.JoinedStr | ast.BinOp) for each in made):
                        wrong.append(f"{path.name}: {ast.unparse(node)}")
    assert wrong == []
    assert found(r"new RegExp\((?![\"'`])", OURS) == []


def test_no_statement_for_the_journal_is_put_together_from_texts() -> None:
    wrong = []
    folders = [folder for folder in (ROOT / "table").iterdir() if folder.is_dir()]
    for path, tree in (each for folder in folders for each in modules(folder)):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if not re.search(r"\.(?:execute|executemany|executescript)$", ast.unparse(node.func)):
                continue
            statement = node.args[0]
            texts = [each for each in ast.walk(statement) if isinstance(each, ast.JoinedStr)]
            for text in texts:
                for part in text.values:
                    if isinstance(part, ast.FormattedValue) and not is_a_fixed_name(part.value):
                        wrong.append(f"{path.name}: {ast.unparse(statement)}")
    assert wrong == []


OF_THE_STORE: Final = {"where", "name", "wanted"}
"""Arguments that the journal's own functions are given, by one another, as constants: the name of a
database and of a setting."""


def is_a_fixed_name(value: ast.expr) -> bool:
    """A constant of the module (in capitals), or an argument that is one."""
    text = ast.unparse(value)
    return text in OF_THE_STORE or bool(re.match(r"^_?[A-Z][A-Z_]+\b", text))


@pytest.mark.parametrize("path", MARKUP, ids=lambda path: path.name)
def test_a_page_says_in_which_letters_it_is(path: Path) -> None:
    if path.suffix == ".html":
        assert re.search(r"<meta charset=\"?utf-8\"?", path.read_text("utf-8"), re.IGNORECASE)
