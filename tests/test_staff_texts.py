"""Faults, findings and instructions for the staff, read in each language.

The texts of argparse are here too, and the demonstration in the terminal.
"""

import argparse
import ast
import errno
import gettext
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from test_language import strict
from texts import OF_ARGPARSE, PACKAGE, demonstration

from pi_table import cli
from pi_table.common import output_locale
from pi_table.common.arguments import parser
from pi_table.common.errors import TableError
from pi_table.common.language import (
    LANGUAGES,
    Lang,
    Say,
    for_reader,
    say,
    translate,
)
from pi_table.common.output_locale import language_of, readers_language
from pi_table.devices.hal import alsa_trouble, controller_trouble
from pi_table.games.rules.word_games.views import PublicView
from pi_table.games.words.pack import pack_named
from pi_table.lab.commands import add_commands
from pi_table.maintenance.bring_up.findings import NAMES, Finding, Verdict
from pi_table.maintenance.bring_up.intel_hex import read_image
from pi_table.maintenance.bring_up.steps import STEPS
from pi_table.simulator import demonstration as shown
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage

SAID: list[tuple[str, Callable[[], str], str]] = [
    (
        "a fault of the touch grid with two sentences",
        lambda: controller_trouble.unplugged_text("/dev/ttyUSB0"),
        "Il controller su /dev/ttyUSB0 è stato scollegato. Ricollegalo.",
    ),
    (
        "an error that has the end of a sentence in a field",
        lambda: refused(lambda: pack_named("itliano")),
        "Non c’è un mazzo di parole 'itliano'; volevi dire 'italiano'?",
    ),
    (
        "what the system says, in a field",
        lambda: refused(lambda: read_image(Path("x.hex"))),
        "Il firmware x.hex non si può leggere: File o cartella inesistente. "
        "Controlla percorso e permessi.",
    ),
]


def refused(do: Callable[[], object]) -> str:
    with pytest.raises(TableError) as error:
        do()
    return str(error.value)


@pytest.mark.parametrize(
    ("said", "italian"), [two for _, *two in SAID], ids=[name for name, *_ in SAID]
)
def test_what_goes_wrong_is_read_in_italian(said: Callable[[], str], italian: str) -> None:
    assert translate(said(), "it") == italian


def test_what_fails_at_a_port_or_a_loudspeaker_is_told_in_italian() -> None:
    problems = [OSError(number, os.strerror(number)) for number in (errno.ENOENT, errno.EBUSY)]
    for said in (
        *(controller_trouble.cannot_open("/dev/x", problem) for problem in problems),
        controller_trouble.silent("/dev/x"),
        controller_trouble.other_protocol("/dev/x", 1),
        alsa_trouble.cannot_run("aplay", OSError(errno.ENOENT, "")),
        alsa_trouble.device_failure(
            "hw:0", "aplay: main: audio open error: Device or resource busy"
        ),
        alsa_trouble.stuck("hw:0"),
    ):
        assert english_words(translate(said, "it")) == set(), said


def english_words(text: str) -> set[str]:
    """Words that stand in any English sentence and in no Italian one."""
    return {"the", "is", "of", "and", "to", "that", "not", "with"} & set(text.lower().split())


def test_steps_and_findings_are_italian_for_a_reader_of_it() -> None:
    for step in STEPS:
        for text in (step.title, step.do, step.see):
            assert english_words(translate(text, "it")) == set()
    found = Finding(
        "lights", Verdict.BROKEN, say("Not one light glows."), say("Look at their wires.")
    )
    assert found.text("it") == (
        "guasto    luci         Nessuna luce si accende. Guarda i loro fili."
    )
    assert found.text() == "broken    lights       Not one light glows. Look at their wires."
    assert {each.value for each in Verdict} <= {str(name.msgid) for name in NAMES}


def test_what_findings_are_about_has_a_name() -> None:
    about = set[str]()
    for path in (PACKAGE / "maintenance" / "bring_up").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="Finding" | "fault" | "_missing"),
                    args=[ast.Constant(value=str() as what), *_],
                ):
                    about.add(what)
                case ast.Call(
                    func=ast.Name(id="partial"),
                    args=[ast.Name(id="Finding" | "fault"), ast.Constant(value=str() as what), *_],
                ):
                    about.add(what)
    assert len(about) > 30
    # What is called so everywhere stays as it is.
    assert about - {str(name.msgid) for name in NAMES} == {"config.txt", "python"}


# What the terminal's reader reads


