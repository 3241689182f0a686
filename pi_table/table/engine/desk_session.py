"""The operator's desk at the table: its encrypted connection and its lock.

`take_outputs` returns immediate outputs and orders for the disk. Requests of the desk join the
machine's queue. ``now`` is in seconds of the table's clock.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from pi_table.devices.hal.contracts import Readings
from pi_table.games.rules.seat import Seat
from pi_table.table.engine.desk.desk import Desk, link_is_over
from pi_table.table.engine.desk.line import Call, DeskLine, DeskRequest, News, Reply
from pi_table.table.engine.inputs import DeskCalled, Request
from pi_table.table.engine.outputs import Output, ReplyToDesk, Verdict
from pi_table.table.engine.phones.links import Link
from pi_table.table.engine.phones.phones import Claim
from pi_table.table.engine.requests.acts import act_at
from pi_table.table.engine.requests.desk import answer_fields
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.state.lock import wrong_pin
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.storage.desk_orders import Drop
from pi_table.table.engine.storage.orders import EndLinks, KeepClaim
from pi_table.table.engine.storage.results import LinksKept, LinksNotKept


class DeskSession:
    def __init__(self, session: bytes, link: Link | None) -> None:
        """``session`` identifies this start of the engine: `handshake.SESSION_BYTES`
        random bytes."""
        self.desk = Desk(1)
        self.line = DeskLine(session, link, 1)
        self._out: list[Output] = []
        self._closed = False

    def take_closed(self) -> bool:
        """Return True if the desk has locked itself, or lost its link, since the last call."""
        closed, self._closed = self._closed, False
        return closed

    def take_outputs(self) -> list[Output]:
        out, self._out = self._out, []
        return out

    def wakes(self, now: float) -> float | None:
        """Return the time at which `advance` is due; None if time alone changes nothing."""
        due = (self.desk.wakes, self.line.wakes(now))
        return min((at for at in due if at is not None), default=None)

    # Time and service

    def advance(self, now: float) -> None:
        """Advance to ``now``: the desk may lock itself, and service mode may end."""
        self._set_desk(self.desk.advance(now))
        if now >= self.line.ends:
            self.end_unused(now)

    def on_use(self, now: float) -> None:
        """Note a touch or press at the table, which prolongs service mode."""
        self.desk = self.desk.on_use(now)

    def end_service(self) -> None:
        self.desk = self.desk.without_service()

    def on_readings(self, readings: Readings) -> None:
        self.desk = self.desk.with_readings(readings)

    # Calls

    def on_call(self, call: DeskCalled, now: float) -> list[Request]:
        """Process an encrypted message of the desk; return the requests in it."""
        self.line, news = self.line.on_frame(call.to, call.sealed, call.nonce, now)
        return self._take(news, now)

    def answer(self, to: DeskRequest, verdict: Verdict, now: float) -> None:
        """Send the desk the result of its request, in the language that the request names."""
        self.line, reply = self.line.with_answer(
            to, answer_fields(verdict, to.lang, self.desk, now)
        )
        if reply is not None:
            self._take((reply,), now)

    def _take(self, news: Iterable[News], now: float) -> list[Request]:
        asked = []
        for each in news:
            match each:
                case Reply(to=to, sealed=sealed):
                    self._out.append(ReplyToDesk(to, sealed))
                case Claim():
                    self._out.append(KeepClaim(each))
                case Call(to=to, do=do):
                    act = act_at(Asker.DESK, do.get("act"))
                    if act is None or not act.by_itself:
                        self.desk = self.desk.on_request(now)
                    asked.append(Request(Asker.DESK, to, do))
        return asked

    # The link

    def on_links_result(self, result: LinksKept | LinksNotKept, now: float) -> None:
        """Set the desk's link to the one in ``result``, whether the links could be stored or
        not."""
        self._set_link(result.links.desk, now)
        if isinstance(result, LinksNotKept) and isinstance(result.to, Claim):
            self.line, replies = self.line.without_claim(result.to)
            self._take(replies, now)

    def end_unused(self, now: float) -> None:
        """End a link that no device has opened, because the screen no longer shows its QR code."""
        if self.line.is_unused:
            self.end(now)

    def end(self, now: float) -> None:
        if self.line.link is not None:
            self._set_link(None, now)
            self._out.append(EndLinks(None, Seat.OPERATOR))

    def _set_link(self, link: Link | None, now: float) -> None:
        number = self.line.number
        self.line, replies = self.line.with_link(link, now)
        self._take(replies, now)
        if self.line.number != number:
            self._set_desk(Desk(self.line.number, restoring=self.desk.restoring))

    # The lock

    def lock(self) -> None:
        self._set_desk(self.desk.lock())

    def on_pin_check(
        self, to: DeskRequest, is_right: bool, wrong: int, now: float
    ) -> Unable | None:
        """Apply the result of a PIN check for the desk; return the refusal if the PIN was wrong,
        else None. ``wrong`` is the number of wrong PINs in a row."""
        self._set_desk(self.desk.after_pin_check(is_right, wrong, to.link, now))
        if is_right:
            return None
        return link_is_over() if self.desk.is_spent else wrong_pin()

    def set_service(self, service: Service | None) -> None:
        """Set the state of service mode; None ends service mode."""
        self.desk = replace(self.desk, service=service)

    def note_restore(self, to: object) -> None:
        """Note that a backup is being restored. ``to`` identifies the request to restore it."""
        self.desk = replace(self.desk, restoring=to)

    def on_failure(self, to: object) -> None:
        """Note that a request, identified by ``to``, failed. If it was the request to restore a
        backup, the desk accepts other requests again."""
        if self.desk.restoring is not None and self.desk.restoring == to:
            self.desk = replace(self.desk, restoring=None)

    def _set_desk(self, desk: Desk) -> None:
        """Set the desk's state. If this locks the desk, drop its uploads, except during
        a restore."""
        if self.desk.is_open and not desk.is_open:
            self._closed = True
            if desk.restoring is None:
                self._out.append(Drop(None))
        self.desk = desk
