"""The table's end of its public socket and of that of the house, by a script, for the bridge."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc import house, messages
from pi_table.protocols.ipc.house import FinishedGame, HouseMessage, HouseSettings, Latest
from pi_table.protocols.ipc.messages import Answer, AnyPublicMessage, PublicMessage, Said
from pi_table.protocols.ipc.server import Server, Viewer

PUBLIC = PublicMessage(None, out_of_order=False)
SETTINGS = HouseSettings(
    brightness=80,
    volume=60,
    muted=False,
    quiet_from="00:00",
    quiet_until="00:00",
    idle_lights=True,
    out_of_service=False,
)
HOUSE = HouseMessage(
    version="0.7.0",
    faults=(),
    out_of_order=False,
    link=True,
    deaf=(),
    wet=False,
    can_store=True,
    counts={"link_lost": 0},
    settings=SETTINGS,
    latest=None,
    locating=False,
    kept_free=False,
)


def finished(number: int, revision: int = 40) -> FinishedGame:
    """The game of that number, finished."""
    return FinishedGame(
        game=f"{number:032x}",
        number=number,
        revision=revision,
        begun="2026-11-24T20:15:00Z",
        profile="codenames",
        lang="en",
        seconds=900.0,
        outcome=Outcome(Team.RED, (Team.BLUE,), Why.AGENTS),
        turns=7,
    )


def said(number: int, what: str = "turn", after: float = 0.0) -> Said:
    """A sentence that was announced."""
    return Said(number, what, {"en": "Red’s turn.", "it": "Tocca al Rosso."}, after, False)


class HouseTable:
    """A table that says what it is told to, and keeps what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.public: AnyPublicMessage = PUBLIC
        self.house = HOUSE
        self.games: list[FinishedGame] = []
        self.asked: list[dict[str, Any]] = []
        """The orders received, without requests for finished games."""
        self.refuses: str | None = None
        """The sentence with which orders are refused; None: they are done."""
        self.hears = True
        """True if the table answers."""
        self.unanswered: list[tuple[int, Viewer]] = []
        """The requests without an answer."""
        self._servers: tuple[Server, ...] = ()

    async def come(self) -> None:
        """Open the sockets."""
        public = Server(lambda: messages.line(self.public))
        private = Server(lambda: house.line(self.house), self._hear, most=4)
        await public.open(self.folder / "public.sock", 0o666)
        await private.open(self.folder / "house.sock", 0o660)
        self._servers = (public, private)

    async def go(self) -> None:
        """Close them, as when the table ends."""
        for each in self._servers:
            each.close()
        self._servers = ()
        await asyncio.sleep(0)

    def show(self, message: AnyPublicMessage) -> None:
        """Everybody is told this."""
        self.public = message
        self._publish()

    def fare(self, **changed: Any) -> None:
        """The house is told this."""
        self.house = replace(self.house, **changed)
        self._publish()

    def finish(self, game: FinishedGame) -> None:
        """A game has ended, or was corrected."""
        self.games = [*(each for each in self.games if each.number != game.number), game]
        self.fare(latest=Latest(game.number, game.game, game.revision))

    def _publish(self) -> None:
        for each in self._servers:
            each.publish()

    def _hear(self, text: bytes, viewer: Viewer) -> None:
        request = messages.read_request(text)
        if not self.hears:
            self.unanswered.append((request.id, viewer))
            return
        if request.do["act"] == "finished":
            answer = Answer(request.id, True, told=msgspec.to_builtins(self._after(request.do)))
        else:
            self.asked.append(request.do)
            answer = Answer(request.id, self.refuses is None, None, self.refuses)
        viewer.answer(messages.line(answer))

    def _after(self, do: dict[str, Any]) -> list[FinishedGame]:
        after = None if do["after"] is None else msgspec.convert(do["after"], Latest)
        known = {each.number: each.game for each in self.games}
        if after is None or known.get(after.number) != after.game:
            return self.games[: house.MAX_FINISHED_GAMES]
        return [
            each
            for each in self.games
            if (each.number, each.revision) > (after.number, after.revision)
        ][: house.MAX_FINISHED_GAMES]


@asynccontextmanager
async def table_in(folder: Path) -> AsyncIterator[HouseTable]:
    """A table whose sockets lie in a folder."""
    table = HouseTable(folder)
    await table.come()
    try:
        yield table
    finally:
        await table.go()
