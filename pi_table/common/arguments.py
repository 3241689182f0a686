"""The command-line parser: every command and its options.

`cli.py` runs the commands. `_` is gettext's, as in argparse; `speak_to_the_reader` chooses the
language of both.
"""

import argparse
import math
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from gettext import gettext as _
from pathlib import Path

from pi_table import __version__
from pi_table.common.reader import LANGUAGES


def parser(*more: "Callable[[Commands], None]") -> argparse.ArgumentParser:
    """Return the parser of the command line. Its ``command`` is the name of the command.

    Each function of ``more`` adds commands that this module does not know.
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
    commands = Commands(every)

    commands.group(_("to play"))

    simulate = commands.add("simulate", _("the whole table without hardware"))
    simulate.add_argument(
        "--profile", metavar="P", help=_("begin this game, unless one is being played")
    )
    simulate.add_argument(
        "--headless",
        action="store_true",
        help=_("play a scenario in virtual time, without a window"),
    )
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
        "--state", type=Path, metavar=_("DIR"), help=_("keep the games of this table there")
    )
    simulate.add_argument(
        "--controller",
        choices=["simulated", "emulated"],
        default="simulated",
        help=_(
            "what feels and lights: a simulated device, or the controller's own firmware in an "
            "emulator (%(default)s)"
        ),
    )

    words = commands.add("words", _("look at word packs, and check your own"))
    _add_words(words)

    cards = commands.add("cards", _("a pack's words as cards to print and cut"))
    cards.add_argument(
        "pack", metavar=_("PACK"), help=_("its name, as 'pi-table words list' tells it")
    )
    cards.add_argument("--out", type=Path, metavar="F", required=True, help=_("the PDF"))
    cards.add_argument(
        "--count", type=_whole(), metavar="N", help=_("so many, from all over the pack")
    )
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
    clue.add_argument(
        "--lines", action="store_true", help=_("JSON lines of clues in, one verdict a line out")
    )

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
    what.add_argument("--explain", metavar=_("PROFILE"), help=_("list what a game knows"))

    commands.group(_("to build a table"))

    doctor = commands.add("doctor", _("tell what works, what does not, and what to do"))
    _add_config(doctor)
    doctor.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    doctor.add_argument(
        "--lights", action="store_true", help=_("show a test pattern on the lights")
    )
    doctor.add_argument(
        "--bring-up", action="store_true", help=_("walk from the first wire to the first game")
    )
    doctor.add_argument(
        "--from", dest="begin", metavar=_("STEP"), help=_("go on with this step of it")
    )
    doctor.add_argument("--list", action="store_true", help=_("tell the steps of it"))
    doctor.add_argument("--yes", action="store_true", help=_("in it, ask nothing"))

    calibrate = commands.add("calibrate", _("set the touch thresholds, pad by pad"))
    _add_config(calibrate)
    calibrate.add_argument(
        "--report", type=Path, metavar=_("FILE"), help=_("log every touch, as JSON")
    )
    calibrate.add_argument("--picture", type=Path, metavar=_("FILE"), help=_("a heat map, as PNG"))
    calibrate.add_argument("--yes", action="store_true", help=_("store what is found; ask nothing"))

    flash = commands.add("flash", _("write the controller's firmware"))
    _add_config(flash)
    flash.add_argument(
        "--hex", type=Path, metavar=_("FILE"), help=_("another one than was built here")
    )
    flash.add_argument(
        "--dry-run", action="store_true", help=_("check the file, print the commands")
    )

    sounds = commands.add("sounds", _("write every sound as a file, to listen to"))
    sounds.add_argument(
        "--out", type=Path, metavar=_("DIR"), required=True, help=_("where they go")
    )
    _add_config(sounds)

    commands.group(_("to keep a table"))

    backup = commands.add("backup", _("keep all that the table has in one file"))
    backup.add_argument("file", type=Path, metavar=_("FILE"), help=_("the file that is written"))
    backup.add_argument(
        "--replace", action="store_true", help=_("in the place of one that is there")
    )
    _add_config(backup)

    restore = commands.add("restore", _("put back what a backup has kept"))
    restore.add_argument("file", nargs="?", type=Path, metavar=_("FILE"), help=_("the backup"))
    restore.add_argument(
        "--finish", action="store_true", help=_("only finish one in which the power went, if any")
    )
    restore.add_argument(
        "--without-config", action="store_true", help=_("leave the configuration as it is")
    )
    _add_config(restore)

    journal = commands.add("journal", _("look after the journal"))
    journal.add_argument("what", choices=["check", "set-aside"])
    _add_config(journal)

    update = commands.add("update", _("update the table, but never in a game"))
    how = update.add_mutually_exclusive_group()
    how.add_argument("--now", action="store_true", help=_("outside of quiet hours, too"))
    how.add_argument(
        "--check",
        action="store_true",
        help=_("only say what would be installed, as far as is known"),
    )
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
        help=_("after --: what updates the table, in place of its packages"),
    )
    _add_config(update)

    settings = commands.add("settings", _("take over settings from the boot partition"))
    settings.add_argument("what", choices=["apply", "check"])
    settings.add_argument("file", type=Path, metavar=_("FILE"), help=_("the file, pi-table.toml"))
    settings.add_argument(
        "--root", type=Path, default=Path("/"), metavar=_("DIR"), help=_("the system (%(default)s)")
    )

    commands.group(_("what a table runs"))

    run = commands.add("run", _("run the table"))
    _add_config(run)

    console = commands.add("console", _("run the spymasters' screen"))
    _add_config(console)

    web = commands.add("web", _("serve the pages, for screens and phones"))
    _add_config(web)

    fault = commands.add("fault", _("show why a service has failed; for systemd"))
    fault.add_argument("unit", metavar=_("UNIT"), help=_("the service's unit"))
    fault.add_argument("--out", type=Path, metavar=_("DIR"), required=True, help=_("where it goes"))
    fault.add_argument(
        "--text-screen", type=Path, metavar=_("TTY"), default=Path("/dev/tty1"), help="%(default)s"
    )

    commands.group(_("many tables"))

    bridge = commands.add("bridge", _("make the table one of many, at a broker"))
    _add_config(bridge)
    bridge.add_argument(
        "--tell-again",
        action="store_true",
        help=_("have all finished games sent again, and end"),
    )

    collect = commands.add("collect", _("keep what is played at many tables"))
    _add_collect(collect)

    provision = commands.add("provision", _("credentials of tables, and what their broker is"))
    _add_provision(provision)

    for add in more:
        add(commands)
    every.epilog = commands.listed
    return every


class Commands:
    """The commands of a parser, listed in groups, which argparse does not have."""

    def __init__(self, every: argparse.ArgumentParser) -> None:
        self._commands = every.add_subparsers(
            required=True, dest="command", prog=every.prog, help=argparse.SUPPRESS
        )
        self.listed = _("'pi-table COMMAND --help' tells what a command takes.") + "\n"

    def group(self, title: str) -> None:
        """Begin a group: it gets the commands that are added next."""
        self.listed += f"\n{title}:\n"

    def add(self, name: str, does: str) -> argparse.ArgumentParser:
        """Add a command to the list and return its parser."""
        self.listed += f"    {name:<11}{does}\n"
        return self._commands.add_parser(name, description=does)


def _whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers, which must be in this range if there is one."""

    def read(text: str) -> int:
        with suppress(ValueError):
            number = int(text)
            if (least is None or number >= least) and (most is None or number <= most):
                return number
        if most is None:
            raise _wrong(_("name a whole number, not %(value)r"), text)
        wanted = _("name a whole number from %(least)s to %(most)s, not %(value)r")
        raise _wrong(wanted, text, least=least, most=most)

    return read


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (seconds := float(text)) < math.inf:
            return seconds
    raise _wrong(_("name a number of seconds, such as 60, not %(value)r"), text)


