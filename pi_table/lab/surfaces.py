"""The surfaces that `legibility.py` measures: the pages and the hidden screen, the moments of games
that they show, and the groups of their texts.

Every visible text of a page belongs to the first group whose selector matches the text's element or
an ancestor. A text without a group is one of the "other texts", which must be readable.
"""

from typing import Final, NamedTuple

from pi_table.lab.scenario_lines import ATTEMPTED, DISCUSSES, TURN_SECONDS

HANDS: Final = "deep-undercover, known words"
"""The game in which the teams lay out words that the table knows."""
PHONES: Final = "codex, phones"
"""The game of Codex in which all agents have their visits on phones."""
ENDED: Final = "codex, ended"
"""The game of Codex in which an agent enters its faction's code."""


class Moment(NamedTuple):
    """A time ``at`` (seconds) in a game: a walk, `HANDS`, `PHONES`, `ENDED`, or "" before any game.

    ``pressed`` lists what is pressed at that time. On the phone of ``seat``, these are the keys of
    buttons; on the console, inputs; on the board, CSS selectors of buttons or of a dialog to open.
    If ``holds`` is true, a finger is held on the phone.
    """

    game: str
    at: float
    seat: str = ""
    pressed: tuple[str, ...] = ()
    holds: bool = False


class Group(NamedTuple):
    """A CSS selector for texts. ``needless`` says why players need not read them; "" if they
    must."""

    selector: str
    needless: str = ""


class Device(NamedTuple):
    """A screen of ``size`` pixels. ``width`` and the reader's ``distance`` are in millimetres."""

    name: str
    size: tuple[int, int]
    width: float
    distance: float


class Page(NamedTuple):
    """A page of the web site, with the moments and the devices at which it is measured."""

    reader: str
    name: str
    moments: tuple[Moment, ...]
    groups: dict[str, Group]
    devices: tuple[Device, ...]


TELEVISION: Final = Device("television, 43 inches", (1920, 1080), 952.0, 4000.0)
PHONE: Final = Device("phone", (390, 844), 64.6, 350.0)
SMALL_PHONE: Final = Device("small phone", (360, 640), 62.0, 350.0)

_IDLE: Final = 12 * 58.0
"""Seconds: a time long after a game, when the scenes of attract mode begin again."""
_BOARDS: Final = (
    *(Moment("codenames", at) for at in (1.0, 3.0, 4.5, 9.2, 14.0, 21.4, 27.0, 36.0, 60.0)),
    *(Moment("codenames", _IDLE + after) for after in (3.0, 13.0, 21.0, 29.0, 37.0, 45.0)),
    *(Moment("deep-undercover", at) for at in (12.8, 660.0)),
    Moment(HANDS, 12.8),
    Moment("alias-24", 26.0),
    *(Moment("codex", at) for at in (5.0, 40.0)),
    *(Moment("codex", DISCUSSES + after) for after in (2.0, 15.0, 26.0, 40.0)),
    *(Moment(PHONES, at) for at in (0.5, 1.5)),
    *(Moment(ENDED, ATTEMPTED + after) for after in (0.5, 3.0, 8.0, 20.0, 40.0)),
)
_DIALOGS: Final = (
    *(Moment("codenames", _IDLE, pressed=(f"#games li:nth-child({n}) button",)) for n in (1, 4, 5)),
    Moment("codenames", _IDLE, pressed=("#games li:nth-child(5) button", *("#how-next",) * 3)),
    Moment("codenames", _IDLE, pressed=("#join",)),
)
_PLAYERS: Final = (
    *(Moment("codenames", at, "red-spymaster") for at in (3.9, 9.2, 60.0)),
    Moment("codenames", 3.9, "red-spymaster", ("clue",)),
    Moment("codenames", 3.9, "red-spymaster", holds=True),
    Moment("codenames", 9.2, "red-operatives"),
)
_SEND: Final = ("line-send", "line-agent-2", "line-role")
_AGENTS: Final = (
    Moment(PHONES, 0.5, "agent-1"),
    Moment(PHONES, 0.5, "agent-1", ("begin",)),
    *(Moment(PHONES, at, "agent-1") for at in (1.5, 3.5)),
    *(
        Moment(PHONES, at, "agent-1", pressed, holds=True)
        for at, pressed in (
            (1.5, ()),
            (1.5, ("line-who",)),
            (1.5, _SEND),
            (1.5, (*_SEND, "line-none")),
            (TURN_SECONDS + 2.0, ()),
            (TURN_SECONDS + 2.0, ("line-messages",)),
            (TURN_SECONDS + 2.0, ("line-ask", "line-1")),
            (TURN_SECONDS + 2.0, ("line-attempt",)),
        )
    ),
    *(Moment("codex", DISCUSSES + after, "agent-1") for after in (2.0, 15.0, 26.0, 40.0)),
    *(Moment(ENDED, ATTEMPTED + after, "agent-1") for after in (0.5, 8.0, 20.0)),
)
CONSOLE: Final = {
    "choice of games": Moment("", 1.0),
    "settings of a game": Moment("", 1.0, pressed=("press",)),
    "invitation": Moment("codenames", _IDLE),
    "clue awaited": Moment("codenames", 3.0),
    "key open": Moment("codenames", 3.5),
    "guesses": Moment("codenames", 9.2),
    "game over": Moment("codenames", 60.0),
    "Codex": Moment("codex", DISCUSSES + 2.0),
    "Codex: own code": Moment("codex", 0.5, pressed=("press",)),
    "Codex: visit": Moment("codex", 1.5, pressed=("peek",)),
    "Codex: dossier": Moment("codex", 1.5, pressed=("turn+1", "turn+1", "press", "peek")),
}
"""For each page of the hidden screen, by name, a moment at which it is shown."""

