"""The clips of the gallery. Each shows some seconds of a scenario, played on a simulated table."""

from collections.abc import Callable
from typing import Final

import msgspec

from pi_table.common.geometry import CELLS, PLACE_COUNT
from pi_table.lab.scenario_lines import (
    ALIAS_KEY,
    DISCUSSES,
    KEY,
    TURN_SECONDS,
    Line,
    act,
    cells_of,
    clue,
    codex_messages,
    codex_votes,
    game,
    guess,
    hold,
    tick,
)
from pi_table.simulator.stage import InstantTable

RED, BLUE, BYSTANDER, ASSASSIN = "A1", "B1", "C1", "C3"
"""Four cells of `KEY`, one of each identity."""
NUKE: Final = CELLS[ALIAS_KEY.index("a")]


class Clip(msgspec.Struct, frozen=True):
    """A few seconds of a table's lights, from which the gallery makes a moving picture."""

    name: str
    lines: tuple[Line, ...]
    """The scenario, in the form that `scenario` reads."""
    start: float
    """Time in seconds of the scenario at which the clip begins."""
    seconds: float
    hands: Callable[[InstantTable], None] | None = None
    """Function that touches or changes the table. It is called once, when the clip begins."""


PLAYING: Final = (game(), clue(3.0))
"""A game in which red may guess. At 6 seconds the lights are at rest."""
SEEN: Final = (
    game(),
    clue(1.0, number="unlimited"),
    *(guess(2.0 + number, cell) for number, cell in enumerate(("A1", "D1", "A2", "B1"))),
    clue(8.0, "blue", "unlimited"),
    *(guess(9.0 + n, cell, "blue") for n, cell in enumerate(("E1", "C2", "C1"))),
    clue(14.0, number=2),
)
"""A game with covered bystanders and agents of both teams, in which red may guess."""


def _red_wins(**options: str) -> tuple[Line, ...]:
    """Return a game in which red finds all its agents. It finds the last at 22 seconds."""
    found = (guess(6.0 + 2 * n, cell) for n, cell in enumerate(cells_of(KEY, "r")))
    return (game(**options), clue(3.0, number="unlimited"), *found)


def _blue_wins(by: str = "blue") -> tuple[Line, ...]:
    """Return a game in which all blue agents are found. The team ``by`` finds the last at 22
    seconds."""
    *most, last = cells_of(KEY, "b")
    found = (guess(8.0 + n, cell, "blue") for n, cell in enumerate(most))
    lines = (game(), clue(1.0), guess(2.0, BYSTANDER), clue(5.0, "blue", "unlimited"), *found)
    if by == "blue":
        return (*lines, guess(22.0, last, "blue"))
    ends = act(15.0, "blue-operatives", "stop")
    return (*lines, ends, clue(17.0), guess(22.0, last))


GROUP: Final = {"profile": "nome-in-codice", "players": "cooperative"}
"""Options of a game in which one group plays alone, as red."""


def _group_loses() -> tuple[Line, ...]:
    """Return a game in which a group plays alone, as red, and loses.

    Red touches a bystander in each turn, and then has to cover an agent of the absent team. At 44
    seconds red itself touches the last of these agents.
    """
    lines = [game(**GROUP)]
    at = 0.0
    for cell, covered in zip(cells_of(KEY, "n"), cells_of(KEY, "b"), strict=False):
        lines += [clue(at + 1.0), guess(at + 2.0, cell)]
        lines.append(act(at + 4.0, "red-spymaster", "cover", cell=covered))
        at += 6.0
    return (*lines, clue(at + 1.0), guess(at + 2.0, cells_of(KEY, "b")[-1]))


def _blue_targets_all() -> tuple[Line, ...]:
    """Return a game in which blue targets all assets of red. It targets the last at 22 seconds."""
    *most, last = cells_of(ALIAS_KEY, "r")
    found = (guess(8.0 + n, cell, "blue") for n, cell in enumerate(most))
    lines = (game("alias-24", ALIAS_KEY), clue(3.0, "blue", "unlimited"), *found)
    return (*lines, guess(22.0, last, "blue"))


def _lay_out_cards() -> tuple[Line, ...]:
    """Return a game in which the teams lay out their cards. They lay the last at 26.4 seconds."""
    laid = (line for number, cell in enumerate(CELLS) for line in hold(2.0 + number, cell))
    return (game("deep-undercover", None), *laid)


def _fail_and_repair(table: InstantTable) -> None:
    table.fail(*range(PLACE_COUNT))
    table.mend()