def _date(text: str) -> date:
    with suppress(ValueError):
        return date.fromisoformat(text)
    raise _wrong(_("name a day such as 2026-01-31, not %(value)r"), text)


def _wrong(wanted: str, given: str, **fields: object) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(wanted % {"value": given, **fields})


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help=_("a configuration of your own"))


def _add_collect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help=_("the collector's settings"))
    parser.add_argument("--once", action="store_true", help=_("end when nothing more comes"))
    what = parser.add_subparsers(metavar=_("WHAT"), dest="what")
    report = what.add_parser("report", help=_("tell what was played at which table"))
    report.add_argument(
        "--database", metavar="D", help=_("where it is kept (as the collector's settings say)")
    )
    for option, text in (("--since", _("the first evening")), ("--until", _("the last evening"))):
        report.add_argument(option, type=_date, metavar=_("DATE"), help=text)
    report.add_argument(
        "--out", type=Path, metavar=_("DIR"), help=_("for a page, pictures and lists")
    )


def _add_provision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="*", metavar=_("TABLE"), help=_("names of tables"))
    parser.add_argument(
        "--out", type=Path, metavar=_("DIR"), required=True, help=_("where all of it is kept")
    )
    parser.add_argument(
        "--count", type=_whole(), default=0, metavar="N", help=_("so many tables more")
    )
    parser.add_argument(
        "--named", default="table", metavar=_("NAME"), help=_("which are %(default)s-1, …")
    )
    parser.add_argument(
        "--bar",
        default="",
        metavar=_("NAME"),
        help=_("where these tables stand, or whom users see"),
    )
    for option, text in (
        ("--collector", _("another user that gathers games")),
        ("--operator", _("another user that commands tables")),
        ("--home-assistant-user", _("another user for a Home Assistant")),
    ):
        parser.add_argument(option, action="append", default=[], metavar=_("NAME"), help=text)
    parser.add_argument(
        "--broker", metavar=_("ADDRESS"), help=_("where tables find it: mqtts://broker.lan")
    )
    parser.add_argument("--ca", type=Path, metavar=_("FILE"), help=_("who signs for it, as PEM"))
    parser.add_argument(
        "--prefix", default="pi-table", metavar="P", help=_("of all topics (%(default)s)")
    )
    parser.add_argument(
        "--home-assistant",
        default="homeassistant",
        metavar="P",
        help=_("where it looks for devices (%(default)s); '' where there is none"),
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
        help=_("take one away; named as a table too, it gets another password"),
    )
    parser.add_argument(
        "--replace", action="store_true", help=_("write files anew that were changed by hand")
    )
    parser.add_argument(
        "--probe", action="store_true", help=_("try whether the broker keeps tables apart")
    )


