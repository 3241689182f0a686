"""The command line: what is asked for, read and checked; the work is done elsewhere.

Modules are imported by the command that needs them, so that each starts as fast as it can.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from pi_table import __version__
from pi_table.errors import InputError, TableError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the program's exit status (2: the input is unusable)."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.command(arguments)
        sys.stdout.flush()
        return status
    except TableError as error:
        print(f"pi-table: {error}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    except BrokenPipeError:
        # Whoever was reading has gone; Python must not try to flush to them at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"pi-table: {error.strerror or error}: {error.filename or 'output'}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pi-table", description="A café table that plays word-guessing games."
    )
    parser.add_argument("--version", action="version", version=f"pi-table {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="run the table")
    _add_config(run)
    run.set_defaults(command=_run)

    console = commands.add_parser("console", help="run the spymasters' screen")
    _add_config(console)
    console.set_defaults(command=_console)

    simulate = commands.add_parser("simulate", help="the whole table without hardware")
    simulate.add_argument("--profile", default="codenames", help="the game (%(default)s)")
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
    simulate.set_defaults(command=_simulate)

    play = commands.add_parser("play", help="the rules alone, JSON lines in and out")
    what = play.add_mutually_exclusive_group(required=True)
    what.add_argument("--acts", metavar="F", help="a game and its acts; - for standard input")
    what.add_argument("--explain", metavar="PROFILE", help="list what a game knows")
    play.set_defaults(command=_play)

    record = commands.add_parser("record", help="read finished games")
    record.add_argument("game", nargs="?", type=int, help="the game's number; without it, the list")
    _add_config(record)
    record.set_defaults(command=_record)

    journal = commands.add_parser("journal", help="look after the journal")
    journal.add_argument("what", choices=["check", "set-aside"])
    _add_config(journal)
    journal.set_defaults(command=_journal)

    doctor = commands.add_parser("doctor", help="tell what works, what does not, and what to do")
    _add_config(doctor)
    doctor.add_argument("--json", action="store_true", help="one JSON object a line")
    doctor.add_argument("--lights", action="store_true", help="show a test pattern on the lights")
    doctor.set_defaults(command=_doctor)

    calibrate = commands.add_parser("calibrate", help="set the touch thresholds, pad by pad")
    _add_config(calibrate)
    calibrate.add_argument("--report", type=Path, metavar="FILE", help="log every touch, as JSON")
    calibrate.add_argument("--picture", type=Path, metavar="FILE", help="a heat map, as PNG")
    calibrate.add_argument("--yes", action="store_true", help="store what is found; ask nothing")
    calibrate.set_defaults(command=_calibrate)

    flash = commands.add_parser("flash", help="write the controller's firmware")
    _add_config(flash)
    flash.add_argument("--hex", type=Path, metavar="FILE", help="another one than was built here")
    flash.add_argument("--dry-run", action="store_true", help="check the file, print the commands")
    flash.set_defaults(command=_flash)

    bench = commands.add_parser("bench", help="measure, one JSON object a line")
    bench.add_argument("what", nargs="*", help="rules, table, link (all of them)")
    bench.set_defaults(command=_bench)
    return parser


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help="a configuration of your own")


def _run(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.daemon import main

    return main(config.load(arguments.config))


def _console(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.console.app import run

    return run(config.load(arguments.config))


def _simulate(arguments: argparse.Namespace) -> int:
    from pi_table.rules.profile import profile_named

    profile_named(arguments.profile)
    if arguments.headless:
        from pi_table.simulator.headless import run

        if arguments.scenario is None or arguments.out is None:
            raise InputError("A headless simulation needs --scenario F and --out DIR.")
        lines = _lines_of(str(arguments.scenario))
        if arguments.controller == "simulated":
            run(lines, arguments.out, sys.stderr)
            return 0
        from pi_table.simulator.emulated import EmulatedTable
        from pi_table.simulator.virtual_controller import VirtualController

        with EmulatedTable("emulated") as table:
            run(lines, arguments.out, sys.stderr, VirtualController(table))
        return 0
    if arguments.scenario is not None or arguments.out is not None:
        raise InputError("--scenario and --out belong to --headless.")
    from pi_table.simulator.show import show

    return show(emulated=arguments.controller == "emulated")


def _play(arguments: argparse.Namespace) -> int:
    from pi_table.rules.key import draw
    from pi_table.rules.play import explain, play
    from pi_table.rules.profile import profile_named

    if arguments.explain is not None:
        print("\n".join(explain(profile_named(arguments.explain))))
        return 0
    for answer in play(_lines_of(arguments.acts), draw):
        print(answer, flush=True)
    return 0


def _lines_of(name: str) -> Iterator[str]:
    """The lines of a file, or of standard input for ``-``, as they come."""
    if name == "-":
        yield from _decoded(sys.stdin.buffer)
        return
    try:
        with open(name, "rb") as file:
            yield from _decoded(file)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None


def _decoded(file: BinaryIO | Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        try:
            yield line.rstrip(b"\r\n").decode()
        except UnicodeDecodeError:
            raise InputError(f"Line {number}: this is not UTF-8 text.") from None


def _record(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.archive import Archive

    archive = Archive(config.load(arguments.config).paths.journal)
    if arguments.game is None:
        for game in archive.games():
            outcome = game.outcome
            winner = outcome.winner.value if outcome and outcome.winner else "nobody"
            why = outcome.why.value if outcome else ""
            print(f"{game.number:>5}  {game.begun}  {game.profile}  {winner} won ({why})")
        return 0
    record = archive.record(arguments.game)
    print(f"Game {record.number}, begun {record.begun}")
    for line in record.lines:
        minutes, seconds = divmod(int(line.at), 60)
        print(f"{minutes:>4}:{seconds:02}  {line.text}")
    return 0


def _journal(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.daemon import utc_now
    from pi_table.store.aside import set_aside
    from pi_table.store.journal import Journal

    path = config.load(arguments.config).paths.journal
    if arguments.what == "set-aside":
        print(f"The journal is now {set_aside(path, utc_now())}; the table begins a new one.")
        return 0
    journal = Journal.open_to_read(path)
    try:
        journal.check()
    finally:
        journal.close()
    print(f"The journal {path} is in order.")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from pi_table.maker.doctor import run

    return run(arguments.config, arguments.json, arguments.lights)


def _calibrate(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.maker.calibrate import run

    used = config.load(arguments.config)
    return run(used, arguments.report, arguments.picture, arguments.yes)


def _flash(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.maker.flash import run

    return run(config.load(arguments.config), arguments.hex, arguments.dry_run)


def _bench(arguments: argparse.Namespace) -> int:
    from pi_table.bench.run import run

    return run(arguments.what)
