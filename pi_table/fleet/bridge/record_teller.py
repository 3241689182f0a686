"""Sends the table's finished games to the broker, and repeats each game until a subscriber gets it.

If the broker refuses a game, or no client has subscribed to its topic, the game is sent again each
minute. Until it is accepted, the game stays in the journal, and no later game is sent. On a new
connection the games of the last hour are sent again, because the broker may have lost them in a
power cut.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pi_table import __version__
from pi_table.common.errors import InputError, StorageError
from pi_table.common.pacing import RateLimit
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.broker_link import BrokerClient, BrokerLink, NotAccepted
from pi_table.fleet.bridge.outbox import Message
from pi_table.fleet.bridge.records import SentGames
from pi_table.fleet.bridge.table_link import HouseLink, TableAway
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import FinishedGame, HouseMessage, Latest, read_finished

log = logging.getLogger("pi_table")

RETRY_SECONDS: Final = 60.0
"""Seconds after which a game that was not accepted is sent again. At this interval, the bridge also
checks whether `ask_again` was called."""
GAMES_AT_ONCE: Final = 20
"""Maximum number of games sent without a pause: the games of an evening, and a few more."""
GAMES_A_SECOND: Final = 1.0
"""Rate limit in games per second after the first ``GAMES_AT_ONCE`` games. A broker silently drops
messages if a collector is too slow, and many tables may send all their games at the same time."""


class RecordTeller:
    """Sends finished games, and stores in ``folder`` which games have been sent. ``newest`` returns
    the newest message from the house socket."""

    def __init__(
        self,
        folder: Path,
        topics: Topics,
        house: HouseLink,
        link: BrokerLink,
        newest: Callable[[], HouseMessage | None],
    ) -> None:
        self.news = asyncio.Event()
        """Event that is set when the table may have finished another game."""
        self._topics = topics
        self._house = house
        self._link = link
        self._newest = newest
        self._nothing_after: Latest | None = None
        """The latest finished game at the time when all games had been sent. The bridge asks the
        table for more games only after the table reports a later game."""
        self._connected = 0.0
        """Total length in seconds of all earlier connections."""
        self._since = 0.0
        self._limit = RateLimit(GAMES_AT_ONCE, GAMES_A_SECOND)
        self._told = SentGames(folder)
        try:
            self._told.read()
        except StorageError as error:
            log.error("%s", error)

    async def tell(self, line: BrokerClient) -> None:
        """Send finished games over a new connection. Raises MqttError when it is lost."""
        self._since = asyncio.get_running_loop().time()
        self._told.on_new_connection()
        self._nothing_after = None
        try:
            while True:
                self._begin_again()
                self._settle()
                house = self._newest()
                latest = None if house is None else house.latest
                if self._told.all_of(latest) or latest == self._nothing_after:
                    await self._wait_for_news()
                elif not await self._tell_some(line, latest):
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._connected = self._now()

    def _now(self) -> float:
        """Return the total length of all connections in seconds, including the current one."""
        return self._connected + asyncio.get_running_loop().time() - self._since

    def _begin_again(self) -> None:
        try:
            if self._told.begin_again():
                self._nothing_after = None
                log.info("All finished games are sent again, as requested.")
        except StorageError as error:
            self._link.say_once(str(error))

    def _settle(self) -> None:
        try:
            self._told.settle(self._now())
        except StorageError as error:
            self._link.say_once(str(error))

    async def _wait_for_news(self) -> None:
        seconds, settles_at = RETRY_SECONDS, self._told.settles_at()
        if settles_at is not None:
            # One second more, so that the game is surely due despite rounding.
            seconds = min(seconds, settles_at - self._now() + 1.0)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.news.wait()
        self.news.clear()

    async def _tell_some(self, line: BrokerClient, latest: Latest | None) -> bool:
        """Ask the table for the next games and send them; return True if the broker accepted all of
        these games."""
        try:
            games = await self._games()
        except TableAway:
            return False
        except InputError as error:
            self._link.say_once(str(error))
            return False
        if not games:
            self._nothing_after = latest
        for game in games:
            await self._wait_for_turn()
            if not await self._tell_one(line, game):
                return False
        return True

    async def _wait_for_turn(self) -> None:
        while not self._limit.spend(1, asyncio.get_running_loop().time()):
            await asyncio.sleep(1 / GAMES_A_SECOND)

    async def _games(self) -> tuple[FinishedGame, ...]:
        answer = await self._house.ask(self._told.question())
        if not answer.ok:
            raise InputError(answer.sentence or "The table does not tell finished games.")
        return read_finished(answer.told)

    async def _tell_one(self, line: BrokerClient, game: FinishedGame) -> bool:
        topic = self._topics.of("record")
        house = self._newest()
        version = __version__ if house is None else house.version
        record = payloads.record(game, self._topics.table, version)
        try:
            asked_for = await line.tell(Message(topic, record))
        except NotAccepted:
            self._link.say_not_taken(topic)
            return False
        if not asked_for:
            self._link.say_once(
                "Nobody at the broker gathers finished games, so they wait in the table's journal."
            )
            return False
        self._told.on_acknowledged(game, self._now())
        return True