ENVIRONMENTS: list[tuple[dict[str, str], Lang | None]] = [
    ({}, None),
    ({"LANG": "it_IT.UTF-8"}, "it"),
    ({"LANG": "it"}, "it"),
    ({"LANG": "en_GB.UTF-8"}, "en"),
    ({"LANG": "de_DE.UTF-8"}, None),
    ({"LANG": "C.UTF-8"}, None),
    ({"LANG": "it_IT", "LC_MESSAGES": "en_GB"}, "en"),
    ({"LANG": "en_GB", "LC_MESSAGES": "en_GB", "LC_ALL": "it_IT"}, "it"),
    ({"LANG": "en_GB", "LC_ALL": ""}, "en"),
    ({"LANG": "en_GB", "LANGUAGE": "de:it:en"}, "it"),
    ({"LANG": "it_IT", "LANGUAGE": "en_GB:it"}, "en"),
    ({"LANG": "item_XX"}, None),
]


@pytest.mark.parametrize(("environment", "lang"), ENVIRONMENTS)
def test_the_environment_names_the_language(environment: dict[str, str], lang: Lang | None) -> None:
    assert language_of(environment) == lang


@pytest.fixture
def of_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in output_locale.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    yield
    gettext.textdomain("messages")


@pytest.fixture
def italian(of_reader: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "it_IT.UTF-8")


@pytest.mark.usefixtures("of_reader")
def test_where_the_environment_names_none_the_configuration_does() -> None:
    assert readers_language() == "en"
    assert readers_language("it") == "it"
    assert for_reader(say("Restart the table."), "it") == "Riavvia il tavolo."


@pytest.mark.usefixtures("italian")
def test_the_environment_comes_before_the_configuration() -> None:
    assert readers_language("en") == "it"


def test_the_languages_of_readers_are_all_there_are() -> None:
    assert get_args(Lang) == (*LANGUAGES,)
    for lang in LANGUAGES:
        assert language_of({"LANG": lang}) == lang


# The command line


HELP = """\
uso: pi-table cards [-h] --out F [--count N] [--backs] [--lines] [--size S]
                    [--paper P] [--folder CARTELLA]
                    [--spelling {british,american}]
                    MAZZO

le parole di un mazzo su carte da stampare e ritagliare

argomenti:
  MAZZO                 il suo nome, come lo elenca 'pi-table words list'

opzioni:
  -h, --help            mostra questo aiuto ed esce
  --out F               il PDF
  --count N             solo questo numero, da tutto il mazzo
  --backs               anche i dorsi, per la stampa fronte-retro
  --lines               linee tratteggiate fra le carte
  --size S              oppure 63x88 (mm; 44x68)
  --paper P             oppure letter (a4)
  --folder CARTELLA     con mazzi tuoi
  --spelling {british,american}
                        la grafia delle parole che ne hanno due (british)
"""


