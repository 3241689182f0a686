"""ALL-1 where things go wrong: what is said of a journal that is damaged, or of another version.

The same damage is done to the journals of two worlds; errors, with those that led to them, faults
and what `pi-table` prints must be the same.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import daemon_world
import pytest
from evenings import Evening
from msgspec.structs import replace
from planting import instead_of
from seen import Seen, differences, told_by_error
from shipped_packs import shipped_pack
from twin_deals import drawn

from pi_table import cli
from pi_table.common.errors import StorageError
from pi_table.games.announcer.announcement import What
from pi_table.games.rules import games
from pi_table.games.rules.codex import events as codex
from pi_table.games.rules.codex.deal import in_play as roles_in_play
from pi_table.games.rules.codex.identikit import Fact
from pi_table.games.rules.events import Event, GameEnded
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.key import Identity, Key
from pi_table.table.engine.dealing import Dealer, Shelf
from pi_table.table.engine.presentation.speaker import Speaker
from pi_table.table.engine.process import replay_check
from pi_table.table.engine.storage.records import Records
from pi_table.table.engine.storage.results import Opened
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

KEYS = ("rrrrrrrrrbbbbbbbbnnnnnnna", "rannnnnnnrrrrrrrrbbbbbbbb")
"""They agree on A1 alone."""
OTHER_KEYS = ("bbbbbbbbbrrrrrrrrnnnnnnna", "bbbbbbbbbarrrrrrrrnnnnnnn")
WALL = "2001-02-03T04:05:06.789+00:00"


STOPPED = Outcome(None, (), Why.STOPPED)


def a_classic_game(number: int) -> list[Event]:
    """The events of a game that is over, and not revealed."""
    key, other = Key(KEYS[number]), Key(OTHER_KEYS[number])
    return [
        events.Dealt(0.0, "codenames", Settings(), None, other),
        events.KeyRedrawn(0.0, key),
        events.ClueGiven(1.0, Team.RED, "flight", 2),
        events.Guessed(2.0, Team.RED, 0, Identity.RED),
        GameEnded(3.0, STOPPED),
    ]


DEALT = drawn(("hacker", "informer"), ("Moon", "Ash", "Kite", "Reed", "Wren", "Flint"), Random(1))
DEALS = (DEALT, tuple(replace(DEALT[5 - n], nickname=DEALT[n].nickname) for n in range(6)))
"""They agree on the nicknames alone."""


def a_game_of_codex(number: int) -> list[Event]:
    deal = DEALS[number]
    roles = roles_in_play([one.role for one in deal])
    return [
        codex.AgentsDealt(0.0, "codex", Settings(), roles, deal),
        codex.OwnCodeChosen(1.0, 0, ("2468", "1357")[number]),
        codex.MessageSent(2.0, 0, 1 + number, (Fact.ROLE,)),
        codex.HackNamed(3.0, 0, 2 + number),
        GameEnded(4.0, STOPPED),
    ]


Happened = Callable[[int], list[Event]]
both_games = pytest.mark.parametrize(
    "happened", [a_classic_game, a_game_of_codex], ids=lambda happened: happened.__name__
)


Damage = Callable[[sqlite3.Connection], object]
UPDATE = "UPDATE events SET {} WHERE seq = {}"
DAMAGES: dict[str, Damage] = {
    "a body is cut": lambda db: db.execute(UPDATE.format("body = substr(body, 1, 90)", 1)),
    "a byte of the key is another": lambda db: db.execute(
        UPDATE.format("body = CAST(replace(CAST(body AS TEXT), 'a', 'x') AS BLOB)", 2)
    ),
    "a link is gone": lambda db: db.execute(UPDATE.format("link = x''", 2)),
    "an event is gone": lambda db: db.execute("DELETE FROM events WHERE seq = 2"),
    "the last event is gone": lambda db: db.execute("DELETE FROM events WHERE seq = 5"),
    "the count is wrong": lambda db: db.execute("UPDATE games SET count = 4"),
    "the game is not listed": lambda db: db.execute("DELETE FROM games"),
}
"""Possible damages of a file."""

Change = Callable[[bytes], bytes]
VERSIONS: dict[str, Change] = {
    "keys are text": lambda body: body.replace(b'{"letters":', b"").replace(b'"}}', b'"}'),
    "keys are lists": lambda body: body.replace(b'"letters":"', b'"letters":["', 1).replace(
        b'"}', b'"]}'
    ),
    "keys have another field": lambda body: body.replace(b'"letters"', b'"cells"'),
    "the tag is the key": lambda body: body.replace(b'"key-redrawn"', b'"key"'),
    "it is no JSON": lambda body: body[:-30],
    "it is no text": lambda body: body.replace(b"letters", b"\xff\xfe"),
}
"""Possible bodies of another version; each event still fits the chain."""
VERSIONS_OF_CODEX: dict[str, Change] = {
    "identikits have another field": lambda body: body.replace(b'"fragment"', b'"piece"'),
    "a role has another name": lambda body: body.replace(b'"hacker"', b'"intruder"'),
    "codes are numbers": lambda body: body.replace(b'"2468"', b"2468").replace(b'"1357"', b"1357"),
    "the tag is the code": lambda body: body.replace(b'"own-code-chosen"', b'"2468"'),
    "it is no text": lambda body: body.replace(b"nickname", b"\xff\xfe"),
}


def build(
    path: Path,
    number: int,
    change: Change = lambda body: body,
    happened: Happened = a_classic_game,
) -> None:
    journal = Journal.open(path)
    bodies = [change(games.encode(event)) for event in happened(number)]
    try:
        journal.begin([Entry(0.0, body) for body in bodies], WALL)
    finally:
        journal.close()


def damage(path: Path, do: Damage) -> None:
    database = sqlite3.connect(path)
    with database:
        do(database)
    database.close()


def asked(ask: Callable[[], object]) -> object:
    """Return the text of an answer, or of an error."""
    try:
        return repr(ask())
    except Exception as error:
        return told_by_error(error)


def said(path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[object]:
    """Everything that is said of the journal at ``path``."""
    storage = Storage(path, Dealer(Shelf((shipped_pack("english"),))), str, replay_check.try_replay)
    yield asked(lambda: getattr(storage.opened, "fault", None))
    yield isinstance(storage.opened, Opened) and storage.opened.game is not None
    storage.close()
    yield asked(lambda: Journal.open(path).close())
    yield asked(lambda: Records(path).games())
    yield asked(lambda: Records(path).record(1))
    file = path.with_name("config.toml")
    file.write_text(f'[paths]\nstate = "{path.parent}"\n')
    for words in (["record"], ["record", "1"], ["journal", "check"]):
        yield cli.main([*words, "--config", str(file)])
        yield tuple(capsys.readouterr())
    yield sorted((part.name, part.stat().st_size) for part in path.parent.iterdir())


def said_in_both(
    folder: Path, prepare: Callable[[Path, int], None], capsys: pytest.CaptureFixture[str]
) -> tuple[list[object], list[object]]:
    """Return each world's messages about a journal that is prepared there, at the same path."""
    said_in = []
    for number in range(2):
        path = folder / "journal.sqlite"
        prepare(path, number)
        said_in.append([*said(path, capsys)])
        for part in folder.iterdir():
            part.unlink()
    one, other = said_in
    return one, other


