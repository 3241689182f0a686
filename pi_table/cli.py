"""The command line: what is asked for, read and checked; the work is done elsewhere.

Modules are imported by the command that needs them, so that each starts as fast as it can.
"""

import argparse
import json
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
    simulate.set_defaults(command=_simulate)

    gallery = commands.add_parser("gallery", help="every scene of the lights as a picture")
    gallery.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")
    gallery.set_defaults(command=_gallery)

    walk = commands.add_parser("walk", help="pictures of a walk through every game")
    walk.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")
    walk.set_defaults(command=_walk)

    play = commands.add_parser("play", help="the rules alone, JSON lines in and out")
    what = play.add_mutually_exclusive_group(required=True)
    what.add_argument("--acts", metavar="F", help="a game and its acts; - for standard input")
    what.add_argument("--explain", metavar="PROFILE", help="list what a game knows")
    play.set_defaults(command=_play)

    clue = commands.add_parser("clue", help="the referee's opinion on a clue")
    clue.add_argument("word", nargs="?", metavar="WORD", help="in quotes, if it has spaces")
    clue.add_argument("number", nargs="?", metavar="NUMBER", help="0 to 25, or unlimited")
    clue.add_argument("--board", default="", metavar="W1,W2,…", help="the words on the cells")
    clue.add_argument("--covered", default="", metavar="W3,…", help="those that are covered")
    clue.add_argument("--lang", metavar="L", help="en or it (the game's own)")
    clue.add_argument("--profile", default="codenames", metavar="P", help="the game (%(default)s)")
    clue.add_argument(
        "--house", default="", metavar="R,…", help="of compounds, abbreviations, names"
    )
    clue.add_argument(
        "--lines", action="store_true", help="JSON lines of clues in, one verdict a line out"
    )
    clue.set_defaults(command=_clue)

    record = commands.add_parser("record", help="read finished games")
    record.add_argument("game", nargs="?", type=int, help="the game's number; without it, the list")
    record.add_argument("--lang", choices=["en", "it"], help="the language (the game's own)")
    _add_config(record)
    record.set_defaults(command=_record)

    words = commands.add_parser("words", help="look at word packs, and check your own")
    _add_words(words)
    words.set_defaults(command=_words)

    journal = commands.add_parser("journal", help="look after the journal")
    journal.add_argument("what", choices=["check", "set-aside"])
    _add_config(journal)
    journal.set_defaults(command=_journal)

    backup = commands.add_parser("backup", help="keep all that the table has in one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file that is written")
    backup.add_argument("--replace", action="store_true", help="in the place of one that is there")
    _add_config(backup)
    backup.set_defaults(command=_backup)

    restore = commands.add_parser("restore", help="put back what a backup has kept")
    restore.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the backup")
    restore.add_argument(
        "--finish", action="store_true", help="only finish one in which the power went, if any"
    )
    restore.add_argument(
        "--without-config", action="store_true", help="leave the configuration as it is"
    )
    _add_config(restore)
    restore.set_defaults(command=_restore)

    settings = commands.add_parser("settings", help="take over settings from the boot partition")
    settings.add_argument("what", choices=["apply", "check"])
    settings.add_argument("file", type=Path, metavar="FILE", help="the file, pi-table.toml")
    settings.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="the system (%(default)s)"
    )
    settings.set_defaults(command=_settings)

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

    colours = commands.add_parser("colours", help="how well eyes of each kind tell colours apart")
    colours.set_defaults(command=_colours)

    eyes = commands.add_parser("eyes", help="pictures as other eyes see them, and in a dim bar")
    eyes.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="as PNG")
    eyes.add_argument("--out", required=True, type=Path, metavar="DIR", help="where they go")
    eyes.set_defaults(command=_eyes)

    sounds = commands.add_parser("sounds", help="write every sound as a file, to listen to")
    sounds.add_argument("--out", type=Path, metavar="DIR", required=True, help="where they go")
    _add_config(sounds)
    sounds.set_defaults(command=_sounds)

    bench = commands.add_parser("bench", help="measure, one JSON object a line")
    bench.add_argument(
        "what", nargs="*", help="rules, table, link, clue, screen (all of them); stalls"
    )
    bench.set_defaults(command=_bench)

    fault = commands.add_parser("fault", help="show why a service has failed; for systemd")
    fault.add_argument("unit", metavar="UNIT", help="the service's unit")
    fault.add_argument("--out", type=Path, metavar="DIR", required=True, help="where it goes")
    fault.add_argument(
        "--text-screen", type=Path, metavar="TTY", default=Path("/dev/tty1"), help="%(default)s"
    )
    fault.set_defaults(command=_fault)
    return parser


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="F", help="a configuration of your own")


