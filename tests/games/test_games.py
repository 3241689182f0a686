"""The games of this folder come out as their texts say, and leave nothing out.

What other tables get wrong is in them too: zero as one guess, no unlimited clue, a turn ended
before the first guess, no limit of number + 1, negative numbers, a covered or an earlier word
refused as a clue, no penalty, guesses after the end, one cell counted twice, a winner overwritten.
"""

import json
import re
from itertools import chain

import pytest
from transcript import (
    BOTH_LANGUAGES,
    acts_of,
    in_both_languages,
    rewritten,
    table_for,
    texts,
)

from pi_table.games.rules.outcome import Why
from pi_table.games.rules.profile import PROFILES, Family
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.phases import ON_TIME, TABLE

GAMES = texts(codex=False)
ALL = "\n".join(GAMES.values())
WORD_GAMES = [profile for profile in PROFILES.values() if profile.family is Family.WORDS]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_out_as_its_text_says(name: str) -> None:
    # CN-1 to CN-22, CN-24, CN-25, NC-1 to NC-7, DU-2, AL-0 to AL-12, AL-14, ALL-1, ALL-3, ALL-5:
    # each text names those that it shows
    assert rewritten(GAMES[name]) == GAMES[name]


def test_a_text_that_says_something_else_is_noticed() -> None:
    told = GAMES["assassin"]
    for wrong in (
        told.replace("blue WON, red lost", "red WON, blue lost", 1),
        told.replace("r n b n r  ", "r n b r n  ", 1),
        told.replace("may correct · reveal", "may reveal", 1),
        told.replace("refused  wrong-seat", "ok  wrong-seat", 1),
    ):
        assert wrong != told
        assert rewritten(wrong) == told


def test_what_is_announced_stands_in_both_languages() -> None:
    assert BOTH_LANGUAGES.read_text("utf-8") == in_both_languages()


def test_the_games_name_every_rule_that_they_can_show() -> None:
    # all but those that the table around the rules keeps
    wanted = {f"CN-{number}" for number in range(1, 26)} - {"CN-23"}
    wanted |= {f"NC-{number}" for number in range(1, 8)} | {"DU-2", "ALL-1", "ALL-3", "ALL-5"}
    wanted |= {f"AL-{number}" for number in range(1, 15)} - {"AL-13"}
    assert wanted <= set(re.findall(r"\b(?:CN|NC|DU|AL|ALL)-\d+\b", ALL))


def test_every_reason_for_a_refusal_occurs() -> None:
    assert set(re.findall(r"^    refused  ([a-z-]+):", ALL, re.MULTILINE)) == {
        reason.value for reason in Reason if any(map(reason.where, WORD_GAMES))
    }


def test_every_act_is_accepted_somewhere_and_refused_somewhere() -> None:
    names = {acts.name_of(row.act) for row in TABLE}
    for result in ("ok", "refused"):
        found = re.findall(rf'"act": "([a-z-]+)".*\n    {result}  ', ALL)
        assert names - set(found) == set()


def test_every_ending_occurs() -> None:
    found = set(re.findall(r"(?:WON|lost) \(([a-z-]+)\)", ALL))
    assert found == {why.value for why in Why} - {Why.CODE.value}


def test_every_setting_is_tried() -> None:
    tried = set(
        chain.from_iterable(
            json.loads(acts_of(game)[0]).get("options", {}) for game in GAMES.values()
        )
    )
    assert tried == set(chain.from_iterable(profile.settings for profile in WORD_GAMES))


def moves(game: str) -> set[tuple[str, str, str]]:
    """The phase before, what was accepted, and the phase after it."""
    found = set()
    table = table_for(game)
    phase = ""
    for line in acts_of(game):
        given = json.loads(line)
        if "at" in given:  # let time do its part first
            was, phase = (
                phase,
                table.answer(json.dumps({"act": "tick", "at": given["at"]}))["view"]["phase"],
            )
            if was != phase:
                found.add((was, "the clock", phase))
        answer = table.answer(line)
        was, phase = phase, answer["view"]["phase"]
        if answer["ok"] and "seat" in given:
            found.add((was, given["act"], phase))
    return found


def test_every_arrow_of_the_phase_diagram_is_walked_and_no_other() -> None:
    drawn = {
        (start.value, acts.name_of(row.act), end.value)
        for row in TABLE
        for start, ends in row.leads.items()
        for end in ends
    }
    by_time = {
        (s.value, "the clock", e.value) for s, ends in ON_TIME.items() for e in ends if s != e
    }
    walked = set(chain.from_iterable(map(moves, GAMES.values())))
    told = {move for move in walked if move[1] in ("look", "clues")}
    assert walked - told == drawn | by_time


def test_the_profiles_played_are_all_the_word_games() -> None:
    played = {json.loads(acts_of(game)[0])["profile"] for game in GAMES.values()}
    assert played == {profile.id for profile in WORD_GAMES}


@pytest.mark.parametrize("players", ["teams", "cooperative", "shared-operative"])
def test_each_way_to_sit_at_the_table_is_played(players: str) -> None:
    # NC-3, NC-7
    options = [json.loads(acts_of(game)[0]).get("options", {}) for game in GAMES.values()]
    assert players in [chosen.get("players", "teams") for chosen in options]
