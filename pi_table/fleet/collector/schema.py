"""The tables of the database, the same for SQLite and PostgreSQL.

The column types are PostgreSQL's, which SQLite accepts. Where the two databases differ, a name in
braces is replaced (`pi_table.fleet.collector.database.Dialect`). Times are UTC.
"""

from typing import Final

VERSION_TABLE: Final = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"

_FIRST: Final = (
    # A game table in a venue. The times are by the collector's clock.
    """CREATE TABLE IF NOT EXISTS tables (
        name TEXT PRIMARY KEY,
        first_seen TIMESTAMPTZ NOT NULL,
        last_seen TIMESTAMPTZ NOT NULL,
        version TEXT
    )""",
    # A finished game. `played` is its beginning, or the arrival of its record if the table's clock
    # is doubtful. Seconds are real numbers, without pauses.
    """CREATE TABLE IF NOT EXISTS games (
        key {key},
        id TEXT NOT NULL UNIQUE,
        table_name TEXT NOT NULL REFERENCES tables,
        number INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        begun TIMESTAMPTZ NOT NULL,
        received_at TIMESTAMPTZ NOT NULL,
        clock_doubtful BOOLEAN NOT NULL,
        played TIMESTAMPTZ NOT NULL,
        profile TEXT NOT NULL,
        lang TEXT NOT NULL,
        seconds DOUBLE PRECISION NOT NULL,
        winner TEXT,
        why TEXT NOT NULL,
        score INTEGER,
        turns INTEGER NOT NULL,
        first_clue_seconds DOUBLE PRECISION
    )""",
    "CREATE INDEX IF NOT EXISTS games_played ON games (played)",
    "CREATE INDEX IF NOT EXISTS games_of_table ON games (table_name, played)",
    # The parts of a game; `position` counts from 0. If `number` is null, the clue is unlimited.
    """CREATE TABLE IF NOT EXISTS clues (
        game {game} REFERENCES games ON DELETE CASCADE,
        position INTEGER NOT NULL,
        team TEXT NOT NULL,
        word TEXT,
        number INTEGER,
        seconds DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (game, position)
    ) {compact}""",
    """CREATE TABLE IF NOT EXISTS guesses (
        game {game} REFERENCES games ON DELETE CASCADE,
        position INTEGER NOT NULL,
        team TEXT NOT NULL,
        word TEXT,
        was TEXT NOT NULL,
        PRIMARY KEY (game, position)
    ) {compact}""",
    """CREATE TABLE IF NOT EXISTS dealt (
        game {game} REFERENCES games ON DELETE CASCADE,
        position INTEGER NOT NULL,
        word TEXT NOT NULL,
        PRIMARY KEY (game, position)
    ) {compact}""",
    # Faults of a table, by the collector's clock; `until` is null while the fault lasts.
    """CREATE TABLE IF NOT EXISTS faults (
        key {key},
        table_name TEXT NOT NULL REFERENCES tables,
        sentence TEXT NOT NULL,
        since TIMESTAMPTZ NOT NULL,
        until TIMESTAMPTZ
    )""",
    "CREATE INDEX IF NOT EXISTS faults_of_table ON faults (table_name, since)",
    # The newest rejected messages. Each is stored once, and only its first bytes.
    """CREATE TABLE IF NOT EXISTS rejects (
        key {key},
        digest TEXT NOT NULL UNIQUE,
        received_at TIMESTAMPTZ NOT NULL,
        topic TEXT NOT NULL,
        why TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        beginning BYTEA NOT NULL
    )""",
)

_BARS: Final = (
    # Name of a table's bar, and of the bar in which a game was played; "" means unknown.
    "ALTER TABLE tables ADD COLUMN bar TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE games ADD COLUMN bar TEXT NOT NULL DEFAULT ''",
)

_TEXTS: Final = (
    # The id and fields of a fault's sentence, as JSON, to make it in other languages.
    "CREATE TABLE IF NOT EXISTS texts (sentence TEXT PRIMARY KEY, made_from TEXT NOT NULL)",
)

VERSIONS: Final = {1: _FIRST, 2: _BARS, 3: _TEXTS}
"""For each version, the statements that upgrade a database from the version before. In a new
database, all of them run."""
VERSION: Final = max(VERSIONS)
"""Version of the database's tables in this program. A database of a newer version is not
changed."""
