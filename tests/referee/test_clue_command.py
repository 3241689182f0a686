"""`pi-table clue`: one clue by its arguments, or many as lines of JSON."""

import io
import json
import subprocess
import sys

import pytest
from patience import PATIENCE

from pi_table import cli
from pi_table.games.referee.lines import judge_lines

LINE = {"word": "horses", "number": 2, "board": ["HORSE"], "covered": [], "lang": "en"}


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str | None]:
    assert cli.main(["clue", *arguments]) == 0
    answer: dict[str, str | None] = json.loads(capsys.readouterr().out)
    assert list(answer) == ["verdict", "rule", "reason"]
    return answer


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["clue", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_a_clue_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    board = ("--board", "RIVER,HORSESHOE")
    answer = told(capsys, "horse", "2", *board, "--lang", "en")
    assert (answer["verdict"], answer["rule"]) == ("invalid", "CL-3")
    assert answer["reason"] == "“horse” is a part of HORSESHOE."
    fine = {"verdict": "fine", "rule": None, "reason": None}
    assert told(capsys, "horse", "unlimited", *board, "--covered", "horseshoe") == fine
    assert told(capsys, "New York", "0", *board, "--profile", "deep-undercover") == fine


def test_the_reason_is_in_the_language_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    board = ("--board", "GRATTACIELO")
    by_lang = told(capsys, "cielo", "1", *board, "--lang", "it")
    assert by_lang["reason"] == "«cielo» fa parte di GRATTACIELO."
    assert told(capsys, "cielo", "1", *board, "--profile", "nome-in-codice") == by_lang


def test_house_rules_and_the_game_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "alarm clock", "1")["verdict"] == "invalid"
    assert told(capsys, "alarm clock", "1", "--house", "names,compounds")["verdict"] == "fine"
    alias = told(capsys, "horses", "1", "--board", "HORSE", "--profile", "alias-24")
    assert (alias["verdict"], alias["rule"]) == ("doubtful", "AL-13")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["horse", "two"], "'two'"),
        (["horse", "26"], "0 to 25"),
        (["horse", "-1"], "0 to 25"),
        (["", "2"], "There is no clue"),
        (["horse", "2", "--lang", "xx"], "no language 'xx'"),
        (["horse", "2", "--profile", "codex"], "'codex'"),
        (["horse", "2", "--house", "rhymes"], "'rhymes'"),
        (["horse"], "a word and a number"),
        ([], "a word and a number"),
        (["horse", "2", "--lines"], "standard input"),
    ],
)
def test_what_cannot_be_judged_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert told in refused(capsys, *arguments)


def test_lines_are_answered_one_by_one() -> None:
    more = LINE | {"profile": "alias-24", "house": ["names"], "number": "unlimited"}
    answers = judge_lines(map(json.dumps, [LINE, more, LINE | {"board": [None]}]))
    assert [json.loads(answer)["verdict"] for answer in answers] == ["invalid", "doubtful", "fine"]


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "horse",
        "[]",
        json.dumps({"word": "horse"}),
        json.dumps(LINE | {"number": 1.5}),
        json.dumps(LINE | {"number": 99}),
        json.dumps(LINE | {"word": ""}),
        json.dumps(LINE | {"lang": "xx"}),
        json.dumps(LINE | {"hause": []}),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_ends_it(bad: str) -> None:
    answers = judge_lines([json.dumps(LINE), bad])
    assert json.loads(next(answers))["verdict"] == "invalid"
    with pytest.raises(ValueError, match=r"^Line 2: ."):
        next(answers)


def test_each_answer_is_there_before_the_next_line_is_asked_for() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pi_table", "clue", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for word, verdict in (("horses", "invalid"), ("saddle", "fine")):
            process.stdin.write(json.dumps(LINE | {"word": word}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.write("nonsense\n")
        process.stdin.close()
        assert "Line 3" in process.stderr.read()
        assert process.wait(timeout=PATIENCE) == 2


def test_the_dictionaries_are_read_only_when_a_clue_is_judged() -> None:
    heavy = "{'simplemma', 'numpy'} & {*sys.modules}"
    code = f"import sys, pi_table.cli, pi_table.games.referee.opinion; print({heavy})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_standard_input_is_read_by_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = io.TextIOWrapper(io.BytesIO(json.dumps(LINE).encode()))
    monkeypatch.setattr(sys, "stdin", lines)
    assert told(capsys, "--lines")["verdict"] == "invalid"
