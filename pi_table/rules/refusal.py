"""Why an act can be refused. A refusal changes nothing."""

import enum

from pi_table.errors import TableError


class Reason(enum.Enum):
    """Each reason has a short name for programs (its value) and a sentence for people."""

    sentence: str

    def __new__(cls, name: str, sentence: str) -> "Reason":
        reason = object.__new__(cls)
        reason._value_ = name
        reason.sentence = sentence
        return reason

    UNKNOWN_ACT = "unknown-act", "There is no such act in this game."
    UNKNOWN_SEAT = "unknown-seat", "There is no such seat in this game."
    UNKNOWN_CELL = "unknown-cell", "There is no such cell: they are A1 to E5."
    MISSING_FIELD = "missing-field", "The act lacks a field that it needs."
    BAD_WORD = "bad-word", "A clue's word is text of 1 to 40 characters on one line."
    BAD_NUMBER = "bad-number", "The number is no whole number from 1 to 25."
    BAD_TIME = "bad-time", "Time is in seconds, up to 1,000,000, and never falls."
    ZERO_IS_OFF = "zero-is-off", "Zero is a house rule that this game does not play."
    UNLIMITED_IS_OFF = "unlimited-is-off", "This game does not play unlimited clues."
    WRONG_SEAT = "wrong-seat", "That is for another seat to do."
    NOT_YOUR_TURN = "not-your-turn", "It is the other team's turn."
    GAME_OVER = "game-over", "The game is over."
    NOT_OVER = "not-over", "The game is not over yet."
    PAUSED = "paused", "The game is paused."
    NOT_PAUSED = "not-paused", "The game is not paused."
    NO_CLUE_YET = "no-clue-yet", "The spymaster has not given the clue yet."
    CLUE_GIVEN = "clue-given", "This turn has its clue already."
    CELL_COVERED = "cell-covered", "That cell is covered already."
    GUESS_FIRST = "guess-first", "At least one guess must be made before the turn can end."
    CHALLENGE_PENDING = (
        "challenge-pending",
        "A spymaster has to judge the clue first.",
    )
    CHALLENGE_TOO_LATE = "challenge-too-late", "A clue stands once a guess was made for it."
    CHALLENGE_USED = "challenge-used", "This clue was challenged before, and allowed."
    NO_CHALLENGE = "no-challenge", "No clue is being challenged."
    PENALTY_PENDING = "penalty-pending", "A spymaster has to cover one of their agents, or decline."
    NO_PENALTY = "no-penalty", "There is no penalty to take."
    NOT_OWN_AGENT = "not-own-agent", "That cell is not one of your team's uncovered agents."
    NO_HOURGLASS = "no-hourglass", "This game is played without an hourglass."
    NOTHING_TO_CORRECT = "nothing-to-correct", "Nothing can be taken back any more."
    TOO_LATE_FOR_NEW_KEY = "too-late-for-new-key", "A new key is drawn before the first clue only."
    ALREADY_REVEALED = "already-revealed", "The key is open already."


class Refused(TableError):  # noqa: N818 - a refusal is an answer, not a fault
    """The rules refuse an act, for one ``reason``; the game stands as it stood."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.sentence)
        self.reason = reason
