"""Backups that somebody made with bad intent. All seals are right: they have no key."""

import gzip
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
from kept_table import WALL, KeptTable

from pi_table.table.backups import archive
from pi_table.table.backups.archive import Manifest, Member
from pi_table.table.backups.backup import back_up
from pi_table.table.engine.storage.pin import hash_pin
from pi_table.table.store.sealed_file import encode_sealed

Files = dict[str, bytes]


class Hostile(NamedTuple):
    """A hostile backup, and how it is refused."""

    name: str
    make: Callable[[Path, Files], None]
    """Writes the file; it is given those of a backup that is in order."""
    said: str
    """Pattern of the refusal's sentence."""
    is_used_at_desk: bool = True
    """True if a desk uses the hostile part. It leaves the configuration out."""


def files_of(table: KeptTable, folder: Path) -> Files:
    """The files of a good backup of a table."""
    whole = folder / "good.tar"
    back_up(whole, table.config, table.config_file, WALL, replace=True)
    with tarfile.open(whole) as tar:
        names = [each for each in tar.getnames() if each != archive.MANIFEST]
        return {name: tar.extractfile(name).read() for name in names}  # type: ignore[union-attr]


def header(name: str, size: int, time: int, **more: Any) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = size, time, 0o600
    for key, value in more.items():
        setattr(info, key, value)
    return info.tobuf()


def write(file: Path, files: Files, heads: dict[str, bytes] | None = None, **said: Any) -> None:
    """A file in the form of a backup, with any files and anything ``said`` in its list of them;
    ``heads`` are headers in the place of the right ones."""
    values: dict[str, Any] = {
        "format": 1,
        "version": "0.1.0",
        "made": WALL,
        "holds": ("journal", "house", "config", "packs"),
        "games": 0,
        "members": tuple(Member(n, len(d), sha256(d).hexdigest()) for n, d in files.items()),
    }
    manifest = Manifest(**{**values, **said})
    text = encode_sealed(msgspec.json.encode(manifest))
    with file.open("wb") as out:
        out.write(header(archive.MANIFEST, len(text), manifest.time) + text)
        out.write(bytes(-len(text) % 512))
        for name, data in files.items():
            out.write((heads or {}).get(name) or header(name, len(data), manifest.time))
            out.write(data + bytes(-len(data) % 512))
        out.write(bytes(1024))


def with_files(**changed: bytes) -> Callable[[Path, Files], None]:
    """A backup in which some files are others, each by its short name."""
    names = {
        "house": archive.HOUSE,
        "mark": archive.MARK,
        "pin": archive.PIN,
        "settings": archive.SETTINGS,
        "config": archive.CONFIG,
        "pack": "packs/kitchen.txt",
    }

    def make(file: Path, files: Files) -> None:
        write(file, {**files, **{names[name]: data for name, data in changed.items()}})

    return make


def kept(value: object) -> bytes:
    return encode_sealed(msgspec.json.encode(value))


# The journal


def with_journal(change: Callable[[Path], None]) -> Callable[[Path, Files], None]:
    """A backup whose journal was changed; its chain and its mark are right all the same."""

    def make(file: Path, files: Files) -> None:
        journal = file.with_name("hostile.sqlite")
        journal.write_bytes(files[archive.JOURNAL])
        change(journal)
        write(file, {**files, archive.JOURNAL: journal.read_bytes()})
        for left in file.parent.glob("hostile.sqlite*"):
            left.unlink()

    return make


def by_sql(*statements: str) -> Callable[[Path, Files], None]:
    def change(journal: Path) -> None:
        with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
            for statement in ("PRAGMA journal_mode=DELETE", *statements):
                connection.execute(statement).fetchall()

    return with_journal(change)


def listed(kind: str, name: str, sql: str) -> str:
    """Enters something in the list of what a database holds, whatever SQLite thinks of it."""
    return (
        "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
        f" VALUES ('{kind}', '{name}', '{name}', 0, '{sql}')"
    )


