"""The frames from a relay that the engine accepts. It ignores a frame that was heard before, is out
of order, was changed, or belongs to another seat or another start.

A phone accepts nothing else either. The tests' reference phone stands in for the page.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phone import Phone

from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.phones import MAX_COUNT, PhoneAnswer
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, UP_BYTES
from pi_table.protocols.sealing.frames import (
    DESK_KNOCK,
    DESK_UP,
    DOWN,
    KNOCK,
    UP,
    UP_PLAIN,
    as_text,
    pack_up,
)
from pi_table.protocols.sealing.handshake import MAX_HELLOS
from pi_table.protocols.sealing.seal import seal, unseal
from pi_table.table.engine.phones.links import Link, Links
from pi_table.table.engine.phones.phones import (
    BLOCK_BYTES,
    FRESH_SECONDS,
    HOLD_SECONDS,
    Claim,
    PhoneAct,
    PhoneRequest,
    Phones,
)

NOW = 100.0
SESSION = bytes(range(16))


def shown(phone: object) -> bytes:
    return b'{"answer":null}'


class Line:
    """Two phones, and the engine's end of what they say."""

    def __init__(self, session: bytes = SESSION) -> None:
        links = Links()
        for seat in (Seat.RED_SPYMASTER, Seat.BLUE_SPYMASTER):
            links = links.with_link(seat, os.urandom(32), 1)
        self.phones = Phones(session).with_relay(None).with_links(links, NOW)
        self.links = links
        self.red, self.blue = (Phone(link.page) for link in links.places if link)
        for phone in (self.red, self.blue):
            claim = self.take(phone.knock())
            assert isinstance(claim, Claim)
            self.keep(claim)
        self.beat()

    def keep(self, claim: Claim) -> None:
        self.links = self.links.with_owner(claim.seat, claim.link_key, claim.device)
        self.phones = self.phones.with_links(self.links, NOW)

    def take(self, frame: bytes, now: float = NOW) -> object:
        self.phones, news = self.phones.on_frame(frame, now)
        return news

    def beat(self, now: float = NOW) -> tuple[bytes, ...]:
        self.phones, frames = self.phones.on_beat(os.urandom(BLOCK_BYTES), shown, now)
        for phone in (self.red, self.blue):
            phone.hear(frames)
        return frames

    def restarted(self) -> "Line":
        """The same phones and links, after the engine was started anew."""
        line = Line.__new__(Line)
        line.phones = Phones(os.urandom(16)).with_relay(None).with_links(self.links, NOW)
        line.links, line.red, line.blue = self.links, self.red, self.blue
        return line

    def refuses(self, frame: bytes) -> bool:
        """True if the frame has no effect."""
        before = self.phones
        news = self.take(frame)
        return news is None and self.phones == before


@pytest.fixture
def line() -> Line:
    return Line()


# Frames of phones


def test_what_a_phone_says_is_taken_once(line: Line) -> None:
    line.red.ask("clue", number=2)
    frame = line.red.say()
    asked = line.take(frame)
    assert isinstance(asked, PhoneAct)
    assert (asked.to.seat, asked.do) == (Seat.RED_SPYMASTER, {"act": "clue", "number": 2})
    assert line.refuses(frame)
    line.phones = line.phones.with_answer(asked.to, PhoneAnswer(1, ok=True))
    assert line.refuses(frame)


def test_whoever_repeats_a_frame_makes_no_finger_hold_for_longer(line: Line) -> None:
    frame = holds(line)
    assert line.take(frame) is None
    before = line.phones
    assert before.of(Seat.RED_SPYMASTER).is_holding(NOW)
    line.phones, news = line.phones.on_frame(frame, NOW + HOLD_SECONDS)
    assert (line.phones, news) == (before, None)


@pytest.mark.parametrize("beats", [True, False])
def test_what_was_held_back_on_its_way_is_not_done_long_after(line: Line, beats: bool) -> None:
    """Also where whoever holds it back relays nothing meanwhile, so that there are no beats."""
    line.red.ask("clue", number=2)
    withheld, late = line.red.say(), line.red.say()
    count = round(FRESH_SECONDS / BEAT_SECONDS)
    for number in range(1, count + 2):
        at = NOW + number * BEAT_SECONDS
        if beats:
            line.beat(at)
        if number == count:  # as late as a slow network may bring it
            assert isinstance(line.take(withheld, at), PhoneAct)
    before = line.phones
    assert line.take(late, at) is None
    assert line.phones == before


@pytest.mark.parametrize("named", [0, 2, 1 << 50])
def test_a_frame_names_one_that_was_sent(line: Line, named: int) -> None:
    assert line.phones.beat == 1
    assert line.refuses(line.red.say(b=named))


