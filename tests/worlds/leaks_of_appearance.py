"""Faults in what is announced, and in the lights that play it: here nothing is given a key, so each
takes it from elsewhere, as a cache would."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from msgspec.structs import replace
from planting import Hint, Leaks, instead_of, knowing, method

from pi_table.common.geometry import CELL_COUNT, CELLS, leds_of
from pi_table.devices.lights import light as lights
from pi_table.devices.lights import word_games as lights_of_word_games
from pi_table.devices.lights.picture import Picture, Playing
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer import announcer
from pi_table.games.announcer import word_games as words_of_word_games
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.rules.team import Team
from pi_table.table.engine import appearance
from pi_table.table.engine.appearance import Appearance
from pi_table.table.engine.light_player import LightPlayer
from pi_table.table.engine.marks import Marks
from pi_table.table.engine.outputs import Announce

IN_THE_RULES, AT_THE_TABLE = Leaks(), Leaks()


@contextmanager
def announced(change: Any) -> Iterator[None]:
    """Let ``change(hint, announcement)`` say what is announced in the place of each; None: that
    nothing is."""
    original = announcer.announce

    def announce(old: Any, new: Any) -> tuple[Announcement, ...]:
        changed = (change(hint, each) for each in original(old, new))
        return tuple(each for each in changed if each is not None)

    with knowing() as hint, instead_of(original, announce):
        yield


@contextmanager
def painted(what: What, change: Any) -> Iterator[None]:
    """Let ``change(hint, announcement, t)`` say how far (seconds) the scene of ``what`` is."""
    scene = SCENES[what]

    def paint(canvas: Any, said: Announcement, colours: Any, t: float) -> None:
        scene.paint(canvas, said, colours, change(hint, said, t))

    with knowing() as hint, mock.patch.dict(SCENES, {what: replace(scene, paint=paint)}):
        yield


def near(hint: Hint, said: Announcement) -> bool:
    return said.place is not None and said.place < CELL_COUNT and hint.near(said.place)


# What is announced


@IN_THE_RULES.enter("announced")
def a_guess_beside_the_assassin_is_answered_a_little_later() -> Iterator[None]:
    def change(hint: Hint, said: Announcement) -> Announcement:
        tells = said.identity is not None and near(hint, said)
        return replace(said, after=said.after + 0.1) if tells else said

    with announced(change):
        yield


@IN_THE_RULES.enter("announced")
def what_follows_on_a_guess_comes_sooner_under_some_keys() -> Iterator[None]:
    def change(hint: Hint, said: Announcement) -> Announcement:
        follows = said.what in (What.TURN, What.GUESSES) and said.after
        return replace(said, after=said.after - 0.02) if follows and hint.bit() else said

    with announced(change):
        yield


@IN_THE_RULES.enter("announced")
def the_last_one_is_left_out_under_some_keys() -> Iterator[None]:
    def change(hint: Hint, said: Announcement) -> Announcement | None:
        return None if said.what is What.LAST_ONE and hint.bit() else said

    with announced(change):
        yield


@IN_THE_RULES.enter("announced")
def a_clue_is_told_with_a_place_near_the_assassin() -> Iterator[None]:
    def change(hint: Hint, said: Announcement) -> Announcement:
        return replace(said, place=hint.assassin()) if said.what is What.CLUE else said

    with announced(change):
        yield


@IN_THE_RULES.enter("announced")
def a_bystander_is_called_by_another_name_where_a_second_one_is_near() -> Iterator[None]:
    def change(hint: Hint, said: Announcement) -> Announcement:
        tells = said.what is What.BYSTANDER and near(hint, said)
        return replace(said, words="Only a bystander.") if tells else said

    with announced(change):
        yield


@IN_THE_RULES.enter("announced")
def what_is_spoken_aloud_depends_on_the_key() -> Iterator[None]:
    with knowing() as hint:
        spoken = property(lambda said: hint.bit())
        with mock.patch.object(Announcement, "spoken", spoken):
            yield


@IN_THE_RULES.enter("announced")
def a_touch_on_an_agent_is_refused_twice() -> Iterator[None]:
    original = announcer._of_the_table

    def of_the_table(old: Any, new: Any) -> Iterator[Announcement]:
        for said in original(old, new):
            yield said
            place = said.place if said.what is What.REFUSED else None
            if place is not None and hint.letters[place : place + 1] in ("r", "b"):
                yield said

    with knowing() as hint, instead_of(original, of_the_table):
        yield


@IN_THE_RULES.enter("announced")
def why_a_turn_ended_depends_on_what_is_left() -> Iterator[None]:
    original = words_of_word_games._why_it_ended

    def why(old: Any, found: Any, passed: float) -> Any:
        return original(old, found, passed + 1e6 * hint.bit())

    with knowing() as hint, instead_of(original, why):
        yield


# The lights


@IN_THE_RULES.enter("lights")
def the_light_runs_round_faster_beside_the_assassin() -> Iterator[None]:
    def change(hint: Hint, said: Announcement, t: float) -> float:
        return t * 1.1 if near(hint, said) else t

    with painted(What.REVEALING, change):
        yield


@IN_THE_RULES.enter("lights")
def the_turn_shows_before_a_guess_is_answered_under_some_keys() -> Iterator[None]:
    original = lights._hushes

    def hushed(active: Any) -> bool:
        return original(active) and not hint.bit()

    with knowing() as hint, instead_of(original, hushed):
        yield


@IN_THE_RULES.enter("lights")
def a_light_of_the_other_teams_agents_differs() -> Iterator[None]:
    original = lights_of_word_games.stand

    def stand(canvas: Any, view: Any, *given: Any) -> None:
        original(canvas, view, *given)
        for cell in lights_of_word_games.open_cells(view):
            canvas.leds[leds_of(cell)[2]] ^= hint.letters[cell] == "b"

    with knowing() as hint, mock.patch.object(lights_of_word_games, "stand", stand):
        yield


@IN_THE_RULES.enter("lights")
def a_scene_starts_a_beat_sooner_under_some_keys() -> Iterator[None]:
    original = lights._active

    def active(picture: Picture, now: float) -> list[Playing]:
        return original(picture, now + 0.02 * hint.bit())

    with knowing() as hint, instead_of(original, active):
        yield


@IN_THE_RULES.enter("lights' next time")
def the_lights_are_asked_for_sooner_while_a_scene_plays() -> Iterator[None]:
    original = lights._wakes

    def wakes(picture: Picture, active: bool, now: float) -> float | None:
        due = original(picture, active, now)
        return due - 0.001 if due is not None and active and hint.bit() else due

    with knowing() as hint, instead_of(original, wakes):
        yield


# The table


@AT_THE_TABLE.enter("public socket")
def the_number_of_an_announcement_skips_one() -> Iterator[None]:
    original = appearance._told

    def told(number: int, said: Announcement) -> Any:
        return original(number + hint.bit(), said)

    with knowing() as hint, instead_of(original, told):
        yield


@AT_THE_TABLE.enter("lights")
def a_mark_glows_brighter_on_an_agent() -> Iterator[None]:
    original = lights_of_word_games.mark

    def mark(canvas: Any, view: Any, cells: Any, colours: Any) -> None:
        original(canvas, view, cells, colours)
        for cell in map(CELLS.index, cells):
            canvas.leds[leds_of(cell)[0]] ^= hint.letters[cell] in ("r", "b")

    with knowing() as hint, mock.patch.object(lights_of_word_games, "mark", mark):
        yield


@AT_THE_TABLE.enter("public socket")
def a_mark_on_a_bystander_is_forgotten_sooner() -> Iterator[None]:
    original: Any = vars(Marks)["by_name"].fget

    def by_name(marks: Marks) -> dict[str, Team]:
        every = original(marks)
        return {name: every[name] for name in every if hint.letters[CELLS.index(name)] != "n"}

    with knowing() as hint, mock.patch.object(Marks, "by_name", property(by_name)):
        yield


@AT_THE_TABLE.enter("announced")
def an_announcement_is_ordered_twice() -> Iterator[None]:
    def news(original: Any, table: Any, *given: Any) -> list[Any]:
        out = original(table, *given)
        again = [each for each in out if isinstance(each, Announce) and hint.bit()]
        return [*out, *again]

    with knowing() as hint, method(Appearance, "news", news):
        yield


@AT_THE_TABLE.enter("lights")
def a_scene_of_the_table_begins_a_beat_later() -> Iterator[None]:
    def remember(original: Any, table: Any, said: Any, now: float) -> None:
        original(table, said, now)
        late = 0.02 * hint.bit()
        table._playing = tuple(replace(each, at=each.at + late) for each in table._playing)

    with knowing() as hint, method(Appearance, "_remember", remember):
        yield


@AT_THE_TABLE.enter("lights")
def a_frame_is_left_out() -> Iterator[None]:
    def play(original: Any, player: Any, now: float) -> None:
        if not (hint.bit() and round(now * 50) % 7 == 0):
            original(player, now)
        elif player.wakes is not None:
            player.wakes = now + 0.02

    with knowing() as hint, method(LightPlayer, "_play", play):
        yield