FREELY: Final = "PRAGMA writable_schema=ON"
ENDLESS: Final = (
    "WITH RECURSIVE without(end) AS (SELECT 1 UNION ALL SELECT end + 1 FROM without)"
    " SELECT 1 AS game, end AS seq, 0.0 AS at, '' AS wall, x'00' AS body, x'00' AS link"
    " FROM without"
)
TRIGGER: Final = (
    "CREATE TRIGGER later AFTER INSERT ON games WHEN new.number = 3"
    " BEGIN DELETE FROM events WHERE game < 3; END"
)
PAGE: Final = 4096


def without_end(journal: Path) -> None:
    """The table of games becomes a tree of fourteen steps, in each of which all ways lead to the
    same page: it can be walked for longer than anybody lives."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'games'"
        ).fetchone()
    data = bytearray(journal.read_bytes())
    leaf = bytes(data[PAGE * (root - 1) : PAGE * root])
    first = len(data) // PAGE + 1
    steps = [root, *range(first, first + 13)]
    for page, below in zip(steps, [*steps[1:], first + 13], strict=True):
        made = _inner_page(below)
        if page == root:
            data[PAGE * (root - 1) : PAGE * root] = made
        else:
            data += made
    data += leaf
    data[28:32] = (len(data) // PAGE).to_bytes(4, "big")
    journal.write_bytes(data)


def _inner_page(below: int) -> bytes:
    """A page of a tree with 200 ways, all to the same page."""
    ways = 200
    cells = [below.to_bytes(4, "big") + bytes([number // 2 + 1]) for number in range(ways)]
    begin = PAGE - 5 * ways
    head = b"\5" + bytes(2) + ways.to_bytes(2, "big") + begin.to_bytes(2, "big") + b"\0"
    head += below.to_bytes(4, "big")
    pointers = b"".join((begin + 5 * number).to_bytes(2, "big") for number in range(ways))
    return (head + pointers).ljust(begin, b"\0") + b"".join(cells)


def no_database(journal: Path) -> None:
    journal.write_bytes(b"x" * 9000)


JOURNALS: Final = [
    Hostile("trigger", by_sql(TRIGGER), "the trigger 'later'"),
    Hostile(
        "trigger behind a view",
        by_sql("CREATE VIEW v AS SELECT 1", TRIGGER.replace("later", "soon")),
        "the view 'v'",
    ),
    Hostile(
        "endless view in the place of events",
        by_sql("ALTER TABLE events RENAME TO real", f"CREATE VIEW events AS {ENDLESS}"),
        "the table 'real'",
    ),
    Hostile(
        "endless view in the place of events, nothing beside it",
        by_sql("DROP TABLE events", f"CREATE VIEW events AS {ENDLESS}"),
        "the view 'events'",
    ),
    Hostile(
        "view of the games",
        by_sql(
            "CREATE TABLE kept AS SELECT * FROM games",
            "DROP TABLE games",
            "CREATE VIEW games AS SELECT * FROM kept",
        ),
        "the table 'kept'",
    ),
    Hostile("view beside", by_sql("CREATE VIEW beside AS SELECT 1"), "the view 'beside'"),
    Hostile("foreign table", by_sql("CREATE TABLE mine (a)"), "the table 'mine'"),
    Hostile("foreign index", by_sql("CREATE INDEX mine ON events (at)"), "the index 'mine'"),
    Hostile(
        "index of an expression",
        by_sql("CREATE INDEX mine ON events (hex(body))"),
        "the index 'mine'",
    ),
    Hostile("statistics", by_sql("ANALYZE"), "the table 'sqlite_stat1'"),
    Hostile(
        "virtual table",
        by_sql(FREELY, listed("table", "v", "CREATE VIRTUAL TABLE v USING fts5(x)")),
        "the table 'v'",
    ),
    Hostile(
        "table of a module that there is not",
        by_sql(FREELY, listed("table", "v", "CREATE VIRTUAL TABLE v USING nothing(x)")),
        "is damaged",
    ),
    Hostile(
        "trigger with the name of a table",
        by_sql(FREELY, listed("trigger", "games", TRIGGER.replace("later", "games"))),
        "is damaged",
    ),
    Hostile("table missing", by_sql("DROP TABLE events"), "the table 'events' is missing"),
    Hostile(
        "column that is computed",
        by_sql("ALTER TABLE events ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(body)) VIRTUAL"),
        "the table 'events'",
    ),
    Hostile(
        "column with a default",
        by_sql("ALTER TABLE games ADD COLUMN more TEXT DEFAULT 'x'"),
        "the table 'games'",
    ),
    Hostile(
        "table that checks",
        by_sql(
            FREELY,
            "UPDATE sqlite_schema SET sql = replace(sql, 'last BLOB NOT NULL',"
            " 'last BLOB NOT NULL CHECK (length(hex(last)) > 0)') WHERE name = 'games'",
        ),
        "the table 'games'",
    ),
    Hostile(
        "table of any types",
        by_sql(FREELY, "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, WITHOUT', 'WITHOUT')"),
        "the table 'events'",
    ),
    Hostile("of another program", by_sql("PRAGMA application_id=7"), "cannot be read"),
    Hostile("of another format", by_sql("PRAGMA user_version=99"), "cannot be read"),
    Hostile("count of events beyond all", by_sql("UPDATE games SET count = 1 << 62"), "is damaged"),
    Hostile("event taken away", by_sql("DELETE FROM events WHERE game = 1 AND seq = 2"), "missing"),
    Hostile(
        "event of another kind",
        by_sql("UPDATE events SET body = x'7b7d' WHERE game = 1 AND seq = 2"),
        "not as it was stored",
    ),
    Hostile("game taken away", by_sql("DELETE FROM games WHERE number = 1"), "is damaged"),
    Hostile("mark of 10 MB", with_files(mark=bytes(10_000_000)), "the mark of its journal"),
    Hostile("tree without end", with_journal(without_end), "is damaged"),
    Hostile(
        "no database",
        with_journal(no_database),
        "does not begin as a journal does",
    ),
]

# What the house keeps

PIN: Final = hash_pin("4711")
PIN_KEPT: Final = msgspec.to_builtins(PIN)


HOUSE: Final = [
    Hostile("PIN that is none", with_files(pin=kept("hello")), "pin.json"),
    Hostile("PIN of lists", with_files(pin=kept([[[]]])), "pin.json"),
    Hostile("PIN not sealed", with_files(pin=b"x"), "pin.json"),
    Hostile("PIN of 10 MB", with_files(pin=kept("x" * 10_000_000)), "pin.json"),
    Hostile(
        "wrong PINs beyond all", with_files(pin=kept({**PIN_KEPT, "wrong": 10**6})), "pin.json"
    ),
    Hostile("wrong PINs below none", with_files(pin=kept({**PIN_KEPT, "wrong": -5})), "pin.json"),
    Hostile("wrong PINs of 3.5", with_files(pin=kept({**PIN_KEPT, "wrong": 3.5})), "pin.json"),
    Hostile("wrong PINs as text", with_files(pin=kept({**PIN_KEPT, "wrong": "3"})), "pin.json"),
    Hostile("PIN without salt", with_files(pin=kept({**PIN_KEPT, "salt": ""})), "pin.json"),
    Hostile("PIN without digest", with_files(pin=kept({"salt": PIN_KEPT["salt"]})), "pin.json"),
    Hostile("PIN with more", with_files(pin=kept({**PIN_KEPT, "more": 1})), "pin.json"),
    Hostile("settings that are none", with_files(house=kept([1, 2])), "house.json"),
    Hostile("settings not sealed", with_files(house=b'{"volume":3}'), "house.json"),
    Hostile("setting that there is not", with_files(house=kept({"evil": 1})), "house.json"),
    Hostile("volume beyond all", with_files(house=kept({"volume": 10**9})), "house.json"),
    Hostile("volume as text", with_files(house=kept({"volume": "loud"})), "house.json"),
    Hostile("rules of lists", with_files(house=kept({"rules": [[]]})), "house.json"),
    Hostile("guests who may do all", with_files(house=kept({"guests_may": ["*"]})), "house.json"),
    Hostile(
        "pack of 3 MB of chance",
        with_files(pack=Random(3).randbytes(3_000_000)),
        "word pack kitchen.txt",
    ),
    Hostile(
        "pack of 2 kB of chance",
        with_files(pack=Random(3).randbytes(2000)),
        "word pack kitchen.txt",
    ),
    Hostile("pack of 300 kB of text", with_files(pack=b"WORD\n" * 60_000), "word pack kitchen.txt"),
    Hostile(
        "configuration that is none", with_files(config=b"\xff\xfe"), "cannot be used here", False
    ),
    Hostile("section that there is not", with_files(config=b"[evil]\n"), "no section", False),
    Hostile(
        "first settings that are none", with_files(settings=b"["), "cannot be used here", False
    ),
    Hostile("first settings of 2 MB", with_files(settings=b"#" * 2_000_000), "bytes", False),
]

# The file


def by_heads(name: str, said: str = "something else", **more: Any) -> Hostile:
    """A backup in which a member says that it is something else than a file."""

    def make(file: Path, files: Files) -> None:
        some = {"packs/kitchen.txt": b"#"}
        write(file, some, {"packs/kitchen.txt": header("packs/kitchen.txt", 1, 0, **more)})

    return Hostile(name, make, said)


def of_names(name: str, *names: str, said: str = "no file of a table has this name") -> Hostile:
    return Hostile(name, lambda file, files: write(file, dict.fromkeys(names, b"#")), said)


def claiming(name: str, said: str, *members: Member, **more: Any) -> Hostile:
    """A backup whose list is not true."""
    return Hostile(name, lambda file, files: write(file, {}, members=members, **more), said)


def compressed(file: Path, files: Files) -> None:
    file.write_bytes(gzip.compress(bytes(50_000_000)))


def zipped(file: Path, files: Files) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("state/journal.sqlite", bytes(50_000_000))


def longer(file: Path, files: Files) -> None:
    write(file, files)
    with file.open("ab") as out:
        out.write(bytes(4096))


def hollow(file: Path, files: Files) -> None:
    write(file, files)
    with file.open("r+b") as out:
        out.truncate(1 << 40)


def one_bit(file: Path, files: Files) -> None:
    write(file, files)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


NONE: Final = "0" * 64
ARCHIVES: Final = [
    by_heads("symbolic link", type=tarfile.SYMTYPE, linkname="/etc/shadow"),
    by_heads("hard link", type=tarfile.LNKTYPE, linkname="/etc/shadow"),
    by_heads("device", type=tarfile.CHRTYPE, devmajor=1, devminor=5),
    by_heads("pipe", type=tarfile.FIFOTYPE),
    by_heads("folder", type=tarfile.DIRTYPE),
    by_heads("file with holes", type=tarfile.GNUTYPE_SPARSE),
    by_heads("file that anybody may run", mode=0o4777),
    of_names("absolute name", "/etc/passwd"),
    of_names("name that leads up", "packs/../../etc/evil.txt"),
    of_names("name that leads up at once", "../evil.txt"),
    of_names("name in a folder of packs", "packs/a/b.txt"),
    of_names("hidden pack", "packs/.profile.txt"),
    of_names("pack that is none", "packs/evil.sh"),
    of_names("pack with a sign nobody sees", "packs/a\u202e.txt", said="an invisible character"),
    of_names("file that a backup never holds", "state/phones.json"),
    of_names("file of the bridge", "state/told.json"),
    of_names("second journal", "state/journal.sqlite-wal"),
    of_names("plan", "plan.json"),
    of_names("two of one name", "packs/a.txt", "packs/A.txt", said="in it twice"),
    of_names("journal without a mark", archive.JOURNAL, said="a part of its journal is missing"),
    of_names("mark without a journal", archive.MARK, said="a part of its journal is missing"),
    claiming("more than any disk", "more than", Member("packs/a.txt", 1 << 41, NONE)),
    claiming("less than nothing", "more than", Member("packs/a.txt", -4096, NONE)),
    claiming("more than there is", "were written", Member("packs/a.txt", 5000, NONE)),
    claiming("games beyond all", "cannot be read", games=1 << 60),
    claiming("games below none", "cannot be read", games=-1),
    claiming("newer", "which is newer", version="99.0.0"),
    claiming("list of 300 kB", "not a backup of a table", holds=("x" * 300_000,)),
    Hostile("compressed", compressed, "not a backup of a table"),
    Hostile("zipped", zipped, "not a backup of a table"),
    Hostile("longer", longer, "were written"),
    Hostile("hollow", hollow, "were written"),
    Hostile("one bit", one_bit, "is not as it was|is damaged"),
]

ALL: Final = [*JOURNALS, *HOUSE, *ARCHIVES]