class Forged(NamedTuple):
    name: str
    make: Callable[[Line], bytes]


def replayed_after(then: Callable[[Line], object], frame: Callable[[Line], bytes]) -> Any:
    """A frame that was taken, and comes again after something else."""

    def make(line: Line) -> bytes:
        old = frame(line)
        line.take(old)
        then(line)
        return old

    return make


def says(line: Line) -> bytes:
    line.red.ask("pause")
    return line.red.say()


def holds(line: Line) -> bytes:
    return line.red.say(hold=True)


def knocks(line: Line) -> bytes:
    line.red.load()
    return line.red.knock()


def reload(line: Line) -> None:
    line.red.load()
    assert not line.refuses(line.red.knock())
    line.beat()


def older(line: Line) -> bytes:
    """One that was held back, and comes after a later one."""
    old, new = line.red.say(), line.red.say()
    line.take(new)
    return old


def with_fields(**fields: Any) -> Callable[[Line], bytes]:
    return lambda line: line.red.say(**fields)


def a_say(line: Line) -> bytes:
    return msgspec.json.encode({"s": line.red.session, "h": line.red.hello, "n": 99})


def a_knock(line: Line) -> bytes:
    return msgspec.json.encode({"k": as_text(line.red.device), "h": as_text(os.urandom(16))})


def its_own(line: Line) -> bytes:
    return line.red.device


def the_links(line: Line) -> bytes:
    return line.red.key


def nobodys(line: Line) -> bytes:
    return os.urandom(32)


def as_a(
    about: bytes, key: Callable[[Line], bytes], text: Callable[[Line], bytes] | bytes
) -> Callable[[Line], bytes]:
    """A frame of this kind that is sealed with such a key."""

    def make(line: Line) -> bytes:
        plain = pack_up(text if isinstance(text, bytes) else text(line))
        return seal(plain, about, os.urandom(24), key(line))

    return make


def that_lies(line: Line) -> bytes:
    return seal(b"\xff" * UP_PLAIN, UP, os.urandom(24), line.red.device)


def heard_again(line: Line) -> None:
    line.take(line.red.say())


FORGED = (
    Forged("a say again, when the phone was heard again", replayed_after(heard_again, says)),
    Forged("a say again, after a beat", replayed_after(Line.beat, says)),
    Forged("a finger that held, again", replayed_after(heard_again, holds)),
    Forged("a say again, after the page was loaded anew", replayed_after(reload, says)),
    Forged("a knock again", replayed_after(Line.beat, knocks)),
    Forged("a knock again, after the page was loaded anew", replayed_after(reload, knocks)),
    Forged("an older say", older),
    Forged("a say of another start", with_fields(s=as_text(os.urandom(16)))),
    Forged("a say without a start", with_fields(s="")),
    Forged("a say under another hello", with_fields(h=as_text(os.urandom(16)))),
    Forged("a say under no hello", with_fields(h="")),
    Forged("a say under the other phone's hello", lambda line: line.red.say(h=line.blue.hello)),
    Forged("a say that counts from 0", with_fields(n=0)),
    Forged("a say that counts down", with_fields(n=-1)),
    Forged("a say that counts too far", with_fields(n=MAX_COUNT + 1)),
    Forged("a say that does not count", with_fields(n=None)),
    Forged("a say that counts by halves", with_fields(n=1.5)),
    Forged("a say whose act is no object", with_fields(id=1, do=["clue"])),
    Forged("a say under the link's key", as_a(UP, the_links, a_say)),
    Forged("a say under nobody's key", as_a(UP, nobodys, a_say)),
    Forged("a say as a knock", as_a(KNOCK, its_own, a_say)),
    Forged("a say as what phones are sent", as_a(DOWN, its_own, a_say)),
    Forged("a say as what a desk sends", as_a(DESK_UP, its_own, a_say)),
    Forged("a knock under the phone's own key", as_a(KNOCK, its_own, a_knock)),
    Forged("a knock as a say", as_a(UP, the_links, a_knock)),
    Forged("a knock as that of a desk", as_a(DESK_KNOCK, the_links, a_knock)),
    Forged("a knock without a hello", lambda line: line.red.knock("x")),
    Forged("a knock without a key", as_a(KNOCK, the_links, b'{"k":"x","h":"x"}')),
    Forged("text that is no JSON", as_a(UP, its_own, b"{")),
    Forged("JSON that is too deep", as_a(UP, its_own, b"[" * 470)),
    Forged("a length that lies", that_lies),
    Forged("zeros", lambda line: bytes(UP_BYTES)),
    Forged("noise", lambda line: os.urandom(UP_BYTES)),
    Forged("nothing", lambda line: b""),
    Forged("a frame that is cut", lambda line: says(line)[:-1]),
    Forged("a frame that is longer", lambda line: says(line) + b"\0"),
    Forged("a frame to the phone, sent back", lambda line: line.beat()[0]),
    Forged("its beginning, sent back", lambda line: line.beat()[0][:UP_BYTES]),
)


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: forged.name)
def test_a_forged_frame_is_as_if_it_had_never_come(line: Line, forged: Forged) -> None:
    frame = forged.make(line)
    assert line.refuses(frame)
    assert not line.refuses(line.red.say())  # the phone itself is heard as before
    assert line.red.session


