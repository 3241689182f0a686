"""Count what makes this project's English hard to read: `make census`.

Prints one line of figures for each package of `pi_table`, then the words of all pages. With
``--show MARK`` it lists the places of one mark instead, for example ``--show participles``.
"""

import argparse
import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
OPENINGS: Final = re.compile(r"(?:What|How|Is|Are|Has|Does|Whoever|Who|Whether|Whose|That)\b")
"""First words of a docstring that is a question or a riddle."""
WORDS: Final = re.compile(
    r"\b(?:what (?:is|was|comes|came)|whoever|nobody|tells?|told|stands?|stood|lies|anew|of it"
    r"|by which|in the stead of)\b",
    re.IGNORECASE,
)
"""Words that usually mark a sentence to rewrite."""
PARTICIPLES: Final = re.compile(
    r"(?:begun|bound|broken|brought|built|chosen|come|done|drawn|driven|felt|found|given|gone|heard"
    r"|held|hidden|kept|known|laid|left|lit|lost|made|meant|met|put|said|seen|sent|shown|spoken"
    r"|spread|taken|thought|told|understood|won|written"
    r"|(?!(?:b|bl|emb|exce|f|l|ne|proce|r|se|sh|spe)ed$)\w*[^\W_]ed)"
)
ALGORITHMS: Final = {
    "serial link": ("pi_table/devices/wire/link.py",),
    "touch policy": (
        "pi_table/table/engine/touches/fingers.py",
        "pi_table/table/engine/touches/intents.py",
    ),
    "journal and its mark": (
        "pi_table/table/store/journal.py",
        "pi_table/table/store/mark.py",
    ),
    "sealed frames": (
        "pi_table/protocols/sealing/frames.py",
        "pi_table/protocols/sealing/handshake.py",
        "pi_table/protocols/sealing/seal.py",
    ),
    "phone beats": ("pi_table/table/engine/phones/phones.py",),
    "voice backlog": ("pi_table/devices/sound/voice.py",),
    "light priorities": ("pi_table/devices/lights/scenes.py",),
    "MPR121 reading": ("firmware/core/mpr121_reading.c",),
    "USB rules": ("pi_table/maintenance/first_boot/usb.py",),
    "slots": ("systemd/image/files/usr/lib/pi-table-image/slots.py",),
}


class Mark(NamedTuple):
    """One place that reads twice, in `file` at `line`."""

    kind: str
    file: str
    line: int
    text: str


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield every string that stands alone: docstrings, also those of constants and fields."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as string):
                yield string


def is_participle(name: str) -> bool:
    """True if the first word of a function's name says what was done instead of what it does."""
    return PARTICIPLES.fullmatch(name.strip("_").split("_")[0]) is not None


def marks_of(path: Path) -> Iterator[Mark]:
    """Yield the marks of a Python file."""
    source, file = path.read_text(), str(path.relative_to(ROOT))
    tree = ast.parse(source)
    for each in docstrings(tree):
        text = str(each.value)
        if OPENINGS.match(text):
            yield Mark("openings", file, each.lineno, text.splitlines()[0])
        for word in WORDS.finditer(text):
            yield Mark("words", file, each.lineno, word.group())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            properties = {
                getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list
            }
            if is_participle(node.name) and not properties & {"property", "cached_property"}:
                yield Mark("participles", file, node.lineno, node.name)
    for line, text in comments(path):
        for word in WORDS.finditer(text):
            yield Mark("words", file, line, word.group())


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line number and text of each comment of a Python or C file."""
    if path.suffix == ".py":
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.COMMENT:
                    yield token.start[0], token.string
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith(("/*", "*", "//")) or "/*" in line:
            yield number, line


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--show", choices=("openings", "words", "participles"))
    options.add_argument("paths", nargs="*", default=["pi_table"], help="files or folders")
    chosen = options.parse_args()
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True
    )
    files = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
    places = [each.rstrip("/") for each in chosen.paths]
    sources = [
        name
        for name in files
        if name.endswith(".py") and any(name == at or name.startswith(f"{at}/") for at in places)
    ]
    if not sources:
        print(f"There is no Python file of this project in {', '.join(places)}.", file=sys.stderr)
        return 2
    marks = [each for name in sources for each in marks_of(ROOT / name)]
    if chosen.show:
        for mark in marks:
            if mark.kind == chosen.show:
                print(f"{mark.file}:{mark.line}: {mark.text}")
        return 0
    folders = sorted({"/".join(name.split("/")[:2]) for name in sources})
    print(f"{'folder':28}{'lines':>8}{'openings':>10}{'words':>8}{'participles':>13}")
    for folder in (*folders, ""):
        inside = [name for name in sources if not folder or f"{name}/".startswith(f"{folder}/")]
        lines = sum(len((ROOT / name).read_text().splitlines()) for name in inside)
        counts = [
            sum(mark.kind == kind and mark.file in inside for mark in marks)
            for kind in ("openings", "words", "participles")
        ]
        print(f"{folder or 'all':28}{lines:8}{counts[0]:10}{counts[1]:8}{counts[2]:13}")
    print(f"\n{'algorithm':28}{'lines':>8}{'comments':>10}")
    for name, parts in ALGORITHMS.items():
        lines = sum(len((ROOT / part).read_text().splitlines()) for part in parts)
        print(f"{name:28}{lines:8}{sum(len(list(comments(ROOT / part))) for part in parts):10}")
    pages = [ROOT / name for name in files if name.endswith(".md")]
    sizes = [path.stat().st_size for path in pages]
    print(
        f"\n{len(pages)} pages, {sum(len(path.read_text().split()) for path in pages)} words, "
        f"{sum(sizes) / 1000:.0f} kB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
