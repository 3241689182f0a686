"""The sound of each announcement, and the choice whether its words are spoken."""

from typing import Final

from pi_table.common.language import Lang
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.utterance import Utterance
from pi_table.games.announcer.announcement import CANCEL_OTHERS, Announcement, What
from pi_table.games.rules.team import Team

_SOUNDS: Final[dict[What, Sound]] = {
    What.BEGINS: Sound.GAME_BEGINS,
    What.GOES_ON: Sound.RESUMED,
    What.LAID_OUT: Sound.GAME_BEGINS,
    What.NEW_KEY: Sound.CORRECTION,
    What.CLUE: Sound.CLUE,
    What.REVEALING: Sound.TENSION,
    What.RIGHT: Sound.RIGHT,
    What.BYSTANDER: Sound.BYSTANDER,
    What.WRONG: Sound.WRONG,
    What.ASSASSIN: Sound.ASSASSIN,
    What.NUKE: Sound.NUKE,
    What.COVERED: Sound.PENALTY,
    What.LAST_ONE: Sound.LAST_AGENT,
    What.NUKE_ARMED: Sound.NUKE_ARMED,
    What.CHALLENGE: Sound.CHALLENGE,
    What.ALLOWED: Sound.RESUMED,
    What.PENALTY: Sound.PENALTY,
    What.COVER: Sound.PENALTY,
    What.CORRECTION: Sound.CORRECTION,
    What.HURRY: Sound.HURRY,
    What.TIME_UP: Sound.TIME_OUT,
    What.PAUSE: Sound.PAUSE,
    What.RESUMED: Sound.RESUMED,
    What.WIN: Sound.WIN,
    What.LOSS: Sound.LOSS,
    What.STOPPED: Sound.NOBODY_WINS,
    What.PHASE: Sound.TURN_ENDS,
    What.CALLED: Sound.CALLED,
    What.LONGER: Sound.HURRY,
    What.DISCUSS: Sound.TURN_ENDS,
    What.VOTE: Sound.VOTE,
    What.MACHINE: Sound.MACHINE,
    What.NOBODY: Sound.NOBODY_WINS,
    What.FACT: Sound.RIGHT,
    What.REFUSED: Sound.REFUSED,
    What.PEEK: Sound.PEEK,
    What.PHONE: Sound.PEEK,
    What.STILL_PLAYING: Sound.STILL_PLAYING,
    What.SLEEPS: Sound.PAUSE,
    What.JOIN: Sound.JOIN,
    What.WIPE: Sound.REFUSED,
    What.SERVICE: Sound.PAUSE,
    What.CLOSING: Sound.HURRY,
    What.CLOSED: Sound.PAUSE,
    What.FAULT: Sound.FAULT,
    What.IN_ORDER: Sound.RESUMED,
}
_TURNS: Final = {Team.RED: Sound.TURN_RED, Team.BLUE: Sound.TURN_BLUE}
_REVEALS: Final = frozenset(
    {What.REVEALING, What.RIGHT, What.BYSTANDER, What.WRONG, What.ASSASSIN, What.NUKE}
)
_IMPORTANT: Final = _REVEALS | {
    *(What.BEGINS, What.CLUE, What.WIN, What.LOSS, What.MACHINE, What.FACT),
}
"""Announcements that may interrupt all others. They include a guess and every possible answer to
it. If some answers were less important, the start of the drum roll would depend on the answer."""


def utterance(said: Announcement, settings: Settings, lang: Lang) -> Utterance:
    """Return the sound and the speech of an announcement, according to the house's settings."""
    sound = _SOUNDS.get(said.what)
    if said.what is What.TURN and said.team is not None:
        sound = _TURNS[said.team]
    lines = settings.lines(said.words, lang) if said.spoken else ()
    return Utterance(sound, lines, said.after, said.what in _IMPORTANT, said.what in CANCEL_OTHERS)
