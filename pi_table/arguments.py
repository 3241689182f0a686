"""What may be asked for on the command line: every command, and what it takes.

`cli.py` does what is asked.
"""

import argparse
from pathlib import Path

from pi_table import __version__


def parser() -> argparse.ArgumentParser:
    """What reads the command line. Its ``command`` is the name of the command."""
    every = argparse.ArgumentParser(
        prog="pi-table", description="A café table that plays word-guessing games."
    )
    every.add_argument("--version", action="version", version=f"pi-table {__version__}")
    commands = every.add_subparsers(required=True, metavar="COMMAND", dest="command")

    run = commands.add_parser("run", help="run the table")
    _add_config(run)

    console = commands.add_parser("console", help="run the spymasters' screen")
    _add_config(console)

    simulate = commands.add_parser("simulate", help="the whole table without hardware")
    simulate.add_argument(
        "--profile", metavar="P", help="begin this game, unless one is being played"
    )
    simulate.add_argument(
        "--headless", action="store_true", help="play a scenario in virtual time, without a window"
    )
    simulate.add_argument("--scenario", type=Path, metavar="F", help="the scenario, JSON lines")
    simulate.add_argument("--out", type=Path, metavar="DIR", help="where its results go")
    simulate.add_argument(
        "--controller",
        choices=["simulated", "emulated"],
        default="simulated",
        help="what feels and lights: a simulated device, or the controller's own firmware in an "
        "emulator (%(default)s)",
    )

    gallery = commands.add_parser("gallery", help="every scene of the lights as a picture")
    gallery.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")

    walk = commands.add_parser("walk", help="pictures of a walk through every game")
    walk.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")

    play = commands.add_parser("play", help="the rules alone, JSON lines in and out")
    what = play.add_mutually_exclusive_group(required=True)
    what.add_argument("--acts", metavar="F", help="a game and its acts; - for standard input")
    what.add_argument("--explain", metavar="PROFILE", help="list what a game knows")

    clue = commands.add_parser("clue", help="the referee's opinion on a clue")
    clue.add_argument("word", nargs="?", metavar="WORD", help="in quotes, if it has spaces")
    clue.add_argument("number", nargs="?", metavar="NUMBER", help="0 to 25, or unlimited")
    clue.add_argument("--board", default="", metavar="W1,W2,…", help="the words on the cells")
    clue.add_argument("--covered", default="", metavar="W3,…", help="those that are covered")
    clue.add_argument("--lang", metavar="L", help="en or it (the game's own)")
    clue.add_argument("--profile", default="codenames", metavar="P", help="the game (%(default)s)")
    clue.add_argument(
        "--house", default="", metavar="R,…", help="of compounds, abbreviations, names, sounds"
    )
    clue.add_argument(
        "--lines", action="store_true", help="JSON lines of clues in, one verdict a line out"
    )

    record = commands.add_parser("record", help="read finished games")
    record.add_argument("game", nargs="?", type=int, help="the game's number; without it, the list")
    record.add_argument("--lang", choices=["en", "it"], help="the language (the game's own)")
    _add_config(record)

    words = commands.add_parser("words", help="look at word packs, and check your own")
    _add_words(words)

    cards = commands.add_parser("cards", help="a pack's words as cards to print and cut")
    cards.add_argument("pack", metavar="PACK", help="its name, as 'pi-table words list' tells it")
    cards.add_argument("--out", type=Path, metavar="F", required=True, help="the PDF")
    cards.add_argument("--count", type=int, metavar="N", help="so many, from all over the pack")
    cards.add_argument("--size", default="44x68", metavar="S", help="or 63x88 (mm; %(default)s)")
    cards.add_argument("--paper", default="a4", metavar="P", help="or letter (%(default)s)")
    cards.add_argument("--folder", type=Path, metavar="DIR", help="with packs of your own")
    _add_spelling(cards, "british")

    journal = commands.add_parser("journal", help="look after the journal")
    journal.add_argument("what", choices=["check", "set-aside"])
    _add_config(journal)

    backup = commands.add_parser("backup", help="keep all that the table has in one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file that is written")
    backup.add_argument("--replace", action="store_true", help="in the place of one that is there")
    _add_config(backup)

    restore = commands.add_parser("restore", help="put back what a backup has kept")
    restore.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the backup")
    restore.add_argument(
        "--finish", action="store_true", help="only finish one in which the power went, if any"
    )
    restore.add_argument(
        "--without-config", action="store_true", help="leave the configuration as it is"
    )
    _add_config(restore)

    settings = commands.add_parser("settings", help="take over settings from the boot partition")
    settings.add_argument("what", choices=["apply", "check"])
    settings.add_argument("file", type=Path, metavar="FILE", help="the file, pi-table.toml")
    settings.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="the system (%(default)s)"
    )

    doctor = commands.add_parser("doctor", help="tell what works, what does not, and what to do")
    _add_config(doctor)
    doctor.add_argument("--json", action="store_true", help="one JSON object a line")
    doctor.add_argument("--lights", action="store_true", help="show a test pattern on the lights")
    doctor.add_argument(
        "--bring-up", action="store_true", help="walk from the first wire to the first game"
    )
    doctor.add_argument("--from", dest="begin", metavar="STEP", help="go on with this step of it")
    doctor.add_argument("--list", action="store_true", help="tell the steps of it")
    doctor.add_argument("--yes", action="store_true", help="in it, ask nothing")

    calibrate = commands.add_parser("calibrate", help="set the touch thresholds, pad by pad")
    _add_config(calibrate)
    calibrate.add_argument("--report", type=Path, metavar="FILE", help="log every touch, as JSON")
    calibrate.add_argument("--picture", type=Path, metavar="FILE", help="a heat map, as PNG")
    calibrate.add_argument("--yes", action="store_true", help="store what is found; ask nothing")

    flash = commands.add_parser("flash", help="write the controller's firmware")
    _add_config(flash)
    flash.add_argument("--hex", type=Path, metavar="FILE", help="another one than was built here")
    flash.add_argument("--dry-run", action="store_true", help="check the file, print the commands")

    commands.add_parser("colours", help="how well eyes of each kind tell colours apart")

    eyes = commands.add_parser("eyes", help="pictures as other eyes see them, and in a dim bar")
    eyes.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="as PNG")
    eyes.add_argument("--out", required=True, type=Path, metavar="DIR", help="where they go")

    sounds = commands.add_parser("sounds", help="write every sound as a file, to listen to")
    sounds.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")
    _add_config(sounds)

    bench = commands.add_parser("bench", help="measure, one JSON object a line")
    bench.add_argument(
        "what", nargs="*", help="rules, table, link, clue, screen (all of them); stalls"
    )

    fault = commands.add_parser("fault", help="show why a service has failed; for systemd")
    fault.add_argument("unit", metavar="UNIT", help="the service's unit")
    fault.add_argument("--out", type=Path, metavar="DIR", required=True, help="where it goes")
    fault.add_argument(
        "--text-screen", type=Path, metavar="TTY", default=Path("/dev/tty1"), help="%(default)s"
    )
    return every


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help="a configuration of your own")


def _add_words(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(required=True, metavar="WHAT", dest="what")
    check = what.add_parser("check", help="tell what is wrong with the files of packs")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    of_all = what.add_parser("list", help="tell which packs there are")
    show = what.add_parser("show", help="write out one pack")
    show.add_argument("name", metavar="NAME")
    _add_spelling(show, None)
    report = what.add_parser("report", help="count what is in packs, and what is dealt of them")
    report.add_argument("names", nargs="*", metavar="NAME", help="of packs (all)")
    report.add_argument(
        "--deals", type=int, default=10_000, metavar="N", help="boards (%(default)s)"
    )
    report.add_argument("--seed", type=int, default=1, metavar="N", help="of chance (%(default)s)")
    report.add_argument("--json", action="store_true", help="one JSON object a line")
    _add_spelling(report, "british")
    for each in (of_all, show, report):
        each.add_argument("--folder", type=Path, metavar="DIR", help="with packs of your own")


def _add_spelling(parser: argparse.ArgumentParser, default: str | None) -> None:
    spoken = " (%(default)s)" if default else " alone (as in the file)"
    parser.add_argument(
        "--spelling",
        choices=["british", "american"],
        default=default,
        help=f"of words that have two{spoken}",
    )