def _add_words(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(required=True, metavar="WHAT", dest="what")
    check = what.add_parser("check", help="tell what is wrong with the files of packs")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    of_all = what.add_parser("list", help="tell which packs there are")
    show = what.add_parser("show", help="write out one pack")
    show.add_argument("name", metavar="NAME")
    for each in (of_all, show):
        each.add_argument("--folder", type=Path, metavar="DIR", help="with packs of your own")


def _run(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.daemon import main
    from pi_table.keeping.finishing import finish_before_start

    used = config.load(arguments.config)
    if finish_before_start(used.paths.journal.parent):
        used = config.load(arguments.config)  # it may have been put in its place just now
    return main(used)


def _console(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.console.app import run
    from pi_table.crashes import crash_at_once, forbid_core_dumps

    forbid_core_dumps()
    crash_at_once()
    return run(config.load(arguments.config))


def _simulate(arguments: argparse.Namespace) -> int:
    from pi_table.rules.profile import profile_named

    if arguments.profile is not None:
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

    return show(arguments.profile, emulated=arguments.controller == "emulated")


def _gallery(arguments: argparse.Namespace) -> int:
    from pi_table.simulator.gallery import write_gallery

    write_gallery(arguments.out)
    return 0


def _walk(arguments: argparse.Namespace) -> int:
    from pi_table.language import LANGUAGES
    from pi_table.simulator.headless import run
    from pi_table.simulator.walks import walks

    for lang in LANGUAGES:
        for name, lines in walks(lang).items():
            run(map(json.dumps, lines), arguments.out / lang / name, sys.stderr)
    return 0


def _play(arguments: argparse.Namespace) -> int:
    from pi_table.rules.chance import Chance
    from pi_table.rules.play import explain, play
    from pi_table.rules.profile import profile_named

    if arguments.explain is not None:
        print("\n".join(explain(profile_named(arguments.explain))))
        return 0
    for answer in play(_lines_of(arguments.acts), Chance()):
        print(answer, flush=True)
    return 0


def _clue(arguments: argparse.Namespace) -> int:
    from pi_table.referee import lines

    if arguments.lines:
        if arguments.word is not None:
            raise InputError("With --lines the clues come from standard input; name none.")
        for answer in lines.judged(_lines_of("-")):
            print(answer, flush=True)
        return 0
    if arguments.number is None:
        raise InputError("A clue is a word and a number: pi-table clue WORD NUMBER --board W1,W2.")
    clue = lines.Clue(
        word=arguments.word,
        number=lines.number_of(arguments.number),
        board=_listed(arguments.board),
        covered=_listed(arguments.covered),
        lang=arguments.lang or lines.language_of(arguments.profile),
        profile=arguments.profile,
        house=_listed(arguments.house),
    )
    print(lines.verdict(clue))
    return 0


def _listed(words: str) -> tuple[str, ...]:
    """What stands between the commas."""
    return tuple(word.strip() for word in words.split(",") if word.strip())


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
    from pi_table.engine.records import Records

    archive = Records(config.load(arguments.config).paths.journal)
    if arguments.game is None:
        for game in archive.games():
            outcome = game.outcome
            winner = outcome.winner.value if outcome and outcome.winner else "nobody"
            why = outcome.why.value if outcome else ""
            print(f"{game.number:>5}  {game.begun}  {game.profile}  {winner} won ({why})")
        return 0
    record = archive.record(arguments.game, arguments.lang)
    print(f"Game {record.number}, begun {record.begun}")
    for line in record.lines:
        minutes, seconds = divmod(int(line.at), 60)
        print(f"{minutes:>4}:{seconds:02}  {line.text}")
    return 0


def _words(arguments: argparse.Namespace) -> int:
    from pi_table.words import command

    if arguments.what == "check":
        return command.check(arguments.files, sys.stdout)
    if arguments.what == "list":
        return command.list_packs(arguments.folder, sys.stdout, sys.stderr)
    return command.show(arguments.name, arguments.folder, sys.stdout)


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


def _backup(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.daemon import utc_now
    from pi_table.keeping.backup import back_up
    from pi_table.keeping.telling import told_of_backup

    used = config.load(arguments.config)
    made = back_up(arguments.file, used, arguments.config, utc_now(), replace=arguments.replace)
    print(told_of_backup(arguments.file, made))
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.engine.daemon import utc_now
    from pi_table.keeping.finishing import finish_before_start
    from pi_table.keeping.restore import restore
    from pi_table.keeping.telling import told_of_restore

    used = config.load(arguments.config)
    if arguments.finish == (arguments.file is not None):
        raise InputError("Name a backup to restore, or say --finish: one of the two.")
    if arguments.finish:
        finish_before_start(used.paths.journal.parent)
        return 0
    done = restore(
        arguments.file,
        used,
        arguments.config,
        utc_now(),
        with_config=not arguments.without_config,
    )
    print(told_of_restore(arguments.file, done))
    return 0


def _settings(arguments: argparse.Namespace) -> int:
    from pi_table.first_boot.command import apply, check

    return (apply if arguments.what == "apply" else check)(arguments.file, arguments.root)


def _doctor(arguments: argparse.Namespace) -> int:
    from pi_table.bring_up.doctor import run

    return run(arguments.config, arguments.json, arguments.lights)


def _calibrate(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.bring_up.calibrate import run

    used = config.load(arguments.config)
    return run(used, arguments.report, arguments.picture, arguments.yes)


def _flash(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.bring_up.flash import run

    return run(config.load(arguments.config), arguments.hex, arguments.dry_run)


def _colours(arguments: argparse.Namespace) -> int:
    from pi_table.seeing.distances import table

    print(table())
    return 0


def _eyes(arguments: argparse.Namespace) -> int:
    from pi_table.seeing.pictures import write_all

    for path in write_all(arguments.pictures, arguments.out):
        print(path)
    return 0


def _sounds(arguments: argparse.Namespace) -> int:
    from pi_table import config
    from pi_table.sound.command import write_all

    return write_all(arguments.out, config.load(arguments.config).sound.voice_command)


def _fault(arguments: argparse.Namespace) -> int:
    from pi_table.fault import write

    write(arguments.unit, arguments.out, arguments.text_screen)
    return 0


def _bench(arguments: argparse.Namespace) -> int:
    from pi_table.bench.run import run

    return run(arguments.what)
