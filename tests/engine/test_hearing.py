"""The sound of each announcement: its clip, its words, and its priority."""

from collections import defaultdict

import daemon_world
import pytest
from evenings import Evening
from sounders import fingerprint, sound_of

from pi_table.common.language import say
from pi_table.devices.sound.loudness import at_volume
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import REVEALS, Sound
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.utterance import Utterance
from pi_table.games.announcer.announcement import CANCEL_OTHERS, UNSPOKEN, Announcement, What
from pi_table.games.rules.team import Team
from pi_table.table.engine.idle import ASK_SECONDS
from pi_table.table.engine.presentation.sound_cues import utterance

WITHOUT_A_SOUND = {
    *(What.LAY, What.HAND, What.CHOSEN),
    *(What.GUESSES, What.REVEALED, What.VOTED, What.NEW_CODE, What.EXPLAIN),
}
"""Announcements in words alone, or only on screens."""
SPEAKS = Settings(volume=100, speech="game")


def heard(what: What, team: Team | None = Team.RED, after: float = 0.0) -> Utterance:
    return utterance(Announcement(what, say("Hello."), after, team=team), SPEAKS, "en")


def test_whatever_is_announced_has_a_sound_but_for_what_is_told_in_words_alone() -> None:
    assert {what for what in What if heard(what).sound is None} == WITHOUT_A_SOUND
    assert {what for what in WITHOUT_A_SOUND if not heard(what).lines} == {What.LAY}


@pytest.mark.parametrize(
    "what", [what for what in What if what.value in {sound.value for sound in Sound}]
)
def test_what_has_a_sound_of_its_name_is_heard_by_it(what: What) -> None:
    assert heard(what).sound is Sound(what.value)


def test_a_turn_is_heard_as_the_teams_own_and_as_nothing_where_it_is_nobodys() -> None:
    assert heard(What.TURN, Team.RED).sound is Sound.TURN_RED
    assert heard(What.TURN, Team.BLUE).sound is Sound.TURN_BLUE
    assert heard(What.TURN, None).sound is None


def test_what_sounds_alike_means_alike() -> None:
    alike = defaultdict(set)
    for what in set(What) - {What.TURN, *WITHOUT_A_SOUND}:
        alike[heard(what).sound].add(what)
    assert {sound: whats for sound, whats in alike.items() if len(whats) > 1} == {
        Sound.GAME_BEGINS: {What.BEGINS, What.LAID_OUT},
        Sound.RESUMED: {What.RESUMED, What.GOES_ON, What.ALLOWED, What.IN_ORDER},
        Sound.PAUSE: {What.PAUSE, What.SLEEPS, What.SERVICE, What.CLOSED},
        Sound.CORRECTION: {What.CORRECTION, What.NEW_KEY},
        Sound.PENALTY: {What.PENALTY, What.COVER, What.COVERED},
        Sound.HURRY: {What.HURRY, What.LONGER, What.CLOSING},
        Sound.NOBODY_WINS: {What.STOPPED, What.NOBODY},
        Sound.TURN_ENDS: {What.PHASE, What.DISCUSS},
        Sound.RIGHT: {What.RIGHT, What.FACT},
        Sound.REFUSED: {What.REFUSED, What.WIPE},
        Sound.PEEK: {What.PEEK, What.PHONE},
    }
    assert {heard(what).sound for what in (What.REVEALING, What.TIME_UP, What.LAST_ONE)} == {
        *(Sound.TENSION, Sound.TIME_OUT, Sound.LAST_AGENT),
    }


def test_no_sound_is_there_for_nothing() -> None:
    sounds = {heard(what, team).sound for what in What for team in Team}
    assert {*Sound} - sounds == {Sound.ATTRACT}


@pytest.mark.parametrize("what", What)
def test_only_what_may_be_spoken_is_spoken_and_only_where_the_house_wants_it(what: What) -> None:
    assert bool(heard(what).lines) is (what not in UNSPOKEN)
    silent = Settings(volume=100, speech="off")
    assert utterance(Announcement(what, say("Hello.")), silent, "en").lines == ()


def test_what_is_to_come_later_is_heard_later() -> None:
    assert [heard(What.RIGHT, after=after).after for after in (0.0, 1.0)] == [0.0, 1.0]


def test_what_begins_afresh_is_heard_so() -> None:
    assert {what for what in What if heard(what).afresh} == CANCEL_OTHERS


def test_a_guess_and_its_answers_are_alike_important_and_so_are_clues_beginnings_and_ends() -> None:
    answers = {What.RIGHT, What.BYSTANDER, What.WRONG, What.ASSASSIN, What.NUKE}
    ends = {What.WIN, What.LOSS}
    others = {What.BEGINS, What.CLUE, What.MACHINE, What.FACT}
    important = {what for what in What if heard(what).important}
    assert important == {What.REVEALING} | answers | ends | others
    assert {heard(what).sound for what in answers} >= {*REVEALS} - {Sound.LAST_AGENT}


def test_who_comes_to_a_table_that_sleeps_is_welcomed_by_a_sound_at_once() -> None:
    """The whole way, from a finger to the loudspeaker."""
    asleep = ASK_SECONDS + 10.0  # nobody plays
    finger = [{"at": asleep, "touch": "C3"}, {"at": asleep + 0.2, "release": "C3"}]
    evening = Evening("welcome", intent="tap", cards="own", happenings=finger)
    seen = daemon_world.watch(evening).seen
    loud = sound_of(evening.seed).volume
    welcome = fingerprint(at_volume(synthesise(SCORES[Sound.JOIN]), loud))
    began = [one.at for one in seen if one.value == ("begins", *welcome)]
    assert began == pytest.approx([asleep])
