"""The referee's opinion of a clue for a phone. It comes from a separate process, which gets the
same questions as the referee of the hidden screen, and which may fail."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from patience import PATIENCE
from phones_at_a_table import Phones
from virtual_table import VirtualTable

from pi_table.games.rules.team import Team
from pi_table.screens.console import judge
from pi_table.screens.console.model import Model
from pi_table.screens.console.word_games.clue_entry import Give
from pi_table.screens.console.word_games.referee_says import question_of
from pi_table.table.engine.inputs import Judged
from pi_table.table.engine.outputs import AskReferee
from pi_table.table.engine.process.referee import Referee

MakeTable = Callable[..., VirtualTable]
CLUE = {"word": "horse", "number": 2, "board": ["HORSESHOE", "BANK"], "lang": "en"}


def program(tmp_path: Path, text: str) -> tuple[str, ...]:
    """A program in the referee's stead."""
    file = tmp_path / "program.py"
    file.write_text(text)
    return (sys.executable, "-S", str(file))


def answers(referee: Callable[[asyncio.AbstractEventLoop], Referee], *clues: Any) -> list[Any]:
    """Return the referee's answers to clues, in order."""
    found: list[Judged] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        asked = referee(loop)
        try:
            for number, clue in enumerate(clues):
                heard = asyncio.Event()

                def hear(judged: Judged, heard: asyncio.Event = heard) -> None:
                    found.append(judged)
                    heard.set()

                asked.ask(AskReferee(number, clue), hear)
                await heard.wait()
        finally:
            asked.close()

    asyncio.run(main())
    assert [judged.to for judged in found] == [*range(len(clues))]
    return [judged.opinion for judged in found]


@pytest.mark.paced
def test_the_referee_itself_answers_in_both_languages() -> None:
    fine = {**CLUE, "word": "river", "board": ["CAT"], "langs": ["en", "it"]}
    patient = partial(Referee, answer_seconds=PATIENCE)
    told, other = answers(patient, {**CLUE, "langs": ["en", "it"]}, fine)
    assert told["verdict"] == "invalid"
    assert {*told["reason"]} == {"en", "it"}
    assert other == {"verdict": "fine", "rule": None, "reason": None}


@pytest.mark.paced
@pytest.mark.parametrize(
    "text",
    [
        "import sys; sys.exit(2)",
        "import sys; sys.stdin.readline(); sys.exit(0)",
        "import time; time.sleep(600)",
        "while True: print('x' * 1000, flush=True)",
        "import sys; sys.stdin.readline(); print('[1]', flush=True); sys.stdin.readline()",
        "import sys; sys.stdin.readline(); print('{', flush=True); sys.stdin.readline()",
    ],
    ids=["goes", "goes when it is asked", "sleeps", "floods", "is no object", "is no JSON"],
)
def test_a_program_that_is_of_no_use_is_no_reason_to_wait(tmp_path: Path, text: str) -> None:
    command = program(tmp_path, text)
    assert answers(lambda loop: Referee(loop, command, 0.3), CLUE, CLUE) == [None, None]


@pytest.mark.paced
def test_a_program_that_dies_is_started_again(tmp_path: Path) -> None:
    once = tmp_path / "once"
    command = program(
        tmp_path,
        f"""
import os, sys
if os.path.exists({str(once)!r}):
    for line in sys.stdin: print('{{"verdict": "fine"}}', flush=True)
open({str(once)!r}, "w")
""",
    )
    found = answers(lambda loop: Referee(loop, command, 20.0), CLUE, CLUE, CLUE)
    assert found == [None, {"verdict": "fine"}, {"verdict": "fine"}]


