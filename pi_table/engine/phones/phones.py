"""The phones with a seat, as a value: what was heard of each, and what each is sent.

Every frame of a phone is tried against the keys that there are, and one that none opens is dropped
without a word. What is taken has the engine's own session, the phone's present hello, a count
greater than the last, and the count of a frame that the phone was sent just now: so nothing is
heard again, in another order, of another seat, or long after it was said. ``now`` is in seconds of
the table's clock; what is random comes from outside.
"""

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from pi_table.engine.phones.links import Link, Links
from pi_table.engine.phones.shown import MAX_A_MINUTE
from pi_table.engine.rights import right_to
from pi_table.ipc.messages import PhoneState, SeatPhone
from pi_table.ipc.phones import Header, Knock, PhoneAnswer, Say
from pi_table.ipc.sealed import (
    BEAT_SECONDS,
    CODE_SECONDS,
    DOWN_BYTES,
    PLACES_FOR_PHONES,
    UP_BYTES,
)
from pi_table.rules.seat import Seat
from pi_table.sealing.frames import (
    DOWN,
    KNOCK,
    UP,
    as_text,
    from_text,
    packed_down,
    parts,
    read_up,
)
from pi_table.sealing.seal import KEY_BYTES, NONCE_BYTES, opened, sealed

HELLO_BYTES: Final = 16
SESSION_BYTES: Final = 16
HOLD_SECONDS: Final = 1.0
"""So long after a phone was heard with a finger that holds, it is taken to hold still."""
CONFIRM_SECONDS: Final = 1.0
"""How long a finger holds to confirm that the phone keeps its seat in the next game."""
FRESH_SECONDS: Final = 5.0
"""A phone names the newest frame that it was sent. What names one that is older than this was held
back on its way, maybe until the turn was another's, and is dropped."""
AWAY_SECONDS: Final = 3.0
"""After so long without a word a phone is away."""
MOST_HELLOS: Final = 4096
"""So many hellos of a phone are heard in one session. Each is remembered, so that none is heard
twice; a phone that says more needs a new link."""
BLOCK_BYTES: Final = PLACES_FOR_PHONES * DOWN_BYTES
"""So much chance takes a beat: what is sent in places without a phone, and nonces in the others."""


class PhoneRequest(msgspec.Struct, frozen=True):
    """The name of a request of a phone: its answer finds the phone by that, if it still listens."""

    seat: Seat
    device: bytes
    hello: bytes
    id: int

    def __repr__(self) -> str:
        return "PhoneRequest(…)"


class Claim(msgspec.Struct, frozen=True):
    """A phone opens a link that nobody owns."""

    seat: Seat
    link_key: bytes
    device: bytes
    hello: bytes

    def __repr__(self) -> str:
        return "Claim(…)"


class Wish(msgspec.Struct, frozen=True):
    """A phone asks for something."""

    to: PhoneRequest
    do: dict[str, object]

    def __repr__(self) -> str:
        return "Wish(…)"


News = Claim | Wish


