"""The links of phones, told in the terminal: nobody scans a code off the window's hidden screen.

Each holds for a minute, as its code would; then there is another, until a phone has the seat.
"""

from collections.abc import Callable
from typing import Final

from pi_table.common.language import for_reader, say
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, AnyTableMessage, Request, ToConsole

FIRST_ID: Final = 1_000_000
"""Our requests are numbered from here, and the console's from 1."""
OF_PHONES: Final = (Role.SPYMASTER, Role.AGENT)
"""Whose phones show what is hidden."""


class SeatLinks:
    """Asks for a link for each seat that has none, and tells it."""

    def __init__(
        self,
        send: Callable[[Request], None],
        tell: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        self._send = send
        self._tell = tell
        self._refused: set[tuple[int | None, Seat]] = set()
        """The games and seats for which there is no link."""
        self._game: int | None = None
        self._waits: dict[int, Seat] = {}
        """The seats whose links are on their way, by the numbers of the requests."""
        self._address = ""
        self._next = FIRST_ID

    def took(self, message: Connected | Disconnected | ToConsole) -> bool:
        """Look at what the table says; is it an answer to a request of ours?"""
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