def _arm_nuke() -> tuple[Line, ...]:
    """Return a game in which thirteen aliases are targeted, the last at 21 seconds. This arms the
    nuke."""
    lines = [game("alias-24", ALIAS_KEY, nuke="mad")]
    blues, reds = cells_of(ALIAS_KEY, "b"), cells_of(ALIAS_KEY, "r")
    decoy = cells_of(ALIAS_KEY, "n")[0]
    lines.append(clue(1.0, "blue", "unlimited"))
    lines += [guess(2.0 + n, cell, "blue") for n, cell in enumerate([*reds[:7], decoy])]
    lines.append(clue(12.0, "red", "unlimited"))
    lines += [guess(17.0 + n, cell) for n, cell in enumerate(blues[:5])]
    return tuple(lines)


Deal = list[dict[str, str | int]]


def _dealt(deal: Deal | None = None) -> Line:
    return {"game": {"profile": "codex", "options": {}, "deal": deal}}


def _deal() -> Deal:
    """Return six agents. Red's code is ABCDEFGHJKLM, blue's is NPQRSTUVWXYZ."""
    fragments = {"red": ("ABCD", "EFGH", "JKLM"), "blue": ("NPQR", "STUV", "WXYZ")}
    return [
        {"nickname": name, "faction": team, "role": role, "position": n + 1, "fragment": fragment}
        for team, names in (("red", ("Ash", "Kite", "Wren")), ("blue", ("Moon", "Reed", "Flint")))
        for n, (name, role, fragment) in enumerate(
            zip(names, ("leader", "hacker", "informer"), fragments[team], strict=True)
        )
    ]


def _enter_code(agent: int, code: str) -> tuple[Line, ...]:
    """Return a game in which an agent (1 to 6) enters its faction's code, 5 seconds after the
    beginning of its turn at the hidden screen."""
    begins = TURN_SECONDS * (6 + agent - 1)
    name = f"agent-{agent}"
    return (
        *_codex("act", _deal()),
        act(begins + 2.0, name, "enter-code", code="1234"),
        act(begins + 5.0, name, "attempt", code=code),
    )


def _codex(until: str, deal: Deal | None = None) -> tuple[Line, ...]:
    """Return a game of Codex in which every agent sends a message. It goes on until the phase
    ``until``: ``act``, ``discuss``, or ``machine``."""
    lines = (_dealt(deal), *codex_messages())
    if until == "act":
        return lines
    if until == "discuss":
        return (*lines, tick(DISCUSSES))
    return (*lines, act(DISCUSSES + 5.0, "operator", "end-discussion"), *codex_votes())


