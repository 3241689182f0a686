"""What goes wrong, is found, and is to be done: known again in English, and read in each language.

What argparse shows is here too, and the demonstration in the terminal.
"""

import argparse
import ast
import errno
import functools
import gettext
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from staff_texts import OF_ARGPARSE, demonstration, helps, staff_texts, too_short
from test_language import strict
from texts import PACKAGE

from pi_table import cli
from pi_table.common import reader
from pi_table.common.arguments import parser
from pi_table.common.language import (
    JOINED,
    LANGUAGES,
    Lang,
    Say,
    for_reader,
    recognised,
    translated,
    written,
)
from pi_table.common.reader import language_of, readers_language
from pi_table.devices.hal import alsa_trouble, controller_trouble
from pi_table.games.rules.word_games.views import PublicView
from pi_table.lab.commands import add_commands
from pi_table.maintenance.bring_up.findings import NAMES, Finding, Verdict
from pi_table.maintenance.bring_up.steps import STEPS
from pi_table.simulator import demonstration as shown
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage

FIELD = re.compile(r"\{(\w+)\}")
TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]


@functools.cache
def texts() -> list[str]:
    """What the source has for those who keep a table, in alphabetical order."""
    return sorted({text for text, _ in staff_texts(PACKAGE) if "%" not in text} - {*OF_ARGPARSE})


def filled(text: str) -> str:
    """The text with something in each field that no catalogue has."""
    return FIELD.sub(lambda field: f"x-{field[1]}", text)


def test_there_are_as_many_as_a_table_can_say() -> None:
    assert len(texts()) > 900


def test_each_is_known_again_with_what_is_in_its_fields() -> None:
    for text in texts():
        if len(re.findall("[A-Za-z]", FIELD.sub("", text))) < 4:
            continue  # only ever within another
        said = recognised(filled(text.strip()))
        assert isinstance(said, Say), text
        assert FIELD.sub("{}", said.msgid) == FIELD.sub("{}", text)
        assert written(said, "en") == filled(text.strip())


@pytest.mark.parametrize("lang", TRANSLATED)
def test_none_stays_english(lang: Lang) -> None:
    known = strict(lang)
    for text in map(str.strip, texts()):
        if text not in JOINED.values():
            other = known.gettext(text)
            assert other == text or translated(filled(text), lang) != filled(text), text


def test_no_text_is_too_short_to_be_known_again() -> None:
    """It would be read in English by everybody."""
    short = {FIELD.sub("{}", text) for text in too_short(PACKAGE)}
    joined = {FIELD.sub("{}", text) for text in JOINED.values()}
    assert short - joined == {"SNR {}", "100 % = {} mm"}  # in pictures for makers


