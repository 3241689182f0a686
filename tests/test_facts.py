"""A fact stands once. Where parts that may not import each other need the same one, they agree."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from hardware.dimensions import MM
from hardware.places import centre
from pi_table import cli
from pi_table.common.config import ConsoleSection
from pi_table.common.geometry import PLACES
from pi_table.common.house_settings import Spelling
from pi_table.common.language import Lang
from pi_table.devices.lights import positions
from pi_table.games import rules
from pi_table.games.lines.game import SETTINGS
from pi_table.games.lines.house import SPELLINGS
from pi_table.games.names import ROLES, TEAMS
from pi_table.games.referee import opinion, reasons
from pi_table.games.rules.codex.deal import SPECIAL
from pi_table.games.rules.codex.identikit import (
    CODE_LENGTH,
    FRAGMENT_LENGTH,
    OWN_CODE_LENGTH,
    WRONG_CODES,
    Role,
)
from pi_table.games.rules.games import MAX_GAME_SECONDS
from pi_table.games.rules.profile import HOUSE_RULES, PROFILES, Family, Settings, SpecialRole
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import NUMBERS, UNLIMITED, WORD_LENGTH
from pi_table.games.words import number

IN_WORDS = {3: "three", 4: "four", 12: "twelve"}


def test_the_referee_knows_the_house_rules_that_games_have() -> None:
    assert opinion.HOUSE_RULES == HOUSE_RULES
    for profile in PROFILES.values():
        has = [rule for rule in HOUSE_RULES if rule in profile.settings]
        assert has == ([*HOUSE_RULES] if profile.family is Family.WORDS else [])


def test_the_command_names_the_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["clue", "--help"])
    assert ", ".join(HOUSE_RULES) in " ".join(capsys.readouterr().out.split())


def test_the_referee_knows_the_numbers_that_a_clue_can_have() -> None:
    assert (max(NUMBERS), UNLIMITED) == (opinion.MAX_NUMBER, opinion.UNLIMITED)
    assert f"from {min(NUMBERS)} to {max(NUMBERS)}" in Reason.BAD_NUMBER.sentence


def test_the_referee_knows_the_language_of_every_game_with_clues() -> None:
    assert {
        profile.id: profile.defaults.lang
        for profile in PROFILES.values()
        if profile.family is Family.WORDS
    } == opinion.PROFILES


@pytest.mark.parametrize(
    "known",
    [
        get_args(get_type_hints(Settings)["lang"]),
        get_args(get_type_hints(ConsoleSection)["language"]),
        reasons.LANGUAGES,
        number.LANGUAGES,
    ],
)
def test_the_languages_are_the_same_everywhere(known: tuple[str, ...]) -> None:
    assert known == get_args(Lang)


@pytest.mark.parametrize("command", ["cards", "words show", "words report"])
def test_the_commands_know_the_spellings_that_a_house_can_choose(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([*command.split(), "--help"])
    assert f"--spelling {{{','.join(get_args(Spelling))}}}" in capsys.readouterr().out
    assert tuple(value for value, _ in SPELLINGS) == get_args(Spelling)


def test_every_setting_of_a_game_can_be_chosen_on_the_console() -> None:
    fields = [setting.field for setting in SETTINGS]
    # The language is that of the people at the screen, and no line of a game. Phones have no pages
    # yet on which an agent could play: only a program can set ``screens``.
    assert sorted([*fields, "lang", "screens"]) == sorted(Settings.__struct_fields__)


def test_the_rules_name_every_setting_of_a_game() -> None:
    text = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")
    table = text.split("## Settings and seats")[1].split("\n\n|")[1].split("\n\n")[0]
    first_column = " ".join(row.split("|")[1] for row in f"|{table}".splitlines())
    assert sorted(re.findall(r"`(\w+)`", first_column)) == sorted(Settings.__struct_fields__)


def test_a_refusal_says_the_length_that_is_meant() -> None:
    assert f" {WORD_LENGTH} " in Reason.BAD_WORD.sentence
    assert f" {IN_WORDS[OWN_CODE_LENGTH]} " in Reason.BAD_OWN_CODE.sentence
    assert f" {IN_WORDS[CODE_LENGTH]} " in Reason.BAD_CODE.sentence
    assert CODE_LENGTH == 3 * FRAGMENT_LENGTH
    assert Reason.TOO_MANY_CODES.sentence.startswith(IN_WORDS[WRONG_CODES].capitalize())
    assert f" {MAX_GAME_SECONDS:,.0f}" in Reason.BAD_TIME.sentence


def test_every_team_and_every_role_has_a_name() -> None:
    assert [*TEAMS] == [*Team]
    assert [*ROLES] == [*Role]
    assert tuple(role.value for role in SPECIAL) == get_args(SpecialRole)


def test_the_lights_run_over_the_table_as_it_is_made() -> None:
    known = {
        "pitch_across": positions.PITCH_ACROSS,
        "pitch_down": positions.PITCH_DOWN,
        "led_across": positions.LED_ACROSS,
        "led_down": positions.LED_DOWN,
        "pads_from_middle": positions.PADS_FROM_MIDDLE,
    }
    assert known == {name: MM[name] for name in known}
    away_from_the_operatives = [(x, -y) for x, y in positions.PLACES]
    assert away_from_the_operatives == [centre(place) for place in PLACES]
