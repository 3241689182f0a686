"""The command line: what is asked for is done, and what cannot be is told in a sentence."""

import argparse
import errno
import json
import os
import pwd
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from needs_root import needs_root
from patience import PATIENCE

from pi_table import __version__, cli
from pi_table.common.arguments import parser
from pi_table.common.errors import InputError, StorageError
from pi_table.games import words
from pi_table.games.rules import games
from pi_table.games.rules.events import Event, Revealed
from pi_table.games.rules.games import step
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import Key
from pi_table.lab import commands as laboratory
from pi_table.lab.bench.run import ASKED_FOR
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")
WALL = "2026-01-02T03:04:05.000+00:00"
FINISHED = [
    (3.0, Seat.RED_SPYMASTER, acts.GiveClue(2, "river")),
    (10.0, Seat.RED_OPERATIVES, acts.Guess(0)),
    (70.5, Seat.RED_OPERATIVES, acts.Guess(24)),
]


Write = Callable[..., Path]


@pytest.fixture
def journal(tmp_path: Path) -> Write:
    """Writes games into the journal, each with so many of the acts of a whole game."""

    def write(*counts: int) -> Path:
        path = tmp_path / "state" / "journal.sqlite"
        journal = Journal.open(path)
        for count in counts:
            happened: list[Event] = [
                events.Dealt(0.0, "codenames", Settings(), None, KEY),
            ]
            state = evolve(None, happened[0])
            for at, seat, act in FINISHED[:count]:
                state, new = step(state, seat, act, at)
                happened += new
            journal.begin([Entry(event.at, games.encode(event)) for event in happened], WALL)
        journal.close()
        return path

    return write


