"""The games of Codex in this folder come out as their texts say, and leave nothing out."""

import json
import re
from itertools import chain

import pytest
from transcript import acts_of, rewritten, table_for, texts

from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.hidden import Attempted
from pi_table.games.rules.codex.identikit import Fact, Role
from pi_table.games.rules.codex.phases import ON_TIME, TABLE
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.refusal import Reason

GAMES = texts(codex=True)
ALL = "\n".join(GAMES.values())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_codex_comes_out_as_its_text_says(name: str) -> None:
    # CX-1 to CX-20, ALL-1, ALL-5: each text names those that it shows
    assert rewritten(GAMES[name]) == GAMES[name]


def test_a_text_of_codex_that_says_something_else_is_noticed() -> None:
    told = GAMES["codex-infiltrator"]
    for wrong in (
        told.replace("red WON, blue lost", "blue WON, red lost", 1),
        told.replace("· belongs to blue", "· belongs to red", 1),
        told.replace("Bea: faction red", "Bea: faction blue", 1),
        told.replace("refused  game-over", "ok  game-over", 1),
        told.replace("visit 5 s", "visit 4 s", 1),
    ):
        assert wrong != told
        assert rewritten(wrong) == told


def test_the_games_of_codex_name_every_rule_of_codex() -> None:
    named = {int(number) for number in re.findall(r"\bCX-(\d+)\b", ALL)}
    for first, last in re.findall(r"\bCX-(\d+) to CX-(\d+)\b", ALL):
        named |= {*range(int(first), int(last))}
    assert named == {*range(1, 21)}


def test_every_reason_for_a_refusal_in_codex_occurs() -> None:
    found = set(re.findall(r"^    refused  ([a-z-]+):", ALL, re.MULTILINE))
    assert found == {reason.value for reason in Reason if reason.where(PROFILES["codex"])}


def test_every_act_of_codex_is_accepted_somewhere_and_refused_somewhere() -> None:
    names = {acts.name_of(row.act) for row in TABLE}
    for result, wanted in (("ok", names - {"correct"}), ("refused", names)):
        found = re.findall(rf'"act": "([a-z-]+)".*\n    {result}  ', ALL)
        assert wanted - set(found) == set()


def test_every_ending_of_codex_occurs() -> None:
    endings = set(re.findall(r"(?:WON|lost) \(([a-z]+)\)", ALL))
    assert endings == {Why.CODE.value, Why.STOPPED.value}


def test_everything_that_an_attempt_can_come_to_occurs() -> None:
    found = set(re.findall(r'"result": "([a-z-]+)"', ALL))
    assert found == {result.value for result in Attempted}


def test_every_role_is_played_and_every_fact_is_told_and_revealed() -> None:
    assert set(re.findall(r'"role": "([a-z]+)", "position"', ALL)) == {role.value for role in Role}
    facts = {fact.value for fact in Fact}
    told = set(re.findall(r"message \d+: \w{4}, (\w+)", ALL)) | {"fragment"}
    revealed = set(re.findall(r'"act": "reveal", "fact": "(\w+)"[^\n]*\n    ok', ALL))
    assert told == facts
    assert revealed == facts - {"nickname"}


def moves(game: str) -> set[tuple[str, str, str]]:
    """The phase before, what was accepted, and the phase after it."""
    found = set()
    table = table_for(game)
    phase = ""
    for line in acts_of(game):
        given = json.loads(line)
        if "at" in given:  # let time do its part first
            was = phase
            phase = table.answer(json.dumps({"act": "tick", "at": given["at"]}))["view"]["phase"]
            found.add((was, "time", phase))
        answer = table.answer(line)
        was, phase = phase, answer["view"]["phase"]
        if answer["ok"] and given.get("act") not in (None, "tick", "look"):
            found.add((was, given["act"], phase))
    return found


def test_every_arrow_between_the_phases_of_codex_is_walked_and_no_other() -> None:
    drawn = {
        (start.value, acts.name_of(row.act), end.value)
        for row in TABLE
        for start, ends in row.leads.items()
        for end in ends
        if start is not end
    }
    by_time = {
        (start.value, "time", end.value)
        for start, ends in ON_TIME.items()
        for end in ends
        if start is not end
    }
    walked = set(chain.from_iterable(map(moves, GAMES.values())))
    walked = {(start, by, end) for start, by, end in walked if start != end}
    assert walked == drawn | by_time