class Phone(msgspec.Struct, frozen=True):
    """A link, and what was heard of its phone since the engine was started."""

    link: Link
    hello: bytes = b""
    """The present hello; empty before the first."""
    hellos: frozenset[bytes] = frozenset()
    """Every hello that was heard."""
    count: int = 0
    """The greatest count that was heard under the present hello."""
    heard: float | None = None
    """When the phone was heard last."""
    holds: bool = False
    """Did a finger hold then?"""
    held_since: float | None = None
    """When the finger began to hold; None if none holds, or what it confirms is confirmed."""
    ends: float | None = None
    """When the link ends because nobody opened it, or nobody confirmed that the phone keeps its
    seat; None where neither is awaited."""
    asked: int = 0
    """The number of what was asked for last under the present hello."""
    asked_at: int = 0
    """The count of the frame that the phone had taken when it asked for that."""
    asked_without_end: tuple[float, ...] = ()
    """When limited acts were asked for in the last minute, one more than it may at most."""
    answer: PhoneAnswer | None = None
    """What became of that; None while it is not known."""
    claim: Claim | None = None
    """The claim to the link that is being kept; None where none is."""
    tried: bool = False
    """Has another phone tried to open the link?"""
    message: bytes = b""
    """What the phone is being sent."""
    version: int = 0
    """The number of that message."""
    part: int = 0
    """Which part of the message is sent next."""

    def __repr__(self) -> str:
        return "Phone(…)"

    def is_holding(self, now: float) -> bool:
        """Is what is hidden to be seen on the phone?"""
        return self.holds and self.heard is not None and now < self.heard + HOLD_SECONDS

    @property
    def is_asked(self) -> bool:
        """True while the phone is asked to confirm that it keeps its seat."""
        return self.ends is not None and self.link.device is not None

    def has_confirmed(self, now: float) -> bool:
        """True if a finger has held since the question, long enough to confirm."""
        return (
            self.is_asked
            and self.held_since is not None
            and self.is_holding(now)
            and now >= self.held_since + CONFIRM_SECONDS
        )

    def state(self, now: float) -> PhoneState:
        """How it stands with the phone, for the hidden screen."""
        if self.link.device is None:
            return PhoneState.WAITING
        if self.is_asked:
            return PhoneState.ASKED
        here = self.heard is not None and now < self.heard + AWAY_SECONDS
        return PhoneState.HERE if here else PhoneState.AWAY

    def greeted(self, hello: bytes, now: float) -> "Phone":
        """The phone after it has knocked with this hello, which was not heard before."""
        return replace(
            self,
            hello=hello,
            hellos=self.hellos | {hello},
            count=0,
            heard=now,
            holds=False,
            held_since=None,
            asked=0,
            answer=None,
            claim=None,
        )

    @property
    def asks_too_often(self) -> bool:
        """True if the phone asked for limited acts more often than it may."""
        return len(self.asked_without_end) > MAX_A_MINUTE

    @property
    def is_asking(self) -> bool:
        """Is something that it asked for not answered yet?"""
        return self.asked > 0 and (self.answer is None or self.answer.id != self.asked)


