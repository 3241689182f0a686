"""`pi-table simulate --web`: the table and its pages, on this machine alone."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from patience import PATIENCE
from ports import free_port

from pi_table import cli
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import (
    Answer,
    Pages,
    PhoneState,
    Request,
    SeatPhone,
    TableMessage,
)
from pi_table.simulator.processes import games_kept
from pi_table.simulator.seat_links import FIRST_ID, SeatLinks
from pi_table.simulator.window import FirstGame


@contextmanager
def simulated(port: int, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """`pi-table simulate --web` where there is no display."""
    surroundings = {**os.environ, **environment}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        surroundings.pop(name, None)
    program = subprocess.Popen(
        [sys.executable, "-m", "pi_table", "simulate", "--web", str(port)],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield program
    finally:
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=PATIENCE)


def told(program: "subprocess.Popen[str]", begins: str) -> str:
    """Return the rest of the program's first line that begins with these words."""
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith(begins):
            return line.removeprefix(begins).strip()
    raise AssertionError(f"It never told {begins!r}.")


@pytest.mark.paced
def test_without_a_display_the_table_plays_by_itself_and_its_pages_show_it() -> None:
    port = free_port()
    with simulated(port) as program:
        assert (
            told(program, "There is no display here")
            == ", so the table plays by itself. Ctrl+C ends it."
        )
        assert told(program, "The pages: ") == f"http://127.0.0.1:{port}"
        assert told(program, "Only this machine can reach them: ")
        link = told(program, "Page of red-spymaster, for a minute: ")
        assert link.startswith(f"http://127.0.0.1:{port}/seat#")
        shown = watch_until(port, lambda table: table["view"]["clue"] is not None)
        assert shown["view"]["profile"] == "codenames"
        assert watch_until(port, lambda table: table["view"]["guesses"] > 0)
        program.send_signal(signal.SIGINT)
        assert program.wait(PATIENCE) == 0
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE).request("GET", "/")


def watch_until(port: int, shown: Any) -> Any:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as asking:
        asking.request("GET", "/api/1/events")
        with asking.getresponse() as answer:
            while line := answer.readline():
                if line.startswith(b'data: {"version"'):
                    table = json.loads(line.removeprefix(b"data: "))["table"]
                    if table is not None and table["view"] is not None and shown(table):
                        return table
    raise AssertionError("The pages hung up.")


@pytest.mark.paced
def test_a_port_that_another_program_has_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with simulated(port) as program:
            assert program.stderr is not None
            assert program.wait(PATIENCE) == 1
            said = program.stderr.read()
            assert f"The pages cannot be served at port {port}" in said
            with socket.create_server(("127.0.0.1", int(said.split("--web ")[1].rstrip(".\n")))):
                pass  # the port that it names would do


def test_a_table_in_virtual_time_has_no_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "--headless", "--web"]) == 2
    assert "--web is for a table in real time" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["simulate", f"--web={port}"])
    assert "--web" in capsys.readouterr().err


# --- the links of phones


def table_of(game: int, *linked: Seat) -> TableMessage:
    """A table with a game, whose pages are served, with these links."""
    phones = tuple(SeatPhone(seat, PhoneState.HERE) for seat in linked)
    state = games.evolve(None, games.read_opening({"profile": "codenames"}, Chance()))
    return TableMessage(
        public=games.public_view(state.board, 0.0),
        key=None,
        may=dict.fromkeys(("red-spymaster", "red-operatives", "blue-spymaster", "operator"), ()),
        settings=Settings(),
        game=game,
        cards="dealt",
        packs=(),
        faults=(),
        pages=Pages("http://127.0.0.1:1", phones),
    )


class Asked:
    """A `SeatLinks` with its requests and printed lines."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.lines: list[str] = []
        self.links = SeatLinks(self.requests.append, self.lines.append)

    @property
    def seats(self) -> list[str]:
        seats = [each.do["for"] for each in self.requests]
        self.requests.clear()
        return seats


def test_each_seat_that_shows_what_is_hidden_is_asked_a_link_for_whenever_it_has_none() -> None:
    asked = Asked()
    assert not asked.links.handle(replace(table_of(1), pages=None))
    assert asked.seats == []
    for _ in range(2):  # the first answers are still to come
        assert not asked.links.handle(table_of(1))
    red, blue = (request.id for request in asked.requests)
    assert asked.seats == ["red-spymaster", "blue-spymaster"]
    asked.links.handle(Answer(red, ok=True, told={"for": "red-spymaster", "link": "/seat#K"}))
    asked.links.handle(Answer(blue, ok=False, reason="no-room"))
    asked.links.handle(table_of(1, Seat.RED_SPYMASTER))
    assert asked.seats == []
    asked.links.handle(table_of(1))  # its minute is over
    assert asked.seats == ["red-spymaster"]


def test_a_phone_that_is_there_keeps_its_link() -> None:
    asked = Asked()
    asked.links.handle(table_of(1, Seat.RED_SPYMASTER))
    assert asked.seats == ["blue-spymaster"]


def test_a_link_is_told_where_it_comes_and_nobody_elses_answer_is_taken() -> None:
    asked = Asked()
    asked.links.handle(table_of(1))
    first = asked.requests[0]
    assert not asked.links.handle(Answer(1, ok=True))
    assert first.id >= FIRST_ID
    told = {"for": "red-spymaster", "link": "/seat#K"}
    assert asked.links.handle(Answer(first.id, ok=True, told=told))
    assert asked.links.handle(Answer(first.id + 1, ok=False, reason="no-place"))
    assert asked.lines == ["Page of red-spymaster, for a minute: http://127.0.0.1:1/seat#K"]


class First:
    """A `FirstGame` with its requests and printed lines."""

    def __init__(self, profile: str) -> None:
        self.requests: list[Request] = []
        self.lines: list[str] = []
        self.game = FirstGame(profile, self.requests.append, self.lines.append)


def test_the_game_of_the_command_line_is_begun_once() -> None:
    first = First("codex")
    for _ in range(2):
        first.game.hear(replace(table_of(1), public=None, may={"operator": ("start",)}))
    assert [request.do["profile"] for request in first.requests] == ["codex"]
    first.game.hear(Answer(first.requests[0].id, ok=True))
    assert first.lines == []


def test_where_that_game_cannot_begin_a_sentence_says_why_and_what_to_do() -> None:
    other = First("codex")
    other.game.hear(table_of(1))
    (why,) = other.lines
    assert "because one of codenames is being played" in why
    assert "“New game…”" in why
    assert other.requests == []

    same = First("codenames")
    same.game.hear(table_of(1))
    assert (same.requests, same.lines) == ([], [])

    refused = First("codex")
    refused.game.hear(replace(table_of(1), may={"operator": ("start",)}))
    refused.game.hear(Answer(refused.requests[0].id, ok=False, sentence="The disk is full."))
    assert refused.lines == ["No game of codex was begun. The disk is full."]

    closed = First("codex")
    closed.game.hear(replace(table_of(1), public=None))
    assert closed.lines == ["No game of codex was begun: the hidden screen says what is wrong."]


def test_a_second_table_is_told_how_to_keep_its_games_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with games_kept(tmp_path / "games"):
        assert cli.main(["simulate", "--state", str(tmp_path / "games")]) == 1
        said = capsys.readouterr().err
        assert str(tmp_path / "games") in said
        assert "--state DIR" in said
        with games_kept(tmp_path / "others"):
            pass
    with games_kept(tmp_path / "games"):
        pass
