"""Messages on the sockets can be read back, and invalid ones are recognised."""

from collections.abc import Callable

import msgspec
import pytest
from rich.pretty import pretty_repr

from pi_table.common.errors import InputError
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import Key
from pi_table.games.rules.word_games.phases import may
from pi_table.games.rules.word_games.views import public_view
from pi_table.protocols.ipc.messages import (
    MAX_LINE_BYTES,
    AgentVisit,
    Answer,
    AnyPublicMessage,
    Busy,
    CodexMessage,
    CodexPublicMessage,
    OfferedPack,
    PublicMessage,
    Request,
    TableMessage,
    ToConsole,
    line,
    read_public,
    read_request,
    read_to_console,
)
from pi_table.protocols.ipc.sealed import read_from_relay, read_to_relay

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
    packs=(OfferedPack("english", "English", "en", False),),
    faults=("The disk is full.",),
)
CODEX = games.evolve(None, games.read_opening({"profile": "codex"}, Chance()))
CODEX_VIEW = games.public_view(CODEX.board, 0.0)
AGENT = games.view(CODEX, Seat.AGENT_1, 0.0)
AT_SCREEN = CodexMessage(
    public=CODEX_VIEW,
    door=AgentVisit(Seat.AGENT_1, "open", 3),
    agent=AGENT,
    may={seat.value: games.may(CODEX, seat) for seat in games.seats(CODEX.board)},
    settings=CODEX.board.settings,
    game=4,
    cards="dealt",
    packs=(),
    faults=(),
)
MESSAGES = (TABLE, AT_SCREEN)


@pytest.mark.parametrize(
    "message", [*MESSAGES, Answer(7, ok=False, reason="paused", sentence="No."), Busy()]
)
def test_what_the_table_tells_the_console_reads_back(message: ToConsole) -> None:
    assert read_to_console(line(message)) == message


@pytest.mark.parametrize(
    "message",
    [PublicMessage(VIEW, True), PublicMessage(None, False), CodexPublicMessage(CODEX_VIEW, True)],
)
def test_what_the_table_tells_everybody_reads_back(message: AnyPublicMessage) -> None:
    assert read_public(line(message)) == message


def test_a_request_reads_back() -> None:
    request = Request(7, {"act": "clue", "seat": "red-spymaster", "number": 2, "word": "città"})
    assert read_request(line(request)) == request


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (read_request, b"any"),
        (read_public, b"public"),
        (read_to_console, b"busy"),
        (read_from_relay, b"relayed"),
        (read_to_relay, b"heard"),
    ],
)
def test_values_within_values_are_no_message(read: Callable[[bytes], object], kind: bytes) -> None:
    nested = b"[" * 30_000 + b"]" * 30_000
    with pytest.raises(InputError):
        read(b'{"kind":"%b","x":%b}' % (kind, nested))


def test_every_message_is_one_line_that_is_not_too_long() -> None:
    for message in (*MESSAGES, PublicMessage(VIEW, out_of_order=False), Answer(7, ok=True)):
        text = line(message)
        assert text.count(b"\n") == 1
        assert text.endswith(b"\n")
        assert len(text) < MAX_LINE_BYTES / 8


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
    with pytest.raises(InputError, match=r"^This is not a request: .*\.$"):
        read_request(rubbish)


def test_the_key_is_in_no_text_made_of_a_message() -> None:  # ALL-1
    told = Answer(1, ok=True, told={"key": KEY.letters})
    for message in (TABLE, told):
        assert KEY.letters not in f"{message} {message!r}"
    assert KEY.letters not in msgspec.json.encode(PublicMessage(VIEW, out_of_order=False)).decode()


def test_what_an_agent_alone_may_see_is_in_no_text_made_of_a_message() -> None:  # ALL-1
    told = Answer(1, ok=True, told=AGENT)
    fragment = AGENT.identikit.fragment
    assert fragment in line(AT_SCREEN).decode()
    for message in (AT_SCREEN, told):
        assert fragment not in f"{message} {message!r} {pretty_repr(message)}"
    assert fragment not in line(CodexPublicMessage(CODEX_VIEW, out_of_order=False)).decode()
