"""The phones with a seat, as a value: what was heard of each, and what each is sent.

Every frame of a phone is tried against the keys that there are, and one that none opens is dropped
without a word. What is taken has the engine's own session, the phone's present hello, a count
greater than the last, and the count of a frame that the phone was sent just now: so nothing is
heard again, in another order, of another seat, or long after it was said. ``now`` is in seconds of
the table's clock; what is random comes from outside.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import in_english
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import PhoneState, SeatPhone
from pi_table.protocols.ipc.phones import Header, PhoneAnswer, Say
from pi_table.protocols.ipc.sealed import (
    BEAT_SECONDS,
    CODE_SECONDS,
    DOWN_BYTES,
    PLACES_FOR_PHONES,
    UP_BYTES,
)
from pi_table.protocols.sealing.frames import DOWN, KNOCK, UP, as_text, packed_down, parts, read_up
from pi_table.protocols.sealing.handshake import (
    Greeting,
    Handshake,
    Outcome,
    open_frame,
    read_knock,
)
from pi_table.protocols.sealing.seal import NONCE_BYTES, sealed
from pi_table.table.engine.phones.links import Link, Links
from pi_table.table.engine.phones.shown import MAX_A_MINUTE

HOLD_SECONDS: Final = 1.0
"""So long after a phone was heard with a finger that holds, it is taken to hold still."""
CONFIRM_SECONDS: Final = 1.0
"""How long a finger holds to confirm that the phone keeps its seat in the next game."""
FRESH_SECONDS: Final = 5.0
"""A phone names the newest frame that it was sent. What names one that is older than this was held
back on its way, maybe until the turn was another's, and is dropped."""
AWAY_SECONDS: Final = 3.0
"""After so long without a word a phone is away."""
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

    @property
    def greeting(self) -> Greeting:
        return Greeting(self.device, self.hello)


def claim_of(link: Link, greeting: Greeting) -> Claim:
    """The claim to a link that a knock makes."""
    return Claim(link.seat, link.link_key, greeting.device, greeting.hello)


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
    handshake: Handshake = Handshake()
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

    def after_knock(self, handshake: Handshake, outcome: Outcome, now: float) -> "Phone":
        """The phone after a knock. An owner that was greeted begins anew: it holds nothing, and has
        asked for nothing."""
        phone = replace(self, handshake=handshake)
        if outcome is not Outcome.GREETED:
            return phone
        return replace(
            phone, count=0, heard=now, holds=False, held_since=None, asked=0, answer=None
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
            SeatPhone(phone.link.seat, phone.state(now), phone.handshake.tried)
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
        phone = replace(old, link=link, ends=None)
        return phone.after_knock(*old.handshake.owner_stored(link.device), now)

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
            for phone in self._without_claim()
            if phone.ends is not None and now >= phone.ends
        )

    def unused(self) -> tuple[Seat, ...]:
        """The seats whose code nobody has opened."""
        return tuple(
            phone.link.seat for phone in self._without_claim() if phone.link.device is None
        )

    @property
    def wakes(self) -> float | None:
        """When `overdue` finds the next one, None if it will find none."""
        due = (phone.ends for phone in self._without_claim())
        return min((at for at in due if at is not None), default=None)

    def _without_claim(self) -> Iterator[Phone]:
        """The phones whose link is not being stored for an owner just now."""
        return (phone for phone in self.phones if phone and phone.handshake.claim is None)

    def unclaimed(self, claim: Claim) -> "Phones":
        """The phones after a claim could not be kept: the phone will knock again."""
        phone = self.of(claim.seat)
        if phone is None or phone.link.link_key != claim.link_key:
            return self
        handshake = phone.handshake.drop_claim(claim.greeting)
        return self._with(phone, replace(phone, handshake=handshake))

    def ended(self) -> "Phones":
        """No phone has a seat any more."""
        return replace(self, phones=(None,) * PLACES_FOR_PHONES)

    # What comes in

    def heard(self, frame: bytes, now: float) -> "tuple[Phones, News | None]":
        """The phones after a frame was relayed, and what the phone that it is of wants."""
        if len(frame) != UP_BYTES:
            return self, None
        found = open_frame(
            frame, UP, KNOCK, [None if phone is None else phone.link for phone in self.phones]
        )
        text = None if found is None else read_up(found.plain)
        phone = None if found is None else self.phones[found.place]
        if found is None or text is None or phone is None:
            return self, None
        return (self._knocked if found.is_knock else self._said)(phone, text, now)

    def _knocked(self, phone: Phone, text: bytes, now: float) -> "tuple[Phones, News | None]":
        greeting = read_knock(text)
        if greeting is None:
            return self, None
        handshake, outcome = phone.handshake.knock(greeting, phone.link.device)
        claim = claim_of(phone.link, greeting) if outcome is Outcome.CLAIM else None
        return self._with(phone, phone.after_knock(handshake, outcome, now)), claim

    def _said(self, phone: Phone, text: bytes, now: float) -> "tuple[Phones, News | None]":
        try:
            said = _SAY.decode(text)
        except (ValueError, RecursionError):
            return self, None
        if (
            not phone.handshake.is_current(self.session, said.s, said.h)
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
            to = PhoneRequest(phone.link.seat, phone.link.device, phone.handshake.hello, said.id)
            return self._with(phone, new), Wish(to, said.do)
        return self._with(phone, new), None

    def _is_fresh(self, beat: int, now: float) -> bool:
        """Was the frame with this count sent not long ago?"""
        back = self.beat - beat
        return 0 <= back < len(self.beats) and now <= self.beats[-1 - back] + FRESH_SECONDS

    def limited(self, seat: Seat, now: float) -> "Phones":
        """The phones after that of a seat asked for what it may ask for a few times a minute."""
        phone = self.of(seat)
        if phone is None:
            return self
        recent = (at for at in phone.asked_without_end if now < at + 60.0)
        times = (*recent, now)[-MAX_A_MINUTE - 1 :]
        return self._with(phone, replace(phone, asked_without_end=times))

    # What goes out

    def answered(self, to: PhoneRequest, answer: PhoneAnswer) -> "Phones":
        """The phones after a request was done, or refused."""
        phone = self.of(to.seat)
        if phone is None or phone.link.device != to.device or phone.handshake.hello != to.hello:
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
                as_text(phone.handshake.hello),
                count,
                phone.count,
                phone.version,
                phone.part,
                len(every),
            )
            plain = packed_down(msgspec.json.encode(header, enc_hook=in_english), every[phone.part])
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


_FRESH_BEATS: Final = round(FRESH_SECONDS / BEAT_SECONDS) + 1
_SAY: Final[msgspec.json.Decoder[Say]] = msgspec.json.Decoder(Say)
