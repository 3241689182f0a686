"""The headless simulator: the whole table in virtual time, as a program sees it."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence, ImageStat

from pi_table import cli
from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.shapes import Text
from pi_table.simulator import demonstration, scenario
from pi_table.simulator.headless import run
from pi_table.simulator.layout import WHOLE
from pi_table.simulator.stage import Stage

KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"
GAME = json.dumps({"game": {"profile": "codenames", "key": KEY}})
CLUE = '{"at": 1, "act": {"seat": "red-spymaster", "act": "clue", "number": 2}}'


def played(tmp_path: Path, *lines: str) -> tuple[list[Any], list[Any], str]:
    """The public views, the frames of the lights, and the notes of a scenario."""
    note = io.StringIO()
    run(lines, tmp_path, note)
    public, lights = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("public.jsonl", "lights.jsonl")
    )
    return public, lights, note.getvalue()


def test_a_held_cell_is_guessed_at_the_end_of_the_hold(tmp_path: Path) -> None:  # CN-6
    public, lights, _ = played(
        tmp_path, GAME, CLUE, '{"at": 2, "touch": "A1"}', '{"at": 2.5, "release": "A1"}'
    )
    assert [entry["at"] for entry in public] == [0.0, 1.0, 2.4]
    assert public[-1]["view"]["cells"]["A1"] == {"word": None, "covered": "red"}
    glow = [frame["at"] for frame in lights if 2 <= frame["at"] < 2.4]
    assert glow[0] == 2.0, "the finger is answered at once"
    assert len(glow) >= 9, "and the cell fills"
    assert any(frame["at"] == 2.4 for frame in lights), "what it is begins to be told at once"


@pytest.mark.parametrize("controller", ["simulated", "pi"])
def test_a_cell_with_one_light_is_seen_in_one_colour(tmp_path: Path, controller: str) -> None:
    """A blue agent lights two corners. With one light the whole cell has their mean."""
    lines = tmp_path / "lines"
    key = KEY.replace("r", "x").replace("b", "r").replace("x", "b")
    game = json.dumps({"game": {"profile": "codenames", "key": key}})
    clue = CLUE.replace("red", "blue")
    steps = (clue, '{"at": 2, "touch": "A1"}', '{"at": 2.5, "release": "A1"}')
    lines.write_text("\n".join((game, *steps, '{"at": 12, "picture": "x.png", "of": "table"}')))
    corners = {}
    for layout in ("tiles", "string-100"):
        out = tmp_path / layout
        what = ("--headless", "--scenario", str(lines), "--out", str(out), "--layout", layout)
        assert cli.main(["simulate", *what, "--controller", controller]) == 0
        with Image.open(out / "x.png") as picture:
            (x, y), width = WHOLE.corner(0), WHOLE.cell_width
            at = ((x + 5, y + 5), (x + width - 6, y + 5))
            corners[layout] = [
                picture.convert("L").crop((*each, each[0] + 1, each[1] + 1)).tobytes()[0]
                for each in at
            ]
    left, right = corners["tiles"]
    assert abs(left - right) > 20
    left, right = corners["string-100"]
    assert abs(left - right) < 4


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (("--layout", "tile"), "did you mean 'tiles'"),
        (("--layout", "string-100", "--controller", "emulated"), "choose --controller pi"),
    ],
)
def test_a_layout_that_cannot_be_shown_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: tuple[str, ...], says: str
) -> None:
    assert cli.main(["simulate", "--headless", "--out", str(tmp_path / "out"), *what]) == 2
    assert says in capsys.readouterr().err


def test_a_lifted_finger_is_no_guess(tmp_path: Path) -> None:
    public, _, _ = played(
        tmp_path, GAME, CLUE, '{"at": 2, "touch": "A1"}', '{"at": 2.39, "release": "A1"}',
        '{"at": 9, "say": "nothing"}',
    )  # fmt: skip
    assert [entry["at"] for entry in public] == [0.0, 1.0]


def test_the_same_scenario_is_the_same_to_the_byte(tmp_path: Path) -> None:
    lines = demonstration_lines()
    for name in ("one", "two"):
        run(lines, tmp_path / name)
    for name in ("public.jsonl", "lights.jsonl"):
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two != b""


def demonstration_lines() -> list[str]:
    folder = Path(demonstration.__file__).parent
    return (folder / "demonstration.jsonl").read_text().splitlines()


def test_the_demonstration_is_played_without_a_refusal_to_its_end(tmp_path: Path) -> None:
    public, lights, notes = played(tmp_path, *demonstration_lines())
    assert notes == ""
    last = public[-1]["view"]
    assert last["outcome"] == {
        "winner": "red",
        "losers": ["blue"],
        "why": "assassin",
        "score": None,
    }
    assert last["key"] == "rnbbnrbbnrrnrbnnrabnrrbbr"
    assert all("key" not in entry["view"] for entry in public[:-1]), (
        "ALL-5: not before it is opened"
    )
    assert all(len(frame["cells"]) == 25 for frame in lights)


def test_the_console_starts_and_plays_a_game_by_its_own_inputs(tmp_path: Path) -> None:
    public, _, _ = played(
        tmp_path,
        '{"at": 1, "console": "press"}',
        '{"at": 2, "console": "press"}',
        '{"at": 3, "console": "press"}',
        '{"at": 4, "console": "press"}',
        '{"at": 5, "console": "press"}',
        '{"at": 6, "console": "press"}',
        '{"at": 7, "console": "press"}',
    )
    phases = [entry["view"]["phase"] for entry in public]
    assert phases[0] == "clue"
    assert "guess" in phases, "pressing on gives the first clue that is offered"
    words = [cell["word"] for cell in public[0]["view"]["cells"].values()]
    assert len({*words}) == 25, "the simulator deals words"
    assert None not in words


def test_refused_acts_are_told_and_change_nothing(tmp_path: Path) -> None:  # CN-21
    public, lights, notes = played(
        tmp_path,
        GAME,
        '{"at": 1, "act": {"seat": "red-operatives", "act": "stop"}}',
        '{"at": 2, "touch": "A1"}',
        '{"at": 4, "release": "A1"}',
    )
    assert notes == "Line 2: the table refused: Enter the clue’s number first.\n"
    assert len(public) == 1
    assert [frame["cells"][0] for frame in lights if frame["at"] == 2][-1] == "#ffa000"


def test_pictures_are_written_of_what_is_asked_for(tmp_path: Path) -> None:
    played(
        tmp_path,
        GAME,
        '{"at": 1, "picture": "both.png"}',
        '{"at": 1, "picture": "table.png", "of": "table"}',
        '{"at": 1, "picture": "console.png", "of": "console"}',
    )
    sizes = {name: png_size(tmp_path / f"{name}.png") for name in ("both", "table", "console")}
    assert sizes["console"] == (800, 480)
    assert sizes["both"][0] > sizes["table"][0] + sizes["console"][0] - 1
    assert sizes["both"][1] == sizes["table"][1]


def png_size(path: Path) -> tuple[int, int]:
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def test_the_committed_film_is_what_its_scenario_makes(tmp_path: Path) -> None:
    folder = Path(demonstration.__file__).parent
    command = ["simulate", "--headless", "--scenario", str(folder / "table-in-play.jsonl")]
    assert cli.main([*command, "--out", str(tmp_path)]) == 0
    made, kept = (film(each / "table-in-play.gif") for each in (tmp_path, folder))
    assert len(made) == len(kept) == 105, "10.5 seconds"
    assert (folder / "table-in-play.gif").stat().st_size < 1_000_000
    for number in range(0, len(made), 5):
        differs = ImageStat.Stat(ImageChops.difference(made[number], kept[number])).mean
        assert max(differs) < 1, f"frame {number}: make the film again, and look at it"


def film(path: Path) -> list[Image.Image]:
    """The frames of a moving picture, one a tenth of a second."""
    frames = []
    with Image.open(path) as moving:
        for frame in ImageSequence.Iterator(moving):
            frames += [frame.convert("RGB")] * round(frame.info["duration"] / 100)
    return frames


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        ('{"game": {"profile": "codename"}}', "did you mean 'codenames'"),
        ('{"game": {"profile": "codenames", "options": {"tmer": "clock"}}}', "'timer'"),
        ('{"game": {"profile": "codenames", "words": ["A"]}}', "25"),
        ('{"game": 3}', "object"),
    ],
)
def test_a_game_that_cannot_be_is_named_with_its_line(
    tmp_path: Path, game: str, complaint: str
) -> None:
    with pytest.raises(InputError, match=r"^Line 1: ") as refused:
        run([game], tmp_path)
    assert complaint in str(refused.value)


def test_the_command_exits_with_2_and_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = tmp_path / "s.jsonl"
    scenario.write_text(GAME + '\n{"at": 1, "touch": "Z9"}\n')
    command = ["simulate", "--headless", "--scenario", str(scenario), "--out", str(tmp_path / "o")]
    assert cli.main(command) == 2
    assert f"Line 2 of {scenario}: there is no place 'Z9'" in capsys.readouterr().err
    assert cli.main(["simulate", "--headless"]) == 2
    assert cli.main(["simulate", "--out", str(tmp_path)]) == 2


def test_the_demonstration_is_played_where_no_scenario_is_named(tmp_path: Path) -> None:
    assert cli.main(["simulate", "--headless", "--out", str(tmp_path)]) == 0
    *_, last = (tmp_path / "public.jsonl").read_text().splitlines()
    assert json.loads(last)["at"] > 60


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"# a page\n", "this is not JSON"),
        (b'{"game": {"profile": "chess"}}\n', "chess"),
    ],
)
def test_what_is_no_scenario_is_named_and_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, complaint: str
) -> None:
    given, out = tmp_path / "given", tmp_path / "out"
    given.write_bytes(content)
    command = ["simulate", "--headless", "--scenario", str(given), "--out", str(out)]
    assert cli.main(command) == 2
    said = capsys.readouterr().err
    assert f"Line 1 of {given}: " in said
    assert complaint in said
    assert not out.exists()

    out.mkdir()
    assert cli.main(command) == 2
    assert out.exists(), "a folder that was there stays"


def test_at_the_end_it_says_what_it_wrote_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, out = tmp_path / "given", tmp_path / "out"
    given.write_text(GAME + '\n{"at": 1, "picture": "x.png", "of": "console"}\n')
    cli.main(["simulate", "--headless", "--scenario", str(given), "--out", str(out)])
    frames = len((out / "lights.jsonl").read_text().splitlines())
    assert capsys.readouterr().err == (
        f"Written into {out}: public.jsonl (views: 1), lights.jsonl (frames: {frames}), "
        "pictures: 1.\n"
    )


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run([GAME], tmp_path / "file")


def test_the_console_understands_what_it_is_told() -> None:  # CN-25
    with Stage() as stage:
        stage.perform(scenario.Start({"profile": "codenames", "key": KEY}))
        clue = {"seat": "red-spymaster", "act": "clue", "word": "flight", "number": 2}
        for do in (clue, {"seat": "operator", "act": "abandon"}):
            assert stage.perform(scenario.Act(do)) is None
        (clues,) = (
            choice for choice in stage.console.model.choices if choice.label == say("Clues so far")
        )
        stage.console.happen(Choose(clues), stage.now)
        texts = [shape.text for shape in stage.console.scene(stage.now) if isinstance(shape, Text)]
        assert any("flight" in str(text).casefold() for text in texts)
        assert stage.console.model.notice is None


def test_a_tick_is_an_act_without_a_seat(tmp_path: Path) -> None:
    _, _, notes = played(tmp_path, GAME, '{"at": 3, "act": {"act": "tick"}}')
    assert notes == ""


def test_a_lap_on_phones_is_played_and_tells_in_public_nothing_of_who_is_done(
    tmp_path: Path,
) -> None:  # CX-20
    game = {"profile": "codex", "options": {"screens": "phones", "visit_starts": "at-once"}}
    seats = ["agent-1", "agent-2", "agent-4"]
    lines = [json.dumps({"game": {**game, "phones": seats}})]
    at = 1.0
    for act, fields in (("send", {"to": "agent-6", "facts": ["role"]}), ("done", {})):
        for seat in seats:
            at += 1.0
            lines.append(json.dumps({"at": at, "act": {"seat": seat, "act": act, **fields}}))
    lines.append('{"at": 8, "picture": "then.png", "of": "console"}')
    public, _, note = played(tmp_path, *lines)
    assert note == ""
    views = [entry["view"] for entry in public]
    assert [view["together"] for view in views] == [seats] * (len(views) - 1) + [[]]
    assert [view["at_screen"] for view in views] == [None] * (len(views) - 1) + ["agent-3"]
    assert len({json.dumps({**view, "timer": None}) for view in views[:-1]}) == 1
