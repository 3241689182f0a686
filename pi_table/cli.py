"""The command line: reads the arguments, and calls the part of the program that does the work.

Each command imports only the modules that it needs, so that it starts fast.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from pwd import getpwnam, getpwuid
from typing import TYPE_CHECKING, Final

from pi_table.common.arguments import parser
from pi_table.common.errors import InputError, TableError
from pi_table.common.language import for_reader, join_texts, say, system_says
from pi_table.common.output_locale import (
    speak_to_the_reader,
    write_json,
    write_utf8,
    write_whatever_the_encoding,
)

if TYPE_CHECKING:
    from pi_table.common.config import Config
    from pi_table.simulator.headless import Written


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Return its exit status, which is 2 if an option or another input cannot be
    used."""
    write_whatever_the_encoding()
    speak_to_the_reader()
    arguments = argparse.Namespace(command="")
    try:
        try:
            arguments = _read(sys.argv[1:] if argv is None else argv)
            status: int = arguments.do(arguments)
            return status
        finally:
            sys.stdout.flush()
    except TableError as error:
        _complain(str(error), arguments)
        return 2 if isinstance(error, InputError) else 1
    except BrokenPipeError:
        _give_up_output()
        return 1
    except OSError as error:
        _complain(_with_advice(error), arguments)
        if error.filename is None:
            _give_up_output()
        return 1
    except KeyboardInterrupt:
        return 130