_BOARD: Final = {
    "words being laid": Group("[data-hands] .word", "nobody guesses yet"),
    "words": Group(".cell[data-kind=open] .word"),
    "nuke": Group("[data-kind=nuke] .word", "its sign says it"),
    "words that are found": Group(".cell .word", "out of play"),
    "cell names": Group(".place", "people point at the place"),
    "buttons": Group(".tools", "not part of the game"),
    "clue": Group(".clue-word"),
    "clue's number": Group(".clue-number"),
    "guesses left": Group(".clue-guesses", "∞ says it"),
    "whose turn": Group("#title"),
    "below the turn": Group("#more"),
    "earlier clues": Group(".log"),
    "number left": Group(".team .left"),
    "team": Group(".team-name"),
    "what is left": Group(".team-more"),
    "key on a phone": Group(".team-phone", "the spymaster knows"),
    "caption": Group("#caption"),
    "time": Group("#timer"),
    "code to scan": Group(".scan", "read in front of the code"),
    "words to lay": Group(".hand", "the title has the next one"),
    "agent": Group(".nickname"),
    "what an agent does": Group(".doing, .votes, .turned"),
    "facts": Group(".facts"),
    "phase": Group(".phase .number, .steps"),
    "roles": Group("#roles"),
    "scene": Group(".scene:not([data-scene=recap])"),
    "how to go on": Group(".recap-title, .recap-next, .scoreboard"),
    "who found what": Group(".scene", "the game is over"),
    "invitation": Group(".invitation"),
    "how it goes": Group(".attract-how"),
    "games": Group(".games strong"),
    "about the games": Group(".games", "the hidden screen says it"),
    "notice": Group(".notice"),
}
_DIALOG: Final = {
    "how to play": Group("#how-title, #how-words"),
    "signs of the picture": Group(".legend"),
    "other buttons of the rules": Group("#how-game, #how-form, #how-close, .how-turn"),
    "watch or join": Group("#join"),
}
_PHONE: Final = {
    "words": Group(".cell:not(.covered) .word"),
    "words that are found": Group(".cell .word", "out of play"),
    "cell names": Group(".cell .name", "people point at the place"),
    "languages": Group("#languages", "not part of the game"),
    "seat": Group("#seat"),
    "what is awaited": Group(".headline, .head.codex"),
    "clue": Group("p.clue"),
    "agents to find": Group(".score"),
    "form of the clue": Group(".clue-form"),
    "button to hold": Group("#hold"),
    "button": Group("button, summary"),
    "explanation": Group("#explained"),
    "agents": Group(".agents"),
    "dossier": Group(".dossier, .papers, .power"),
    "messages": Group(".came, .blocked"),
    "what to do": Group("main h2, .question, .hint"),
}
PAGES: Final = (
    Page("board", "board", _BOARDS, _BOARD, (TELEVISION, PHONE, SMALL_PHONE)),
    Page("guest", "board", _DIALOGS, _DIALOG, (PHONE, SMALL_PHONE)),
    Page("player", "phone", _PLAYERS, _PHONE, (PHONE, SMALL_PHONE)),
    Page("agent", "phone", _AGENTS, _PHONE, (PHONE, SMALL_PHONE)),
)
