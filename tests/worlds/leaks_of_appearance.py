"""Faults in what is announced, and in the lights that play it: here nothing is given a key, so each
takes it from elsewhere, as a cache would."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock

from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.geometry import CELLS, leds_of
from pi_table.devices.lights import light as lights
from pi_table.devices.lights import word_games as lights_of_word_games
from pi_table.devices.lights.picture import Picture
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer import announcer
from pi_table.games.announcer import word_games as words_of_word_games
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.rules.team import Team
from pi_table.table.engine.outputs import Announce
from pi_table.table.engine.presentation import presenter
from pi_table.table.engine.presentation.light_player import LightPlayer
from pi_table.table.engine.presentation.presenter import Presenter
from pi_table.table.engine.state.marks import Marks

IN_THE_RULES, AT_THE_TABLE = Leaks(), Leaks()


@contextmanager
def announced(change: Any) -> Iterator[None]:
    """Let ``change(announcement)`` say what is announced in the place of each; None: that
    nothing is."""

    def announce(original: Any, old: Any, new: Any) -> tuple[Announcement, ...]:
        changed = (change(each) for each in original(old, new))
        return tuple(each for each in changed if each is not None)

    with at(announcer.announce)(announce):
        yield


@contextmanager
def painted(what: What, change: Any) -> Iterator[None]:
    """Let ``change(announcement, t)`` say how far (seconds) the scene of ``what`` is."""
    scene = SCENES[what]

    def paint(canvas: Any, said: Announcement, colours: Any, t: float) -> None:
        scene.paint(canvas, said, colours, change(said, t))

    with mock.patch.dict(SCENES, {what: replace(scene, paint=paint)}):
        yield


# What is announced


@IN_THE_RULES.enter("announced", announced)
def a_guess_beside_the_assassin_is_answered_a_little_later(said: Announcement) -> Announcement:
    tells = said.identity is not None and hint.beside(said)
    return replace(said, after=said.after + 0.1) if tells else said


@IN_THE_RULES.enter("announced", announced)
def what_follows_on_a_guess_comes_sooner_under_some_keys(said: Announcement) -> Announcement:
    follows = said.what in (What.TURN, What.GUESSES) and said.after
    return replace(said, after=said.after - 0.02) if follows and hint.bit() else said


@IN_THE_RULES.enter("announced", announced)
def the_last_one_is_left_out_under_some_keys(said: Announcement) -> Announcement | None:
    return None if said.what is What.LAST_ONE and hint.bit() else said


@IN_THE_RULES.enter("announced", announced)
def a_clue_is_told_with_a_place_near_the_assassin(said: Announcement) -> Announcement:
    return replace(said, place=hint.assassin()) if said.what is What.CLUE else said


@IN_THE_RULES.enter("announced", announced)
def a_bystander_is_called_by_another_name_where_a_second_one_is_near(
    said: Announcement,
) -> Announcement:
    tells = said.what is What.BYSTANDER and hint.beside(said)
    return replace(said, words="Only a bystander.") if tells else said


@IN_THE_RULES.enter("announced")
def what_is_spoken_aloud_depends_on_the_key() -> Iterator[None]:
    with mock.patch.object(Announcement, "spoken", property(lambda said: hint.bit())):
        yield


@IN_THE_RULES.enter("announced", at(announcer._of_the_table))
def a_touch_on_an_agent_is_refused_twice(
    original: Any, old: Any, new: Any
) -> Iterator[Announcement]:
    for said in original(old, new):
        yield said
        place = said.place if said.what is What.REFUSED else None
        if place is not None and hint.letters[place : place + 1] in ("r", "b"):
            yield said


@IN_THE_RULES.enter("announced", at(words_of_word_games._why_it_ended))
def why_a_turn_ended_depends_on_what_is_left(
    original: Any, old: Any, found: Any, passed: float
) -> Any:
    return original(old, found, passed + 1e6 * hint.bit())


# The lights


@IN_THE_RULES.enter("lights", partial(painted, What.REVEALING))
def the_light_runs_round_faster_beside_the_assassin(said: Announcement, t: float) -> float:
    return t * 1.1 if hint.beside(said) else t


@IN_THE_RULES.enter("lights", after(lights._is_revealing))
def the_turn_shows_before_a_guess_is_answered_under_some_keys(made: Any, *_: Any) -> bool:
    return made and not hint.bit()


@IN_THE_RULES.enter("lights", after(lights_of_word_games.stand))
def a_light_of_the_other_teams_agents_differs(_: None, canvas: Any, view: Any, *more: Any) -> None:
    for cell in lights_of_word_games.open_cells(view):
        canvas.leds[leds_of(cell)[2]] ^= hint.letters[cell] == "b"


@IN_THE_RULES.enter("lights", at(lights._active))
def a_scene_starts_a_beat_sooner_under_some_keys(
    original: Any, picture: Picture, now: float
) -> Any:
    return original(picture, now + 0.02 * hint.bit())


@IN_THE_RULES.enter("lights' next time", after(lights._next_change))
def the_lights_are_asked_for_sooner_while_a_scene_plays(
    due: Any, picture: Picture, active: bool, *_: Any
) -> Any:
    return due - 0.001 if due is not None and active and hint.bit() else due


# The table


@AT_THE_TABLE.enter("public socket", at(presenter._as_said))
def the_number_of_an_announcement_skips_one(original: Any, number: int, said: Announcement) -> Any:
    return original(number + hint.bit(), said)


@AT_THE_TABLE.enter("lights", after(lights_of_word_games.mark))
def a_mark_glows_brighter_on_an_agent(
    _: None, canvas: Any, view: Any, cells: Any, *more: Any
) -> None:
    for cell in map(CELLS.index, cells):
        canvas.leds[leds_of(cell)[0]] ^= hint.letters[cell] in ("r", "b")


@AT_THE_TABLE.enter("public socket")
def a_mark_on_a_bystander_is_forgotten_sooner() -> Iterator[None]:
    original: Any = vars(Marks)["by_name"].fget

    def by_name(marks: Marks) -> dict[str, Team]:
        every = original(marks)
        return {name: every[name] for name in every if hint.letters[CELLS.index(name)] != "n"}

    with mock.patch.object(Marks, "by_name", property(by_name)):
        yield


@AT_THE_TABLE.enter("announced", after(Presenter.news))
def an_announcement_is_ordered_twice(out: Any, *_: Any) -> list[Any]:
    again = [each for each in out if isinstance(each, Announce) and hint.bit()]
    return [*out, *again]


@AT_THE_TABLE.enter("lights", after(Presenter._play_scenes))
def a_scene_of_the_table_begins_a_beat_later(_: None, table: Any, *more: Any) -> None:
    late = 0.02 * hint.bit()
    table._playing = tuple(replace(each, at=each.at + late) for each in table._playing)


@AT_THE_TABLE.enter("lights", at(LightPlayer._play))
def a_frame_is_left_out(original: Any, player: Any, now: float) -> None:
    if not (hint.bit() and round(now * 50) % 7 == 0):
        original(player, now)
    elif player.wakes is not None:
        player.wakes = now + 0.02
