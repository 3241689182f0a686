"""The phones with a seat, as an immutable value: what each phone has sent, and what it receives.

Every frame is tried with the key of each link; a frame that no key decrypts is dropped silently. An
accepted frame has the engine's session, the phone's current hello, and a count greater than the
last. It also has the count of a frame that the engine recently sent to the phone. So no frame can
be replayed, reordered, used for another seat, or delivered late. ``now`` is in seconds of the
table's clock; random bytes come from the caller.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import to_json
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import PhoneState, SeatPhone
from pi_table.protocols.ipc.phones import Header, PhoneAnswer, PhoneBeat
from pi_table.protocols.ipc.sealed import (
    BEAT_SECONDS,
    CODE_SECONDS,
    DOWN_BYTES,
    PLACES_FOR_PHONES,
    UP_BYTES,
)
from pi_table.protocols.sealing.frames import DOWN, KNOCK, UP, as_text, pack_down, parts, read_up
from pi_table.protocols.sealing.handshake import (
    Greeting,
    Handshake,
    Outcome,
    open_frame,
    read_knock,
)
from pi_table.protocols.sealing.seal import NONCE_BYTES, seal
from pi_table.table.engine.phones.links import Link, Links
from pi_table.table.engine.phones.shown import MAX_A_MINUTE

HOLD_SECONDS: Final = 1.0
"""Seconds for which a finger counts as held after the last frame that reported it."""
CONFIRM_SECONDS: Final = 1.0
"""Seconds that a finger must be held to confirm that the phone keeps its seat."""
FRESH_SECONDS: Final = 5.0
"""Seconds for which a frame to a phone counts as recent.

A phone's message names the newest frame that it received. If that frame is not recent, the message
was delayed, perhaps until another player's turn, and is dropped.
"""
AWAY_SECONDS: Final = 3.0
"""Seconds without a frame after which a phone counts as away."""
BLOCK_BYTES: Final = PLACES_FOR_PHONES * DOWN_BYTES
"""Number of random bytes for the frames to all phones: the length of one frame for each possible
phone. Where there is a phone, these bytes supply its frame's nonce. Otherwise they are the
frame."""


class PhoneRequest(msgspec.Struct, frozen=True):
    """Identifies a phone's request, so that the answer goes only to the phone that waits for it."""

    seat: Seat
    device: bytes
    hello: bytes
    id: int

    def __repr__(self) -> str:
        return "PhoneRequest(…)"


class Claim(msgspec.Struct, frozen=True):
    """The first message (knock) of a phone or desk to a link that has no owner yet."""

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
    return Claim(link.seat, link.link_key, greeting.device, greeting.hello)


class PhoneAct(msgspec.Struct, frozen=True):
    """An act that a phone requests."""

    to: PhoneRequest
    do: dict[str, object]

    def __repr__(self) -> str:
        return "PhoneAct(…)"


News = Claim | PhoneAct


