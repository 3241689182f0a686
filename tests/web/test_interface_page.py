"""The page of the interface is true: its examples are run, and its limits and tables hold."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from interface_page import PAGE, page
from likeness import is_like
from served import Served, play, serving

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import CodexPublicMessage, PublicMessage, Said
from pi_table.screens.web import events, http_connections

TEXT = PAGE.read_text("utf-8")
WORDS = ["ORBIT", *(f"WORD{number}" for number in range(24))]


def examples() -> list[tuple[str, list[str]]]:
    """Every question of the page, and what is answered to it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```http\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("> "):
                found.append((line[2:], []))
            else:
                assert line.startswith("< "), line
                found[-1][1].append(line[2:])
    return found


def word_game() -> PublicMessage:
    opening = {"profile": "codenames", "words": WORDS, "key": "rrrrrrrrrbbbbbbbbnnnnnnna"}
    state = games.evolve(None, games.read_opening(opening, Chance()))
    clue = games.read_act({"act": "clue", "word": "flight", "number": 2}, state, Chance())
    state, _ = games.step(state, Seat.RED_SPYMASTER, clue, 1.0)
    said = Said(1, "clue", {"en": "Red’s clue: flight, 2.", "it": "…"}, 0.0, spoken=True)
    return PublicMessage(games.public_view(state.board, 1.0), out_of_order=False, said=(said,))


def codex() -> CodexPublicMessage:
    state = games.evolve(None, games.read_opening({"profile": "codex"}, Chance()))
    return CodexPublicMessage(games.public_view(state.board, 0.0), out_of_order=False)


@pytest.mark.parametrize(("question", "answers"), examples())
def test_an_example_is_answered_as_the_page_says(
    tmp_path: Path, question: str, answers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "QUIET_SECONDS", 0.1)
    found = re.fullmatch(r"(\S+) (\S+)(?: of (codex))?(?: as (\S+))?", question)
    assert found is not None, question
    method, path, of, host = found.groups()

    async def scene() -> None:
        async with serving(tmp_path, address="http://127.0.0.1:8080") as served:
            served.table.publish(codex() if of else word_game())
            await (await served.watch()).until(lambda told: told["here"] and told["table"]["view"])
            if path == "/api/1/events":
                assert_streamed(await streamed(served, len(answers)), answers)
                return
            answer = await served.ask(path, method, host=host or served.host)
            status, _, body = answers[0].partition(" ")
            assert answer.status == int(status)
            assert not body or is_like(json.loads(body), answer.json), answer.json

    play(scene())


async def streamed(served: Served, count: int) -> list[bytes]:
    watching = await served.watch()
    return [await watching.piece() for _ in range(count + 1)][1:]  # the first says when to retry


def assert_streamed(pieces: list[bytes], answers: list[str]) -> None:
    for piece, answer in zip(pieces, answers, strict=True):
        said: Any = re.fullmatch(r"event: (\w+) (.*)", answer)
        event, data = piece.decode().split("\n")
        assert event == f"event: {said[1]}"
        assert is_like(json.loads(said[2]), json.loads(data.removeprefix("data: ")))


def test_its_tables_are_made_from_the_types() -> None:
    """If not: ``python tests/web/interface_page.py``."""
    assert page() == TEXT


def test_its_limits_are_those_of_the_program() -> None:
    text = " ".join(TEXT.split())
    one = f"{events.MAX_PER_DEVICE} event streams and {http_connections.MAX_PER_DEVICE} connections"
    together = f"{events.MAX_VIEWERS} and {http_connections.MAX_CONNECTIONS}"
    assert f"may have {one}, all addresses together {together}." in text
    assert "may have at most 8 kB. The whole request must arrive within ten seconds." in text
    assert http_connections.REQUEST_SECONDS == 10
    assert "five seconds without a change" in text
    assert events.QUIET_SECONDS == 5


def test_every_answer_of_the_interface_has_an_example() -> None:
    asked = {question.split()[1] for question, _ in examples()}
    assert {"/api/1/about", "/api/1/table", "/api/1/events"} <= asked
