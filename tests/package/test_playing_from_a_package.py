"""Play from the package, with Debian's pygame and Pillow, gives the same as play from the tree."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from debian_root import TREE, DebianRoot
from PIL import Image, ImageChops

pytestmark = [
    pytest.mark.package,
    pytest.mark.parametrize("installed", ["bookworm", "trixie"], indirect=True),
]

DEMONSTRATION = TREE / "pi_table/simulator/demonstration.jsonl"
BLOCK = (64, 8)
MAX_STEPS = 30
"""Pixels of a block, and how far the means of two may be apart: as for the golden pictures, for the
same reasons."""
PICTURES = ("first.png", "later.png")
ACTS = """\
{"profile": "codenames", "options": {}, "words": null, "key": "rrrrrrrrrbbbbbbbbnnnnnnna"}
{"seat": "red-spymaster", "act": "clue", "word": "flight", "number": 2}
{"seat": "red-operatives", "act": "guess", "cell": "A1"}
"""


def scenario(folder: Path) -> Path:
    """The demonstration, with pictures of table and console in it."""
    lines = [json.loads(line) for line in DEMONSTRATION.read_text("utf-8").splitlines()]
    half = len(lines) // 2
    for place, name in ((half, PICTURES[1]), (2, PICTURES[0])):
        lines.insert(place, {"at": lines[place]["at"], "picture": name})
    path = folder / "scenario.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def from_the_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what the tree makes of that scenario."""
    folder = tmp_path_factory.mktemp("tree")
    words = ("simulate", "--headless", "--scenario", scenario(folder), "--out", folder)
    subprocess.run([sys.executable, "-m", "pi_table", *words], cwd=TREE, check=True)
    return folder


def test_the_demonstration_is_the_same(installed: DebianRoot, from_the_tree: Path) -> None:
    inside = installed.folder / "tmp"
    (inside / "scenario.jsonl").write_bytes((from_the_tree / "scenario.jsonl").read_bytes())
    given = ("--scenario", "/tmp/scenario.jsonl", "--out", "/tmp/played")
    installed.run("pi-table", "simulate", "--headless", *given)
    for name in ("public.jsonl", "lights.jsonl"):
        assert (inside / "played" / name).read_bytes() == (from_the_tree / name).read_bytes()
    for name in PICTURES:
        assert furthest(inside / "played" / name, from_the_tree / name) <= MAX_STEPS


def furthest(one: Path, other: Path) -> int:
    """Return the largest distance between the means of two blocks, in steps of any colour."""
    means = [Image.open(path).convert("RGB").reduce(BLOCK) for path in (one, other)]
    assert means[0].size == means[1].size
    return max(high for _, high in ImageChops.difference(*means).getextrema())  # type: ignore[misc]


def test_pictures_of_two_moments_are_further_apart(
    installed: DebianRoot, from_the_tree: Path
) -> None:
    assert furthest(*(from_the_tree / name for name in PICTURES)) > MAX_STEPS


def test_the_rules_answer_as_in_the_tree(installed: DebianRoot) -> None:
    ours = [sys.executable, "-m", "pi_table", "play", "--acts", "-"]
    expected = subprocess.run(
        ours, input=ACTS, cwd=TREE, check=True, capture_output=True, text=True
    )
    assert installed.run("pi-table", "play", "--acts", "-", given=ACTS) == expected.stdout


def test_the_referee_has_its_words(installed: DebianRoot) -> None:
    for lang, word, board in (
        ("en", "horse", "HORSESHOE,BANK"),
        ("it", "cavallo", "CAVALLI,BANCA"),
    ):
        words = ("clue", word, "2", "--board", board, "--lang", lang)
        ours = [sys.executable, "-m", "pi_table", *words]
        expected = subprocess.run(ours, cwd=TREE, check=True, capture_output=True, text=True)
        assert json.loads(expected.stdout)["verdict"] == "invalid"
        assert installed.run("pi-table", *words) == expected.stdout


def test_word_cards_are_printed_as_in_the_tree(installed: DebianRoot, tmp_path: Path) -> None:
    words = ("cards", "english", "--out")
    subprocess.run(
        [sys.executable, "-m", "pi_table", *words, tmp_path / "cards.pdf"], cwd=TREE, check=True
    )
    installed.run("pi-table", *words, "/tmp/cards.pdf")
    assert (installed.folder / "tmp/cards.pdf").read_bytes() == (
        tmp_path / "cards.pdf"
    ).read_bytes()


def test_the_firmware_is_found(installed: DebianRoot) -> None:
    config = ("--config", "/etc/pi-table/table.toml")
    said = installed.run("pi-table", "flash", "--dry-run", *config)
    assert "avrdude" in said
    assert "/usr/lib/pi-table/code-" in said


def test_the_compiled_modules_are_those_of_this_python(installed: DebianRoot) -> None:
    version = installed.run("python3", "-c", "import sys; print('%d%d' % sys.version_info[:2])")
    (libs,) = (installed.folder / "usr/lib/pi-table").glob("libs-*")
    # rpi_ws281x may be imported on a Pi alone: Python looks for its file, and loads it not.
    look = (
        f"import sys; sys.path.insert(0, '/{libs.relative_to(installed.folder)}')\n"
        "import importlib.util as u, msgspec._core as m, _lgpio as g\n"
        "print(m.__file__, g.__file__, u.find_spec('_rpi_ws281x').origin)"
    )
    for file in installed.run("python3", "-I", "-c", look).split():
        assert f"cpython-{version.strip()}-x86_64-linux-gnu.so" in file


def test_other_programs_meet_nothing_of_it(installed: DebianRoot) -> None:
    names = ("pi_table", "msgspec", "simplemma", "starlette", "websockets", "segno")
    look = f"import importlib.util as u; print([n for n in {names} if u.find_spec(n)])"
    assert installed.run("python3", "-c", look).strip() == "[]"
    # Nor does it meet what lies in the folder where somebody happens to be.
    trap = installed.folder / "tmp/trap"
    trap.mkdir()
    (trap / "msgspec.py").write_text("raise SystemExit('trapped')")
    said = installed.run("sh", "-c", "cd /tmp/trap && PYTHONPATH=. pi-table play --explain codex")
    assert "trapped" not in said


def test_the_manual_names_every_command(installed: DebianRoot) -> None:
    page = installed.run("zcat", "/usr/share/man/man1/pi-table.1.gz").replace("\\-", "-")
    for command in ("run", "console", "simulate", "doctor", "calibrate", "flash", "journal"):
        assert f"\\fB{command}\\fR" in page