class Phone(msgspec.Struct, frozen=True):
    """A link, and the state of its phone since the engine's start."""

    link: Link
    handshake: Handshake = Handshake()
    count: int = 0
    """The greatest count in a frame from the phone since the last handshake."""
    heard: float | None = None
    """Time of the phone's last frame."""
    holds: bool = False
    """True if the phone's last frame reported a held finger."""
    held_since: float | None = None
    """Time at which the present hold of a finger began. None if there is no hold, if the hold began
    before the phone was asked to confirm, or if the phone has confirmed."""
    ends: float | None = None
    """Time at which the link ends by itself, or None. A link ends if no phone opens it in time, or
    if its phone does not confirm the seat in time."""
    asked: int = 0
    """The number of the last request since the last handshake; 0 if there was none."""
    asked_at: int = 0
    """The count of the newest frame that the phone had received when it sent the last request."""
    limited_acts_at: tuple[float, ...] = ()
    """Times at which the phone requested limited acts in the last minute. Only the newest
    `MAX_A_MINUTE` + 1 are kept."""
    answer: PhoneAnswer | None = None
    """The result of the last request."""
    message: bytes = b""
    """The message that is being sent to the phone, as JSON."""
    version: int = 0
    """The number of ``message``, which rises with each new message."""
    part: int = 0
    """Index of the part of ``message`` that is sent next."""

    def __repr__(self) -> str:
        return "Phone(…)"

    def is_holding(self, now: float) -> bool:
        """True if a finger is held, so that the phone may show hidden information."""
        return self.holds and self.heard is not None and now < self.heard + HOLD_SECONDS

    @property
    def is_asked(self) -> bool:
        """True while the phone is asked to confirm its seat."""
        return self.ends is not None and self.link.device is not None

    def has_confirmed(self, now: float) -> bool:
        """True if the phone is asked to confirm its seat, and a finger has been held for long
        enough since then."""
        return (
            self.is_asked
            and self.held_since is not None
            and self.is_holding(now)
            and now >= self.held_since + CONFIRM_SECONDS
        )

    def state(self, now: float) -> PhoneState:
        if self.link.device is None:
            return PhoneState.WAITING
        if self.is_asked:
            return PhoneState.ASKED
        here = self.heard is not None and now < self.heard + AWAY_SECONDS
        return PhoneState.HERE if here else PhoneState.AWAY

    def after_knock(self, handshake: Handshake, outcome: Outcome, now: float) -> "Phone":
        """Return the phone after a knock (a phone's first message). If the knock is accepted, the
        phone begins without a request and without a held finger."""
        phone = replace(self, handshake=handshake)
        if outcome is not Outcome.GREETED:
            return phone
        return replace(
            phone, count=0, heard=now, holds=False, held_since=None, asked=0, answer=None
        )

    @property
    def asks_too_often(self) -> bool:
        """True if the phone has requested too many limited acts."""
        return len(self.limited_acts_at) > MAX_A_MINUTE

    @property
    def is_asking(self) -> bool:
        """True if the phone's last request is not answered yet."""
        return self.asked > 0 and (self.answer is None or self.answer.id != self.asked)


