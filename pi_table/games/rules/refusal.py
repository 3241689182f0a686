"""Reasons why the rules refuse an act. A refused act changes nothing."""

import enum
from collections.abc import Callable

from pi_table.common.errors import TableError
from pi_table.common.language import Say
from pi_table.games.rules.profile import Family, Profile

Where = Callable[[Profile], bool]
"""A function that returns True for the games in which a refusal can occur."""


def everywhere(profile: Profile) -> bool:
    return True


def in_words(profile: Profile) -> bool:
    return profile.family is Family.WORDS


def in_codex(profile: Profile) -> bool:
    return profile.family is Family.CODEX


def having(setting: str) -> Where:
    return lambda profile: setting in profile.settings


class Reason(enum.Enum):
    """A reason for a refusal. Its value is a name for programs, ``sentence`` is for players, and
    ``where`` tests whether it can occur in a game."""

    sentence: str
    where: Where

    def __new__(cls, name: str, sentence: str, where: Where = everywhere) -> "Reason":
        reason = object.__new__(cls)
        reason._value_ = name
        reason.sentence = Say(sentence)
        reason.where = where
        return reason

    UNKNOWN_ACT = "unknown-act", "There is no such act in this game."
    UNKNOWN_SEAT = "unknown-seat", "There is no such seat in this game."
    UNKNOWN_CELL = "unknown-cell", "There is no such cell: they are A1 to E5.", in_words
    MISSING_FIELD = "missing-field", "The act lacks a field that it needs."
    BAD_WORD = (
        "bad-word",
        "A word has 1 to 40 characters that the table can show and read out.",
        in_words,
    )
    BAD_NUMBER = (
        "bad-number",
        "The number must be from 1 to 25, or another that this game allows.",
        in_words,
    )
    BAD_TIME = "bad-time", "Time is in seconds, up to 1,000,000, and never falls."
    ZERO_IS_OFF = (
        "zero-is-off",
        "Zero is not allowed in this game: give another number.",
        having("zero"),
    )
    UNLIMITED_IS_OFF = (
        "unlimited-is-off",
        "This game has no unlimited clues: give a number.",
        having("unlimited"),
    )
    WRONG_SEAT = "wrong-seat", "That is for another seat to do."
    NOT_YOUR_TURN = "not-your-turn", "It is not your turn."
    GAME_OVER = "game-over", "The game is over."
    NOT_OVER = "not-over", "That has to wait for the end of the game."
    PAUSED = "paused", "The game is paused: resume it first."
    NOT_PAUSED = "not-paused", "The game is not paused."
    CARDS_FIRST = "cards-first", "Lay out all the cards first.", in_words
    CARDS_LAID_OUT = "cards-laid-out", "The cards are laid out already.", in_words
    CELL_TAKEN = (
        "cell-taken",
        "There is a card on that cell already: choose an empty one.",
        in_words,
    )
    SAME_WORD = "same-word", "That word is on the table already: choose another.", in_words
    NOT_IN_HAND = (
        "not-in-hand",
        "That word is not in your team’s hand: choose one that is.",
        in_words,
    )
    NO_CARD = "no-card", "There is no card on that cell.", having("nuke")
    NO_CLUE_YET = "no-clue-yet", "Enter the clue’s number first.", in_words
    CLUE_GIVEN = "clue-given", "This turn has its clue already.", in_words
    CELL_COVERED = "cell-covered", "That cell is covered already: choose another.", in_words
    GUESS_FIRST = (
        "guess-first",
        "At least one guess must be made before the turn can end.",
        in_words,
    )
    CHALLENGE_PENDING = "challenge-pending", "A spymaster has to judge the clue first.", in_words
    CHALLENGE_TOO_LATE = (
        "challenge-too-late",
        "After the first guess the clue can no longer be challenged.",
        in_words,
    )
    CHALLENGE_USED = "challenge-used", "This clue was challenged before, and allowed.", in_words
    NO_CHALLENGE = "no-challenge", "No clue is being challenged.", in_words
    PENALTY_PENDING = "penalty-pending", "A spymaster has to cover a cell, or decline.", in_words
    NO_PENALTY = "no-penalty", "There is nothing to cover or decline now.", in_words
    NOT_OWN_AGENT = (
        "not-own-agent",
        "Choose an uncovered agent of your own team.",
        having("players"),
    )
    COVER_PENDING = (
        "cover-pending",
        "The spymaster has to cover an agent of the absent team.",
        having("players"),
    )
    NOT_TO_COVER = ("not-to-cover", "Choose an uncovered cell of the other team.", in_words)
    NO_OTHER_TEAM = "no-other-team", "No other team plays in this game.", having("players")
    NO_HOURGLASS = "no-hourglass", "This game is played without an hourglass.", in_words
    NOTHING_TO_CORRECT = "nothing-to-correct", "Nothing can be taken back any more."
    TOO_LATE_FOR_NEW_KEY = (
        "too-late-for-new-key",
        "A new key can be drawn only before the first clue.",
        in_words,
    )
    NO_KEY = "no-key", "This game ended before it had a key.", in_words
    ALREADY_REVEALED = "already-revealed", "That is shown already."

    # Codex only
    UNKNOWN_AGENT = "unknown-agent", "There is no such agent: give a seat, or a nickname.", in_codex
    NOT_YOURSELF = "not-yourself", "That must be another agent.", in_codex
    BAD_FACT = (
        "bad-fact",
        "That fact does not count here, or it is named twice: choose another.",
        in_codex,
    )
    ROLE_FIRST = "role-first", "Of two facts in a message one must be the role.", in_codex
    SAME_TARGET = "same-target", "The same agent cannot be named in two phases running.", in_codex
    UNKNOWN_MESSAGE = "unknown-message", "No such message came in this phase.", in_codex
    FACT_KNOWN = "fact-known", "That fact is in the message already.", in_codex
    FACT_REVEALED = (
        "fact-revealed",
        "That fact was revealed at the truth machine already.",
        in_codex,
    )
    BAD_CODE = "bad-code", "A code is twelve letters and digits, without 0, O, 1 and I.", in_codex
    BAD_OWN_CODE = "bad-own-code", "Your own code is four digits.", in_codex
    WRONG_PHASE = "wrong-phase", "That is done in another phase of the game.", in_codex
    READY_FIRST = "ready-first", "Press “I am …” first.", having("visit_starts")
    READY_ALREADY = (
        "ready-already",
        "The time of this visit has begun already.",
        having("visit_starts"),
    )
    ENTERED_ALREADY = "entered-already", "That was entered in this visit already.", in_codex
    VISIT_DONE = (
        "visit-done",
        "You have said that you are done: wait for your next visit.",
        in_codex,
    )
    MESSAGE_FIRST = "message-first", "Send a message first.", in_codex
    CODE_FIRST = "code-first", "Enter your own code first.", in_codex
    CODE_CHOSEN = "code-chosen", "You have chosen your own code already.", in_codex
    NO_CODE_NEEDED = "no-code-needed", "Your own code is not needed now.", in_codex
    TOO_MANY_CODES = (
        "too-many-codes",
        "Three wrong codes: at the truth machine ask the operator; else wait for your next visit.",
        in_codex,
    )
    NO_PHONES = "no-phones", "This game is played without phones.", in_codex
    PAIRED_ALREADY = "paired-already", "That agent has a phone already.", in_codex
    NOT_PAIRED = "not-paired", "That agent has no phone.", in_codex


class Refused(TableError):  # noqa: N818 - a refusal is an answer, not a fault
    """The rules refused an act, for one ``reason``. The game is unchanged."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.sentence)
        self.reason = reason