@both_games
@pytest.mark.parametrize("do", DAMAGES.values(), ids=DAMAGES)
def test_what_is_said_of_a_damaged_journal_tells_nothing_of_the_key(
    do: Damage, happened: Happened, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # ALL-1
    def prepare(path: Path, number: int) -> None:
        build(path, number, happened=happened)
        damage(path, do)

    one, other = said_in_both(tmp_path, prepare, capsys)
    assert one == other
    assert "damaged" in str(one)


@pytest.mark.parametrize(
    ("happened", "change"),
    [
        *((a_classic_game, change) for change in VERSIONS.values()),
        *((a_game_of_codex, change) for change in VERSIONS_OF_CODEX.values()),
    ],
    ids=[*VERSIONS, *(f"{name}, in Codex" for name in VERSIONS_OF_CODEX)],
)
def test_what_is_said_of_another_versions_journal_tells_nothing_that_is_hidden(
    happened: Happened, change: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # ALL-1
    def prepare(path: Path, number: int) -> None:
        build(path, number, change, happened)

    one, other = said_in_both(tmp_path, prepare, capsys)
    assert one == other
    assert "version" in str(one)


@both_games
def test_what_is_said_of_a_sound_journal_tells_nothing_that_is_hidden(
    happened: Happened, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # ALL-1, ALL-4, ALL-5
    def prepare(path: Path, number: int) -> None:
        build(path, number, happened=happened)

    one, other = said_in_both(tmp_path, prepare, capsys)
    assert one == other
    assert "still hidden" in str(one)


EVENING = Evening(
    "damage/2",
    intent="tap",
    cards="own",
    happenings=[
        {"at": 4.0, "touch": "A1"},
        {"at": 4.2, "release": "A1"},
        {"at": 8.0, "ask": {"seat": "operator", "act": "set-aside"}},
        {"at": 12.0, "ask": {"seat": "operator", "act": "start", "profile": "codenames"}},
        {"at": 16.0, "restart": True},
    ],
)
"""Where the game cannot be gone on with, the operator sets it aside and starts another."""


def in_play(happened: Happened) -> Happened:
    """The same game before its end."""
    return lambda number: happened(number)[:-1]


def seen_at_the_table(happened: Happened, do: Damage = lambda db: None) -> list[list[Seen]]:
    """Return each world's observations of a table that finds a journal damaged in this way."""

    def prepare(path: Path, number: int) -> None:
        path.parent.mkdir(exist_ok=True)
        build(path, number, happened=happened)
        damage(path, do)

    return [
        daemon_world.watch(EVENING, (KEYS[0],), partial(prepare, number=number)).seen
        for number in range(2)
    ]


@both_games
@pytest.mark.parametrize("do", DAMAGES.values(), ids=DAMAGES)
def test_a_table_with_a_damaged_journal_looks_and_sounds_alike(
    do: Damage, happened: Happened
) -> None:  # ALL-1
    one, other = seen_at_the_table(happened, do)
    assert not (found := differences(one, other)), found[0]
    assert {"sound", "lights", "announced", "console", "log"} <= {seen.what for seen in one}


@both_games
def test_a_table_that_goes_on_with_a_game_looks_and_sounds_alike(happened: Happened) -> None:
    # ALL-1
    one, other = seen_at_the_table(in_play(happened))
    assert not (found := differences(one, other)), found[0]
    assert What.GOES_ON.value in str([seen.value for seen in one if seen.what == "announced"])


def test_a_fault_that_sounds_by_the_key_is_noticed() -> None:
    letters: list[str] = []
    original, announce = games.decode, Speaker.announce

    def decode(body: bytes) -> games.AnyEvent:
        event = original(body)
        letters[:] = [key.letters for key in (getattr(event, "key", None),) if key] or letters
        return event

    def announced(speaker: Speaker, said: Any, lang: Any) -> None:
        if letters:
            volume = 50 + ord(letters[0][1]) % 40
            speaker.change(replace(speaker._settings, volume=volume))
        announce(speaker, said, lang)

    with instead_of(original, decode), mock.patch.object(Speaker, "announce", announced):
        one, other = seen_at_the_table(in_play(a_classic_game))
    assert "sound" in {difference.what for difference in differences(one, other)}


def test_an_error_that_quotes_what_is_stored_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = games.decode

    def decode(body: bytes) -> games.AnyEvent:
        try:
            return original(body)
        except ValueError as error:
            raise StorageError(f"This cannot be read: {body!r}.") from error

    change = VERSIONS["keys have another field"]
    with instead_of(original, decode):
        one, other = said_in_both(
            tmp_path, lambda path, number: build(path, number, change), capsys
        )
    assert one != other
