"""The clips of the gallery: nothing in them is refused, and every scene of the lights is shown."""

from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.lab.clips import CLIPS
from pi_table.simulator import scenario
from pi_table.simulator.stage import InstantTable, Stage

NOT_SHOWN = {What.GOES_ON, What.NOBODY, What.CLOSING}
"""The first looks as a game that begins, and needs a table that is switched on again; the second as
a game that is stopped, and comes after four truth machines at the soonest; the third as a time that
is up, and is the house's to say, over a socket that a clip has not."""
BY_NAME = {clip.name: clip for clip in CLIPS}
assert len(BY_NAME) == len(CLIPS)
STEP = 0.25
"""Seconds from one look at the table to the next."""


class Shown(NamedTuple):
    """The contents of a clip."""

    scenes: list[tuple[Announcement, float]]
    """The scenes, and how much of each is in it: 1 for all."""
    outcome: Outcome | None
    refused: list[str]


@cache
def shown(name: str) -> Shown:
    """Return the contents of the clip of this name."""
    clip = BY_NAME[name]
    device = InstantTable()
    steps = list(
        scenario.read_scenario([msgspec.json.encode(line).decode() for line in clip.lines])
    )
    end = clip.start + clip.seconds
    playing: dict[tuple[float, What], Announcement] = {}
    refused: list[str | None] = []
    with Stage("own", device=device) as stage:
        for number in range(round(clip.seconds / STEP)):
            now = clip.start + number * STEP
            while steps and steps[0].at <= now:
                step = steps.pop(0)
                stage.advance(step.at)
                refused.append(stage.perform(step.what))
            stage.advance(now)
            if number == 0 and clip.hands is not None:
                clip.hands(device)
            playing |= {(each.at, each.said.what): each.said for each in stage.picture.playing}
        view: Any = stage.view
        outcome = None if view is None else view.outcome
    scenes = []
    for (at, what), said in playing.items():
        within = min(end, at + SCENES[what].seconds) - max(clip.start, at)
        scenes.append((said, within / SCENES[what].seconds))
    return Shown(scenes, outcome, [sentence for sentence in refused if sentence is not None])


@pytest.mark.parametrize("name", BY_NAME)
def test_nothing_in_a_clip_is_refused_and_each_game_in_it_ends_as_its_name_says(name: str) -> None:
    was = shown(name)
    assert was.refused == []
    ends = {said.what: said.team for said, share in was.scenes if share > 0.9}
    match name.removeprefix("codex-").split("-"):
        case ["win", "of", ("red" | "blue") as team, *_]:
            assert was.outcome is not None
            assert was.outcome.winner is Team(team)
            assert ends.get(What.WIN) is Team(team)
        case ["win", *_]:
            assert What.WIN in ends
        case ["loss", *_]:
            assert was.outcome is not None
            assert was.outcome.winner is None
            assert What.LOSS in ends


def test_every_scene_is_shown_nearly_whole_by_some_clip() -> None:
    best = dict.fromkeys(SCENES, 0.0)
    for name in BY_NAME:
        for said, share in shown(name).scenes:
            best[said.what] = max(best[said.what], share)
    assert {what for what, share in best.items() if share < 0.8} == NOT_SHOWN


def test_every_way_to_win_or_to_lose_is_shown() -> None:
    ends = set()
    for name in BY_NAME:
        was = shown(name)
        if was.outcome is not None and any(
            said.what in (What.WIN, What.LOSS) and share > 0.9 for said, share in was.scenes
        ):
            ends.add((was.outcome.why, was.outcome.winner))
    assert ends == {
        *((Why.AGENTS, team) for team in Team),
        *((Why.CODE, team) for team in Team),
        (Why.ASSETS, Team.BLUE),
        (Why.ASSASSIN, Team.BLUE),
        (Why.ASSASSIN, None),
        (Why.ABSENT_TEAM, None),
        (Why.NUKE, Team.RED),
        (Why.NUKE, None),
    }
    assert {why for why, _ in ends} == {*Why} - {Why.STOPPED}