def test_a_frame_of_before_a_restart_brings_no_act_after_it(line: Line) -> None:
    said = says(line)
    line.take(said)
    knock = line.red.knock()
    after = line.restarted()
    assert after.refuses(said)
    assert after.take(knock) is None  # an old knock: the phone is greeted, and hears that it is not
    assert after.refuses(said)
    frames = after.beat()
    assert any(line.red.take(frame) or unseal(frame, DOWN, line.red.device) for frame in frames)
    line.red.greet()
    assert not after.refuses(line.red.knock())
    after.beat()
    assert line.red.session == as_text(after.phones.session)
    assert not after.refuses(line.red.say())


def test_no_bit_of_a_frame_can_be_changed(line: Line) -> None:
    for make in (says, knocks):
        frame = make(line)
        for at in range(0, UP_BYTES * 8, 7):
            flipped = bytearray(frame)
            flipped[at // 8] ^= 1 << at % 8
            assert line.refuses(bytes(flipped)), at
        assert not line.refuses(frame)
        line.beat()


def test_the_phones_of_two_seats_are_not_mixed_up(line: Line) -> None:
    line.red.ask("clue", number=2)
    line.blue.ask("allow")
    first, second = line.take(line.blue.say()), line.take(line.red.say())
    assert isinstance(first, PhoneAct)
    assert isinstance(second, PhoneAct)
    assert (first.to.seat, first.do["act"]) == (Seat.BLUE_SPYMASTER, "allow")
    assert (second.to.seat, second.do["act"]) == (Seat.RED_SPYMASTER, "clue")
    line.phones = line.phones.with_answer(first.to, PhoneAnswer(1, ok=True))
    (red, blue) = (line.phones.of(seat) for seat in (second.to.seat, first.to.seat))
    assert red is not None
    assert blue is not None
    assert (red.answer, blue.answer) == (None, PhoneAnswer(1, ok=True))


def test_an_answer_reaches_only_the_page_that_asked(line: Line) -> None:
    asked = line.take(says(line))
    assert isinstance(asked, PhoneAct)
    reload(line)
    before = line.phones
    line.phones = line.phones.with_answer(asked.to, PhoneAnswer(1, ok=True))
    assert line.phones == before
    another = PhoneRequest(Seat.BLUE_SPYMASTER, asked.to.device, asked.to.hello, 1)
    assert line.phones.with_answer(another, PhoneAnswer(1, ok=True)) == before


def test_a_phone_asks_for_one_thing_at_a_time_and_never_for_the_same_again(line: Line) -> None:
    taken = []

    def say(number: int) -> None:
        news = line.take(line.red.say(id=number, do={"act": "pause"}))
        taken.append(news.to if isinstance(news, PhoneAct) else None)

    def answer(number: int) -> None:
        request = next(to for to in taken if to is not None and to.id == number)
        line.phones = line.phones.with_answer(request, PhoneAnswer(number, ok=True))
        line.red.hear(line.beat())

    say(1)
    line.red.hear(line.beat())
    say(2)  # 1 is not answered yet
    answer(1)
    say(1)  # it is done
    say(2)
    answer(2)
    say(1)
    say(2)
    say(3)
    assert [to and to.id for to in taken] == [1, None, None, 2, None, None, 3]


def test_a_burst_is_one_request_however_quickly_the_table_answers(line: Line) -> None:
    done = []
    for number in range(1, 30):
        asked = line.take(line.red.say(id=number, do={"act": "enter-code"}))
        if isinstance(asked, PhoneAct):
            done.append(number)
            line.phones = line.phones.with_answer(asked.to, PhoneAnswer(number, ok=False))
    assert done == [1]
    line.red.hear(line.beat())
    assert isinstance(line.take(line.red.say(id=30, do={"act": "enter-code"})), PhoneAct)


def test_a_link_has_one_owner_for_good(line: Line) -> None:
    link = line.links.of(Seat.RED_SPYMASTER)
    assert link is not None
    assert link.device == line.red.device
    assert line.links.with_owner(link.seat, link.link_key, os.urandom(32)) == line.links
    fresh = line.links.with_link(link.seat, os.urandom(32), 1)
    assert fresh.with_owner(link.seat, link.link_key, os.urandom(32)) == fresh  # another key


def test_who_has_the_link_alone_can_say_nothing_and_read_nothing(line: Line) -> None:
    second = Phone(line.links.places[0].page)  # type: ignore[union-attr]
    hellos = line.phones.phones[0].handshake.hellos  # type: ignore[union-attr]
    line.take(second.knock())
    phone = line.phones.of(Seat.RED_SPYMASTER)
    assert phone is not None
    heard = phone.handshake
    assert (heard.tried, heard.hellos, phone.link.device) == (True, hellos, line.red.device)
    assert line.refuses(second.say(s=line.red.session, h=line.red.hello, n=99))
    assert not any(second.take(frame) for frame in line.beat())
    assert line.red.message is not None


def test_a_phone_that_never_stops_saying_hello_needs_a_new_link(line: Line) -> None:
    for _ in range(MAX_HELLOS):
        last = knocks(line)
        line.take(last)
    assert line.refuses(knocks(line))
    assert not line.refuses(line.blue.say())
    assert line.refuses(last)


# Frames to phones


def test_every_frame_to_phones_is_of_one_length_and_like_noise(line: Line) -> None:
    line.blue.hold = True
    frames = [frame for _ in range(20) for frame in line.beat()]
    assert len({len(frame) for frame in frames}) == 1
    assert len({*frames}) == len(frames)
    assert len({frame[:24] for frame in frames}) == len(frames)  # no nonce twice


def test_a_phone_opens_its_own_frame_alone_whichever_place_it_comes_in(line: Line) -> None:
    red, blue, *others = line.beat()
    for frame in (blue, *others):
        assert unseal(frame, DOWN, line.red.device) is None
    assert unseal(red, DOWN, line.red.device) is not None
    assert unseal(red, UP, line.red.device) is None


def test_a_phone_takes_no_frame_again_and_none_of_another_hello(line: Line) -> None:
    red = line.beat()[0]
    assert not line.red.take(red)
    line.phones, later = line.phones.on_beat(os.urandom(BLOCK_BYTES), shown, NOW)
    assert line.red.take(later[0])
    assert not line.red.take(red)  # an older one after it
    line.red.load()
    assert not line.red.take(later[0])


def test_a_message_in_parts_is_put_together_whatever_is_lost(line: Line) -> None:
    text = msgspec.json.encode({"answer": None, "text": "x" * 3000})
    for beat in range(12):
        random = os.urandom(BLOCK_BYTES)
        line.phones, frames = line.phones.on_beat(random, lambda phone: text, NOW)
        if beat % 3:
            line.red.hear(frames)
    assert line.red.message["text"] == "x" * 3000


# Whatever comes


@settings(max_examples=60)
@given(st.lists(st.integers(0, 11), max_size=40))
def test_in_whatever_order_frames_come_acts_are_done_in_the_order_in_which_they_were_said(
    order: list[int],
) -> None:
    line = Line()
    frames = [line.red.say(id=number, do={"act": "pause"}) for number in range(1, 13)]
    done = []
    for at in order:
        news = line.take(frames[at])
        if isinstance(news, PhoneAct):
            done.append(news.to.id)
            line.phones = line.phones.with_answer(news.to, PhoneAnswer(news.to.id, ok=True))
    assert done == sorted({*done})


@given(st.binary(max_size=UP_PLAIN - 2), st.booleans())
@settings(max_examples=200)
def test_whoever_has_a_phones_own_key_can_say_anything_and_harm_nobody(
    text: bytes, knocking: bool
) -> None:
    line = Line()
    about, key = (KNOCK, line.red.key) if knocking else (UP, line.red.device)
    news = line.take(seal(pack_up(text), about, os.urandom(24), key))
    assert news is None or isinstance(news, Claim | PhoneAct)
    assert line.phones.of(Seat.BLUE_SPYMASTER) == line.phones.phones[1]
    assert not line.refuses(line.blue.say())


def test_links_hide_their_keys_in_every_text(line: Line) -> None:
    line.take(says(line))
    link = Link(Seat.RED_SPYMASTER, line.red.key, line.red.device)
    secrets = [
        secret
        for key in (line.red.key, line.red.device)
        for secret in (repr(key), str(key), as_text(key), key.hex())
    ]
    for value in (link, line.links, line.phones, line.phones.phones[0], line.phones.of(link.seat)):
        for text in (repr(value), str(value), f"{value}"):
            assert not [secret for secret in secrets if secret[:12] in text]
