"""Explanations in a first game: who does what in each step, and why.

All texts are made from public information, so they may be shown to everybody and spoken aloud. A
step is explained the first two times. After that, people know it.
"""

import enum
from typing import Final

import msgspec
from msgspec import UNSET

from pi_table.common.language import Say, Words, say
from pi_table.games.names import TEAMS
from pi_table.games.rules.codex import board as codex
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.games.rules.word_games.views import PublicView

MAX_EXPLANATIONS: Final = 2
"""Maximum number of times that a step of the game is explained."""


class Step(enum.Enum):
    """The steps of a game that have an explanation."""

    LAY = "lay"
    HAND = "hand"
    """A team lays a card of the hand that the table dealt to it."""
    CLUE = "clue"
    HUNT = "hunt"
    """A spymaster must give a clue, in a game where a team looks for the other team's cards."""
    GUESS = "guess"
    AGAIN = "again"
    """The last guess was right, and the team may guess again."""
    CHALLENGE = "challenge"
    PENALTY = "penalty"
    COVER = "cover"
    SEND = "send"
    ACT = "act"
    DISCUSS = "discuss"
    VOTE = "vote"
    MACHINE = "machine"
    OVER = "over"


SENTENCES: Final = {
    Step.LAY: say(
        "{team} lays a card and holds a finger on its cell. The key is drawn when all cards are "
        "down."
    ),
    Step.HAND: say("{team} chooses a card of its hand, then holds a finger on an empty cell."),
    Step.CLUE: say(
        "{team}’s spymaster says one word, and how many of their cards it is about. The others "
        "wait."
    ),
    Step.HUNT: say(
        "{team}’s Mastermind says one word, and how many of {other}’s assets it is about. The "
        "others wait."
    ),
    Step.GUESS: say(
        "{team} talks it over, then holds a finger on a card until its light is full. One guess "
        "must be made."
    ),
    Step.AGAIN: say(
        "That was right. {team} may guess again, or stop: hold the pad at the edge of the table."
    ),
    Step.CHALLENGE: say(
        "Was the clue against the rules? {other}’s spymaster decides. Nobody guesses until then."
    ),
    Step.PENALTY: say(
        "The clue was against the rules. {team}’s spymaster may cover a card before the next clue."
    ),
    Step.COVER: say("The turn is over. The spymaster gives one card to the absent team."),
    Step.SEND: say("In your visit, send one message. It is true, and nobody sees who sent it."),
    Step.ACT: say(
        "In your visit, read what came. Then use your power, if you have one, and try the "
        "code if you dare."
    ),
    Step.DISCUSS: say(
        "Say what you like, true or false. Whoever holds the pad at the edge of the table ends the "
        "talk."
    ),
    Step.VOTE: say(
        "Each in turn holds a finger on somebody’s cell. Whoever has most votes must tell a fact."
    ),
    Step.MACHINE: say(
        "The one with most votes chooses a fact about themselves. Everybody sees it, and it "
        "is true."
    ),
    Step.OVER: say("It is over. Now everybody may see what was hidden; then begin the next game."),
}
"""The explanation of each step. ``{team}`` is the team in turn, ``{other}`` the other team."""

THE_KEY: Final = say(
    "Cards in your team’s colour are yours to give clues for. Sand is nobody’s. The black one "
    "loses the game."
)
THE_ALIASES: Final = say(
    "Aliases in the other team’s colour are yours to hunt. Sand is a decoy. The black one is the "
    "nuke."
)
_CODEX: Final = {
    codex.Phase.SEND: Step.SEND,
    codex.Phase.ACT: Step.ACT,
    codex.Phase.DISCUSS: Step.DISCUSS,
    codex.Phase.VOTE: Step.VOTE,
    codex.Phase.MACHINE: Step.MACHINE,
    codex.Phase.OVER: Step.OVER,
}
_WORDS: Final = {
    Phase.PLACE: Step.LAY,
    Phase.CLUE: Step.CLUE,
    Phase.GUESS: Step.GUESS,
    Phase.CHALLENGE: Step.CHALLENGE,
    Phase.PENALTY: Step.PENALTY,
    Phase.COVER: Step.COVER,
    Phase.OVER: Step.OVER,
}


class Now(msgspec.Struct, frozen=True):
    """The current step and the team in turn. A step counts as new if the other team is now in
    turn."""

    step: Step
    turn: Team | None = None


class FirstGame(msgspec.Struct, frozen=True):
    """The steps that first-time players have met so far, in one game or several."""

    now: Now | None = None
    came: tuple[Step, ...] = ()
    """The steps that people have met, in order. A step that was met more than `MAX_EXPLANATIONS`
    times is not added again."""

    def after(self, view: PublicView | CodexView, settings: Settings) -> "FirstGame":
        """Return the progress after the game's view became ``view``. Return ``self`` if the step
        has not changed, or if the game has no explanations."""
        if not settings.explain:
            return self
        now = _now(view)
        if now == self.now:
            return self
        is_known = self.came.count(now.step) > MAX_EXPLANATIONS
        return FirstGame(now, self.came if is_known else (*self.came, now.step))

    @property
    def words(self) -> Words | None:
        """The explanation of the current step; None if people know the step."""
        now = self.now
        if now is None or not self.explains:
            return None
        said = SENTENCES[now.step]
        if now.turn is None:
            return said
        teams = (("team", TEAMS[now.turn]), ("other", TEAMS[now.turn.other]))
        return Say(said.msgid, teams)

    @property
    def is_for_a_clue(self) -> bool:
        """True if a spymaster must now think of a clue."""
        return self.now is not None and self.now.step in (Step.CLUE, Step.HUNT)

    @property
    def explains(self) -> bool:
        """True if the current step must be explained, False if people have met it often enough."""
        return self.now is not None and self.came.count(self.now.step) <= MAX_EXPLANATIONS


def of_the_key(profile: str) -> Words:
    """Return a text that tells a spymaster how to read a key. It does not depend on this game's
    key."""
    return THE_ALIASES if LAYOUTS[profile].hostile else THE_KEY


def _now(view: PublicView | CodexView) -> Now:
    if isinstance(view, CodexView):
        return Now(_CODEX[view.phase])
    step = _WORDS[view.phase]
    if step is Step.CLUE and LAYOUTS[view.profile].hostile:
        step = Step.HUNT
    elif step is Step.LAY and view.hands is not UNSET:
        step = Step.HAND
    elif step is Step.GUESS and view.guesses:
        step = Step.AGAIN
    return Now(step, view.turn)
