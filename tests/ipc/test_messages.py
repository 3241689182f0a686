"""What goes over the sockets reads back, and rubbish is told from it."""

import msgspec
import pytest

from pi_table.errors import InputError
from pi_table.ipc.messages import (
    LONGEST_LINE,
    Answer,
    PublicMessage,
    Request,
    TableMessage,
    line,
    read_public,
    read_request,
    read_to_console,
)
from pi_table.rules import events
from pi_table.rules.evolve import evolve
from pi_table.rules.key import Key
from pi_table.rules.phases import may
from pi_table.rules.profile import Settings
from pi_table.rules.seat import Seat
from pi_table.rules.views import public_view

KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")
STATE = evolve(
    None, events.Dealt(0.0, "codenames", Settings(), tuple(f"WORD {n}" for n in range(25)), KEY)
)
VIEW = public_view(STATE.board, 0.0)
TABLE = TableMessage(
    public=VIEW,
    key=KEY.letters,
    may={seat.value: may(STATE.board, seat) for seat in Seat},
    settings=STATE.board.settings,
    game=3,
    cards="dealt",
    faults=("The disk is full.",),
)


@pytest.mark.parametrize("message", [TABLE, Answer(7, ok=False, reason="paused", sentence="No.")])
def test_what_the_table_tells_the_console_reads_back(message: TableMessage | Answer) -> None:
    assert read_to_console(line(message)) == message


@pytest.mark.parametrize("view", [VIEW, None])
def test_what_the_table_tells_everybody_reads_back(view: object) -> None:
    message = PublicMessage(view, out_of_order=True)  # type: ignore[arg-type]
    assert read_public(line(message)) == message


def test_a_request_reads_back() -> None:
    request = Request(7, {"act": "clue", "seat": "red-spymaster", "number": 2, "word": "città"})
    assert read_request(line(request)) == request


def test_every_message_is_one_line_that_is_not_too_long() -> None:
    for message in (TABLE, PublicMessage(VIEW, out_of_order=False), Answer(7, ok=True)):
        text = line(message)
        assert text.count(b"\n") == 1
        assert text.endswith(b"\n")
        assert len(text) < LONGEST_LINE / 8


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"hello",
        b"[]",
        b"{}",
        b'{"id":1}',
        b'{"id":"1","do":{}}',
        b'{"id":1.5,"do":{}}',
        b'{"id":1,"do":[]}',
        b'{"id":1,"do":{"act":"\xff"}}',
        b'{"id":1,"do":{"act":1e999}}',
        b'{"id":1,"do":{"act":' + b"[" * 20_000,
        b'{"id":1,"do":{"act":' + b"[" * 20_000 + b"]" * 20_000 + b"}}",
        b'{"id":' + b"9" * 5_000 + b',"do":{}}',
        b'{"id":1,"do":{}} {"id":2,"do":{}}',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_request_is_an_error_that_says_so(rubbish: bytes) -> None:
    with pytest.raises(InputError, match=r"^This is no request: .*\.$"):
        read_request(rubbish)


def test_the_key_is_in_no_text_made_of_a_message() -> None:  # ALL-1
    told = Answer(1, ok=True, told={"key": KEY.letters})
    for message in (TABLE, told):
        assert KEY.letters not in f"{message} {message!r}"
    assert KEY.letters not in msgspec.json.encode(PublicMessage(VIEW, out_of_order=False)).decode()