@pytest.mark.paced
def test_a_referee_whom_nobody_asks_any_more_goes_and_comes_again(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = program(
        tmp_path,
        f"""
import os, sys
print(os.getpid(), file=open({str(pids)!r}, "a"))
for line in sys.stdin: print('{{}}', flush=True)
""",
    )

    def is_gone(pid: str) -> bool:
        return not os.path.exists(f"/proc/{pid}")

    async def main() -> None:
        referee = Referee(asyncio.get_running_loop(), command, 20.0, 0.2)
        for number in (1, 2):
            heard = asyncio.Event()
            referee.ask(AskReferee(number, CLUE), lambda judged, heard=heard: heard.set())  # type: ignore[misc]
            await heard.wait()
            lines = pids.read_text().split()
            assert len(lines) == number
            until = time.monotonic() + PATIENCE
            while not is_gone(lines[-1]):
                assert time.monotonic() < until
                await asyncio.sleep(0.01)
        referee.close()

    asyncio.run(main())


@pytest.mark.paced
def test_a_table_that_is_switched_off_does_not_wait_for_the_referee(tmp_path: Path) -> None:
    command = program(tmp_path, "import time; time.sleep(600)")

    async def main() -> None:
        referee = Referee(asyncio.get_running_loop(), command)
        referee.ask(AskReferee(1, CLUE), lambda judged: None)
        await asyncio.sleep(0.3)
        began = time.monotonic()
        referee.close()
        assert time.monotonic() - began < PATIENCE

    asyncio.run(main())


# What it hears


def test_the_referee_hears_on_a_phone_what_it_hears_on_the_hidden_screen(
    make_table: MakeTable,
) -> None:
    asked: list[AskReferee] = []

    def ask_referee(what: AskReferee, hear: Callable[[Judged], None]) -> None:
        asked.append(what)
        hear(Judged(what.to, {"verdict": "fine", "rule": None, "reason": None}))

    table = make_table(cards="dealt", ask_referee=ask_referee)
    table.start(compounds=True, sounds=True)
    table.clue(2, word="ANY")
    table.hold("A1")
    table.do("stop", "red-operatives")
    phones = Phones(table)
    phones.join("blue-spymaster")
    answer = phones.ask("blue-spymaster", "judge", word="HORSE", number=3)
    assert answer["told"] == {"verdict": "fine", "rule": None, "reason": None}
    (what,) = asked
    screen = Give(team=Team.BLUE, number=3, word="HORSE")
    model = msgspec.structs.replace(Model(), table=table.message, screens=(screen,))
    question = question_of(model)
    assert question is not None
    heard = msgspec.json.decode(msgspec.json.encode(question))
    assert len(heard["covered"]) == 1
    assert what.clue == heard | {"langs": ["en", "it"]}
    assert judge.ask_referee(question).opinion is not None


def test_where_the_referee_has_no_opinion_the_phone_is_told_so(make_table: MakeTable) -> None:
    table = make_table(cards="dealt")
    table.start()
    phones = Phones(table)
    phones.join("red-spymaster")
    assert "judge" in phones.phones["red-spymaster"].message["may"]
    answer = phones.ask("red-spymaster", "judge", word="HORSE", number=3)
    assert (answer["ok"], answer["reason"]) == (False, "no-opinion")
    assert answer["sentence"]["it"] != answer["sentence"]["en"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"number": 1}, "bad-word"),
        ({"word": "", "number": 1}, "bad-word"),
        ({"word": "x" * 41, "number": 1}, "bad-word"),
        ({"word": "\u3164", "number": 1}, "bad-word"),
        ({"word": "🍕 pizza", "number": 1}, "bad-word"),
        ({"word": "horse"}, "bad-number"),
        ({"word": "horse", "number": True}, "bad-number"),
        ({"word": "horse", "number": 26}, "bad-number"),
        ({"word": "horse", "number": "many"}, "bad-number"),
    ],
)
def test_what_is_no_clue_is_not_asked_about(
    make_table: MakeTable, fields: dict[str, Any], reason: str
) -> None:
    def ask_referee(what: AskReferee, hear: Callable[[Judged], None]) -> None:
        raise AssertionError("It is asked.")

    table = make_table(cards="dealt", ask_referee=ask_referee)
    table.start()
    phones = Phones(table)
    phones.join("red-spymaster")
    assert phones.ask("red-spymaster", "judge", **fields)["reason"] == reason


def test_a_table_that_knows_no_words_asks_no_referee(make_table: MakeTable) -> None:
    table = make_table(cards="own")
    table.start()
    phones = Phones(table)
    phone = phones.join("red-spymaster")
    assert "clue" in phone.message["may"]
    assert "judge" not in phone.message["may"]
    answer = phones.ask("red-spymaster", "judge", word="HORSE", number=3)
    assert answer["reason"] == "no-opinion"