CLIPS: Final[tuple[Clip, ...]] = (
    Clip("no-game", (tick(1.0),), 0.0, 2.0),
    Clip("attract", (tick(1.0),), 70.0, 8.0),
    Clip("join", (tick(1.0), *hold(71.0, "C3")), 70.5, 2.5),
    Clip("still-playing", PLAYING, 604.0, 5.0),
    Clip("begins", (game(), tick(3.0)), 0.0, 3.0),
    Clip("laying-out", (game("deep-undercover", None), *hold(2.0, "B2"), *hold(4.0, "D4")), 1.5, 5),
    Clip("laid-out", _lay_out_cards(), 25.5, 4.0),
    Clip("clue-awaited", (game(),), 3.0, 4.0),
    Clip("clue", (game(), clue(3.0)), 2.8, 2.5),
    Clip("turn-of-red", PLAYING, 6.0, 2.0),
    Clip("turn-of-blue", (*PLAYING, guess(6.0, BYSTANDER), clue(11.0, "blue")), 8.4, 6.0),
    Clip("hold", (*PLAYING, *hold(6.2, RED, 0.35)), 6.0, 1.2),
    Clip(
        "marks",
        (
            *SEEN,
            act(18.0, "red-operatives", "mark", cell="B3"),
            act(19.0, "red-operatives", "mark", cell="D4"),
            *hold(20.0, "B3", 0.35),
        ),
        17.5,
        3.5,
    ),
    Clip("refused", (game(), *hold(3.2, RED)), 3.0, 1.6),
    Clip("right", (*PLAYING, *hold(6.2, RED)), 6.0, 4.0),
    Clip("bystander", (*PLAYING, *hold(6.2, BYSTANDER)), 6.0, 5.0),
    Clip("wrong", (*PLAYING, *hold(6.2, BLUE)), 6.0, 5.0),
    Clip("assassin", (*PLAYING, *hold(6.2, ASSASSIN)), 6.0, 7.0),
    Clip("identities", SEEN, 18.0, 6.0),
    Clip("assassin-found", (*PLAYING, guess(6.0, ASSASSIN)), 20.0, 4.0),
    Clip("win-of-red", _red_wins(), 21.5, 11.0),
    Clip("win-of-blue", _blue_wins(), 21.5, 11.0),
    Clip("win-of-blue-by-red", _blue_wins("red"), 21.5, 11.0),
    Clip("win-of-blue-by-the-assassin", (*PLAYING, guess(6.0, ASSASSIN)), 9.0, 10.5),
    Clip("win-of-a-group", _red_wins(**GROUP), 21.5, 11.0),
    Clip(
        "win-of-three", _red_wins(profile="nome-in-codice", players="shared-operative"), 21.5, 11.0
    ),
    Clip("loss-of-a-group", (game(**GROUP), clue(3.0), guess(6.0, ASSASSIN)), 9.0, 10.0),
    Clip("loss-to-the-absent-team", _group_loses(), 45.5, 9.5),
    Clip("last-agent", _red_wins(), 19.5, 3.5),
    Clip("stopped", (*PLAYING, act(6.2, "operator", "abandon")), 6.0, 3.0),
    Clip("challenge", (*PLAYING, act(6.2, "blue-operatives", "challenge")), 6.0, 3.0),
    Clip(
        "penalty",
        (
            *PLAYING,
            act(6.0, "blue-operatives", "challenge"),
            act(9.2, "blue-spymaster", "uphold"),
            act(11.0, "blue-spymaster", "cover", cell="B1"),
        ),
        9.0,
        4.0,
    ),
    Clip("correction", (*PLAYING, guess(6.0, RED), act(9.2, "operator", "correct")), 9.0, 2.0),
    Clip("new-key", (game(), act(3.2, "red-spymaster", "new-key")), 3.0, 2.5),
    Clip(
        "allowed",
        (*PLAYING, act(6.0, "blue-operatives", "challenge"), act(9.2, "blue-spymaster", "allow")),
        9.0,
        2.5,
    ),
    Clip("group-covers", _group_loses(), 1.5, 5.0),
    Clip(
        "resumed",
        (*PLAYING, act(6.5, "operator", "pause"), act(9.2, "operator", "resume")),
        9.0,
        2.5,
    ),
    Clip("pause", (*PLAYING, act(6.5, "operator", "pause")), 6.0, 2.0),
    Clip(
        "hurry",
        (game(timer="hourglass", hourglass_seconds=15), clue(1.0), *hold(2.0, "hourglass")),
        6.5,
        3.0,
    ),
    Clip(
        "time-up",
        (game(timer="hourglass", hourglass_seconds=15), clue(1.0), *hold(2.0, "hourglass")),
        17.0,
        3.5,
    ),
    Clip("lift", PLAYING, 6.0, 1.5, lambda table: table.touch(0, 1, 5)),
    Clip("wipe-me", PLAYING, 6.0, 3.2, lambda table: table.wet(True)),
    Clip("fault", PLAYING, 6.0, 1.5, lambda table: table.fail(*range(PLACE_COUNT))),
    Clip("in-order", PLAYING, 6.0, 3.0, _fail_and_repair),
    Clip("phone", (*PLAYING, {"at": 6.5, "phone": "red-spymaster"}), 6.0, 3.2),
    Clip("peek", (*PLAYING, {"at": 6.5, "console": "peek"}), 6.0, 2.0),
    Clip(
        "key-revealed",
        (*SEEN, act(18.0, "operator", "abandon"), act(21.2, "operator", "reveal")),
        21.0,
        3.0,
    ),
    Clip("nuke-armed", _arm_nuke(), 20.8, 5.5),
    Clip("nuke", (*_arm_nuke(), guess(28.2, NUKE)), 28.0, 12.5),
    Clip("win-of-blue-by-assets", _blue_targets_all(), 21.5, 11.0),
    Clip(
        "win-of-red-by-the-nuke",
        (game("alias-24", ALIAS_KEY), clue(3.0, "blue"), guess(6.0, NUKE, "blue")),
        6.0,
        13.5,
    ),
    Clip("codex-called", (_dealt(),), 0.0, 4.0),
    Clip("codex-talk", _codex("discuss"), DISCUSSES, 3.0),
    Clip("codex-votes", _codex("machine"), DISCUSSES + 5.0, 9.0),
    Clip("codex-machine", _codex("machine"), DISCUSSES + 22.5, 5.0),
    Clip(
        "codex-fact",
        (
            *_codex("machine"),
            act(DISCUSSES + 29.0, "agent-1", "enter-code", code="1234"),
            act(DISCUSSES + 31.0, "agent-1", "reveal", fact="role"),
        ),
        DISCUSSES + 30.5,
        4.0,
    ),
    Clip("codex-win-of-red", _enter_code(1, "ABCDEFGHJKLM"), 274.5, 10.5),
    Clip("codex-win-of-blue", _enter_code(4, "NPQRSTUVWXYZ"), 409.5, 10.5),
    Clip(
        "codex-revealed",
        (*_enter_code(1, "ABCDEFGHJKLM"), act(285.0, "operator", "reveal")),
        284.5,
        3.0,
    ),
)
