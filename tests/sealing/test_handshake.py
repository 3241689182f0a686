"""The owner of a link, and the knocks that count: one knock after another."""

import os

import pytest

from pi_table.games.rules.seat import Seat
from pi_table.protocols.sealing import handshake
from pi_table.protocols.sealing.frames import DESK_KNOCK, KNOCK, UP, as_text
from pi_table.protocols.sealing.handshake import (
    Greeting,
    Handshake,
    Outcome,
    open_frame,
    read_knock,
)
from pi_table.protocols.sealing.seal import NONCE_BYTES, seal
from pi_table.table.engine.desk.line import DeskLine
from pi_table.table.engine.phones.links import Link
from pi_table.table.engine.phones.phones import Claim

OWNER, OTHER = bytes(range(32)), bytes(range(32, 64))
SESSION = bytes(16)


def greeting(device: bytes = OWNER, hello: int = 1) -> Greeting:
    return Greeting(device, bytes([hello]) * 16)


def test_the_first_who_knocks_claims_the_link_and_is_greeted_once_stored() -> None:
    claimed, outcome = Handshake().knock(greeting(), None)
    assert (outcome, claimed.claim, claimed.hello) == (Outcome.CLAIM, greeting(), b"")
    greeted, outcome = claimed.on_owner_stored(OWNER)
    assert (outcome, greeted.claim, greeted.hello) == (Outcome.GREETED, None, greeting().hello)


def test_who_knocks_while_the_first_is_stored_is_ignored() -> None:
    claimed, _ = Handshake().knock(greeting(), None)
    assert claimed.knock(greeting(OTHER, 2), None) == (claimed, Outcome.IGNORED)
    assert claimed.on_owner_stored(None) == (claimed, Outcome.IGNORED)  # another link was stored


def test_a_claim_to_a_link_that_another_device_owns_is_that_of_a_stranger() -> None:
    claimed, _ = Handshake().knock(greeting(), None)
    settled, outcome = claimed.on_owner_stored(OTHER)
    assert (outcome, settled.claim, settled.hello, settled.tried) == (
        Outcome.STRANGER,
        None,
        b"",
        True,
    )


def test_a_claim_that_could_not_be_stored_is_dropped_and_no_other() -> None:
    claimed, _ = Handshake().knock(greeting(), None)
    assert claimed.drop_claim(greeting(hello=2)) is claimed
    assert claimed.drop_claim(greeting()) == Handshake()


def test_a_stranger_knocks_in_vain_and_is_noticed() -> None:
    heard, outcome = Handshake().knock(greeting(OTHER), OWNER)
    assert (outcome, heard) == (Outcome.STRANGER, Handshake(tried=True))


def test_a_hello_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "MAX_HELLOS", 3)
    heard = Handshake()
    for number in (1, 2, 3):
        heard, outcome = heard.knock(greeting(hello=number), OWNER)
        assert outcome is Outcome.GREETED
        for earlier in range(1, number + 1):
            assert heard.knock(greeting(hello=earlier), OWNER) == (heard, Outcome.IGNORED)
    assert heard.knock(greeting(hello=4), OWNER) == (heard, Outcome.IGNORED)  # there is no room


def test_what_is_said_counts_in_this_session_and_under_the_last_hello() -> None:
    heard, _ = Handshake().knock(greeting(), OWNER)
    heard, _ = heard.knock(greeting(hello=2), OWNER)
    now, before, session = as_text(b"\2" * 16), as_text(b"\1" * 16), as_text(SESSION)
    assert heard.is_current(SESSION, session, now)
    assert not heard.is_current(SESSION, session, before)
    assert not heard.is_current(SESSION, as_text(b"\1" * 16), now)
    assert not Handshake().is_current(SESSION, session, "")
    assert not heard.is_current(SESSION, session, "")


def test_a_frame_is_of_the_link_whose_key_opens_it() -> None:
    links = [None, Link(Seat.RED_SPYMASTER, OTHER), Link(Seat.BLUE_SPYMASTER, OTHER, OWNER)]

    def frame(use: bytes, key: bytes) -> bytes:
        return seal(b"text", use, os.urandom(NONCE_BYTES), key)

    assert open_frame(frame(UP, OWNER), UP, KNOCK, links) == (2, False, b"text")
    assert open_frame(frame(KNOCK, OTHER), UP, KNOCK, links) == (1, True, b"text")
    for use, key in ((UP, OTHER), (KNOCK, OWNER), (DESK_KNOCK, OTHER)):
        assert open_frame(frame(use, key), UP, KNOCK, links) is None


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[" * 5000, b"{}", b'{"k":"x","h":"x"}', b'{"k":1,"h":2}']
)
def test_other_text_is_no_knock(text: bytes) -> None:
    assert read_knock(text) is None


def test_a_desk_that_knocks_is_not_refused_because_another_link_is_stored() -> None:
    """Links are stored one after another, and each time all of them are told."""
    link = Link(Seat.OPERATOR, OTHER)
    knock = b'{"k":"%s","h":"%s"}' % (as_text(OWNER).encode(), as_text(b"\1" * 16).encode())
    line = DeskLine(SESSION, link, 1)
    frame = seal(knock, DESK_KNOCK, os.urandom(NONCE_BYTES), OTHER)
    line, (claim,) = line.on_frame("desk", frame, os.urandom(NONCE_BYTES), 0.0)
    assert isinstance(claim, Claim)
    line, replies = line.with_link(link, 0.0)  # that of a phone
    assert replies == ()
    line, (reply,) = line.with_link(Link(Seat.OPERATOR, OTHER, OWNER), 0.0)
    assert (reply.to, bool(reply.sealed)) == ("desk", True)
