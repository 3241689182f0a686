"""The score of every sound. Sounds differ by rhythm and pitch, not only by timbre.

Pitches are between 200 and 2,000 Hz: small loudspeakers can play them, and people hear them in a
room where others talk. At the start of a turn, red has two rising notes and blue has three falling
notes. Good news has rising notes, bad news has falling notes, and a refusal repeats one note.
"""

from typing import Final

from pi_table.devices.sound.loudness import Level
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.synthesis import Body, Score, Strike

REVEAL_SECONDS: Final = 1.0
"""Length in seconds of every sound for a revealed card."""
TENSION_SECONDS: Final = 1.0
"""Length in seconds of the drum roll before a reveal. It is a copy of `TENSION` in
``games/announcer/announcement.py``, which this package must not import.
``tests/engine/test_speaker.py`` compares them."""

# Semitones above A4.
A3, C4, D4, E4, F4, G4, A4, B4 = -12, -9, -7, -5, -4, -2, 0, 2
C5, D5, E5, F5, G5, A5, B5, C6, D6, E6, G6, A6 = 3, 5, 7, 8, 10, 12, 14, 15, 17, 19, 22, 24
D_FLAT_4, G_FLAT_4, E_FLAT_5, A_FLAT_4, B_FLAT_4 = -8, -3, 6, -1, 1


def _score(
    level: Level,
    seconds: float,
    body: Body,
    *strikes: tuple[float, ...],
    rings: float = 0.3,
    glide: float = 0.0,
) -> Score:
    """Make a score of strikes. Each strike is a time, a pitch, and optionally a loudness (default
    1)."""
    return Score(
        level,
        seconds,
        body,
        tuple(
            Strike(at, pitch, rings, loud[0] if loud else 1.0, glide)
            for at, pitch, *loud in strikes
        ),
    )


def _chord(at: float, rings: float, *pitches: float) -> tuple[Strike, ...]:
    """Return strikes of these pitches at the same time ``at``; they ring for ``rings`` seconds."""
    return tuple(Strike(at, pitch, rings) for pitch in pitches)


def _roll(seconds: float, pitch: float) -> tuple[tuple[float, ...], ...]:
    """Return the strikes of a drum roll that becomes faster and louder."""
    strikes = []
    at, step = 0.0, 0.16
    while at < seconds:
        strikes.append((at, pitch, 0.35 + 0.65 * at / seconds))
        at, step = at + step, max(step * 0.86, 0.045)
    return tuple(strikes)


