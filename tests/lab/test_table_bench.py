"""The benchmark of the table: the real program is measured, and what is measured is said."""

import importlib
import inspect
import json
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from pi_table.common.errors import InputError
from pi_table.common.geometry import LED_COUNT
from pi_table.games.rules import games
from pi_table.games.rules.games import replay
from pi_table.games.rules.word_games.board import Phase
from pi_table.lab.bench import run, table
from pi_table.lab.bench.contents import CONTENTS, subject_of
from pi_table.lab.bench.stamps import STEPS, steps_of

pytestmark = pytest.mark.paced


def told_as(measurement: Mapping[str, object]) -> bool:
    """True if a line of the contents names it, in the same unit."""
    subject = subject_of(str(measurement["name"]))
    return subject is not None and subject.unit == measurement["unit"]


def test_everything_is_measured_on_a_running_table() -> None:
    measured = {str(m["name"]): m for m in table.measure(5, 2, rest=0.2, stored=20, starts=1)}
    assert {name: of["unit"] for name, of in measured.items()} == {
        "table/commit": "ms",
        "table/guess_to_light": "ms",
        "table/first_guess_to_light": "ms",
        "table/guess_to_light_with_phones": "ms",
        "table/guess_to_light_among_records": "ms",
        "table/guess_to_light_while_checking": "ms",
        "table/rest_pss": "MiB",
        "table/rest_cpu": "% of a core",
        "table/phones_pss": "MiB",
        "table/phones_cpu": "% of a core",
        "table/ready_s": "s",
    }
    assert all(told_as(of) for of in measured.values())
    commit, guess = measured["table/commit"], measured["table/guess_to_light"]
    for spread in (commit, guess, measured["table/first_guess_to_light"]):
        parts = [float(str(spread[part])) for part in ("value", "p90", "p95", "p99", "max")]
        assert parts[0] > 0
        assert parts == sorted(parts)
    assert guess["times"] == 5
    assert 5 < measured["table/rest_pss"]["value"] <= measured["table/rest_pss"]["rss"] < 100  # type: ignore[operator]
    assert 0 <= measured["table/rest_cpu"]["value"] < 100  # type: ignore[operator]
    ready = measured["table/ready_s"]
    assert 0.02 < ready["value"] < 20  # type: ignore[operator]
    assert 20 <= ready["events"] < 120  # type: ignore[operator]


def test_each_step_of_a_guess_is_measured_in_its_order() -> None:
    seen, *steps = table.measure(5, steps=True)
    assert [step["name"] for step in steps] == [f"table/stamps/{step.name}" for step in STEPS]
    assert all(told_as(of) and of["times"] == seen["times"] for of in (seen, *steps))
    median = {str(of["name"]).rpartition("/")[2]: float(str(of["value"])) for of in steps}
    assert 0 < median["read"] < median["felt"] < median["judged"] < median["handed"]
    assert median["handed"] < median["written"] < median["settled"] < median["shown"]
    assert median["written"] < median["sent"] < float(str(seen["max"]))


def test_a_step_counts_from_its_own_guess() -> None:
    touches = [0.0, 1.0, 2.0]
    after = {step.name: 0.001 * number for number, step in enumerate(STEPS, 1)}
    notes = {name: [-0.5, *(at + later for at in touches)] for name, later in after.items()}
    for step, later in zip(steps_of(notes, touches), after.values(), strict=True):
        assert step["least"] == step["value"] == step["max"] == round(1000 * later, 3)


def test_steps_belong_to_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    for what in ([], ["rules"], ["table", "rules"]):
        with pytest.raises(InputError, match="pi-table bench table --stamps"):
            run.run(what, steps=True)
    assert capsys.readouterr().out == ""


def test_an_answer_that_comes_after_a_silence_is_waited_for() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, ThreadPoolExecutor(1) as beside:
        took = beside.submit(table.Finger(ours.fileno()).touch, "A1")
        assert theirs.recv(100) == b'{"touch":"A1"}\n'
        with pytest.raises(TimeoutError):  # longer than a tenth of a second
            took.result(0.2)
        leds = [table.ANSWERED] * LED_COUNT
        theirs.send(json.dumps({"leds": leds}).encode() + b"\n")
        assert took.result() is not None


def test_the_games_that_fill_a_journal_are_whole_games() -> None:
    random = Random(1)
    for _ in range(20):
        state = replay(games.decode(entry.body) for entry in table.build_game(random))
        assert state is not None
        assert state.board.phase is Phase.OVER


def test_every_line_says_with_what_it_was_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "measure", lambda: iter([{"name": "a"}, {"name": "table/commit"}]))
    assert run.run(["table"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in lines] == ["a", "table/commit"]
    assert lines[1]["what"] == "storing a guess on a real disk, and no more"
    for line in lines:
        assert {*line["machine"]} == {"processor", "cores", "system"}
        assert {*line["versions"]} == {"pi_table", "python", "msgspec", "sqlite"}


def test_without_a_name_all_are_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        run, "_measure", lambda group, brief: iter([{"name": group, "brief": brief}])
    )
    assert run.run([]) == 0
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["name"] for line in lines] == [*run.GROUPS]
    assert all(line["brief"] for line in lines)
    first, *rows = told.err.splitlines()
    assert first.split() == ["name", "what", "unit", "goal"]
    groups, rows = rows[-len(run.GROUPS) :], rows[: -len(run.GROUPS)]
    assert groups[1].startswith("2 of 7, table: Measures the speed of the whole table, and its ")
    assert [each.partition(": ")[0] for each in groups] == [
        f"{number} of 7, {name}" for number, name in enumerate(run.GROUPS, 1)
    ]
    of_all = [each.names for each in CONTENTS if each.names.startswith(run.GROUPS)]
    assert [row.split()[0] for row in rows] == of_all
    assert run.run(["clue"]) == 0
    told = capsys.readouterr()
    assert not json.loads(told.out)["brief"]
    _, *rows, group = told.err.splitlines()
    assert {row.split("/")[0] for row in rows} == {"clue"}
    assert group.startswith("1 of 1, clue: Measures the referee's speed and memory")


@pytest.mark.parametrize("group", run.GROUPS)
def test_what_all_groups_are_measured_with_are_arguments_of_each(group: str) -> None:
    module = importlib.import_module(f"pi_table.lab.bench.{group}")
    known = inspect.signature(module.measure).parameters
    for name, brief in module.BRIEF.items():
        usual = known[name].default
        assert {*brief} <= {*usual} if isinstance(usual, tuple) else brief <= usual


def test_a_name_that_there_is_not_is_refused_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(InputError, match="no benchmark 'tabel'; did you mean 'table'"):
        run.run(["rules", "tabel"])
    assert capsys.readouterr().out == ""
