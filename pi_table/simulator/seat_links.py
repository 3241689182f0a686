"""The links of phones, told in the terminal: nobody scans a code off the window's hidden screen."""

from collections.abc import Callable
from typing import Final

from pi_table.ipc.client import Connected, Disconnected
from pi_table.ipc.messages import Answer, AnyTableMessage, Request, ToConsole
from pi_table.language import for_reader, say
from pi_table.rules.seat import Role, Seat

FIRST_ID: Final = 1_000_000
"""Our requests are numbered from here, and the console's from 1."""
OF_PHONES: Final = (Role.SPYMASTER, Role.AGENT)
"""Whose phones show what is hidden."""


class SeatLinks:
    """Asks, once in a game, for a link for each seat that has none, and tells it."""

    def __init__(
        self,
        send: Callable[[Request], None],
        tell: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        self._send = send
        self._tell = tell
        self._asked: set[tuple[int, Seat]] = set()
        """The games and seats for which a link was asked."""
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
                self._tell(for_reader(say("Page of {seat}: {link}", seat=seat.value, link=link)))
            return message.id >= FIRST_ID
        if isinstance(message, AnyTableMessage):
            self._ask(message)
        return False

    def _ask(self, table: AnyTableMessage) -> None:
        if table.pages is None or table.game is None or table.public is None:
            return
        if table.public.outcome is not None:
            return
        self._address = table.pages.address
        linked = {each.seat for each in table.pages.phones}
        for seat in (Seat(name) for name in table.may if Seat(name).role in OF_PHONES):
            if seat not in linked and (table.game, seat) not in self._asked:
                self._asked.add((table.game, seat))
                self._waits[self._next] = seat
                do = {"act": "phone", "seat": "operator", "for": seat.value}
                self._send(Request(self._next, do))
                self._next += 1
