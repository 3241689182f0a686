"""The command-line parser: every command and its options.

`cli.py` runs the commands. `_` is gettext's function, as in argparse. `speak_to_the_reader` chooses
the language of argparse's texts and of the texts in this module.
"""

import argparse
import math
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from gettext import gettext as _
from pathlib import Path
from typing import cast

from pi_table import __version__
from pi_table.common.output_locale import LANGUAGES


def parser(*more: "Callable[[Commands], None]", only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line. It stores the command's name as ``command``.

    Each function of ``more`` adds commands that this module does not know. With ``only``, the
    parser knows that command alone: the others take a twentieth of the time until a table is ready.
    """
    every = argparse.ArgumentParser(
        prog="pi-table",
        usage="%(prog)s " + _("COMMAND") + " …",
        description=_("A café table that plays word-guessing games."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    every.add_argument(
        "--version",
        action="version",
        version=f"pi-table {__version__}",
        help=_("show the program's version number and exit"),
    )
    commands = Commands(every, only)

    commands.group(_("to play"))

    simulate = commands.add("simulate", _("the whole table without hardware"))
    simulate.add_argument(
        "--profile", metavar="P", help=_("begin this game, unless one is being played")
    )
    _flag(simulate, "--headless", _("play a scenario in virtual time, without a window"))
    simulate.add_argument(
        "--scenario", type=Path, metavar="F", help=_("the scenario, JSON lines (the demonstration)")
    )
    simulate.add_argument("--out", type=Path, metavar=_("DIR"), help=_("where its results go"))
    simulate.add_argument(
        "--web",
        nargs="?",
        type=_whole(1, 65535),
        const=8080,
        metavar=_("PORT"),
        help=_("serve the pages too, on this machine alone (port %(const)s)"),
    )
    simulate.add_argument(
        "--state", type=Path, metavar=_("DIR"), help=_("where the games of this table are kept")
    )
    simulate.add_argument(
        "--controller",
        choices=["simulated", "emulated", "pi"],
        default="simulated",
        help=_(
            "touch and lights: a simulated device; or the controller's own firmware in an "
            "emulator, or as it runs on a Raspberry Pi without one (%(default)s)"
        ),
    )
    simulate.add_argument(
        "--layout",
        default="tiles",
        metavar="L",
        help=_("show the lights as a string of this layout does: a name or a file (%(default)s)"),
    )

    words = commands.add("words", _("look at word packs, and check your own"))
    _add_words(words)

    cards = commands.add("cards", _("a pack's words as cards to print and cut"))
    cards.add_argument(
        "pack", metavar=_("PACK"), help=_("its name, as 'pi-table words list' shows it")
    )
    cards.add_argument("--out", type=Path, metavar="F", required=True, help=_("the PDF"))
    cards.add_argument(
        "--count", type=_whole(), metavar="N", help=_("this many, from the whole pack")
    )
    _flag(cards, "--backs", _("backs too, for printing on both sides"))
    _flag(cards, "--lines", _("dashed lines between the cards"))
    cards.add_argument("--size", default="44x68", metavar="S", help=_("or 63x88 (mm; %(default)s)"))
    cards.add_argument("--paper", default="a4", metavar="P", help=_("or letter (%(default)s)"))
    cards.add_argument("--folder", type=Path, metavar=_("DIR"), help=_("with packs of your own"))
    _add_spelling(cards, "british")

    clue = commands.add("clue", _("the referee's opinion on a clue"))
    clue.add_argument("word", nargs="?", metavar=_("WORD"), help=_("in quotes, if it has spaces"))
    clue.add_argument("number", nargs="?", metavar=_("NUMBER"), help=_("0 to 25, or unlimited"))
    clue.add_argument("--board", default="", metavar="W1,W2,…", help=_("the words on the cells"))
    clue.add_argument("--covered", default="", metavar="W3,…", help=_("those that are covered"))
    clue.add_argument("--lang", metavar="L", help=_("en or it (the game's own)"))
    clue.add_argument(
        "--profile", default="codenames", metavar="P", help=_("the game (%(default)s)")
    )
    clue.add_argument(
        "--house", default="", metavar="R,…", help=_("of compounds, abbreviations, names, sounds")
    )
    _flag(clue, "--lines", _("JSON lines of clues in, one verdict a line out"))

    record = commands.add("record", _("read finished games"))
    record.add_argument(
        "game",
        nargs="?",
        type=_whole(),
        metavar=_("NUMBER"),
        help=_("the game's number; without it, the list"),
    )
    record.add_argument("--lang", choices=[*LANGUAGES], help=_("the language (the game's own)"))
    _add_config(record)

    play = commands.add("play", _("the rules alone, JSON lines in and out"))
    what = play.add_mutually_exclusive_group(required=True)
    what.add_argument("--acts", metavar="F", help=_("a game and its acts; - for standard input"))
    what.add_argument(
        "--explain", metavar=_("PROFILE"), help=_("explain a game's acts and settings")
    )

    commands.group(_("to build a table"))

    doctor = commands.add("doctor", _("check what works and what does not, and say what to do"))
    _add_config(doctor)
    _flag(doctor, "--json", _("one JSON object a line"))
    _flag(doctor, "--lights", _("show a test pattern on the lights"))
    _flag(doctor, "--bring-up", _("guide you from the first wire to the first game"))
    doctor.add_argument(
        "--from", dest="begin", metavar=_("STEP"), help=_("begin with this step of --bring-up")
    )
    _flag(doctor, "--list", _("list the steps of --bring-up"))
    _flag(doctor, "--yes", _("ask no questions in --bring-up"))

    calibrate = commands.add("calibrate", _("set the touch thresholds, pad by pad"))
    _add_config(calibrate)
    calibrate.add_argument(
        "--report", type=Path, metavar=_("FILE"), help=_("log every touch, as JSON")
    )
    calibrate.add_argument("--picture", type=Path, metavar=_("FILE"), help=_("a heat map, as PNG"))
    _flag(calibrate, "--yes", _("store the result; ask no questions"))

    flash = commands.add("flash", _("write the controller's firmware"))
    _add_config(flash)
    flash.add_argument(
        "--hex", type=Path, metavar=_("FILE"), help=_("another file than the one built here")
    )
    _flag(flash, "--dry-run", _("check the file, print the commands"))

    sounds = commands.add("sounds", _("write every sound as a file, to listen to"))
    sounds.add_argument(
        "--out", type=Path, metavar=_("DIR"), required=True, help=_("where to put them")
    )
    _add_config(sounds)

    commands.group(_("to keep a table"))

    backup = commands.add("backup", _("save everything that the table has in one file"))
    backup.add_argument("file", type=Path, metavar=_("FILE"), help=_("the file to write"))
    _flag(backup, "--replace", _("replace the file if it exists"))
    _add_config(backup)

    restore = commands.add("restore", _("restore a backup"))
    restore.add_argument("file", nargs="?", type=Path, metavar=_("FILE"), help=_("the backup"))
    _flag(restore, "--finish", _("only finish a restore that a power cut interrupted"))
    _flag(restore, "--without-config", _("leave the configuration as it is"))
    _add_config(restore)

    journal = commands.add("journal", _("check the journal, or set it aside"))
    journal.add_argument("what", choices=["check", "set-aside"])
    _add_config(journal)

    update = commands.add("update", _("update the table, but never during a game"))
    how = update.add_mutually_exclusive_group()
    _flag(how, "--now", _("also outside of quiet hours"))
    _flag(how, "--check", _("only show what would be installed, as far as is known"))
    update.add_argument(
        "--within",
        type=_seconds,
        default=60.0,
        metavar=_("SECONDS"),
        help=_("how long the new version may take to answer (%(default)s)"),
    )
    update.add_argument(
        "updater",
        nargs="*",
        metavar=_("COMMAND"),
        help=_("after --: the command that updates the table, instead of its packages"),
    )
    _add_config(update)

    settings = commands.add("settings", _("apply the settings of the boot partition"))
    settings.add_argument("what", choices=["apply", "check"])
    settings.add_argument("file", type=Path, metavar=_("FILE"), help=_("the file, pi-table.toml"))
    settings.add_argument(
        "--root",
        type=Path,
        default=Path("/"),
        metavar=_("DIR"),
        help=_("the root of the system (%(default)s)"),
    )

    commands.group(_("what a table runs"))

    _add_config(commands.add("run", _("run the table")))
    _add_config(commands.add("console", _("run the spymasters' screen")))
    _add_config(commands.add("controller", _("scan touch chips at this machine's own bus")))
    _add_config(commands.add("web", _("serve the pages, for screens and phones")))

    fault = commands.add("fault", _("show why a service has failed; for systemd"))
    fault.add_argument("unit", metavar=_("UNIT"), help=_("the service's unit"))
    fault.add_argument(
        "--out", type=Path, metavar=_("DIR"), required=True, help=_("where to put it")
    )
    fault.add_argument(
        "--text-screen", type=Path, metavar=_("TTY"), default=Path("/dev/tty1"), help="%(default)s"
    )

    commands.group(_("many tables"))

    bridge = commands.add("bridge", _("connect the table, with others, to a broker"))
    _add_config(bridge)
    _flag(bridge, "--tell-again", _("send all finished games again, and exit"))

    collect = commands.add("collect", _("collect what is played at many tables"))
    _add_collect(collect)

    provision = commands.add(
        "provision", _("make credentials for tables, and their broker's files")
    )
    _add_provision(provision)

    for add in more:
        add(commands)
    every.epilog = commands.listed
    return every


class Commands:
    """The commands of a parser, listed in groups. argparse itself cannot group commands."""

    def __init__(self, every: argparse.ArgumentParser, only: str | None) -> None:
        self._only = only
        self._commands = every.add_subparsers(
            required=True, dest="command", prog=every.prog, help=argparse.SUPPRESS
        )
        self.listed = _("'pi-table COMMAND --help' explains a command.") + "\n"

    def group(self, title: str) -> None:
        """Begin a group with this title. `add` puts all further commands into this group."""
        self.listed += f"\n{title}:\n"

    def add(self, name: str, does: str) -> argparse.ArgumentParser:
        """Add a command to the list and return its parser."""
        self.listed += f"    {name:<11}{does}\n"
        if self._only not in (None, name):
            return cast(argparse.ArgumentParser, _Unused())
        return self._commands.add_parser(name, description=does)


class _Unused:
    """Takes the place of a parser for a command that is not run: it accepts every option, and keeps
    none."""

    def __getattr__(self, name: str) -> "Callable[..., _Unused]":
        return lambda *given, **named: self


def _whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """Return a function that reads a whole number from ``least`` to ``most``. None means that there
    is no limit."""

    def read(text: str) -> int:
        with suppress(ValueError):
            number = int(text)
            if (least is None or number >= least) and (most is None or number <= most):
                return number
        if most is None:
            raise _wrong(_("give a whole number, not %(value)r"), text)
        wanted = _("give a whole number from %(least)s to %(most)s, not %(value)r")
        raise _wrong(wanted, text, least=least, most=most)

    return read


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (seconds := float(text)) < math.inf:
            return seconds
    raise _wrong(_("give a number of seconds, such as 60, not %(value)r"), text)


def _date(text: str) -> date:
    with suppress(ValueError):
        return date.fromisoformat(text)
    raise _wrong(_("give a day such as 2026-01-31, not %(value)r"), text)


def _wrong(wanted: str, given: str, **fields: object) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(wanted % {"value": given, **fields})


def _flag(parser: argparse._ActionsContainer, option: str, text: str) -> None:
    parser.add_argument(option, action="store_true", help=text)


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help=_("a configuration of your own"))


def _add_collect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help=_("the collector's settings"))
    _flag(parser, "--once", _("exit when nothing more arrives"))
    what = parser.add_subparsers(metavar=_("WHAT"), dest="what")
    report = what.add_parser("report", help=_("report what was played at which table"))
    report.add_argument(
        "--database", metavar="D", help=_("the database (the one in the collector's settings)")
    )
    for option, text in (("--since", _("the first evening")), ("--until", _("the last evening"))):
        report.add_argument(option, type=_date, metavar=_("DATE"), help=text)
    report.add_argument(
        "--out", type=Path, metavar=_("DIR"), help=_("folder for a page, pictures and lists")
    )


def _add_provision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="*", metavar=_("TABLE"), help=_("names of tables"))
    parser.add_argument(
        "--out",
        type=Path,
        metavar=_("DIR"),
        required=True,
        help=_("the folder that keeps all of it"),
    )
    parser.add_argument(
        "--count", type=_whole(), default=0, metavar="N", help=_("this many more tables")
    )
    parser.add_argument(
        "--named", default="table", metavar=_("NAME"), help=_("named %(default)s-1, …")
    )
    parser.add_argument(
        "--bar", default="", metavar=_("NAME"), help=_("the bar of these tables, or of these users")
    )
    for option, text in (
        ("--collector", _("another user that gathers games")),
        ("--operator", _("another user that commands tables")),
        ("--home-assistant-user", _("another user for a Home Assistant")),
    ):
        parser.add_argument(option, action="append", default=[], metavar=_("NAME"), help=text)
    parser.add_argument(
        "--broker", metavar=_("ADDRESS"), help=_("the broker's address: mqtts://broker.lan")
    )
    parser.add_argument("--ca", type=Path, metavar=_("FILE"), help=_("the CA certificate, as PEM"))
    parser.add_argument(
        "--prefix", default="pi-table", metavar="P", help=_("prefix of all topics (%(default)s)")
    )
    parser.add_argument(
        "--home-assistant",
        default="homeassistant",
        metavar="P",
        help=_("where Home Assistant looks for devices (%(default)s); '' if there is none"),
    )
    parser.add_argument(
        "--at",
        default="/etc/mosquitto/pi-table",
        metavar=_("DIR"),
        help=_("the folder on the broker (%(default)s)"),
    )
    parser.add_argument(
        "--revoke",
        action="append",
        default=[],
        metavar=_("NAME"),
        help=_("revoke a name; if it is also named as a table, it gets another password"),
    )
    _flag(parser, "--replace", _("rewrite files that were changed by hand"))
    _flag(parser, "--probe", _("test whether the broker keeps tables apart"))


def _add_words(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(required=True, metavar=_("WHAT"), dest="what")
    check = what.add_parser("check", help=_("list the faults in the files of packs"))
    check.add_argument("files", nargs="+", type=Path, metavar=_("FILE"))
    _add_import(what.add_parser("import", help=_("make a pack from a list, however it is written")))
    of_all = what.add_parser("list", help=_("list the packs"))
    show = what.add_parser("show", help=_("print one pack"))
    show.add_argument("name", metavar=_("NAME"))
    _add_spelling(show, None)
    report = what.add_parser("report", help=_("count what is in packs, and what they deal"))
    report.add_argument("names", nargs="*", metavar=_("NAME"), help=_("names of packs (all)"))
    report.add_argument(
        "--deals",
        type=_whole(),
        default=10_000,
        metavar="N",
        help=_("number of boards dealt (%(default)s)"),
    )
    report.add_argument(
        "--seed", type=_whole(), default=1, metavar="N", help=_("random seed (%(default)s)")
    )
    _flag(report, "--json", _("one JSON object a line"))
    _add_spelling(report, "british")
    for each in (of_all, show, report):
        each.add_argument("--folder", type=Path, metavar=_("DIR"), help=_("with packs of your own"))


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"))
    parser.add_argument("--language", choices=[*LANGUAGES], help=_("language of the words"))
    parser.add_argument("--name", metavar=_("NAME"), help=_("name of the pack (that of the file)"))
    parser.add_argument("--title", metavar=_("TITLE"), help=_("the title that people see"))
    _flag(parser, "--adults", _("the pack is for adults only"))
    parser.add_argument(
        "--encoding",
        metavar="E",
        help=_("encoding of the file, if it is not UTF-8: cp1252, mac-roman …"),
    )
    parser.add_argument(
        "--separator",
        choices=[
            *("lines", "tab", "semicolon", "bar", "comma"),
            *("dot", "slash", "dash", "colon", "space"),
        ],
        help=_("what separates the words (as the list shows)"),
    )
    parser.add_argument(
        "--column",
        type=_whole(0, 99),
        metavar="N",
        help=_("column of a table, from 1; 0 for all of them"),
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(), metavar=_("DIR"), help=_("folder for the pack")
    )


def _add_spelling(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--spelling",
        choices=["british", "american"],
        default=default,
        help=_("spelling of words that have two (%(default)s)")
        if default
        else _("only this spelling of words that have two (as in the file)"),
    )
