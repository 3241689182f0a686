"""Prints the links of phones in the terminal, because no phone can scan the codes on the window's
hidden screen.

Each link is valid for a minute, like its code. Then a new link is printed, until a phone has taken
the seat.
"""

from collections.abc import Callable
from typing import Final

from pi_table.common.language import for_reader, say
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, AnyTableMessage, Request, ToConsole

FIRST_ID: Final = 1_000_000
"""Number of the first request of this module. It is high, because the console's requests begin at
1."""
OF_PHONES: Final = (Role.SPYMASTER, Role.AGENT)
"""Roles whose phones show secrets. Links are printed only for these."""


class SeatLinks:
    """Requests a link for each seat that has no phone, and prints the link."""

    def __init__(
        self,
        send: Callable[[Request], None],
        tell: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        self._send = send
        self._tell = tell
        self._refused: set[tuple[int | None, Seat]] = set()
        """Pairs of a game and a seat for which the table refused a link."""
        self._game: int | None = None
        self._waits: dict[int, Seat] = {}
        """For the number of each unanswered request, the seat whose link was requested."""
        self._address = ""
        self._next = FIRST_ID

    def handle(self, message: Connected | Disconnected | ToConsole) -> bool:
        """Handle a message. Return True if it answers a request of this object."""
        if isinstance(message, Answer):
            seat = self._waits.pop(message.id, None)
            if seat is not None and message.ok:
                link = f"{self._address}{message.told['link']}"
                said = say("Page of {seat}, for a minute: {link}", seat=seat.value, link=link)
                self._tell(for_reader(said))
            elif seat is not None:
                self._refused.add((self._game, seat))
            return message.id >= FIRST_ID
        if isinstance(message, AnyTableMessage):
            self._ask(message)
        return False

    def _ask(self, table: AnyTableMessage) -> None:
        if table.pages is None or table.game is None or table.public is None:
            return
        if table.public.outcome is not None:
            return
        self._address, self._game = table.pages.address, table.game
        has_one = {each.seat for each in table.pages.phones} | {*self._waits.values()}
        for seat in (Seat(name) for name in table.may if Seat(name).role in OF_PHONES):
            if seat not in has_one and (table.game, seat) not in self._refused:
                self._waits[self._next] = seat
                do = {"act": "phone", "seat": "operator", "for": seat.value}
                self._send(Request(self._next, do))
                self._next += 1
