"""The mark of the games sent: stored whole, and never moved before a game is sent."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import virtual_loop
from house_table import HOUSE, finished
from msgspec.structs import replace

from pi_table.common.errors import StorageError
from pi_table.fleet.bridge.broker_link import BrokerClient, BrokerLink
from pi_table.fleet.bridge.outbox import Message
from pi_table.fleet.bridge.record_teller import (
    GAMES_A_SECOND,
    GAMES_AT_ONCE,
    RETRY_SECONDS,
    RecordTeller,
)
from pi_table.fleet.bridge.records import SETTLED_SECONDS, SentGames, ask_again
from pi_table.fleet.bridge.table_link import HouseLink
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import Answer


def known(number: int, revision: int = 40) -> Latest:
    return Latest(number, finished(number).game, revision)


def told(folder: Path, *numbers: int) -> SentGames:
    """These games were told long ago, and hold for good."""
    it = SentGames(folder)
    for number in numbers:
        it.on_acknowledged(finished(number), 0.0)
    it.settle(SETTLED_SECONDS)
    return it


def test_what_was_told_long_ago_is_known_after_a_new_start(tmp_path: Path) -> None:
    it = SentGames(tmp_path / "bridge")
    it.read()
    assert it.latest is None
    assert it.question() == {"act": "finished", "seat": "operator", "after": None}
    told(tmp_path / "bridge", 6, 7)
    again = SentGames(tmp_path / "bridge")
    again.read()
    assert again.latest == known(7)
    assert again.question()["after"] == {"number": 7, "game": finished(7).game, "revision": 40}
    assert again.path.stat().st_mode & 0o777 == 0o600


def test_what_was_told_lately_is_told_again_over_a_new_connection(tmp_path: Path) -> None:
    it = told(tmp_path, 7)
    it.on_acknowledged(finished(8), 4000.0)
    it.on_acknowledged(finished(9), 5000.0)
    assert it.all_of(known(9))
    assert it.settles_at() == 4000.0 + SETTLED_SECONDS
    it.settle(3999.0 + SETTLED_SECONDS)
    it.on_new_connection()
    assert it.latest == known(7)
    it.on_acknowledged(finished(8), 7000.0)  # once more: what counts is when it was told first
    it.settle(4000.0 + SETTLED_SECONDS)
    it.on_new_connection()
    assert it.latest == known(8)
    assert it.settles_at() == 5000.0 + SETTLED_SECONDS
    it.settle(5000.0 + SETTLED_SECONDS)
    assert it.settles_at() is None
    again = SentGames(tmp_path)
    again.read()
    assert again.latest == known(9)


def test_a_correction_holds_after_the_game_that_it_corrects(tmp_path: Path) -> None:
    it = told(tmp_path)
    it.on_acknowledged(finished(8), 100.0)
    it.on_acknowledged(finished(8, 44), 200.0)
    it.settle(150.0 + SETTLED_SECONDS)
    it.on_new_connection()
    assert it.latest == known(8)
    assert not it.all_of(known(8, 44))
    it.settle(200.0 + SETTLED_SECONDS)
    it.on_new_connection()
    assert it.latest == known(8, 44)


@pytest.mark.parametrize(
    ("latest", "all_told"),
    [
        (None, True),
        (Latest(7, finished(7).game, 40), True),
        (Latest(8, finished(8).game, 12), False),
        (Latest(7, finished(7).game, 44), False),  # it was corrected
        (Latest(7, "f" * 32, 40), False),  # another journal
        (Latest(2, "f" * 32, 40), False),  # another journal, and a shorter one
    ],
)
def test_there_is_more_to_tell(tmp_path: Path, latest: Latest | None, all_told: bool) -> None:
    assert told(tmp_path, 7).all_of(latest) is all_told


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\0" * 100, b'{"number": 7}', b"[" * 1024])
def test_a_damaged_file_is_told_of_and_all_is_told_again(tmp_path: Path, text: bytes) -> None:
    it = told(tmp_path, 7)
    it.path.write_bytes(text)
    with pytest.raises(StorageError, match="is damaged"):
        it.read()
    assert it.latest is None


def test_a_file_that_cannot_be_read_or_written_is_told_of(tmp_path: Path) -> None:
    it = SentGames(tmp_path)
    it.path.mkdir()
    with pytest.raises(StorageError, match="cannot be read"):
        it.read()
    it.on_acknowledged(finished(7), 0.0)
    with pytest.raises(StorageError, match="cannot be written"):
        it.settle(SETTLED_SECONDS)
    it.on_new_connection()
    assert it.latest == known(7)  # it holds, for as long as this runs


@pytest.mark.parametrize("restarts", [False, True])
def test_all_games_are_told_again_when_that_is_asked_for(tmp_path: Path, restarts: bool) -> None:
    it = told(tmp_path, 6, 7)
    it.on_acknowledged(finished(8), 5000.0)
    assert not it.begin_again()
    ask_again(tmp_path)
    it.settle(5000.0 + SETTLED_SECONDS)  # a bridge that runs settles as if nothing had been asked
    if restarts:
        it = SentGames(tmp_path)
        it.read()
    assert it.begin_again()
    assert it.question()["after"] is None
    assert it.settles_at() is None
    assert not it.path.exists()
    assert not it.begin_again()  # once
    it.on_acknowledged(finished(6), 9000.0)
    it.settle(9000.0 + SETTLED_SECONDS)
    again = SentGames(tmp_path)
    again.read()
    assert again.latest == known(6)


def test_what_cannot_be_asked_for_or_begun_again_is_told_of_and_changes_nothing(
    tmp_path: Path,
) -> None:
    it = told(tmp_path / "bridge", 7)
    (tmp_path / "bridge/tell-again").mkdir()
    with pytest.raises(StorageError, match="Nothing is sent again"):
        ask_again(tmp_path / "bridge")
    with pytest.raises(StorageError, match=r"should be sent again, but .* cannot be removed"):
        it.begin_again()
    assert it.latest == known(7)


class Taking:
    """A line to a broker that takes what it is told, and has somebody who asked for it."""

    def __init__(self) -> None:
        self.took: list[int] = []
        """The numbers of games."""

    async def tell(self, message: Message) -> bool:
        self.took.append(msgspec.json.decode(message.payload)["number"])
        return True


class Asked:
    """A table with these finished games, of which it tells ten at a time."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers

    async def ask(self, question: Any) -> Answer:
        after = question["after"]["number"] if question["after"] else 0
        games = [finished(number) for number in self._numbers if number > after][:10]
        return Answer(1, ok=True, told=msgspec.to_builtins(games))


