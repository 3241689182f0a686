"""Somebody who plays whatever is on the table, at random: by what a message for the console says.

Acts are mostly sensible, so that games get far; the player sees what the hidden screen shows.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from pi_table.common.geometry import AGENT_CELLS, CELLS

Json = dict[str, Any]

GAMES: Final[tuple[tuple[str, Json], ...]] = (
    ("codenames", {"timer": "clock", "clue_seconds": 20, "guess_seconds": 20}),
    ("codenames", {"players": "shared-operative", "timer": "hourglass", "hourglass_seconds": 10}),
    ("nome-in-codice", {"players": "cooperative", "timer": "clock", "clock_end": "end-turn"}),
    ("nome-in-codice", {"players": "shared-operative"}),
    ("deep-undercover", {}),
    ("alias-24", {"nuke": "basic"}),
    ("alias-24", {"nuke": "mad", "dealing": "shared"}),
    ("codex", {"visit_seconds": 6, "discussion_seconds": 4}),
)
"""Every profile, and settings with which all that can happen in one does."""
WEIGHTS: Final = {
    "place": 30,
    "choose": 4,
    "clue": 6,
    "guess": 12,
    "cover": 6,
    "correct": 2,
    "resume": 6,
    "send": 8,
    "hack": 4,
    "ask": 8,
    "extort": 4,
    "attempt": 4,
    "choose-code": 12,
    "vote": 30,
    "enter-code": 20,
    "reveal": 12,
    "end-discussion": 8,
    **dict.fromkeys(("record", "start", "next"), 0),
}
"""Weight of an act where it is possible; 1 for the others."""
SELDOM: Final = ("abandon", "pause", "new-key", "new-code", "challenge")
"""Acts that would end, delay or repeat too much if they were as frequent as the rest."""
REVEALABLE: Final = ("faction", "role", "position", "fragment")
TELLABLE: Final = ("nickname", "faction", "role", "position")


def likely(may: dict[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the possible seats and acts; repeat those that move the game, by their weights."""
    acts = [(seat, act) for seat, doable in may.items() for act in doable]
    return [done for done in acts for _ in range(WEIGHTS.get(done[1], 1))]


AT_THE_SCREEN: Final = {
    "choose": ("choose-code",),
    "enter": ("enter-code",),
    "send": ("send", "hack", "done"),
    "act": ("ask", "extort", "attempt", "done"),
    "machine": ("reveal",),
}
"""Acts to try for the agent at the hidden screen, by the door's code or by the phase. Only that
agent gets the list of allowed acts."""


def everything(table: Json) -> dict[str, Sequence[str]]:
    """Return the acts to try now, by seat."""
    may: dict[str, Sequence[str]] = table["may"]
    door = table.get("door")
    if door is None or door["seat"] in may or door["code"] == "locked" or door["done"]:
        return may
    what = table["public"]["phase"] if door["code"] == "open" else door["code"]
    return {**may, door["seat"]: AT_THE_SCREEN[what]}


def next_act(table: Json, chance: Random, right_code: str = "") -> Json:
    """Something to do: ``{"touch": place}``, or an act as the console asks for it.

    ``right_code`` is one that an agent of Codex may happen to know.
    """
    seat, act = chance.choice(likely(everything(table)) or [("operator", "next")])
    if act in SELDOM and chance.random() < 0.9:
        act = "look"
    place = _place(act, seat, table, chance)
    if place is not None and chance.random() < 0.9:
        return {"touch": place}
    return {"seat": seat, "act": act, **_fields(act, seat, table, chance, right_code)}


def _place(act: str, seat: str, table: Json, chance: Random) -> str | None:
    """Where a finger does this, None where none can."""
    match act:
        case "guess" | "place":
            return chance.choice(_free(table, act, chance))
        case "stop" | "end-discussion":
            return "end-turn"
        case "vote":
            return CELLS[AGENT_CELLS[chance.choice(_others(seat))]]
    return None


def _free(table: Json, act: str, chance: Random) -> list[str]:
    """The cells to touch; mostly not the one that ends the game."""
    public, key = table["public"], table["key"]
    cells = [cell for cell, state in public["cells"].items() if state["covered"] is None]
    cells = [cell for cell in cells if cell not in public.get("placed", ())]
    if public["profile"] == "alias-24":
        cells.remove("C3")
    if act == "guess" and key is not None and chance.random() < 0.98:
        cells = [cell for cell in cells if key[CELLS.index(cell)] != "a"] or cells
    return cells


def _others(seat: str) -> list[int]:
    return [agent for agent in range(6) if f"agent-{agent + 1}" != seat]


def _fields(act: str, seat: str, table: Json, chance: Random, right_code: str) -> Json:
    match act:
        case "guess" | "place":
            return {"cell": chance.choice(_free(table, act, chance))}
        case "choose":
            return {"word": chance.choice(table["public"]["hands"][table["public"]["turn"]])}
        case "clue":
            return {"number": chance.choice([1, 1, 2, 3, "unlimited"]), "word": "sea"}
        case "correct":
            return chance.choice([{}, {"number": 2}])
        case "cover":
            return {"cell": _to_cover(table, chance)}
        case "send":
            facts = chance.sample(TELLABLE, 2)
            to = chance.choice(_others(seat))
            return {"to": f"agent-{to + 1}", "facts": chance.choice((facts[:1], ["role"]))}
        case "hack" | "vote" | "new-code":
            return {"target": f"agent-{chance.choice(_others(seat)) + 1}"}
        case "ask":
            return {"message": chance.choice((1, 1, 2)), "fact": chance.choice(TELLABLE)}
        case "extort":
            return {"fact": chance.choice(REVEALABLE)}
        case "attempt":
            right = right_code and chance.random() < 0.1
            return {"code": right_code if right else "ABCDEFGH2345"}
        case "choose-code" | "enter-code":
            own = f"{seat[-1]}234"
            return {"code": own if act == "choose-code" or chance.random() < 0.8 else "0000"}
        case "reveal":
            return {"fact": chance.choice(REVEALABLE)}
    return {}


def _to_cover(table: Json, chance: Random) -> str:
    """A cell that the spymaster may cover."""
    public, key = table["public"], table["key"]
    own = public["phase"] == "penalty" and public["profile"] != "alias-24"
    letter = public["turn"][0] if own else {"red": "b", "blue": "r"}[public["turn"]]
    free = _free(table, "cover", chance)
    return chance.choice([cell for cell in free if key[CELLS.index(cell)] == letter])