@pytest.mark.usefixtures("italian")
def test_a_command_tells_its_help_in_italian(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        cli.main(["cards", "--help"])
    assert capsys.readouterr().out == HELP


@pytest.mark.usefixtures("italian")
def test_all_that_the_parser_shows_is_written() -> None:
    english = set(helps(parser(add_commands)))
    output_locale.speak_to_the_reader()
    known = strict("it", output_locale.STAFF)
    shown_in_italian = set(helps(parser(add_commands)))
    assert shown_in_italian == {known.gettext(text) for text in english}
    assert len(english) > 70
    for parser_of in every_parser(parser(add_commands)):
        assert english_words(parser_of.format_help()) == set(), parser_of.prog


def helps(of: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the texts of a parser and its commands: descriptions, helps, metavars."""
    if of.description:
        yield of.description
    for action in of._actions:
        shown = (action.metavar, action.help)
        yield from (
            text
            for text in shown
            if isinstance(text, str) and text != argparse.SUPPRESS and has_words(text)
        )
        if isinstance(action, argparse._SubParsersAction):
            for pseudo in action._choices_actions:
                if pseudo.help:
                    yield pseudo.help
            for command in action.choices.values():
                yield from helps(command)


def has_words(text: str) -> bool:
    """True if there is something to translate. A lone ``%(default)s`` or a letter has nothing."""
    bare = re.sub(r"%\(\w+\)s", "", text)
    return re.search(r"[A-Za-z]{2}", bare) is not None


def every_parser(of: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from every_parser(command)


WRONG = [
    (("journal", "doktor"), "scelta non valida: 'doktor' (si può scegliere tra"),
    (("cards", "english"), "mancano questi argomenti: --out"),
    (("cards", "english", "--out"), "argomento --out: ci vuole un valore"),
    (("cards", "english", "--out", "x", "--count", "many"), "scrivi un numero intero, non 'many'"),
    (("simulate", "--web", "0"), "scrivi un numero intero da 1 a 65535, non '0'"),
    (("words", "check"), "mancano questi argomenti: FILE"),
    (("words", "list", "more"), "argomenti sconosciuti: more"),
    (("play",), "serve uno degli argomenti --acts --explain"),
    (("play", "--acts", "-", "--explain", "codex"), "non va insieme all’argomento --acts"),
    (("restore", "--without-config=no"), "valore di troppo: 'no'"),
    (("simulate", "--sc"), "argomento --scenario: ci vuole un valore"),
    (("doctor", "--l"), "opzione ambigua: --l può essere --lights, --list"),
]


@pytest.mark.usefixtures("italian")
@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_what_cannot_be_meant_is_told_in_italian(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    err = capsys.readouterr().err
    assert err.startswith("uso: pi-table")
    assert "errore: " in err
    assert said in err


def test_argparse_says_nothing_in_these_cases_that_is_not_in_the_list() -> None:
    """The list has this Python's messages to people who type, not those to authors of a parser."""
    tree = ast.parse(Path(argparse.__file__).read_text("utf-8"))
    said = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "_"
        and isinstance(node.args[0], ast.Constant)
    }
    assert {*OF_ARGPARSE} <= said


@pytest.mark.usefixtures("italian")
def test_what_is_wrong_is_told_in_italian(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["words", "show", "itliano"]) == 2
    assert capsys.readouterr().err == (
        "pi-table: Non c’è un mazzo di parole 'itliano'; volevi dire 'italiano'?\n"
    )
    assert cli.main(["play", "--acts", "/nowhere"]) == 2
    assert capsys.readouterr().err == (
        "pi-table: /nowhere non si può leggere: File o cartella inesistente. "
        "Controlla percorso e permessi.\n"
    )


@pytest.mark.usefixtures("italian")
def test_a_services_log_stays_english(capsys: pytest.CaptureFixture[str]) -> None:
    for service in (("run",), ("restore", "--finish")):
        assert cli.main([*service, "--config", "/nowhere"]) == 2
        assert capsys.readouterr().err == (
            "pi-table: The configuration /nowhere cannot be read: No such file or directory. "
            "Check its path and rights.\n"
        )


@pytest.mark.usefixtures("italian")
def test_what_programs_read_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor", "--bring-up", "--list", "--json"])
    out = capsys.readouterr().out
    assert '"step":"parts","title":"Boards, parts and prints"' in out
    cli.main(["doctor", "--bring-up", "--list"])
    assert " 1  parts        Schede, pezzi e stampe" in capsys.readouterr().out


HEAVY = ("msgspec", "rich", "pygame", "asyncio")


def test_help_imports_nothing_that_takes_time() -> None:
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pi_table", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LANGUAGE": "it"},
    )
    assert told.stdout.startswith("uso: ")
    imported = {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}
    assert "argparse" in imported
    assert imported.isdisjoint(HEAVY)
    ours = {name for name in imported if name.startswith("pi_table.")}
    common = ("arguments", "errors", "language", "output_locale")
    names = ("cli", "common", *(f"common.{name}" for name in common), "lab", "lab.commands")
    assert ours == {f"pi_table.{name}" for name in names}


# The demonstration


def test_the_demonstration_is_played_in_italian() -> None:
    told = [
        step.what.sentence
        for step in shown.steps("it")
        if isinstance(step.what, scenario.Narration)
    ]
    assert len(told) > 20
    assert [text for text in told if english_words(text)] == []
    with Stage() as stage:
        for step in shown.steps("it"):
            stage.advance(step.at)
            assert stage.perform(step.what) is None, step  # nothing is refused
        assert stage.console.lang == "it"
        assert isinstance(stage.view, PublicView)
        assert stage.view.cells["A2"].word == "GALASSIA"
        assert len({cell.word for cell in stage.view.cells.values()}) == 25


def test_the_demonstration_tells_of_words_that_are_on_the_table() -> None:
    words = {text for text in demonstration() if text.isupper()}
    for lang in LANGUAGES:
        on_table = {translate(Say(word), lang) for word in words}
        for text in demonstration():
            capitals = set(re.findall(r"\b[A-ZÀ]{3,}\b", translate(Say(text), lang)))
            assert capitals <= on_table, text


def test_the_terminal_shows_it_in_the_readers_language() -> None:
    from rich.console import Console

    out = StringIO()
    shown.demonstrate(Console(file=out, width=100), lang="it")
    assert "Sul tavolo ci sono 25 parole." in out.getvalue()
    assert "Vincono i Rossi" in out.getvalue()
    assert "spymaster" not in out.getvalue()