class Phones(msgspec.Struct, frozen=True):
    """The phones at one moment, and the state of the relay."""

    session: bytes
    """Random bytes of this start of the engine. Frames of another session are dropped."""
    phones: tuple[Phone | None, ...] = (None,) * PLACES_FOR_PHONES
    """For each possible phone: the phone, or an unopened link; None if the entry is free."""
    beat: int = 0
    """Number of times that frames were sent to the phones. The latest frames have this number as
    their count."""
    beats: tuple[float, ...] = ()
    """Times at which the latest frames were sent, for the last `FRESH_SECONDS`. The newest is the
    last."""
    relayed: bool = False
    address: str | None = None
    """The address of the web pages; None until the relay has sent it."""

    def __repr__(self) -> str:
        return "Phones(…)"

    @property
    def is_linked(self) -> bool:
        """True if a seat has a phone, or an unopened link."""
        return any(self.phones)

    @property
    def is_served(self) -> bool:
        return self.relayed and self.is_linked

    def is_heard(self, now: float) -> bool:
        """True if any phone is connected. This is no secret: anyone who records the network can see
        it."""
        return any(phone and phone.state(now) is PhoneState.HERE for phone in self.phones)

    def of(self, seat: Seat) -> Phone | None:
        """Return the phone of a seat; None if the seat has no link."""
        return next((phone for phone in self.phones if phone and phone.link.seat is seat), None)

    def has(self, request: PhoneRequest) -> bool:
        """True if the phone that sent this request still has the seat named in it."""
        phone = self.of(request.seat)
        return phone is not None and phone.link.device == request.device

    def seats_in(self, game: int) -> tuple[Seat, ...]:
        """Return the seats that have a phone in the game with this number."""
        return tuple(
            phone.link.seat
            for phone in self.phones
            if phone and phone.link.device is not None and phone.link.game == game
        )

    def seat_phones(self, now: float) -> tuple[SeatPhone, ...]:
        """Return the state of the phones for the hidden screen."""
        return tuple(
            SeatPhone(phone.link.seat, phone.state(now), phone.handshake.tried)
            for phone in self.phones
            if phone
        )

    # The relay, and the links

    def with_relay(self, address: str | None) -> "Phones":
        """Return the phones with a connected relay. ``address`` is the address of the web pages;
        None keeps the known address."""
        return replace(self, relayed=True, address=address or self.address)

    def without_relay(self) -> "Phones":
        return replace(self, relayed=False, address=None)

    def with_links(self, links: Links, now: float) -> "Phones":
        return replace(self, phones=tuple(self._with_link(link, now) for link in links.places))

    def _with_link(self, link: Link | None, now: float) -> Phone | None:
        if link is None:
            return None
        old = self.of(link.seat)
        if old is None or old.link.link_key != link.link_key:
            return Phone(link, ends=now + CODE_SECONDS if link.device is None else None)
        if old.link == link:
            return old
        phone = replace(old, link=link, ends=None)
        return phone.after_knock(*old.handshake.on_owner_stored(link.device), now)

    def ask_to_confirm(self, seats: Collection[Seat], now: float) -> "Phones":
        """Return the phones after those of ``seats`` were asked to confirm that they keep their
        seats in another game. A finger that is already held does not count as the answer."""
        asked = (
            replace(phone, held_since=None, ends=now + CODE_SECONDS)
            if phone and phone.link.seat in seats
            else phone
            for phone in self.phones
        )
        return replace(self, phones=tuple(asked))

    def take_confirmations(self, now: float) -> "tuple[Phones, tuple[Seat, ...]]":
        """Return the phones with new confirmations recorded, and the seats that confirmed."""
        done = [phone for phone in self.phones if phone and phone.has_confirmed(now)]
        phones = (
            phone and (replace(phone, held_since=None) if phone in done else phone)
            for phone in self.phones
        )
        return replace(self, phones=tuple(phones)), tuple(phone.link.seat for phone in done)

    def without(self, seats: Collection[Seat]) -> "Phones":
        """Return this value without the phones of the given seats."""
        left = (phone and (None if phone.link.seat in seats else phone) for phone in self.phones)
        return replace(self, phones=tuple(left))

    def overdue_seats(self, now: float) -> tuple[Seat, ...]:
        """Return the seats whose link was not opened in time, or whose phone did not confirm in
        time."""
        return tuple(
            phone.link.seat
            for phone in self._without_pending_claim()
            if phone.ends is not None and now >= phone.ends
        )

    def unused_seats(self) -> tuple[Seat, ...]:
        """Return the seats whose QR code has not been scanned yet."""
        return tuple(
            phone.link.seat for phone in self._without_pending_claim() if phone.link.device is None
        )

    @property
    def wakes(self) -> float | None:
        """Time at which `overdue_seats` finds another seat; None if it never does."""
        due = (phone.ends for phone in self._without_pending_claim())
        return min((at for at in due if at is not None), default=None)

    def _without_pending_claim(self) -> Iterator[Phone]:
        """Yield the phones, except those whose new owner is being stored."""
        return (phone for phone in self.phones if phone and phone.handshake.claim is None)

    def without_claim(self, claim: Claim) -> "Phones":
        """Return the phones after the new owner of a link could not be stored. The phone will begin
        the handshake again."""
        phone = self.of(claim.seat)
        if phone is None or phone.link.link_key != claim.link_key:
            return self
        handshake = phone.handshake.drop_claim(claim.greeting)
        return self._with(phone, replace(phone, handshake=handshake))

    def without_phones(self) -> "Phones":
        return replace(self, phones=(None,) * PLACES_FOR_PHONES)

    # Input

    def on_frame(self, frame: bytes, now: float) -> "tuple[Phones, News | None]":
        """Return the phones after a relayed frame. Also return the claim or the request that the
        frame contains; None if it contains neither."""
        # Step 1: find the link whose key decrypts the frame. A frame names no seat, so each key is
        # tried. All failures have the same result, so that a stranger learns nothing from it.
        if len(frame) != UP_BYTES:
            return self, None
        found = open_frame(
            frame, UP, KNOCK, [None if phone is None else phone.link for phone in self.phones]
        )
        text = None if found is None else read_up(found.plain)
        phone = None if found is None else self.phones[found.place]
        if found is None or text is None or phone is None:
            return self, None
        # Step 2: a knock starts a session of the phone; other messages must belong to one.
        return (self._on_knock if found.is_knock else self._on_message)(phone, text, now)

    def _on_knock(self, phone: Phone, text: bytes, now: float) -> "tuple[Phones, News | None]":
        greeting = read_knock(text)
        if greeting is None:
            return self, None
        handshake, outcome = phone.handshake.knock(greeting, phone.link.device)
        claim = claim_of(phone.link, greeting) if outcome is Outcome.CLAIM else None
        return self._with(phone, phone.after_knock(handshake, outcome, now)), claim

    def _on_message(self, phone: Phone, text: bytes, now: float) -> "tuple[Phones, News | None]":
        try:
            said = _BEAT.decode(text)
        except (ValueError, RecursionError):
            return self, None
        # Step 1: three checks against replay. The session and hello are the current ones; the count
        # is greater than any before; and the frame that the phone saw last was sent recently.
        # Without the last check, a relay could hold a message back until another team's turn.
        if (
            not phone.handshake.is_current(self.session, said.s, said.h)
            or said.n <= phone.count
            or not self._is_fresh(said.b, now)
        ):
            return self, None
        # Step 2: note what the phone reports about its finger.
        was_asking = phone.is_asking
        since = phone.held_since if phone.holds else now
        new = replace(
            phone,
            count=said.n,
            heard=now,
            holds=said.hold,
            held_since=since if said.hold else None,
        )
        # Step 3: take at most one request at a time. The phone repeats it until it sees the answer,
        # so a repeated number is not new. Before its next request, the phone must have received
        # another frame. So of a burst of requests only one counts.
        may_ask = not was_asking and said.b > phone.asked_at
        if said.do is not None and said.id is not None and said.id > new.asked and may_ask:
            assert phone.link.device is not None
            new = replace(new, asked=said.id, asked_at=said.b)
            to = PhoneRequest(phone.link.seat, phone.link.device, phone.handshake.hello, said.id)
            return self._with(phone, new), PhoneAct(to, said.do)
        return self._with(phone, new), None

    def _is_fresh(self, beat: int, now: float) -> bool:
        """True if the frame with this count was sent within `FRESH_SECONDS`."""
        # 0 is the newest frame; a negative number is a frame that was never sent.
        back = self.beat - beat
        return 0 <= back < len(self.beats) and now <= self.beats[-1 - back] + FRESH_SECONDS

    def count_limited(self, seat: Seat, now: float) -> "Phones":
        """Return the phones after a seat requested an act that is limited per minute."""
        phone = self.of(seat)
        if phone is None:
            return self
        recent = (at for at in phone.limited_acts_at if now < at + 60.0)
        times = (*recent, now)[-MAX_A_MINUTE - 1 :]
        return self._with(phone, replace(phone, limited_acts_at=times))

    # Output

    def with_answer(self, to: PhoneRequest, answer: PhoneAnswer) -> "Phones":
        phone = self.of(to.seat)
        if phone is None or phone.link.device != to.device or phone.handshake.hello != to.hello:
            return self
        return self._with(phone, replace(phone, answer=answer))

    def on_beat(
        self, random: bytes, message: Callable[[Phone], bytes], now: float
    ) -> "tuple[Phones, tuple[bytes, ...]]":
        """Make the next frames, one for each possible phone. Return the phones after that, and the
        frames. ``random`` are `BLOCK_BYTES` random bytes; ``message`` makes the message for a
        phone."""
        # Every beat makes one frame of the same length for every place, with or without a phone:
        # neither the relay nor the network shows which places have phones, or what they are sent.
        count = self.beat + 1
        phones: list[Phone | None] = []
        frames = []
        for place, phone in enumerate(self.phones):
            # A place without a phone gets random bytes, which look like a sealed frame.
            noise = random[place * DOWN_BYTES : (place + 1) * DOWN_BYTES]
            device = None if phone is None else phone.link.device
            if phone is None or device is None:
                phones.append(phone)
                frames.append(noise)
                continue
            # A message may be longer than a frame. Its parts are sent in turn, again and again,
            # because no frame is acknowledged: a lost part comes again in the next round.
            phone = with_message(phone, message(phone))
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
            # The random bytes of this place also supply the nonce, used once.
            plain = pack_down(to_json(header), every[phone.part])
            frames.append(seal(plain, DOWN, noise[:NONCE_BYTES], device))
            phones.append(replace(phone, part=(phone.part + 1) % len(every)))
        # Remember the times of the beats that a phone may still name (see `_is_fresh`).
        beats = (*self.beats, now)[-_FRESH_BEATS:]
        return replace(self, phones=tuple(phones), beat=count, beats=beats), tuple(frames)

    def _with(self, old: Phone, new: Phone) -> "Phones":
        return replace(self, phones=tuple(new if phone is old else phone for phone in self.phones))


def with_message(phone: Phone, message: bytes) -> Phone:
    """Return the phone with this message. If it is a new message, its first part is sent next."""
    if message == phone.message:
        return phone
    return replace(phone, message=message, version=phone.version + 1, part=0)


_FRESH_BEATS: Final = round(FRESH_SECONDS / BEAT_SECONDS) + 1
_BEAT: Final[msgspec.json.Decoder[PhoneBeat]] = msgspec.json.Decoder(PhoneBeat)