def teller_at(folder: Path, *numbers: int) -> RecordTeller:
    """Return the teller of a table with these games."""
    topics = Topics("pi-table", "window", "")
    newest = replace(HOUSE, latest=known(numbers[-1]))
    link, house = cast(BrokerLink, None), cast(HouseLink, Asked(*numbers))
    return RecordTeller(folder, topics, house, link, lambda: newest)


def test_what_a_table_has_of_years_is_sent_as_fast_as_a_collector_takes_it_in(
    tmp_path: Path,
) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        line = Taking()
        telling = loop.create_task(
            teller_at(tmp_path, *range(1, 201)).tell(cast(BrokerClient, line))
        )
        await asyncio.sleep(0.5)
        assert len(line.took) == GAMES_AT_ONCE
        await asyncio.sleep(100.0)
        assert abs(len(line.took) - GAMES_AT_ONCE - 100 * GAMES_A_SECOND) <= 1
        await asyncio.sleep(100.0)
        assert line.took == [*range(1, 201)]
        telling.cancel()

    virtual_loop.run(scene)


def test_a_bridge_that_runs_sends_all_games_again_within_a_minute(tmp_path: Path) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        line = Taking()
        telling = loop.create_task(teller_at(tmp_path, 7).tell(cast(BrokerClient, line)))
        await asyncio.sleep(2 * SETTLED_SECONDS)
        assert line.took == [7]
        ask_again(tmp_path)
        await asyncio.sleep(RETRY_SECONDS + 1.0)
        assert line.took == [7, 7]
        await asyncio.sleep(2 * SETTLED_SECONDS)
        assert line.took == [7, 7]
        assert SentGames(tmp_path).path.exists()
        telling.cancel()

    virtual_loop.run(scene)


def test_the_seconds_of_several_connections_count_together(tmp_path: Path) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        teller = teller_at(tmp_path, 7)
        for share in (0.4, 0.7):
            assert not SentGames(tmp_path).path.exists()
            with suppress(TimeoutError):
                async with asyncio.timeout(share * SETTLED_SECONDS):
                    await teller.tell(cast(BrokerClient, Taking()))
        assert SentGames(tmp_path).path.exists()

    virtual_loop.run(scene)