def _read(given: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments. The field ``do`` of the result is the function that runs the command.

    Raises InputError; also SystemExit, as argparse does after ``--help`` or a wrong option.
    """
    commands, reader = _commands(given[0] if given else "")
    if not given:
        reader.print_help(sys.stderr)
        raise SystemExit(2)
    if given[0] not in commands and not given[0].startswith("-"):
        if given[0] in OF_THE_LABORATORY:
            raise InputError(
                say(
                    "The command {given} is for developers, and is not installed here. Unpack "
                    "source.zip of the release and run 'make setup' there: its "
                    ".venv/bin/pi-table has that command.",
                    given=repr(given[0]),
                )
            )
        from difflib import get_close_matches

        near = get_close_matches(given[0], commands, n=1)
        rest = (
            say("did you mean {near}?", near=repr(near[0]))
            if near
            else say("'pi-table --help' lists them all.")
        )
        raise InputError(
            say("There is no command {given}; {rest}", given=repr(given[0]), rest=rest)
        )
    arguments = reader.parse_args(given)
    arguments.do = commands[arguments.command]
    if arguments.command in JSON_LINES or getattr(arguments, "json", False):
        write_json()
    return arguments


def _commands(
    given: str,
) -> "tuple[dict[str, Callable[[argparse.Namespace], int]], argparse.ArgumentParser]":
    """Return the function of each command, by name, and a parser: that of the command ``given``, or
    of all commands if there is no such command.

    A table does not have the laboratory's commands, because no package contains `pi_table.lab`.
    """
    try:
        from pi_table.lab import commands as laboratory
    except ModuleNotFoundError as error:
        if error.name != "pi_table.lab":
            raise
        return COMMANDS, parser(only=given if given in COMMANDS else None)
    commands = COMMANDS | laboratory.COMMANDS
    return commands, parser(laboratory.add_commands, only=given if given in commands else None)


def _with_advice(error: OSError) -> str:
    why = system_says(error) if error.strerror else str(error)
    if error.filename is None:
        return say("The output cannot be written: {why}. Write it elsewhere.", why=why)
    if isinstance(error, PermissionError):
        return say(
            "{filename}: {why}. Choose a place where this user may do that, or run this as "
            "the user that it belongs to.",
            filename=error.filename,
            why=why,
        )
    return say("{filename}: {why}. Check that path.", filename=error.filename, why=why)


def _refuse_another_user(state: str, usual: str) -> None:
    """Raise InputError if the folder ``state`` is meant for another user, or is root's and this
    user cannot write to it.

    A folder below /var that is missing or belongs to root is meant for the user ``usual``, if that
    user exists. Root is refused too: the folder's owner could not use files that root creates.
    """
    folder, me = Path(state), os.geteuid()
    owner = meant = folder.stat().st_uid if folder.exists() else None
    if not owner and folder.is_relative_to("/var"):
        with suppress(KeyError):
            meant = getpwnam(usual).pw_uid
    if me != 0 and os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        return
    if meant not in (None, 0, me):
        name = _name_of(meant)
        raise InputError(
            say(
                "{folder} is for the user {name}: run this as that user, with 'sudo -u {name_2}' "
                "before the command.",
                folder=folder,
                name=name,
                name_2=name,
            )
        )
    if owner == 0 != me:
        name = _name_of(me)
        raise InputError(
            say(
                "{folder} is root's, so {name} cannot use it: run 'sudo chown -R {name_2} "
                "{folder_2}'.",
                folder=folder,
                name=name,
                name_2=name,
                folder_2=folder,
            )
        )


def _name_of(user: int) -> str:
    try:
        return getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _give_up_output() -> None:
    """Discard all further output. Otherwise Python would write to a broken output when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(words: str, arguments: argparse.Namespace) -> None:
    """Print an error for the reader.

    A service's log is in English. In the log, a line with the error's packed text follows; from
    that line the command `fault` can show the error in every language.
    """
    from pi_table.common.log import text_below

    finishes = arguments.command == "restore" and arguments.finish
    if (finishes or arguments.command in SERVICES) and not sys.stderr.isatty():
        print(f"pi-table: {words}{text_below(words)}", file=sys.stderr)
    else:
        print(f"pi-table: {for_reader(words)}", file=sys.stderr)


def _say(english: str, config: "Config | None" = None) -> None:
    print(for_reader(english, None if config is None else config.console.language))


def _config(arguments: argparse.Namespace) -> "Config":
    from pi_table.common import config

    return config.load(arguments.config)


def _run(arguments: argparse.Namespace) -> int:
    from pi_table.table.backups.finishing import finish_before_start
    from pi_table.table.engine.process.daemon import main

    used = _config(arguments)
    _refuse_another_user(used.paths.state, "pi-table")
    if finish_before_start(used.paths.journal.parent):
        used = _config(arguments)  # the restore may have replaced the file
    return main(used, arguments.config)


def _console(arguments: argparse.Namespace) -> int:
    from pi_table.common.crash_handling import crash_at_once, forbid_core_dumps
    from pi_table.screens.console.app import run

    forbid_core_dumps()
    crash_at_once()
    return run(_config(arguments))


def _controller(arguments: argparse.Namespace) -> int:
    from pi_table.devices.hal.own_controller import become

    become(_config(arguments))


def _web(arguments: argparse.Namespace) -> int:
    from pi_table.screens.web.process import main

    return main(_config(arguments))


def _bridge(arguments: argparse.Namespace) -> int:
    used = _config(arguments)
    _refuse_another_user(used.paths.bridge, "pi-table-bridge")
    if arguments.tell_again:
        from pi_table.fleet.bridge.records import ask_again

        ask_again(Path(used.paths.bridge))
        _say(
            say(
                "All finished games are sent again: within a minute where the bridge runs and is "
                "connected, else once it is."
            ),
            used,
        )
        return 0
    from pi_table.fleet.bridge.process import main

    return main(used)


def _collect(arguments: argparse.Namespace) -> int:
    from pi_table.fleet.collector import process, settings

    path = arguments.config or settings.FILE
    if arguments.what == "report":
        from pi_table.fleet.collector.report import report

        where = arguments.database or settings.load(path).database
        return report(where, arguments.since, arguments.until, arguments.out)
    return process.main(settings.load(path), arguments.once)


def _simulate(arguments: argparse.Namespace) -> int:
    from pi_table.common.light_layout import path_of, preset, read_layout
    from pi_table.games.rules.profile import profile_named

    if arguments.profile is not None:
        profile_named(arguments.profile)
    layout = arguments.layout
    if read_layout(layout) == preset("tiles"):
        layout = "tiles"
    elif arguments.controller == "emulated":
        raise InputError(
            say(
                "The emulated controller is a Nano, whose firmware lights the tiles alone: for "
                "another layout choose --controller pi."
            )
        )
    if arguments.headless:
        for option, given in (("--web", arguments.web), ("--state", arguments.state)):
            if given is not None:
                raise InputError(
                    say(
                        "{option} is for a table in real time; leave out --headless.", option=option
                    )
                )
        from pi_table.simulator.headless import run
        from pi_table.simulator.stage import InstantTable

        if arguments.out is None:
            raise InputError(say("A headless simulation needs --out DIR."))
        out, scenario = arguments.out, str(arguments.scenario or DEMONSTRATION)
        lines = _lines_of(scenario)
        source = None if scenario == "-" else scenario
        if arguments.controller == "simulated":
            device = InstantTable(layout=layout)
            _say_written(run(lines, out, sys.stderr, device, source), out)
            return 0
        from pi_table.simulator.emulated import EmulatedTable
        from pi_table.simulator.virtual_controller import VirtualController

        own = None if layout == "tiles" else path_of(layout)
        with EmulatedTable(arguments.controller, layout=own) as table:
            written = run(lines, out, sys.stderr, VirtualController(table), source)
        _say_written(written, out)
        return 0
    if arguments.scenario is not None or arguments.out is not None:
        raise InputError(say("--scenario and --out belong to --headless."))
    from pi_table.simulator.show import show

    build = None if arguments.controller == "simulated" else arguments.controller
    return show(
        arguments.profile,
        build=build,
        web=arguments.web,
        state=arguments.state,
        layout=layout,
    )


def _say_written(written: "Written", out: Path) -> None:
    text = say(
        "Written into {out}: public.jsonl (views: {views}), lights.jsonl (frames: {frames}), "
        "pictures: {pictures}.",
        out=str(out),
        views=written.views,
        frames=written.frames,
        pictures=written.pictures,
    )
    print(for_reader(text), file=sys.stderr)


def _play(arguments: argparse.Namespace) -> int:
    from pi_table.games.rules.chance import Chance
    from pi_table.games.rules.play import explain, play
    from pi_table.games.rules.profile import profile_named

    if arguments.explain is not None:
        print("\n".join(explain(profile_named(arguments.explain))))
        return 0
    for answer in play(_lines_of(arguments.acts), Chance()):
        print(answer, flush=True)
    return 0


def _clue(arguments: argparse.Namespace) -> int:
    from pi_table.games.referee import lines

    if arguments.lines:
        if arguments.word is not None:
            raise InputError(say("With --lines the clues come from standard input; name none."))
        for answer in lines.judge_lines(_lines_of("-")):
            print(answer, flush=True)
        return 0
    if arguments.number is None:
        raise InputError(
            say("A clue is a word and a number: pi-table clue WORD NUMBER --board W1,W2.")
        )
    clue = lines.Clue(
        word=arguments.word,
        number=lines.number_of(arguments.number),
        board=_split_list(arguments.board),
        covered=_split_list(arguments.covered),
        lang=arguments.lang or lines.language_of(arguments.profile),
        profile=arguments.profile,
        house=_split_list(arguments.house),
    )
    print(lines.verdict(clue))
    return 0


def _split_list(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a file, or of standard input for ``-``, as they arrive."""
    if name == "-":
        yield from _decode_lines(sys.stdin.buffer, say("Standard input"))
        return
    try:
        with open(name, "rb") as file:
            yield from _decode_lines(file, name)
    except OSError as error:
        raise InputError(
            say(
                "{name} cannot be read: {strerror}. Check its path and rights.",
                name=name,
                strerror=system_says(error),
            )
        ) from None


def _decode_lines(file: Iterable[bytes], name: str) -> Iterator[str]:
    from pi_table.common.decoding import EncodingError, decode_text

    for number, line in enumerate(file, start=1):
        try:
            yield decode_text(line.rstrip(b"\r\n"), name)
        except EncodingError as error:
            raise InputError(say("Line {number}: {what}", number=number, what=error.what)) from None


def _record(arguments: argparse.Namespace) -> int:
    from pi_table.games.names import how_it_ended
    from pi_table.table.engine.storage.records import Records

    used = _config(arguments)
    lang = used.console.language
    archive = Records(used.paths.journal)
    if arguments.game is None:
        for game in archive.games():
            ended = for_reader(how_it_ended(game.outcome), lang)
            print(f"{game.number:>5}  {game.begun}  {game.profile}  {ended}")
        return 0
    record = archive.record(arguments.game, arguments.lang)
    print(
        for_reader(
            say("Game {number}, begun {begun}", number=record.number, begun=record.begun), lang
        )
    )
    for line in record.lines:
        minutes, seconds = divmod(int(line.at), 60)
        print(f"{minutes:>4}:{seconds:02}  {line.text}")
    return 0


def _words(arguments: argparse.Namespace) -> int:
    from pi_table.games.words import command

    if arguments.what == "check":
        return command.check(arguments.files, sys.stdout)
    if arguments.what == "import":
        return _import_list(arguments)
    if arguments.what == "list":
        return command.list_packs(arguments.folder, sys.stdout, sys.stderr)
    if arguments.what == "show":
        write_utf8()  # packs are always UTF-8
        return command.show(arguments.name, arguments.folder, arguments.spelling, sys.stdout)
    return command.report(
        arguments.names,
        arguments.folder,
        arguments.spelling,
        arguments.deals,
        arguments.seed,
        arguments.json,
        _referee_knows,
        sys.stdout,
    )


def _import_list(arguments: argparse.Namespace) -> int:
    from pi_table.games.words import command
    from pi_table.games.words.pack import Audience
    from pi_table.games.words.plain_list import How
    from pi_table.games.words.shape import Separator

    separator = arguments.separator and Separator(arguments.separator)
    wanted = command.Wanted(
        arguments.language,
        arguments.name,
        arguments.title,
        Audience.ADULTS if arguments.adults else Audience.EVERYBODY,
        arguments.encoding,
        How(separator, arguments.column),
    )
    ask = _ask if sys.stdin.isatty() else None
    return command.import_list(arguments.file, wanted, arguments.folder, ask, sys.stdout)


def _ask(question: str) -> str:
    """Ask a question at the terminal. Return the answer without spaces at its ends; "" if the input
    has ended."""
    print(for_reader(question), end=" ", flush=True)
    return sys.stdin.readline().strip()


def _referee_knows(text: str, lang: str) -> bool:
    """True if the referee knows the text as a whole, or each of its words."""
    from pi_table.games.referee.vocabulary import vocabulary

    words, known = text.lower(), vocabulary(lang).knows
    return known(words) or all(map(known, words.replace("'", " ").split()))


def _cards(arguments: argparse.Namespace) -> int:
    from pi_table.games.cards.command import print_cards

    return print_cards(
        arguments.pack,
        arguments.folder,
        arguments.spelling,
        arguments.count,
        arguments.size,
        arguments.paper,
        arguments.out,
        sys.stdout,
        backs=arguments.backs,
        lines=arguments.lines,
    )


def _journal(arguments: argparse.Namespace) -> int:
    from pi_table.table.engine.process.daemon import utc_now
    from pi_table.table.store.journal import Journal
    from pi_table.table.store.set_aside import set_aside

    used = _config(arguments)
    path = used.paths.journal
    if arguments.what == "set-aside":
        _refuse_another_user(used.paths.state, "pi-table")
        kept = set_aside(path, utc_now())
        _say(say("The journal is now {kept}; the table begins a new one.", kept=kept), used)
        return 0
    journal = Journal.open_to_read(path)
    try:
        journal.check()
    finally:
        journal.close()
    _say(say("The journal {path} is in order.", path=path), used)
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    from pi_table.table.backups.backup import back_up
    from pi_table.table.backups.telling import backup_text
    from pi_table.table.engine.process.daemon import utc_now

    used = _config(arguments)
    made = back_up(arguments.file, used, arguments.config, utc_now(), replace=arguments.replace)
    _say(backup_text(arguments.file, made), used)
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from pi_table.table.backups.checking import BackupChecker
    from pi_table.table.backups.finishing import finish_before_start
    from pi_table.table.backups.restore import restore
    from pi_table.table.backups.telling import restore_text
    from pi_table.table.engine.process.backup_contents import COMMAND
    from pi_table.table.engine.process.daemon import utc_now

    used = _config(arguments)
    if arguments.finish == (arguments.file is not None):
        raise InputError(say("Name a backup to restore, or give --finish: one of the two."))
    if arguments.finish:
        finish_before_start(used.paths.journal.parent)
        return 0
    done = restore(
        arguments.file,
        used,
        arguments.config,
        utc_now(),
        with_config=not arguments.without_config,
        look=BackupChecker(COMMAND).look,
    )
    _say(restore_text(arguments.file, done), used)
    return 0


def _update(arguments: argparse.Namespace) -> int:
    from pi_table.common import config
    from pi_table.fleet.updating.update import check, update

    # Load the texts now: the update replaces the files of this program.
    for_reader(say("The table is not updated now."))
    by_hand = sys.stderr.isatty()

    def tell(english: str) -> None:
        print(for_reader(english) if by_hand else english, file=sys.stderr, flush=True)

    try:
        used = config.load(arguments.config)
    except InputError as error:  # an update may fix the configuration
        tell(str(error))
        used = config.load()
    if arguments.check:
        return check(tell)
    return update(
        used.paths,
        arguments.updater,
        at_once=arguments.now,
        within=arguments.within,
        tell=tell,
        by_hand=by_hand,
    )


def _settings(arguments: argparse.Namespace) -> int:
    from pi_table.maintenance.first_boot.command import apply, check

    return (apply if arguments.what == "apply" else check)(arguments.file, arguments.root)


def _provision(arguments: argparse.Namespace) -> int:
    from pi_table.fleet.provisioning.command import run, try_broker

    if arguments.probe:
        faults = try_broker(arguments)
        _say(join_texts("\n", faults or [say("The broker's access rights are right.")]))
        return 1 if faults else 0
    _say(join_texts("\n", run(arguments)))
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from pi_table.maintenance.bring_up import doctor, walk

    if arguments.bring_up:
        return walk.run(
            arguments.config, arguments.begin, arguments.list, arguments.json, arguments.yes
        )
    if arguments.begin is not None or arguments.list or arguments.yes:
        raise InputError(say("--from, --list and --yes belong to --bring-up."))
    return doctor.run(arguments.config, arguments.json, arguments.lights)


def _calibrate(arguments: argparse.Namespace) -> int:
    from pi_table.maintenance.bring_up.calibrate import run

    used = _config(arguments)
    return run(used, arguments.report, arguments.picture, arguments.yes)


def _flash(arguments: argparse.Namespace) -> int:
    from pi_table.maintenance.bring_up.flash import run

    return run(_config(arguments), arguments.hex, arguments.dry_run)


def _sounds(arguments: argparse.Namespace) -> int:
    from pi_table.devices.sound.command import write_all

    return write_all(arguments.out, _config(arguments).sound.voice_command)


def _fault(arguments: argparse.Namespace) -> int:
    from pi_table.common.failure_report import write

    write(arguments.unit, arguments.out, arguments.text_screen)
    return 0


DEMONSTRATION: Final = Path(__file__).parent / "simulator" / "demonstration.jsonl"
SERVICES: Final = ("run", "console", "controller", "web", "bridge", "fault", "settings", "update")
"""Commands that systemd runs, besides `restore --finish`. Their errors go into a log."""
JSON_LINES: Final = ("play", "clue", "bench")
"""Commands that always write JSON. Some others write JSON with the option --json."""
COMMANDS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "run": _run,
    "console": _console,
    "controller": _controller,
    "web": _web,
    "bridge": _bridge,
    "collect": _collect,
    "simulate": _simulate,
    "play": _play,
    "clue": _clue,
    "record": _record,
    "words": _words,
    "cards": _cards,
    "journal": _journal,
    "backup": _backup,
    "restore": _restore,
    "update": _update,
    "settings": _settings,
    "provision": _provision,
    "doctor": _doctor,
    "calibrate": _calibrate,
    "flash": _flash,
    "sounds": _sounds,
    "fault": _fault,
}
"""The functions that run a table's commands, by the command's name. Each returns the exit
status."""
OF_THE_LABORATORY: Final = ("gallery", "walk", "colours", "eyes", "legibility", "bench")
"""Names of the developers' commands (`lab`), which exist only in a checkout of the source."""
