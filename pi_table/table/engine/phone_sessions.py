"""The phones of a table: their links, their requests, and the frames for them.

`PhoneSessions` holds `Phones` and the stored links. It turns frames from phones into requests
for the machine's queue, and into orders to store links. ``now`` is in seconds of the table's clock.
"""

from collections.abc import Callable, Iterable

from pi_table.games.rules import games
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.messages import PhoneState
from pi_table.protocols.ipc.phones import PhoneAnswer
from pi_table.protocols.ipc.sealed import MAX_RELAYED, is_address
from pi_table.table.engine.inputs import Relayed, Request
from pi_table.table.engine.outputs import SendBlock
from pi_table.table.engine.phones.links import Keeps, Link, Links
from pi_table.table.engine.phones.phones import Claim, Phone, PhoneAct, PhoneRequest, Phones
from pi_table.table.engine.requests.acts import act_on_phone
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.storage.orders import EndLinks, FollowGame, KeepClaim
from pi_table.table.engine.storage.results import LinksKept, LinksNotKept

Heard = KeepClaim | FollowGame | Request


class PhoneSessions:
    def __init__(self, session: bytes, links: Links) -> None:
        """``links`` are the stored links; `resume_game` decides which of them are still valid.
        ``session`` identifies this start of the engine: `handshake.SESSION_BYTES` random bytes."""
        self.phones = Phones(session)
        self._links = links
        self._game: int | None = None
        self.let_go: tuple[Link, ...] = ()
        """Lost links of agents' phones. The table will request the act ``unpair`` for these agents,
        so that they visit the hidden screen instead. An agent may have a new link already. Its
        phone is paired only after the ``unpair``, because it must not take over an open visit."""

    # Frames from and to phones

    def on_frames(self, relayed: Relayed, now: float) -> list[Heard]:
        address = relayed.address
        self.phones = self.phones.with_relay(
            address if address is not None and is_address(address) else None
        )
        found: list[Heard] = []
        for frame in relayed.frames[:MAX_RELAYED]:
            self.phones, news = self.phones.on_frame(frame, now)
            match news:
                case Claim():
                    found.append(KeepClaim(news))
                case PhoneAct(to=to, do=do):
                    if act_on_phone(do.get("act")).is_limited:
                        self.phones = self.phones.count_limited(to.seat, now)
                    found.append(Request(Asker.PHONE, to, do))
        self.phones, seats = self.phones.take_confirmations(now)
        if seats and self._game is not None:
            found.append(FollowGame(None, self._game, seats))
        return found

    def on_relay_left(self) -> None:
        self.phones = self.phones.without_relay()

    def beat(self, random: bytes, message: Callable[[Phone], bytes], now: float) -> SendBlock:
        """Return the next frames for the phones. ``random`` are `phones.BLOCK_BYTES` random bytes;
        ``message`` makes the content for one phone."""
        self.phones, frames = self.phones.on_beat(random, message, now)
        return SendBlock(frames)

    def answer(self, to: PhoneRequest, answer: PhoneAnswer) -> None:
        self.phones = self.phones.with_answer(to, answer)

    # Links

    def on_links_result(self, result: LinksKept | LinksNotKept, now: float) -> None:
        """Set the links to those in ``result``, whether they could be stored or not."""
        before = [phone.link for phone in self.phones.phones if phone]
        self._links, self.phones = result.links, self.phones.with_links(result.links, now)
        self._let_go(link for link in before if not self._has(link))
        # A phone may have opened its link while the next game was dealt, and was not asked then:
        # ask it now to confirm its seat.
        unopened = {link.seat for link in before if link.device is None}
        links = [phone.link for phone in self.phones.phones if phone]
        late = [link.seat for link in links if link.device and link.game != self._game]
        self.phones = self.phones.ask_to_confirm(unopened.intersection(late), now)
        if isinstance(result, LinksNotKept) and isinstance(result.to, Claim):
            self.phones = self.phones.without_claim(result.to)

    def begin_game(self, game: int, keeps: Keeps, now: float) -> list[EndLinks | FollowGame]:
        """Note that a new game has begun; return orders that end links or continue them in this
        game."""
        self._game = game
        if keeps is Keeps.NONE:
            return [*self.end()]
        orders: list[EndLinks | FollowGame] = [*self.end_unused()]
        seats = tuple(phone.link.seat for phone in self.phones.phones if phone)
        if keeps is Keeps.ASKED:
            self.phones = self.phones.ask_to_confirm(seats, now)
        elif self.phones.is_linked:
            self._links = self._links.following(game, seats)
            self.phones = self.phones.with_links(self._links, now)
            orders.append(FollowGame(None, game, seats))
        # In a new game no visit is open, so the present phones may stay paired.
        self.let_go = tuple(link for link in self.let_go if self.phones.of(link.seat) is None)
        return orders

    def resume_game(self, game: GameInPlay | None, now: float) -> list[EndLinks]:
        """Keep the links that are valid for ``game``, which continues; return orders that end all
        other links."""
        self._game = None if game is None else game.number
        kept = self._links.valid_for(self._game)
        over = [link for link in self._links.places if link and link not in kept.places]
        self._links, self.phones = kept, self.phones.with_links(kept, now)
        self._let_go(over)
        return [EndLinks(seat=link.seat) for link in over]

    def end(self) -> list[EndLinks]:
        """End the links of all phones, because the guests have gone."""
        self.phones, self.let_go = self.phones.without_phones(), ()
        if not self._links:
            return []
        self._links = self._links.without_phones()
        return [EndLinks()]

    def advance(self, now: float) -> list[EndLinks]:
        """End the links whose time is over: the QR code was not scanned, or the phone did not
        confirm that it keeps its seat."""
        return self._without(self.phones.overdue_seats(now))

    def end_unused(self) -> list[EndLinks]:
        """End links whose QR code was not scanned, because the screen no longer shows that code."""
        return self._without(self.phones.unused_seats())

    def _without(self, seats: tuple[Seat, ...]) -> list[EndLinks]:
        ended = [phone.link for phone in self.phones.phones if phone and phone.link.seat in seats]
        self.phones = self.phones.without(seats)
        self._let_go(ended)
        return [EndLinks(seat=seat) for seat in seats]

    def _let_go(self, links: Iterable[Link]) -> None:
        of_agents = (link for link in links if link.seat.role is Role.AGENT)
        self.let_go = tuple(dict.fromkeys((*self.let_go, *of_agents)))

    def _has(self, link: Link) -> bool:
        """True if the seat of ``link`` still has this link, and not another one."""
        phone = self.phones.of(link.seat)
        return phone is not None and phone.link.link_key == link.link_key

    # Visits of agents

    def due_requests(self, game: GameInPlay, now: float) -> list[Request]:
        """Return requests that the table makes itself: to pair agents with their phones, or unpair
        them.

        An agent whose phone is connected makes visits on that phone. An agent who has lost the
        phone's link makes visits at the hidden screen instead (CX-20). An agent who already has a
        new phone is first unpaired and then paired again, so that the phone's user must enter the
        agent's code (CX-19). During a pause or between games, no request is made.
        """
        found = []
        self.let_go = tuple(
            link
            for link in self.let_go
            if not self._has(link) and "pair" not in games.may(game.state, link.seat)
        )
        if self.let_go and "unpair" in games.may(game.state, Seat.OPERATOR):
            for seat in dict.fromkeys(link.seat for link in self.let_go):
                unpair = {"act": "unpair", "target": seat.value, "seat": Seat.OPERATOR.value}
                found.append(Request(Asker.TABLE, None, unpair))
            self.let_go = ()
        seats = games.seats(game.board)
        for phone in self.phones.phones:
            if phone is None or phone.link.seat.role is not Role.AGENT:
                continue
            seat, is_here = phone.link.seat, phone.state(now) is PhoneState.HERE
            if is_here and seat in seats and "pair" in games.may(game.state, seat):
                found.append(Request(Asker.TABLE, None, {"act": "pair", "seat": seat.value}))
        return found