def _add_words(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(required=True, metavar=_("WHAT"), dest="what")
    check = what.add_parser("check", help=_("tell what is wrong with the files of packs"))
    check.add_argument("files", nargs="+", type=Path, metavar=_("FILE"))
    _add_import(what.add_parser("import", help=_("make a pack of a list, however it is written")))
    of_all = what.add_parser("list", help=_("tell which packs there are"))
    show = what.add_parser("show", help=_("write out one pack"))
    show.add_argument("name", metavar=_("NAME"))
    _add_spelling(show, None)
    report = what.add_parser("report", help=_("count what is in packs, and what is dealt of them"))
    report.add_argument("names", nargs="*", metavar=_("NAME"), help=_("of packs (all)"))
    report.add_argument(
        "--deals", type=_whole(), default=10_000, metavar="N", help=_("boards (%(default)s)")
    )
    report.add_argument(
        "--seed", type=_whole(), default=1, metavar="N", help=_("of chance (%(default)s)")
    )
    report.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    _add_spelling(report, "british")
    for each in (of_all, show, report):
        each.add_argument("--folder", type=Path, metavar=_("DIR"), help=_("with packs of your own"))


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"))
    parser.add_argument("--language", choices=[*LANGUAGES], help=_("of the words"))
    parser.add_argument("--name", metavar=_("NAME"), help=_("of the pack (that of the file)"))
    parser.add_argument("--title", metavar=_("TITLE"), help=_("what people call the pack"))
    parser.add_argument("--adults", action="store_true", help=_("it is for adults alone"))
    parser.add_argument(
        "--encoding", metavar="E", help=_("of the file, where it is not UTF-8: cp1252, mac-roman …")
    )
    parser.add_argument(
        "--separator",
        choices=[
            "lines",
            "tab",
            "semicolon",
            "bar",
            "comma",
            "dot",
            "slash",
            "dash",
            "colon",
            "space",
        ],
        help=_("between the words (what the list shows)"),
    )
    parser.add_argument(
        "--column", type=_whole(0, 99), metavar="N", help=_("of a table, from 1; 0 for all of them")
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(), metavar=_("DIR"), help=_("where the pack is to lie")
    )


def _add_spelling(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--spelling",
        choices=["british", "american"],
        default=default,
        help=_("of words that have two (%(default)s)")
        if default
        else _("of words that have two alone (as in the file)"),
    )
