"""Finished games as tables tell them: real games by the rules, played at random.

Some games are played, and stand for many: ids, tables, numbers and evenings differ. The same seed
gives the same records.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from random import Random
from typing import Any, Final

import codex_walks
import msgspec
from msgspec.structs import replace
from random_player import next_act
from shipped_packs import shipped_pack

from pi_table.common.geometry import CELLS
from pi_table.fleet.collector.record import Record
from pi_table.games.rules import games
from pi_table.games.rules.events import Event
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.events import Dealt, FromPack
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.protocols.ipc.house import FinishedGame
from pi_table.table.engine.storage.finished import build_finished_game

TABLES: Final = ("rome-1", "rome-2", "milan-1", "turin-1")
FIRST_EVENING: Final = datetime(2026, 9, 1, 18, 30, tzinfo=UTC)
VERSION: Final = "0.7.0"
KINDS: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    *[("codenames", {}, "english")] * 3,
    *[("nome-in-codice", {"lang": "it"}, "italiano")] * 4,
    ("codenames", {"players": "shared-operative"}, "english"),
    ("alias-24", {}, "english"),
)
"""Kinds of nine games in a row: profile, options, the pack of the words."""
CLUES: Final = ("flight", "sea", "holiday", "kitchen", "mountain", "school", "winter", "circus")
SKILL: Final = 0.6
"""Probability (0 … 1) that people guess the meant word."""
PAUSES: Final = {"clue": 45.0, "guess": 20.0}
"""Seconds that people think, in the middle."""


def records(seed: int, tables: Sequence[str] = TABLES, different: int = 40) -> Iterator[Record]:
    """Records without end, of so many ``different`` games. Some tables are busier than others."""
    chance = Random(f"records/{seed}")
    numbers = {table: count(1) for table in tables}
    shares = [1 / (1 + at) for at in range(len(tables))]
    for at in count():
        (table,) = chance.choices(tables, shares)
        game = played(chance.randrange(different))
        evening = FIRST_EVENING + timedelta(days=at // (6 * len(tables)))
        begun = evening + timedelta(minutes=chance.randrange(300))
        yield told(
            game,
            table=table,
            game=f"{chance.getrandbits(128):032x}",
            number=next(numbers[table]),
            begun=begun.isoformat(),
        )


def told(finished_game: FinishedGame, /, **fields: Any) -> Record:
    """A game as the bridge of a table tells it, with other ``fields``."""
    known = {"table": TABLES[0], "version": VERSION, **msgspec.structs.asdict(finished_game)}
    return Record(**{**known, **fields})


@cache
def played(seed: int) -> FinishedGame:
    """A game that is played to its end."""
    chance = Random(f"played/{seed}")
    while True:
        game = build_finished_game("0" * 32, 1, FIRST_EVENING.isoformat(), _history(chance))
        if game is not None:
            return game


def _history(chance: Random) -> list[Event]:
    profile, options, pack = chance.choice(KINDS)
    words: list[str | None] = [*chance.sample(shipped_pack(pack).words, 25)]
    empty = LAYOUTS[profile].without_card
    if empty is not None:
        words[empty] = None
    drawn, now = codex_walks.Drawn(chance), 0.0
    opening = games.read_opening({"profile": profile, "options": options, "words": words}, drawn)
    assert isinstance(opening, Dealt)
    opening = replace(opening, deck=FromPack(pack, 1, tuple(word for word in words if word)))
    state = games.evolve(None, opening)
    history: list[Event] = [opening]
    for _ in range(400):
        assert isinstance(state, State)
        line = _line(state, chance)
        if line.get("act") == "abandon" and chance.random() < 0.9:
            continue
        now += chance.lognormvariate(math.log(PAUSES.get(line["act"], 2.0)), 0.7)
        try:
            seat = games.read_seat(line["seat"], state.board)
            act = games.read_act(line, state, drawn)
            state, events = games.step(state, seat, act, now)
        except Refused:
            continue
        history += events
        if state.board.outcome is not None:
            break
    return history


def _line(state: State, chance: Random) -> dict[str, Any]:
    """Something to do, as the console asks for it, or as an operative's finger does."""
    board = state.board
    public = msgspec.to_builtins(games.public_view(board, 0.0))
    may = {seat.value: games.may(state, seat) for seat in games.seats(board)}
    key = None if state.key is None else state.key.letters
    do = next_act({"may": may, "public": public, "key": key}, chance)
    if do.get("act") == "clue":
        do["word"] = chance.choice(CLUES)
    if "touch" not in do:
        return do
    seat = f"{public['turn']}-operatives"
    if do["touch"] == "end-turn":
        return {"seat": seat, "act": "stop"}
    cell = do["touch"]
    if key is not None and chance.random() < SKILL:
        meant = [
            label
            for label, seen in public["cells"].items()
            if seen["covered"] is None and key[CELLS.index(label)] == public["turn"][0]
        ]
        cell = chance.choice(meant or [cell])
    return {"seat": seat, "act": "guess", "cell": cell}
