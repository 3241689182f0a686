"""A simulated table that plays by itself. Without a display, people can watch it on its web pages.

If a phone is connected to a seat, its owner plays that seat. A game without clues and guesses is
only started; then the table waits.
"""

import time
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from pi_table.common.geometry import CELLS, PLACES
from pi_table.common.language import Lang
from pi_table.common.output_locale import readers_language
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.seat import Role, Seat, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.views import PublicView
from pi_table.games.words.pack import packs
from pi_table.protocols.ipc.client import Client, Connected, Disconnected
from pi_table.protocols.ipc.messages import (
    Answer,
    PhoneState,
    Request,
    TableMessage,
    ToConsole,
    line,
    read_to_console,
)
from pi_table.simulator.emulated import Build
from pi_table.simulator.hands import Hands
from pi_table.simulator.processes import engine_running, games_kept, hands_at, pages_served
from pi_table.simulator.seat_links import SeatLinks

LOOK_SECONDS: Final = 0.05
"""Seconds between two checks whether the table must do something."""
THINK_SECONDS: Final = 4.0
"""Seconds for which each player thinks before acting."""
HELD_SECONDS: Final = 0.7
"""Seconds for which a finger is held on a place."""
RIGHT: Final = 0.8
"""Share of the guesses, from 0 to 1, that always choose a card of the guessing team. The others
choose any card."""
PROFILE: Final = "codenames"


def play_for_the_pages(
    profile: str | None,
    *,
    build: Build | None,
    web: int,
    state: Path | None = None,
    layout: str = "tiles",
) -> int:
    """Play one game after another until this program is ended. Return the exit status.

    The games are stored in ``state``, or by default in a temporary folder. ``layout`` is the
    layout of the lights. Raises DeviceError if another table uses that folder, or if the pages
    cannot be served at the port ``web``.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
        kept = stack.enter_context(games_kept(state or folder / "state"))
        hands = stack.enter_context(hands_at(folder, kept, build, layout))
        engine = stack.enter_context(engine_running(folder, kept, build, web=web, layout=layout))
        pages = stack.enter_context(pages_served(folder, web))
        client = stack.enter_context(closing(Client(folder / "console.sock", read_to_console)))
        players = Players(client, hands, profile or PROFILE, readers_language())
        while engine.poll() is None and pages.poll() is None:
            players.poll(time.monotonic())
            time.sleep(LOOK_SECONDS)
        return engine.poll() or pages.poll() or 1


class Players:
    def __init__(
        self,
        client: Client[ToConsole],
        hands: Hands,
        profile: str,
        lang: Lang,
        random: Random | None = None,
        think: float = THINK_SECONDS,
    ) -> None:
        self._client = client
        self._hands = hands
        self._profile = profile
        self._lang: Lang = lang
        self._random = random or Random()
        self._think = think
        self._words = [
            word
            for pack in packs().packs
            if pack.language == lang and pack.audience == "everybody"
            for word in pack.words
        ]
        self._links = SeatLinks(self._send)
        self._table: TableMessage | None = None
        self._key: str | None = None
        self._number = 0
        self._at = 0.0
        self._finger: int | None = None

    def poll(self, now: float) -> None:
        """Do what is due at the time ``now``, in seconds. ``now`` must never decrease."""
        for message in self._client.poll(now):
            if not self._links.handle(message):
                self._hear(message, now)
        self._hands.lights(now)
        if now < self._at:
            return
        if self._finger is not None:
            self._hands.release(self._finger)
            self._finger, self._at = None, now + self._think
        elif self._table is not None:
            self._at = now + self._think
            self._act(self._table, now)

    def _hear(self, message: Connected | Disconnected | ToConsole, now: float) -> None:
        if isinstance(message, TableMessage):
            if self._table is None or message.game != self._table.game:
                self._key = None
                self._at = now + self._think
            self._table = message
        elif isinstance(message, Answer) and message.ok and isinstance(message.told, dict):
            self._key = message.told.get("key", self._key)
        elif isinstance(message, Disconnected):
            self._table = None

    def _act(self, table: TableMessage, now: float) -> None:
        public = table.public
        if public is None or public.phase is Phase.OVER:
            options = {"lang": self._lang} if self._speaks() else {}
            self._ask("operator", "start", profile=self._profile, cards="dealt", options=options)
        elif public.turn is None or public.paused:
            return
        elif public.phase is Phase.CLUE:
            seat = seat_of(public.turn, Role.SPYMASTER)
            if not self._has_a_phone(table, seat):
                number = min(self._random.choice((1, 2, 2, 3)), public.left.of(public.turn))
                word = self._random.choice(self._words).lower()
                self._ask(seat.value, "clue", word=word, number=number)
        elif public.phase is Phase.GUESS and self._key is None:
            self._ask(seat_of(public.turn, Role.SPYMASTER).value, "look")
        elif public.phase is Phase.GUESS:
            self._touch(self._next_place(public, public.turn, self._key or ""), now)

    def _next_place(self, public: PublicView, turn: Team, key: str) -> str:
        number = public.clue.number if public.clue is not None else 1
        if isinstance(number, int) and public.guesses >= number:
            return "end-turn"
        covered = {name for name, cell in public.cells.items() if cell.covered is not None}
        left = [name for name in CELLS if name not in covered]
        own = [name for name in left if key[CELLS.index(name)] == turn.value[0]]
        right = self._random.random() < RIGHT
        return self._random.choice(own if own and right else left)

    def _touch(self, name: str, now: float) -> None:
        self._finger = PLACES.index(name)
        self._hands.touch(self._finger)
        self._at = now + HELD_SECONDS

    def _speaks(self) -> bool:
        return "lang" in PROFILES[self._profile].settings

    def _has_a_phone(self, table: TableMessage, seat: Seat) -> bool:
        phones = table.pages.phones if table.pages is not None else ()
        return any(each.seat is seat and each.state is PhoneState.HERE for each in phones)

    def _ask(self, seat: str, act: str, **more: Any) -> None:
        self._number += 1
        self._send(Request(self._number, {"act": act, "seat": seat, **more}))

    def _send(self, request: Request) -> None:
        self._client.send(line(request))
