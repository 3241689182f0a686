"""The table as a program, and those at its sockets, whoever they are."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from patience import PATIENCE

from pi_table.lab.running_table import Console, RunningTable, cover_of

Start = Callable[..., RunningTable]


def test_whatever_a_console_sends_the_table_lives(shared: RunningTable) -> None:
    for rubbish in (
        b"hello\n",
        b'{"id":1,"do":{"act":' + b"[" * 20_000 + b"\n",
        b'{"id":1,"do":{"act":"record","seat":"operator","game":9999999999999999999999}}\n',
        b'{"id":1,"do":{"act":"record","seat":"operator","game":-1}}\n',
        b'{"id":1,"do":{"act":"start","seat":"operator","options":[],"profile":{}}}\n',
        b'{"id":1,"do":{"act":"clue","seat":"red-spymaster","number":1e30}}\n',
        b'{"id":1,"do":{"act":"clue","seat":"red-spymaster","number":9999999999999999999999}}\n',
        b'{"id":1,"do":{"act":"guess","seat":"red-operatives","cell":{}}}\n',
        b'{"id":123456789012345678901234567890,"do":{}}\n',
        b"\xff" * 1000 + b"\n",
    ):
        other = shared.console()
        other._socket.sendall(rubbish)
        answer = other.read()
        assert (answer["kind"], answer["ok"]) == ("answer", False)
        other.close()
    console = shared.console()
    assert console.table["kind"] == "table"
    console.close()


def test_a_second_console_is_told_so_and_the_first_goes_on(
    shared: RunningTable, console: Console
) -> None:
    for _ in range(3):
        second = shared.console()
        assert second.table["kind"] == "busy"
        assert second.table["sentence"].startswith("Another screen is connected to this table")
        with pytest.raises((ConnectionError, BrokenPipeError)):
            second.ask("abandon")
        second.close()
    assert console.ask("look")["told"]["public"]["phase"] == "clue"


def test_who_takes_the_place_of_one_that_peeked_does_not_peek(
    shared: RunningTable, console: Console
) -> None:
    console.close()
    for _ in range(20):
        before = shared.console()
        assert before.ask("peek", "red-spymaster")["ok"]
        before.until(lambda table: table["key"] is not None)
        before.close()
        after = shared.console()
        assert after.table["kind"] == "table"
        assert after.table["key"] is None
        assert after.table["peek"] is None
        after.close()


def test_tools_that_come_one_after_another_are_all_served(
    shared: RunningTable, console: Console
) -> None:
    console.close()
    for number in range(30):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tool:
            tool.connect(str(shared.folder / "run" / "console.sock"))
            tool.sendall(b'{"id": %d, "do": {"act": "look", "seat": "operator"}}\n' % number)
            tool.shutdown(socket.SHUT_WR)
            said = b"".join(iter(lambda: tool.recv(65536), b""))
        answers = [line for line in said.splitlines() if b'"kind":"answer"' in line]
        assert len(answers) == 1
        assert b'"id":%d,"ok":true' % number in answers[0]


def test_a_table_that_is_flooded_with_requests_stops_when_it_is_told_to(start: Start) -> None:
    table = start()
    table.wait()
    console = table.console()
    console.do("start", profile="codenames")
    burst = b"".join(
        b'{"id":%d,"do":{"act":"look","seat":"operator"}}\n' % number for number in range(20_000)
    )
    sender = Thread(target=_sent, args=(console._socket, burst))
    sender.start()
    answered = 0
    with suppress(ConnectionError):
        while console.read()["kind"] != "answer":
            pass
        table.process.terminate()
        while True:
            answered += console.read()["kind"] == "answer"
    assert table.process.wait(PATIENCE) == 0
    assert answered < 2_000
    sender.join()
    console.close()


def _sent(to: socket.socket, data: bytes) -> None:
    with suppress(OSError):  # hung up on
        to.sendall(data)


SAYINGS = (
    b"rubbish\n" * 100,
    b"x" * 1_000_000,
    b'{"id":1,"do":{"act":"pau',
    b"",
    b'{"id":1,"do":{"act":"look","seat":"operator"}}\n' * 500,
)


def rude_viewer(table: RunningTable, number: int) -> socket.socket:
    """Somebody at one of the sockets who says what nobody wants to hear, and never reads."""
    viewer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    viewer.setblocking(False)
    with suppress(OSError):  # there is room for so many
        name = ("public.sock", "console.sock")[number % 2]
        viewer.connect(str(table.folder / "run" / name))
        viewer.send(SAYINGS[number % len(SAYINGS)])
    return viewer


def resident_kilobytes(table: RunningTable) -> int:
    status = Path(f"/proc/{table.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_game_goes_on_whatever_others_do_at_the_sockets(
    shared: RunningTable, console: Console
) -> None:
    before = resident_kilobytes(shared)
    rude = [rude_viewer(shared, number) for number in range(80)]
    for number in range(30):
        view = console.table["public"]
        if view["phase"] == "over":
            console.do("next")
        elif view["phase"] == "clue":
            console.do("clue", f"{view['turn']}-spymaster", number=2)
        else:
            name = next(name for name, of in view["cells"].items() if of["covered"] is None)
            console.do("guess", f"{view['turn']}-operatives", cell=name)
        rude.pop(0).close()
        rude.append(rude_viewer(shared, number))
    assert resident_kilobytes(shared) - before < 16 * 1024
    for viewer in rude:
        viewer.close()
    public = shared.public()
    assert public.read()["view"] == console.table["public"]
    public.close()


def test_fingers_and_screens_make_a_game(shared: RunningTable, console: Console) -> None:
    public, world = shared.public(), shared.world()
    turn = console.table["public"]["turn"]
    console.do("clue", f"{turn}-spymaster", number=1, word="river")
    world.send({"touch": "C3"})
    console.until(lambda table: cover_of(table, "C3") is not None)
    while True:
        view = public.read()["view"]
        if view and view["cells"]["C3"]["covered"]:
            break
    assert view["clue"] in ({"word": "river", "number": 1}, None)
    assert "key" not in view
    public.close()
    world.close()


def test_a_screen_that_dies_does_not_end_the_game_and_comes_back(
    shared: RunningTable, console: Console
) -> None:
    key = console.key
    console.close()
    again = shared.console()
    assert again.key == key
    again.close()


def test_requests_in_one_piece_are_answered_in_order_with_their_numbers(console: Console) -> None:
    team = console.table["public"]["turn"]
    acts = [
        ("clue", f"{team}-spymaster"),
        ("look", "operator"),
        ("clue", f"{team}-spymaster"),
        ("nonsense", "operator"),
        ("record", "operator"),
        ("pause", "operator"),
        ("look", f"{team}-operatives"),
        ("resume", "operator"),
    ]
    console.send(
        *(
            {"id": 70 + place, "do": {"act": act, "seat": seat, "number": 2}}
            for place, (act, seat) in enumerate(acts)
        )
    )
    answers: list[Any] = []
    while len(answers) < len(acts):
        message = console.read()
        if message["kind"] == "answer":
            answers.append(message)
    assert [answer["id"] for answer in answers] == [*range(70, 78)]
    assert [answer["ok"] for answer in answers] == [
        True,
        True,
        False,
        False,
        True,
        True,
        True,
        True,
    ]
    assert answers[1]["told"]["public"]["phase"] == "guess"
    assert answers[6]["told"]["public"]["paused"] is True