SCORES: Final[dict[Sound, Score]] = {
    Sound.GAME_BEGINS: _score(
        Level.EVENT, 1.1, Body.BELL, (0.0, C5), (0.14, E5), (0.28, G5), (0.42, C6), rings=0.7
    ),
    Sound.TURN_RED: _score(Level.EVENT, 0.6, Body.WOOD, (0.0, D5), (0.2, A5), rings=0.4),
    Sound.TURN_BLUE: _score(
        Level.EVENT, 0.6, Body.WOOD, (0.0, A5), (0.12, E5), (0.24, B4), rings=0.35
    ),
    Sound.CLUE: _score(Level.EVENT, 0.7, Body.BELL, (0.0, E6), (0.16, E6), rings=0.5),
    Sound.TENSION: _score(
        Level.EVENT, TENSION_SECONDS, Body.DRUM, *_roll(0.95, A3 + 2), rings=0.14
    ),
    Sound.RIGHT: _score(
        Level.EVENT, REVEAL_SECONDS, Body.BELL, (0.0, G5), (0.1, B5), (0.2, D6), rings=0.7
    ),
    Sound.BYSTANDER: _score(
        Level.EVENT, REVEAL_SECONDS, Body.WOOD, (0.0, E5), (0.3, E5, 0.7), rings=0.5
    ),
    Sound.WRONG: _score(
        Level.EVENT,
        REVEAL_SECONDS,
        Body.REED,
        (0.0, E_FLAT_5),
        (0.18, C5),
        (0.36, A4),
        (0.54, G_FLAT_4),
        rings=0.4,
    ),
    Sound.ASSASSIN: _score(
        Level.DRAMA,
        REVEAL_SECONDS,
        Body.DRUM,
        *((0.0, A3), (0.0, E_FLAT_5), (0.25, A3), (0.25, E_FLAT_5), (0.5, A3), (0.5, D_FLAT_4)),
        (0.5, G4),
        rings=0.6,
        glide=-5,
    ),
    Sound.LAST_AGENT: _score(
        Level.EVENT,
        REVEAL_SECONDS,
        Body.BELL,
        *((0.0, G5), (0.08, A5), (0.16, B5), (0.24, D6), (0.32, G6)),
        (0.46, G6, 0.6),
        rings=0.6,
    ),
    Sound.TURN_ENDS: _score(Level.EVENT, 0.45, Body.WOOD, (0.0, G5), (0.15, C5), rings=0.3),
    Sound.REFUSED: _score(Level.EVENT, 0.25, Body.REED, (0.0, C4), (0.1, C4), rings=0.12),
    Sound.CHALLENGE: _score(
        Level.EVENT, 0.7, Body.REED, (0.0, E5), (0.12, E5), (0.3, B5), rings=0.35, glide=1
    ),
    Sound.PENALTY: _score(
        Level.EVENT, 0.7, Body.REED, (0.0, G4), (0.2, G_FLAT_4), (0.4, F4), rings=0.28
    ),
    Sound.CORRECTION: _score(
        Level.EVENT, 0.6, Body.WOOD, (0.0, C6), (0.1, A5), (0.3, C6), rings=0.3
    ),
    Sound.HURRY: _score(
        Level.EVENT, 0.7, Body.WOOD, (0.0, A6), (0.15, E6), (0.3, A6), (0.45, E6), rings=0.12
    ),
    Sound.TIME_OUT: _score(
        Level.EVENT, 1.0, Body.BELL, (0.0, A4), (0.22, A4), (0.44, A4, 0.9), rings=0.6
    ),
    Sound.PAUSE: _score(Level.EVENT, 0.7, Body.WOOD, (0.0, C6), (0.3, F5), rings=0.4),
    Sound.RESUMED: _score(Level.EVENT, 0.8, Body.WOOD, (0.0, F5), (0.3, C6), (0.4, C6), rings=0.4),
    Sound.PEEK: _score(Level.AMBIENCE, 0.45, Body.BELL, (0.0, B5), rings=0.45, glide=2),
    Sound.WIN: Score(
        Level.DRAMA,
        4.5,
        Body.REED,
        (
            *_chord(0.0, 0.3, G4),
            *_chord(0.15, 0.3, G4),
            *_chord(0.3, 0.3, G4),
            *_chord(0.45, 1.2, C4, C5, E5),
            *_chord(1.05, 1.2, F4, C5, F5),
            *_chord(1.65, 0.9, G4, D5, G5),
            *_chord(2.1, 0.5, G4, D5, G5),
            *_chord(2.4, 4.2, C4, G4, E5, G5, C6),
        ),
    ),
    Sound.LOSS: _score(
        Level.DRAMA,
        1.6,
        Body.REED,
        (0.0, C5),
        (0.3, B4),
        (0.6, B_FLAT_4),
        (0.9, A4),
        rings=0.7,
        glide=-1,
    ),
    Sound.NOBODY_WINS: _score(
        Level.EVENT, 1.4, Body.BELL, (0.0, C5), (0.0, F5), (0.5, C5), (0.5, G5), rings=0.9
    ),
    Sound.JOIN: _score(Level.AMBIENCE, 0.4, Body.WOOD, (0.0, G5), (0.08, D6), rings=0.3),
    Sound.CALLED: _score(
        Level.EVENT, 1.3, Body.BELL, (0.0, E5), (0.25, C5), (0.65, E5), (0.9, C5), rings=0.4
    ),
    Sound.VOTE: _score(Level.EVENT, 0.75, Body.DRUM, (0.0, D4), (0.25, D4), (0.5, D4), rings=0.2),
    Sound.MACHINE: _score(
        Level.EVENT,
        1.2,
        Body.WOOD,
        *((0.08 * step, D5 + step % 2, 0.6) for step in range(12)),
        (1.0, D6),
        rings=0.2,
    ),
    Sound.NUKE_ARMED: _score(
        Level.EVENT,
        1.3,
        Body.REED,
        *((0.0, D5), (0.3, A_FLAT_4), (0.6, D5), (0.9, A_FLAT_4)),
        rings=0.4,
    ),
    Sound.NUKE: _score(
        Level.DRAMA,
        2.0,
        Body.DRUM,
        *((0.0, E5), (0.05, B4), (0.12, F4), (0.2, C4), (0.2, G_FLAT_4), (0.3, A3), (0.5, A3)),
        rings=1.8,
        glide=-7,
    ),
    Sound.FAULT: _score(
        Level.EVENT, 1.0, Body.REED, (0.0, F5), (0.12, F4), (0.4, F5), (0.52, F4), rings=0.2
    ),
    Sound.ATTRACT: _score(
        Level.AMBIENCE,
        2.0,
        Body.WOOD,
        *((0.0, C5), (0.25, E5), (0.5, G5), (0.75, D5), (1.0, A5), (1.5, C6)),
        rings=0.6,
    ),
    Sound.STILL_PLAYING: _score(
        Level.AMBIENCE, 1.0, Body.BELL, (0.0, D5), (0.3, D5), (0.5, G5), rings=0.5, glide=0.5
    ),
}


def seconds_of(sound: Sound) -> float:
    return SCORES[sound].seconds