class Told:
    """A command's exit status and what it wrote."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


Run = Callable[..., Told]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Told:
        status = cli.main(arguments)
        return Told(status, *capsys.readouterr())

    return run


@pytest.fixture
def here(run: Run, tmp_path: Path) -> Run:
    """The same, with a configuration that has everything in a folder of its own."""
    file = tmp_path / "table.toml"
    file.write_text(f'[paths]\nstate = "{tmp_path / "state"}"\nruntime = "{tmp_path / "run"}"\n')
    return lambda *arguments: run(*arguments, "--config", str(file))


# --- the record of finished games (ALL-4)


def test_finished_games_are_listed_newest_first(here: Run, journal: Write) -> None:
    journal(3, 3, 1)
    told = here("record")
    assert told.status == 0
    assert told.out.splitlines() == [
        f"    {number}  {WALL}  codenames  Blue won (the assassin was found)" for number in (2, 1)
    ]


def test_a_finished_game_is_told_with_its_times(here: Run, journal: Write) -> None:
    journal(3, 1)
    told = here("record", "1")
    assert told.status == 0
    assert told.out.splitlines() == [
        f"Game 1, begun {WALL}",
        "   0:00  A game begins: The classic game.",
        "   0:00  Red starts.",
        "   0:03  Red gives the clue “river”, 2.",
        "   0:10  Red guesses A1: red.",
        "   1:10  Red guesses E5: assassin.",
        "   1:10  The game is over: Blue wins (the assassin was found).",
        "   1:10  The key: A1 to E1  r r r r r",
        "   1:10  The key: A2 to E2  r r r r b",
        "   1:10  The key: A3 to E3  b b b b b",
        "   1:10  The key: A4 to E4  b b n n n",
        "   1:10  The key: A5 to E5  n n n n a",
    ]


def test_a_game_can_be_told_in_another_language(here: Run, journal: Write) -> None:  # ALL-4
    journal(3, 1)
    assert "guesses" in here("record", "1").out
    told = here("record", "1", "--lang", "it")
    assert "guesses" not in told.out
    assert "Rossi" in told.out


def test_the_key_of_the_latest_game_is_told_when_it_was_revealed(
    here: Run, journal: Write
) -> None:  # ALL-5
    path = journal(3)
    told = here("record", "1")
    assert told.out.endswith("What is hidden is still hidden, until the act `reveal`.\n")
    assert "r r r" not in told.out
    again = Journal.open(path)
    again.append(1, [Entry(80.0, games.encode(Revealed(80.0)))], WALL)
    again.close()
    assert here("record", "1").out.endswith("n n n n a\n")


@pytest.mark.parametrize(
    ("number", "status", "says"),
    [
        ("2", 2, "That game is still being played"),
        ("3", 2, "There is no game of that number"),
        ("0", 2, "There is no game of that number"),
        ("99999999999999999999999", 2, "There is no game of that number"),
    ],
)
def test_a_game_that_cannot_be_told_is_a_sentence(
    here: Run, journal: Write, number: str, status: int, says: str
) -> None:  # ALL-4
    journal(3, 2)
    told = here("record", number)
    assert (told.status, told.out) == (status, "")
    assert told.err.startswith("pi-table: ")
    assert says in told.err


def test_without_a_journal_there_is_no_record(here: Run) -> None:
    told = here("record")
    assert (told.status, told.out) == (1, "")
    assert "There is no journal" in told.err


# --- looking after the journal


def test_a_journal_that_is_in_order_is_said_to_be(here: Run, journal: Write) -> None:
    path = journal(3, 3)
    told = here("journal", "check")
    assert (told.status, told.out) == (0, f"The journal {path} is in order.\n")


def test_a_damaged_journal_is_told_and_can_be_set_aside(here: Run, journal: Write) -> None:
    path = journal(3)
    damaged = path.read_bytes().replace(b"river", b"rover")
    path.write_bytes(damaged)
    told = here("journal", "check")
    assert (told.status, told.out) == (1, "")
    assert "is damaged" in told.err
    told = here("journal", "set-aside")
    assert told.status == 0
    aside = Path(told.out.removeprefix("The journal is now ").partition(";")[0])
    assert aside.read_bytes() == damaged
    assert not path.exists()


@pytest.mark.parametrize(("ending", "says"), [("", "empty or gone"), (".mark", "missing or empty")])
def test_what_is_left_of_a_journal_is_told_and_can_be_set_aside(
    here: Run, journal: Write, ending: str, says: str
) -> None:
    path = journal(3)
    Path(f"{path}{ending}").unlink()
    told = here("journal", "check")
    assert (told.status, told.out) == (1, "")
    assert says in told.err
    assert "`pi-table journal set-aside`" in told.err
    assert here("journal", "set-aside").status == 0
    Journal.open(path).close()
    assert here("journal", "check").status == 0


def test_a_journal_in_use_is_not_set_aside(here: Run, journal: Write) -> None:
    path = journal(3)
    table = Journal.open(path)
    told = here("journal", "set-aside")
    table.close()
    assert (told.status, told.out) == (1, "")
    assert "Another table is using the journal" in told.err
    assert path.exists()


# --- what cannot be


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tuch]\n", "did you mean 'touch'?"),
        ("[touch]\nhold = 5\n", "did you mean 'hold_ms'?"),
        ('[touch]\ndriver = "simulatd"\n', "did you mean 'simulated'?"),
        ("[touch\n", "is not TOML"),
    ],
)
def test_a_configuration_that_cannot_be_is_told_by_run(
    run: Run, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'{text}[paths]\nstate = "{tmp_path}"\nruntime = "{tmp_path / "run"}"\n')
    told = run("run", "--config", str(file))
    assert told.status == 2
    assert says in told.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["run", "record", "journal check"])
def test_a_configuration_that_is_missing_is_told_by_every_command(
    run: Run, tmp_path: Path, command: str
) -> None:
    told = run(*command.split(), "--config", str(tmp_path / "missing.toml"))
    assert told.status == 2
    assert "cannot be read" in told.err


def test_every_benchmark_is_named_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["bench", "--help"])
    assert {*ASKED_FOR} <= {*re.findall(r"\w+", capsys.readouterr().out)}


def test_a_benchmark_that_there_is_not_is_told(run: Run) -> None:
    told = run("bench", "tabel")
    assert (told.status, told.out) == (2, "")
    assert "did you mean 'table'?" in told.err


# --- word packs


def pack_file(folder: Path, name: str, *words: str) -> Path:
    file = folder / f"{name}.txt"
    head = f"name: {name}\ntitle: Ours\nlanguage: en\naudience: adults\nsource: us\nlicence: MIT\n"
    file.write_text("\n".join([head, *(f"W{number}" for number in range(25)), *words]))
    return file


def test_files_of_packs_are_checked_and_each_fault_is_told_with_its_line(
    run: Run, tmp_path: Path
) -> None:
    good, bad = pack_file(tmp_path, "good", "CAT"), pack_file(tmp_path, "bad", "CAT", "CATS", "!")
    told = run("words", "check", str(good))
    assert (told.status, told.out) == (0, f"{good} is in order: 26 words.\n")
    told = run("words", "check", str(bad), str(good), str(tmp_path / "none.txt"))
    assert told.status == 1
    assert told.out.splitlines() == [
        f"{bad}, line 34: 'CATS' is the same as 'CAT' in line 33; remove one of the two.",
        f"{bad}, line 35: there is no word; write one, or remove the line.",
        f"{good} is in order: 26 words.",
        f"{tmp_path / 'none.txt'}: it cannot be read (No such file or directory); check that it is "
        "there and may be read.",
    ]


@pytest.mark.parametrize("name", ["english", "English", "after-dark"])
def test_a_file_with_the_name_of_a_shipped_pack_is_not_in_order(
    run: Run, tmp_path: Path, name: str
) -> None:
    file = pack_file(tmp_path, name, "CAT")
    taken = (
        f"{file}: a pack that comes with the table has this name; rename the file and the pack in "
        "it."
    )
    told = run("words", "check", str(file))
    assert (told.status, told.out.splitlines()) == (1, [taken])
    pack_file(tmp_path, name, "CAT", "CATS")
    told = run("words", "check", str(file))
    assert told.status == 1
    assert len(told.out.splitlines()) == 2
    assert told.out.startswith(taken)


def test_a_shipped_pack_itself_is_in_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(words.__file__).parent)
    told = run("words", "check", "packs/english.txt")
    assert (told.status, "is in order" in told.out) == (0, True)


def test_the_packs_are_listed_with_those_of_a_folder(run: Run, tmp_path: Path) -> None:
    told = run("words", "list")
    assert (told.status, told.err) == (0, "")
    names = [line.split()[0] for line in told.out.splitlines()]
    assert names == sorted(names)
    assert {"english", "after-dark"} <= {*names}

    pack_file(tmp_path, "kitchen", "CAT")
    pack_file(tmp_path, "broken", "CAT", "CATS")
    guests = pack_file(tmp_path, "guests-en").read_text().split("W3")[0]
    (tmp_path / "guests-en.txt").write_text(guests)
    told = run("words", "list", "--folder", str(tmp_path))
    assert told.status == 1
    lines = {line.split()[0]: line.split(maxsplit=4)[1:] for line in told.out.splitlines()}
    assert lines["kitchen"] == ["en", "adults", "26", "Ours"]
    assert lines["guests-en"] == ["en", "adults", "3", "Ours (too few to deal as yet)"]
    assert {*lines} == {*names, "kitchen", "guests-en"}
    assert told.err.startswith("broken.txt, line 34: 'CATS' is the same as 'CAT' in line 33")


def test_a_pack_is_written_out_and_an_unknown_one_is_told_with_the_nearest(
    run: Run, tmp_path: Path
) -> None:
    file = pack_file(tmp_path, "kitchen", "CAT")
    told = run("words", "show", "kitchen", "--folder", str(tmp_path))
    assert (told.status, told.out) == (0, file.read_text() + "\n")
    assert run("words", "show", "english").out.startswith("name: english\ntitle: English\n")
    told = run("words", "show", "englsh")
    assert (told.status, told.out) == (2, "")
    assert told.err == "pi-table: There is no word pack 'englsh'; did you mean 'english'?\n"


def test_a_pack_is_shown_with_both_spellings_or_in_one(run: Run, tmp_path: Path) -> None:
    pack_file(tmp_path, "kitchen", "OMELETTE = OMELET")
    shown = ("words", "show", "kitchen", "--folder", str(tmp_path))
    assert run(*shown).out.splitlines()[-1] == "OMELETTE = OMELET"
    assert run(*shown, "--spelling", "british").out.splitlines()[-1] == "OMELETTE"
    assert run(*shown, "--spelling", "american").out.splitlines()[-1] == "OMELET"


def test_the_figures_of_packs_are_told_to_people_and_to_programs(run: Run, tmp_path: Path) -> None:
    words = ("FOOT", "BAREFOOT", "BASS", "HARBOUR = HARBOR", "QZRXV")
    pack_file(tmp_path, "kitchen", *words)
    report = ("words", "report", "--folder", str(tmp_path), "--deals", "20", "Kitchen")
    told = run(*report)
    assert told.status == 0
    first, *lines = told.out.splitlines()
    assert first == "kitchen (en): 30 words"
    assert "  pairs of kin             1: FOOT BAREFOOT" in lines
    assert "  boards with kin          0" in lines
    [line] = run(*report, "--json").out.splitlines()
    found = json.loads(line)
    assert (found["pack"], found["words"], found["deals"]) == ("kitchen", 30, 20)
    assert {each["pack"] for each in found["overlaps"]} == {"after-dark", "english"}
    assert found["kin"] == [["FOOT", "BAREFOOT"]]
    assert "QZRXV" in found["unknown"]
    assert not {"FOOT", "BASS", "HARBOUR"} & {*found["unknown"]}
    assert run(*report, "--json").out == run(*report, "--json", "--seed", "1").out
    told = run(*report[:-2], "0", "kitchen")
    assert (told.status, told.err) == (
        2,
        "pi-table: 0 boards give no result; deal at least one.\n",
    )


def test_all_packs_are_told_where_none_is_named(run: Run) -> None:
    told = run("words", "report", "--deals", "1", "--json")
    packs = [json.loads(line)["pack"] for line in told.out.splitlines()]
    assert packs == ["after-dark", "dopo-mezzanotte", "english", "italiano"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("words",),
        ("words", "check"),
        ("words", "show"),
        ("words", "report", "--deals", "many"),
        ("words", "show", "english", "--spelling", "scottish"),
        ("run", "--confg", "x"),
        ("journal", "burn"),
        ("record", "one"),
    ],
)
def test_what_is_no_command_is_told_by_the_parser(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage: pi-table" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("simulate", "--web", "99999"), "a whole number from 1 to 65535, not '99999'"),
        (("simulate", "--web", "0"), "a whole number from 1 to 65535, not '0'"),
        (("record", "one"), "a whole number, not 'one'"),
        (("update", "--within", "nan"), "a number of seconds, such as 60, not 'nan'"),
        (("collect", "report", "--since", "today"), "a day such as 2026-01-31, not 'today'"),
    ],
)
def test_a_value_that_cannot_be_is_told_with_those_that_can(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(arguments)
    assert capsys.readouterr().err.endswith(f": give {says}\n")


@pytest.mark.parametrize(
    ("word", "rest"),
    [
        ("simluate", "did you mean 'simulate'?"),
        ("dance", "'pi-table --help' lists them all."),
        ("\udcff", "'pi-table --help' lists them all."),
    ],
)
def test_a_command_that_there_is_not_is_told_with_the_nearest(
    run: Run, word: str, rest: str
) -> None:
    told = run(word)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("pi-table: There is no command ")
    assert told.err.endswith(f"; {rest}\n")


def test_every_command_is_listed_once_where_none_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(())
    told = capsys.readouterr().err
    assert told.startswith("usage: pi-table COMMAND …\n")
    listed = [line.split()[0] for line in told.splitlines() if line.startswith("    ")]
    assert sorted(listed) == sorted([*cli.COMMANDS, *laboratory.COMMANDS])
    with pytest.raises(SystemExit, match="0"):
        cli.main(("--help",))
    assert capsys.readouterr().out == told


def test_a_command_alone_is_read_as_among_all_others() -> None:
    def commands_of(of: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
        (found,) = (each for each in of._actions if isinstance(each, argparse._SubParsersAction))
        return dict(found.choices)

    for name, among_others in commands_of(parser(laboratory.add_commands)).items():
        (alone,) = commands_of(parser(laboratory.add_commands, only=name)).items()
        assert alone[0] == name
        assert alone[1].format_help() == among_others.format_help()


def test_a_start_makes_no_parser_of_another_command(monkeypatch: pytest.MonkeyPatch) -> None:
    made, make = list[str](), argparse.ArgumentParser.__init__

    def count(self: argparse.ArgumentParser, **given: Any) -> None:
        made.append(given["prog"])
        make(self, **given)

    monkeypatch.setattr(argparse.ArgumentParser, "__init__", count)
    assert cli._read(("run",)).do is cli.COMMANDS["run"]
    assert made == ["pi-table", "pi-table run"]


def test_a_command_of_developers_is_told_so_where_it_is_not_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {*cli.OF_THE_LABORATORY} == {*laboratory.COMMANDS}
    monkeypatch.setitem(sys.modules, "pi_table.lab", None)
    for name in cli.OF_THE_LABORATORY:
        told = run(name, "--out", "x")
        assert (told.status, told.out) == (2, "")
        assert told.err.startswith(f"pi-table: The command {name!r} is for developers, and is not")
        assert told.err.endswith("its .venv/bin/pi-table has that command.\n")
    assert run("play", "--explain", "codex").status == 0


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"pi-table {__version__}\n"


def test_what_is_not_the_inputs_fault_is_another_status(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(arguments: object) -> int:
        raise StorageError("The disk is gone.")

    monkeypatch.setitem(cli.COMMANDS, "record", broken)
    told = run("record")
    assert (told.status, told.err) == (1, "pi-table: The disk is gone.\n")


def pi_table(*arguments: str, **how: Any) -> "subprocess.CompletedProcess[str]":
    """A process of its own that has run a command."""
    command = [sys.executable, "-m", "pi_table", *arguments]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.run(command, text=True, encoding="utf-8", check=False, **how)


@pytest.mark.parametrize("arguments", ["words list", "play --explain codex"])
def test_a_reader_that_goes_away_ends_it_quietly(arguments: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = pi_table(*arguments.split(), stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_an_output_that_takes_nothing_is_told() -> None:
    with open("/dev/full", "w") as full:
        ended = pi_table("words", "list", stdout=full)
    assert ended.returncode == 1
    assert ended.stderr == (
        "pi-table: The output cannot be written: No space left on device. Write it elsewhere.\n"
    )


def test_what_was_closed_before_is_done_without() -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$0" -m pi_table words list <&- >&- 2>&-', sys.executable], check=False
    )
    assert ended.returncode == 0


CLUE = ("clue", "caffè", "2", "--board", "CAFFÈ,BANK", "--lang", "it")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_whatever_the_encoding(encoding: str) -> None:
    ended = pi_table(*CLUE, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["reason"] == "CAFFÈ è sul tavolo."


def test_a_text_is_written_as_plainly_as_its_encoding_asks_for() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    name = os.fsdecode(b"/nowhere/\xff\xc3\xa8")
    ended = subprocess.run(
        [sys.executable, "-m", "pi_table", "words", "check", name],
        env={**environment, "LANGUAGE": "it"},
        capture_output=True,
        check=False,
    )
    assert ended.stdout.startswith(b"/nowhere/\xffe: non si puo leggere")
    assert ended.stderr == b""
    assert pi_table(env=environment).stderr.startswith("usage: pi-table COMMAND ...\n")


def test_a_pack_is_written_as_utf_8_whatever_the_encoding() -> None:
    shown = [
        pi_table("words", "show", "italiano", env={**os.environ, "PYTHONIOENCODING": encoding})
        for encoding in ("ascii", "utf-8")
    ]
    assert shown[0].stdout == shown[1].stdout
    assert "À" in shown[0].stdout


def test_being_interrupted_leaves_no_traceback() -> None:
    command = [sys.executable, "-m", "pi_table", "play", "--acts", "-"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"profile": "codenames"}\n')
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["ok"]
    process.send_signal(signal.SIGINT)
    assert (process.wait(PATIENCE), process.communicate()[1]) == (130, b"")


# --- files of another user

gives_files = needs_root("give files to another user")


@gives_files
@pytest.mark.parametrize("command", [("run",), ("journal", "set-aside")])
def test_root_writes_no_file_into_the_folder_of_another_user(
    here: Run, journal: Write, command: tuple[str, ...]
) -> None:
    state = journal(3).parent
    os.chown(state, pwd.getpwnam("nobody").pw_uid, -1)
    before = {*state.iterdir()}
    told = here(*command)
    assert told.status == 2
    assert told.err == (
        f"pi-table: {state} is for the user nobody: run this as that user, with 'sudo -u nobody' "
        "before the command.\n"
    )
    assert {*state.iterdir()} == before


@gives_files
def test_a_folder_that_root_has_made_is_given_back() -> None:
    os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        with pytest.raises(InputError, match=r"^/etc is root's.* 'sudo chown -R nobody /etc'\.$"):
            cli._refuse_another_user("/etc", "pi-table")
    finally:
        os.seteuid(0)


@gives_files
def test_a_folder_of_the_packages_is_meant_for_their_user() -> None:
    folder = "/var/lib/there-is-no-such-table"
    with pytest.raises(InputError, match="is for the user nobody"):
        cli._refuse_another_user(folder, "nobody")
    cli._refuse_another_user(folder, "there-is-no-such-user")
    cli._refuse_another_user("/srv/there-is-no-such-table", "nobody")


def test_what_the_system_refuses_is_told_with_advice(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(arguments: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", "/root/x")

    monkeypatch.setitem(cli.COMMANDS, "record", refused)
    assert run("record").err == (
        "pi-table: /root/x: Permission denied. Choose a place where this user may do that, or run "
        "this as the user that it belongs to.\n"
    )