SAID = [
    (
        "a fault of the touch grid with two sentences",
        controller_trouble.unplugged("/dev/ttyUSB0"),
        "Il controller su /dev/ttyUSB0 è stato scollegato. Ricollegalo.",
    ),
    (
        "a sentence that has another one in a field",
        "There is no step 'prt'; did you mean 'port'?",
        "Non c’è un passo 'prt'; volevi dire 'port'?",
    ),
    (
        "what the system says, in a field",
        "The firmware x.hex cannot be read: No such file or directory. Check its path and rights.",
        "Il firmware x.hex non si può leggere: File o cartella inesistente. "
        "Controlla percorso e permessi.",
    ),
    (
        "two faults in a row, and one that nobody has translated between them",
        "Touch chip 0x5A does not answer: check its wires. Nobody knows this. Out of use: A1, A2.",
        "Il chip del tocco 0x5A non risponde: controlla i suoi fili. Nobody knows this. "
        "Fuori uso: A1, A2.",
    ),
    (
        "the same of two, of which neither stands in the field of the other",
        "Touch chip 0x5A does not answer: check its wires. "
        "Touch chip 0x5B does not answer: check its wires.",
        "Il chip del tocco 0x5A non risponde: controlla i suoi fili. "
        "Il chip del tocco 0x5B non risponde: controlla i suoi fili.",
    ),
    (
        "a line of a word pack",
        "mine.txt, line 3: there is no word; write one, or remove the line.",
        "mine.txt, riga 3: non c’è una parola; scrivine una, o togli la riga.",
    ),
    (
        "the end of a sentence about a key",
        "Line 2: pin is 4 to 8 digits in quotes.",
        "Riga 2: pin ha da 4 a 8 cifre, tra virgolette.",
    ),
    (
        "some things, the last of which is joined to the others",
        "Restored from t.backup, of today: 2 games, 1 word pack and the configuration.",
        "Ripristinato da t.backup, del today: 2 partite, 1 mazzo di parole e la configurazione.",
    ),
    ("several lines", "Start the table again.\n\n  x\n", "Riavvia il tavolo.\n\n  x\n"),
    (
        "whose table it is",
        "table among many: bar-1\nbroker: mqtts://localhost",
        "tavolo fra molti: bar-1\nbroker: mqtts://localhost",
    ),
    (
        "what it was since the start",
        "Pi. Since it was started: the voltage is too low, it is slowed down.",
        "Pi. Da quando è accesa: la tensione è troppo bassa, è rallentata.",
    ),
    ("data", "RED and blue", "RED and blue"),
    ("one word", "Pause", "Pausa"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(
    ("english", "italian"), [two for _, *two in SAID], ids=[i for i, *_ in SAID]
)
def test_what_was_said_in_english_is_read_in_italian(english: str, italian: str) -> None:
    assert translated(english, "it") == italian
    assert translated(english, "en") == english
    assert written(recognised(english), "en") == english


def test_what_fails_at_a_port_or_a_loudspeaker_is_told_in_italian() -> None:
    problems = [OSError(number, os.strerror(number)) for number in (errno.ENOENT, errno.EBUSY)]
    for said in (
        *(controller_trouble.cannot_open("/dev/x", problem) for problem in problems),
        controller_trouble.silent("/dev/x"),
        controller_trouble.other_protocol("/dev/x", 1),
        alsa_trouble.cannot_run("aplay", OSError(errno.ENOENT, "")),
        alsa_trouble.failed("hw:0", "aplay: main: audio open error: Device or resource busy"),
        alsa_trouble.stuck("hw:0"),
    ):
        assert english_words(translated(said, "it")) == set(), said


def english_words(text: str) -> set[str]:
    """Words that stand in any English sentence and in no Italian one."""
    return {"the", "is", "of", "and", "to", "that", "not", "with"} & set(text.lower().split())


def test_steps_and_findings_are_italian_for_a_reader_of_it() -> None:
    for step in STEPS:
        for text in (step.title, step.do, step.see):
            assert english_words(translated(text, "it")) == set()
    found = Finding("lights", Verdict.BROKEN, "Not one light glows.", "Look at their wires.")
    assert found.text("it") == (
        "guasto    luci         Nessuna luce si accende. Guarda i loro fili."
    )
    title = "\nStep 4 of 14: The first wire (port)\n\nPress the knob"
    assert translated(title, "it") == "\nPasso 4 di 14: Il primo filo (port)\n\nPremi la manopola"
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
    assert len(about) > 30
    # What is called so everywhere stays as it is.
    assert about - {str(name.msgid) for name in NAMES} == {"python"}


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
    for name in reader.VARIABLES:
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
    assert for_reader("Start the table again.", "it") == "Riavvia il tavolo."


@pytest.mark.usefixtures("italian")
def test_the_environment_comes_before_the_configuration() -> None:
    assert readers_language("en") == "it"


def test_the_languages_of_readers_are_all_there_are() -> None:
    assert get_args(Lang) == (*LANGUAGES,)
    for lang in LANGUAGES:
        assert language_of({"LANG": lang}) == lang


# The command line


HELP = """\
uso: pi-table cards [-h] --out F [--count N] [--size S] [--paper P]
                    [--folder CARTELLA] [--spelling {british,american}]
                    MAZZO

le parole di un mazzo su carte da stampare e ritagliare

argomenti:
  MAZZO                 il suo nome, come lo dice 'pi-table words list'

opzioni:
  -h, --help            mostra questo aiuto ed esce
  --out F               il PDF
  --count N             solo tante, prese da tutto il mazzo
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
def test_all_that_the_parser_shows_is_translated() -> None:
    english = set(helps(parser(add_commands)))
    reader.speak_to_the_reader()
    known = strict("it")
    shown_in_italian = set(helps(parser(add_commands)))
    assert shown_in_italian == {known.gettext(text) for text in english}
    assert len(english) > 70
    for parser_of in every_parser(parser(add_commands)):
        assert english_words(parser_of.format_help()) == set(), parser_of.prog


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
    """What this Python's argparse says to somebody who types, and not to who writes a parser."""
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
    names = (
        *("cli", "common", "common.arguments", "common.errors", "common.reader"),
        *("lab", "lab.commands"),
    )
    assert ours == {f"pi_table.{name}" for name in names}


# The demonstration


def test_the_demonstration_is_played_in_italian() -> None:
    told = [step.what.sentence for step in shown.steps("it") if isinstance(step.what, scenario.Say)]
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
        on_table = {written(Say(word), lang) for word in words}
        for text in demonstration():
            capitals = set(re.findall(r"\b[A-ZÀ]{3,}\b", written(Say(text), lang)))
            assert capitals <= on_table, text


def test_the_terminal_shows_it_in_the_readers_language() -> None:
    from rich.console import Console

    out = StringIO()
    shown.demonstrate(Console(file=out, width=100), lang="it")
    assert "Sul tavolo ci sono 25 parole." in out.getvalue()
    assert "Vincono i Rossi" in out.getvalue()
    assert "spymaster" not in out.getvalue()
