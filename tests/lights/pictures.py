"""Pictures of games for the tests of the lights, and films of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from pi_table.common.geometry import LED_COUNT, leds_of
from pi_table.devices.lights.canvas import LightFrame
from pi_table.devices.lights.light import FRAME_SECONDS, light
from pi_table.devices.lights.picture import Attention, Picture, Playing
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Board, Clue, Phase
from pi_table.games.rules.word_games.key import Identity
from pi_table.games.rules.word_games.views import PublicView, public_view
from pi_table.lab.seeing.srgb import luminance

NOW = 1000.3
STILL = Attention()
IN_PLAY = (Identity.BYSTANDER, Identity.RED, Identity.BLUE)
"""Identities that can be covered during a game."""
CALM = Outcome(None, (), Why.STOPPED)


def covering(*identities: Identity) -> dict[int, Identity]:
    """Return the first cells, covered with these identities."""
    return dict(enumerate(identities))


def board(phase: Phase = Phase.GUESS, turn: Team = Team.RED, **fields: object) -> Board:
    clue = Clue(turn, None, 2) if phase in (Phase.GUESS, Phase.CHALLENGE) else None
    plain = Board("codenames", Settings(), None, Team.RED, phase, turn, (9, 8), clue=clue)
    return replace(plain, **fields)


def view(phase: Phase = Phase.GUESS, turn: Team = Team.RED, **fields: object) -> PublicView:
    return public_view(board(phase, turn, **fields), 0.0)


def codex_view(**fields: object) -> CodexView:
    """A game of Codex whose messages are being sent."""
    state = games.evolve(None, games.read_opening({"profile": "codex"}, Chance()))
    seen = games.public_view(state.board, 0.0)
    assert isinstance(seen, CodexView)
    return replace(seen, **fields)


VIEWS = [
    view(phase, turn, covered=covering(*IN_PLAY), paused=paused)
    for phase in Phase
    if phase is not Phase.OVER
    for turn in Team
    for paused in (False, True)
]
OVER = [
    view(Phase.OVER, covered=covering(*IN_PLAY, Identity.ASSASSIN), outcome=outcome)
    for outcome in (CALM, *(Outcome(team, (team.other,), Why.ASSASSIN) for team in Team))
]


def picture(of: PublicView | CodexView | None, attention: Attention = STILL) -> Picture:
    return Picture(Standing(of, None if of is None else 1), attention)


def shown(of: Picture, now: float = NOW) -> LightFrame:
    """The frame at ``now``, with what holds for every frame checked."""
    frame = light(of, now).frame
    assert len(frame) == LED_COUNT
    assert all(0 <= colour <= 0xFFFFFF for colour in frame)
    return frame


def cell(frame: LightFrame, place: int) -> tuple[int, ...]:
    """The colours of the lights of a place."""
    return tuple(frame[led] for led in leds_of(place))


def brightness(lights: tuple[int, ...]) -> float:
    """The luminance (0 … 1) of lights together."""
    return sum(map(luminance, lights)) / len(lights)


@dataclass(frozen=True)
class Film:
    """The lights over a time, made whenever they want to change."""

    frames: list[tuple[float, LightFrame]]
    rests: float | None
    """When they came to rest, None if they did not."""

    def of(self, place: int) -> list[tuple[int, ...]]:
        return [cell(frame, place) for _, frame in self.frames]


def film(of: Picture, seconds: float, begun: float = NOW) -> Film:
    frames, now = [], begun
    while now <= begun + seconds:
        lighting = light(of, now)
        frames.append((now, lighting.frame))
        if lighting.wakes is None:
            return Film(frames, now)
        assert lighting.wakes > now
        now = lighting.wakes
    return Film(frames, None)


def sampled(of: Picture, seconds: float, begun: float = NOW) -> Iterator[LightFrame]:
    """Fifty frames a second, whether they want to change or not."""
    for number in range(round(seconds / FRAME_SECONDS)):
        yield light(of, begun + number * FRAME_SECONDS).frame


def said(what: What, **fields: object) -> Announcement:
    """An announcement with a place, a team and an identity, unless it is told otherwise."""
    of = {"place": 12, "team": Team.RED, "identity": IDENTITY_OF.get(what, Identity.RED)}
    return Announcement(what, "Something.", **{**of, **fields})  # type: ignore[arg-type]


IDENTITY_OF = {
    What.WRONG: Identity.BLUE,
    What.BYSTANDER: Identity.BYSTANDER,
    What.ASSASSIN: Identity.ASSASSIN,
    What.NUKE: Identity.NUKE,
}


def playing(of: Picture, *announcements: Announcement, at: float = NOW) -> Picture:
    """The picture in which these are announced."""
    order = sorted((Playing(each, at + each.after) for each in announcements), key=lambda p: p.at)
    return replace(of, playing=tuple(order))


def guessed(before: PublicView, after: PublicView) -> Picture:
    """A picture just after a guess by which a game came from one view to the other, with all that
    is announced then."""
    old, new = Standing(before, 1), Standing(after, 1)
    return playing(Picture(new), *(s for s in announce(old, new) if s.what in SCENES))


CHANGE = 0.1
"""Share of the greatest luminance that counts as a change."""


def flashes(levels: list[float]) -> int:
    """The most pairs of opposing changes that a second of these levels has, fifty a second."""
    turns: list[int] = []
    low = high = levels[0]
    rising: bool | None = None
    for at, level in enumerate(levels):
        low, high = min(low, level), max(high, level)
        if rising is not False and high - level >= CHANGE:
            turns.append(at)
            rising, low = False, level
        elif rising is not True and level - low >= CHANGE:
            turns.append(at)
            rising, high = True, level
    return max((sum(at <= turn < at + 50 for turn in turns) // 2 for at in turns), default=0)
