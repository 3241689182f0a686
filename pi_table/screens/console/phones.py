"""Screens for the phones of seats: which seats have one, the QR code that gives a phone a seat, and
the removal of a phone.

A QR code contains the link of a seat. The link is a secret, because the first phone that opens it
gets the seat. So the console shows the code, and keeps the link, only until a phone has connected,
somebody goes back, or a minute is over.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET

from pi_table.common.language import Words, say
from pi_table.games.names import TEAMS
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.identikit import Hides
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import AGENTS, Role, Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage, PhoneState, SeatPhone
from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.screens.console.acts import Act, by_operator
from pi_table.screens.console.screen import AnswerScreen, Ask, Choice, Go, ListScreen, Return, may


def phones_first(table: AnyTableMessage) -> Iterator[Choice]:
    """Yield choices about phones for the top of a menu, while people probably need them.

    People need them at the beginning of a game, if a seat has no phone. They also need them at any
    time after a second phone has tried to open the link of a seat.
    """
    if _come_first(table):
        yield from phones(table)
    elif table.pages is not None and not may(table, Seat.OPERATOR, "clues"):
        yield from _keys_on_phones(table)


def phones_later(table: AnyTableMessage) -> Iterator[Choice]:
    if not _come_first(table):
        yield from phones(table)


def _keys_on_phones(table: AnyTableMessage) -> Iterator[Choice]:
    """Yield a choice for each spymaster without a phone. A press on it shows the QR code for a
    phone."""
    over = table.public is None or table.public.outcome is not None
    if over or (table.house.phones_need_pin and not table.lock.open):
        return
    for seat in seats(table):
        phone = phone_of(table, seat)
        if seat.role is Role.SPYMASTER and (phone is None or phone.state is PhoneState.WAITING):
            yield Choice(say("Key on your phone"), code_of(seat), seat.team)


def phones(table: AnyTableMessage) -> Iterator[Choice]:
    if table.pages is None:
        return
    warns = any(phone.tried for phone in table.pages.phones)
    yield Choice(say("Phones…"), Go(Phones()), value=say("a warning") if warns else "")


def phones_here(table: AnyTableMessage) -> int:
    """Return the number of phones that have a seat and are connected now."""
    phones = () if table.pages is None else table.pages.phones
    return sum(phone.state is PhoneState.HERE for phone in phones)


def seats_with_phone(table: AnyTableMessage) -> tuple[Seat, ...]:
    """Return the seats that have a phone in this game, connected or away."""
    phones = () if table.pages is None else table.pages.phones
    return tuple(
        phone.seat for phone in phones if phone.state in (PhoneState.HERE, PhoneState.AWAY)
    )


def _come_first(table: AnyTableMessage) -> bool:
    """True if another phone has tried to open a link, or if Codex begins and a seat has no link."""
    if table.pages is None:
        return False
    public, phones = table.public, table.pages.phones
    if any(phone.tried for phone in phones):
        return True
    is_first_lap = (
        isinstance(public, CodexView) and public.number == 1 and public.phase is Phase.SEND
    )
    return is_first_lap and len(phones) < len(seats(table))


def seats(table: AnyTableMessage) -> tuple[Seat, ...]:
    """Return those seats of the game that can have a phone."""
    if table.public is None:
        return ()
    if isinstance(table, CodexMessage):
        return () if table.public.phones is UNSET else AGENTS
    return tuple(seat for seat in map(Seat, table.may) if seat is not Seat.OPERATOR)


def phone_of(table: AnyTableMessage, seat: Seat) -> SeatPhone | None:
    """Return the phone of a seat, or the seat's link that no phone has opened yet. Return None if
    the seat has no link."""
    phones = () if table.pages is None else table.pages.phones
    return next((phone for phone in phones if phone.seat is seat), None)


def seat_name(table: AnyTableMessage, seat: Seat) -> Words:
    if isinstance(table, CodexMessage) and seat.role is Role.AGENT:
        return table.public.agents[AGENTS.index(seat)].nickname
    assert seat.team is not None
    if seat.role is Role.SPYMASTER:
        return say("{team}: spymaster", team=TEAMS[seat.team])
    return say("{team}: operatives", team=TEAMS[seat.team])


_STATES: Final = {
    None: say("no phone"),
    PhoneState.WAITING: say("not scanned yet"),
    PhoneState.ASKED: say("has to confirm"),
    PhoneState.HERE: say("here"),
    PhoneState.AWAY: say("away"),
}
_TRIED: Final = say(
    "Another phone has tried this link. If it is none of yours, disconnect this one, and show a "
    "new code."
)


class Phones(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    hides_key: ClassVar[bool] = True
    heading = say("Phones and board")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        board = Choice(say("The board, for everybody"), Go(BoardCode()))
        return (*(_of_seat(table, seat) for seat in seats(table)), board)

    def possible(self, table: AnyTableMessage) -> bool:
        return table.pages is not None

    def beside(self, table: AnyTableMessage) -> Words:
        return "" if table.pages is None else table.pages.address

    def help(self, table: AnyTableMessage) -> Words:
        at = seats(table)[self.selected : self.selected + 1]
        phone = phone_of(table, at[0]) if at else None
        if phone is not None and phone.tried:
            return _TRIED
        if isinstance(table, CodexMessage) and not seats(table):
            return say("In this game all visits are at the hidden screen.")
        return say("A phone shows secrets only while a finger is held on it.") if at else ""


def _of_seat(table: AnyTableMessage, seat: Seat) -> Choice:
    phone = phone_of(table, seat)
    value = _STATES[None if phone is None else phone.state]
    if phone is not None and phone.tried:
        value = say("{state} · a warning", state=value)
    does = code_of(seat) if phone is None else Go(OnePhone(seat=seat))
    return Choice(seat_name(table, seat), does, seat.team, value)


def code_of(seat: Seat) -> Go:
    """Return the effect that requests a new link for a seat and shows its QR code."""
    return Go(SeatCode(seat=seat), by_operator("phone", **{"for": seat}))


class OnePhone(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    seat: Seat

    hides_key: ClassVar[bool] = True

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        phone = phone_of(table, self.seat)
        another = Choice(say("Show a new code"), code_of(self.seat))
        let_go = Choice(say("Disconnect this phone"), Go(LetGo(seat=self.seat)))
        if phone is None or phone.state is PhoneState.HERE:
            return (let_go, Choice(say("Back"), Return()))
        return (another, let_go, Choice(say("Back"), Return()))

    def possible(self, table: AnyTableMessage) -> bool:
        return phone_of(table, self.seat) is not None

    def title(self, table: AnyTableMessage) -> Words:
        return seat_name(table, self.seat)

    def beside(self, table: AnyTableMessage) -> Words:
        phone = phone_of(table, self.seat)
        return _STATES[None if phone is None else phone.state]

    def help(self, table: AnyTableMessage) -> Words:
        phone = phone_of(table, self.seat)
        if phone is not None and phone.tried:
            return _TRIED
        return say("Each new code ends the one before it: one seat, one phone.")


class LetGo(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    seat: Seat

    hides_key: ClassVar[bool] = True
    hint = say("It shows nothing secret any more, and the seat goes on at the hidden screen.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        let_go = by_operator("let-go", **{"for": self.seat})
        return (
            Choice(say("No, go back"), Return()),
            Choice(say("Yes, disconnect it"), Ask(let_go, stay=True)),
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return phone_of(table, self.seat) is not None

    def title(self, table: AnyTableMessage) -> Words:
        return seat_name(table, self.seat)


class Link(Hides, msgspec.Struct, frozen=True):
    """The link of a seat or desk, as received from the table."""

    link: str
    """The part of the link after the address of the pages: the path of a page, then ``#`` and a
    key."""


class Code(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    """A screen with a large QR code. Its `help` says how to use the code."""

    hides_key: ClassVar[bool] = True

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return (Choice(say("Close"), Return()),)

    def possible(self, table: AnyTableMessage) -> bool:
        return table.pages is not None

    def text(self, table: AnyTableMessage) -> str | None:
        """Return the content of the QR code; None while the content is unknown."""
        raise NotImplementedError

    def address(self, table: AnyTableMessage) -> Words:
        """Return the address that people can type instead of scanning; empty if no address may be
        shown."""
        return ""


class BoardCode(Code, frozen=True, kw_only=True):
    heading = say("Scan to watch")
    hint = say("The board is for everybody, on any screen on this Wi-Fi.")

    def text(self, table: AnyTableMessage) -> str | None:
        return None if table.pages is None else table.pages.board_link

    def address(self, table: AnyTableMessage) -> Words:
        return "" if table.pages is None else table.pages.address


class LinkCode(Hides, AnswerScreen[AnyTableMessage], Code, frozen=True, kw_only=True):
    """A screen with the QR code of a link for a seat or for the desk. The table sends the link on
    request. Only the person who scans the code may know the link."""

    told: Link | None = None

    kind: ClassVar[Any] = Link
    closes_after: ClassVar[float | None] = CODE_SECONDS

    def text(self, table: AnyTableMessage) -> str | None:
        if table.pages is None or self.told is None:
            return None
        return table.pages.address + self.told.link

    def possible(self, table: AnyTableMessage) -> bool:
        """True until a phone has connected with this link.

        Until the table has sent this link, the table's messages may have the state of an earlier
        link. That state is ignored.
        """
        waits = self.told is None or self.state(table) is PhoneState.WAITING
        return table.pages is not None and waits

    def state(self, table: AnyTableMessage) -> PhoneState | None:
        """Return the state of the phone for this link; None if there is no link."""
        raise NotImplementedError

    def end(self, table: AnyTableMessage) -> Act | None:
        """Return the act that ends the link when its code leaves the screen. Return None if the
        link was opened, or is over already."""
        raise NotImplementedError


class SeatCode(LinkCode, frozen=True, kw_only=True):
    seat: Seat

    hint = say(
        "Scan this with the phone that will have the seat, on this Wi-Fi. The first phone to "
        "open it gets the seat, so let nobody else see it."
    )

    def state(self, table: AnyTableMessage) -> PhoneState | None:
        phone = phone_of(table, self.seat)
        return None if phone is None else phone.state

    def end(self, table: AnyTableMessage) -> Act | None:
        is_known = self.told is not None and self.seat in seats(table)
        if is_known and self.state(table) is not PhoneState.WAITING:
            return None
        return by_operator("let-go", unused=True, **{"for": self.seat})

    def title(self, table: AnyTableMessage) -> Words:
        return seat_name(table, self.seat)


class DeskCode(LinkCode, frozen=True, kw_only=True):
    heading = say("The operator’s desk")
    hint = say(
        "Scan this with your own phone or tablet, on this Wi-Fi, and enter the PIN there. The "
        "first to open it has it."
    )

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open and super().possible(table)

    def state(self, table: AnyTableMessage) -> PhoneState | None:
        return None if table.desk is None else table.desk.state

    def end(self, table: AnyTableMessage) -> Act | None:
        is_over = self.told is not None and self.state(table) is not PhoneState.WAITING
        if is_over or not table.lock.open:
            return None
        return by_operator("close-desk", unused=True)


def desk(table: AnyTableMessage) -> Iterator[Choice]:
    if table.pages is None:
        yield Choice(say("The operator’s desk"), value=say("no pages are served"))
        return
    if not table.lock.pin:
        yield Choice(say("The operator’s desk"), value=say("set a PIN first"))
        return
    yield Choice(say("The operator’s desk"), Go(DeskCode(), by_operator("desk")), value=_at(table))
    if table.desk is not None:
        yield Choice(say("End the desk’s session"), Go(CloseDesk()))


def _at(table: AnyTableMessage) -> Words:
    if table.desk is None:
        return ""
    if table.desk.tried:
        return say("another device tried it")
    return say("open") if table.desk.open else _STATES[table.desk.state]


class CloseDesk(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    heading = say("The operator’s desk")
    hint = say("Whoever uses it is out at once. A new code opens another one.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return (
            Choice(say("No, go back"), Return()),
            Choice(say("Yes, end it"), Ask(_CLOSE_DESK, stay=True)),
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open and table.desk is not None


_CLOSE_DESK: Final[Act] = by_operator("close-desk")