class Phones(msgspec.Struct, frozen=True):
    """The phones at one instant, and whether anybody relays what is sent to them."""

    session: bytes
    """What the engine drew when it was started. Nothing of another session is taken."""
    phones: tuple[Phone | None, ...] = (None,) * PLACES_FOR_PHONES
    """The phone in each place, or the link for one."""
    beat: int = 0
    """How many beats there were: the count of the latest frames."""
    beats: tuple[float, ...] = ()
    """When the latest beats were, the newest last: as many as there can be in `FRESH_SECONDS`."""
    relayed: bool = False
    """Is there anybody who relays?"""
    address: str | None = None
    """What people open to find the pages; None while nobody has said."""

    def __repr__(self) -> str:
        return "Phones(…)"

    @property
    def is_linked(self) -> bool:
        """True if a seat has a phone, or a link for one."""
        return any(self.phones)

    @property
    def is_served(self) -> bool:
        """Are there beats?"""
        return self.relayed and self.is_linked

    def is_heard(self, now: float) -> bool:
        """Is any phone here? Whoever listens on the network can tell that, too."""
        return any(phone and phone.state(now) is PhoneState.HERE for phone in self.phones)

    def of(self, seat: Seat) -> Phone | None:
        """The phone of a seat; None where it has none."""
        return next((phone for phone in self.phones if phone and phone.link.seat is seat), None)

    def has(self, request: PhoneRequest) -> bool:
        """Has whoever asked for this still a seat?"""
        phone = self.of(request.seat)
        return phone is not None and phone.link.device == request.device

    def seated(self, game: int) -> tuple[Seat, ...]:
        """The seats that a phone has in the game of this number: it can show what they may see."""
        return tuple(
            phone.link.seat
            for phone in self.phones
            if phone and phone.link.device is not None and phone.link.game == game
        )

    def told(self, now: float) -> tuple[SeatPhone, ...]:
        """What the hidden screen is told of the phones."""
        return tuple(
            SeatPhone(phone.link.seat, phone.state(now), phone.tried)
            for phone in self.phones
            if phone
        )

    # The relay, and the links

    def served(self, address: str | None) -> "Phones":
        """The phones while somebody relays, who may say under what address the pages are."""
        return replace(self, relayed=True, address=address or self.address)

    def unserved(self) -> "Phones":
        """The phones after the relay has gone."""
        return replace(self, relayed=False, address=None)

    def linked(self, links: Links, now: float) -> "Phones":
        """The phones after other links are kept."""
        return replace(self, phones=tuple(self._linked(link, now) for link in links.places))

    def _linked(self, link: Link | None, now: float) -> Phone | None:
        if link is None:
            return None
        old = self.of(link.seat)
        if old is None or old.link.link_key != link.link_key:
            return Phone(link, ends=now + CODE_SECONDS if link.device is None else None)
        if old.link == link:
            return old
        phone, claim = replace(old, link=link, ends=None), old.claim
        if claim is None or link.device is None:
            return phone
        if link.device == claim.device:
            return phone.greeted(claim.hello, now)
        return replace(phone, claim=None, tried=True)

    def asked_to_confirm(self, now: float) -> "Phones":
        """The phones after each that has a seat is asked whether it keeps that for another game. A
        finger that holds already has not heard the question."""
        asked = (
            phone and replace(phone, held_since=None, ends=now + CODE_SECONDS)
            for phone in self.phones
        )
        return replace(self, phones=tuple(asked))

    def confirmed(self, now: float) -> "tuple[Phones, tuple[Seat, ...]]":
        """The phones after the seats that some of them have just confirmed are taken note of, and
        those seats."""
        done = [phone for phone in self.phones if phone and phone.has_confirmed(now)]
        phones = (
            phone and (replace(phone, held_since=None) if phone in done else phone)
            for phone in self.phones
        )
        return replace(self, phones=tuple(phones)), tuple(phone.link.seat for phone in done)

    def without(self, seats: Collection[Seat]) -> "Phones":
        """The phones without those of these seats."""
        left = (phone and (None if phone.link.seat in seats else phone) for phone in self.phones)
        return replace(self, phones=tuple(left))

    def overdue(self, now: float) -> tuple[Seat, ...]:
        """The seats whose link ends now, because what was awaited did not come."""
        return tuple(
            phone.link.seat
            for phone in self.phones
            if phone and phone.ends is not None and now >= phone.ends and phone.claim is None
        )

    def unused(self) -> tuple[Seat, ...]:
        """The seats whose code nobody has opened."""
        return tuple(
            phone.link.seat
            for phone in self.phones
            if phone and phone.link.device is None and phone.claim is None
        )

    @property
    def wakes(self) -> float | None:
        """When `overdue` finds the next one, None if it will find none."""
        due = (phone.ends for phone in self.phones if phone and phone.claim is None)
        return min((at for at in due if at is not None), default=None)

    def unclaimed(self, claim: Claim) -> "Phones":
        """The phones after a claim could not be kept: the phone will knock again."""
        phone = self.of(claim.seat)
        if phone is None or phone.claim != claim:
            return self
        return self._with(phone, replace(phone, claim=None))

    def ended(self) -> "Phones":
        """No phone has a seat any more."""
        return replace(self, phones=(None,) * PLACES_FOR_PHONES)

    # What comes in

    def heard(self, frame: bytes, now: float) -> "tuple[Phones, News | None]":
        """The phones after a frame was relayed, and what the phone that it is of wants."""
        if len(frame) != UP_BYTES:
            return self, None
        for phone in self.phones:
            if phone is not None and phone.link.device is not None:
                plain = opened(frame, UP, phone.link.device)
                if plain is not None:
                    return self._said(phone, plain, now)
        for phone in self.phones:
            if phone is not None:
                plain = opened(frame, KNOCK, phone.link.link_key)
                if plain is not None:
                    return self._knocked(phone, plain, now)
        return self, None

    def _knocked(self, phone: Phone, plain: bytes, now: float) -> "tuple[Phones, News | None]":
        knock = _decoded(plain, _KNOCK)
        if knock is None:
            return self, None
        device, hello = from_text(knock.k, KEY_BYTES), from_text(knock.h, HELLO_BYTES)
        if device is None or hello is None:
            return self, None
        if phone.link.device is None:
            if phone.claim is not None:
                return self, None  # who comes second will be told so when the first is kept
            claim = Claim(phone.link.seat, phone.link.link_key, device, hello)
            return self._with(phone, replace(phone, claim=claim)), claim
        if phone.link.device != device:
            return self._with(phone, replace(phone, tried=True)), None
        if hello in phone.hellos or len(phone.hellos) >= MOST_HELLOS:
            return self, None
        return self._with(phone, phone.greeted(hello, now)), None

    def _said(self, phone: Phone, plain: bytes, now: float) -> "tuple[Phones, News | None]":
        said = _decoded(plain, _SAY)
        if (
            said is None
            or not phone.hello
            or from_text(said.s, SESSION_BYTES) != self.session
            or from_text(said.h, HELLO_BYTES) != phone.hello
            or said.n <= phone.count
            or not self._is_fresh(said.b, now)
        ):
            return self, None
        was_asking = phone.is_asking
        since = phone.held_since if phone.holds else now
        new = replace(
            phone,
            count=said.n,
            heard=now,
            holds=said.hold,
            held_since=since if said.hold else None,
        )
        # A phone that knows the answer has taken a frame since it asked: so a burst is one request.
        may_ask = not was_asking and said.b > phone.asked_at
        if said.do is not None and said.id is not None and said.id > new.asked and may_ask:
            assert phone.link.device is not None
            new = replace(new, asked=said.id, asked_at=said.b)
            if right_to(said.do.get("act")).is_limited:
                recent = (at for at in phone.asked_without_end if now < at + 60.0)
                new = replace(new, asked_without_end=(*recent, now)[-MAX_A_MINUTE - 1 :])
            to = PhoneRequest(phone.link.seat, phone.link.device, phone.hello, said.id)
            return self._with(phone, new), Wish(to, said.do)
        return self._with(phone, new), None

    def _is_fresh(self, beat: int, now: float) -> bool:
        """Was the frame with this count sent not long ago?"""
        back = self.beat - beat
        return 0 <= back < len(self.beats) and now <= self.beats[-1 - back] + FRESH_SECONDS

    # What goes out

    def answered(self, to: PhoneRequest, answer: PhoneAnswer) -> "Phones":
        """The phones after a request was done, or refused."""
        phone = self.of(to.seat)
        if phone is None or phone.link.device != to.device or phone.hello != to.hello:
            return self
        return self._with(phone, replace(phone, answer=answer))

    def beaten(
        self, random: bytes, message: Callable[[Phone], bytes], now: float
    ) -> "tuple[Phones, tuple[bytes, ...]]":
        """The phones after a beat, and what is sent in each place. ``random`` are `BLOCK_BYTES` of
        chance; ``message`` makes what a phone is to be shown."""
        count = self.beat + 1
        phones: list[Phone | None] = []
        frames = []
        for place, phone in enumerate(self.phones):
            noise = random[place * DOWN_BYTES : (place + 1) * DOWN_BYTES]
            device = None if phone is None else phone.link.device
            if phone is None or device is None:
                phones.append(phone)
                frames.append(noise)
                continue
            phone = phone_sent(phone, message(phone))
            every = parts(phone.message)
            header = Header(
                as_text(self.session),
                as_text(phone.hello),
                count,
                phone.count,
                phone.version,
                phone.part,
                len(every),
            )
            plain = packed_down(msgspec.json.encode(header), every[phone.part])
            frames.append(sealed(plain, DOWN, noise[:NONCE_BYTES], device))
            phones.append(replace(phone, part=(phone.part + 1) % len(every)))
        beats = (*self.beats, now)[-_FRESH_BEATS:]
        return replace(self, phones=tuple(phones), beat=count, beats=beats), tuple(frames)

    def _with(self, old: Phone, new: Phone) -> "Phones":
        return replace(self, phones=tuple(new if phone is old else phone for phone in self.phones))


def phone_sent(phone: Phone, message: bytes) -> Phone:
    """The phone that is to be sent this message: from its beginning, where it is another."""
    if message == phone.message:
        return phone
    return replace(phone, message=message, version=phone.version + 1, part=0)


T = TypeVar("T")


def _decoded(plain: bytes, decoder: "msgspec.json.Decoder[T]") -> T | None:
    """What stands in the plain text of a frame; None where that is nothing that a phone sends."""
    text = read_up(plain)
    if text is None:
        return None
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError):
        return None


_FRESH_BEATS: Final = round(FRESH_SECONDS / BEAT_SECONDS) + 1
_KNOCK: Final[msgspec.json.Decoder[Knock]] = msgspec.json.Decoder(Knock)
_SAY: Final[msgspec.json.Decoder[Say]] = msgspec.json.Decoder(Say)
