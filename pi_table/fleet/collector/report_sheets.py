"""Makes the sheets of a report for the terminal, the page and the CSV files."""

from collections.abc import Mapping, Sequence
from typing import Final

from pi_table.common.language import LANGUAGES, Say, Words, say, say_many
from pi_table.fleet.collector.attention import problems
from pi_table.fleet.collector.figures import ENDINGS, NOTHING, Figures, Games, Word
from pi_table.fleet.collector.owner_sheets import BEFORE, bars, what_is_wrong
from pi_table.fleet.collector.sheet import Cell, Column, Sheet, Unit, plain, share, without
from pi_table.fleet.collector.spread import Spread
from pi_table.games.names import TEAMS
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.team import Team

MAX_LISTED_WORDS: Final = 15
"""Maximum number of words in each list of words, except in the CSV files."""
MIN_GAMES_FOR_PERCENTILE: Final = 10
"""Minimum number of games for which the 10th and the 90th percentile are shown."""


def sheets(found: Figures) -> tuple[Sheet, ...]:
    """Return the sheets for the terminal and the page: the problems first, the words last."""
    every = (
        *(what_is_wrong(found), bars(found), _tables(found), _kinds(found), _lengths(found)),
        *(_where(found), _faults(found), *_word_lists(found)),
    )
    says = {"bar": len(found.all_bars()) > 1, "version": len({*found.versions.values()}) > 1}
    has_before = found.before is not None

    def says_nothing(name: str) -> bool:
        return not (has_before if name.endswith(BEFORE) else says.get(name, True))

    return tuple(without(sheet, says_nothing) for sheet in every)


def csv_sheets(found: Figures) -> tuple[Sheet, ...]:
    """Return the sheets that are written as CSV files, for other programs."""
    return (
        *(_tables(found), _kinds(found), _lengths(found), _where(found)),
        *(_faults(found), _all_words(found), _evenings(found), bars(found)),
    )


def summary(found: Figures) -> tuple[Words, ...]:
    """Return the sentences that a report shows above its sheets."""
    games = say_many("{count} game", "{count} games", found.all.games)
    tables = say_many("at {count} table", "at {count} tables", len(found.of_table))
    lines: list[Words] = [Say("{games} {tables}", (("games", games), ("tables", tables)))]
    if found.all.first is not None and found.all.last is not None:
        first, last = found.all.first.isoformat(), found.all.last.isoformat()
        lines.append(say("Evenings from {first} to {last}", first=first, last=last))
    idle = len(found.tables) - len(found.of_table)
    if found.all.games and idle:
        lines.append(
            say_many(
                "Nobody played at {count} of {all} tables.",
                "Nobody played at {count} of {all} tables.",
                idle,
                all=len(found.tables),
            )
        )
    if found.all.games and not problems(found):
        lines.append(say("Nothing is wrong with any table."))
    if found.doubtful:
        lines.append(
            say_many(
                "The clock of a table was wrong in {count} game, which counts as played when its "
                "record came.",
                "The clock of a table was wrong in {count} games, which count as played when their "
                "records came.",
                found.doubtful,
            )
        )
    if found.rejects:
        lines.append(
            say_many(
                "{count} message could not be read, and is not counted: see the table “rejects” of "
                "the database.",
                "{count} messages could not be read, and are not counted: see the table “rejects” "
                "of the database.",
                found.rejects,
            )
        )
    return tuple(lines)


def kind_name(kind: tuple[str, str]) -> Words:
    """Return a game's title and its language, such as ``The classic game, Italiano``."""
    profile, lang = kind
    known = PROFILES.get(profile)
    title: Words = plain(profile) if known is None else Say(known.title)
    language = next((its for code, its in LANGUAGES.items() if code == lang), plain(lang))
    return Say("{game}, {language}", (("game", title), ("language", language)))


def _tables(found: Figures) -> Sheet:
    known = {**dict.fromkeys(found.tables, NOTHING), **found.of_table}

    def evenings(name: str) -> int:
        return len(found.of_bar.get(found.bar_of(name), NOTHING).evenings)

    return Sheet(
        "tables",
        say("Tables"),
        (
            Column("table", say("Table"), Unit.TEXT),
            Column("bar", say("Bar"), Unit.TEXT),
            Column("games", say("Games played")),
            Column("games_per_evening", say("Per evening"), Unit.RATE),
            Column("seconds", say("Played"), Unit.HOURS),
            Column("median_seconds", say("Length"), Unit.MINUTES),
            Column("stopped", say("Stopped"), Unit.SHARE),
            Column("last_evening", say("Last evening"), Unit.DAY),
            Column("fault_seconds", say("Faulty"), Unit.HOURS),
            Column("version", say("Version"), Unit.TEXT),
        ),
        tuple(
            (
                plain(name),
                plain(found.bar_of(name)),
                each.games,
                share(each.games, evenings(name)),
                each.seconds,
                each.lengths.median,
                share(each.ended["stopped"], each.games),
                each.last,
                found.faulty.get(name, 0.0),
                plain(found.versions.get(name) or ""),
            )
            for name, each in sorted(
                known.items(), key=lambda of: (found.bar_of(of[0]), -of[1].games, of[0])
            )
        ),
        say(
            "The length is the median of the games that nobody stopped. “Per evening” is games "
            "for each evening when anything was played in the bar."
        ),
    )


def _kinds(found: Figures) -> Sheet:
    won = say("{team} won", team=TEAMS[Team.RED]), say("{team} won", team=TEAMS[Team.BLUE])
    titles = (*won, say("Nobody won"), say("Stopped"))
    return Sheet(
        "games",
        say("Games"),
        (
            Column("game", say("Game"), Unit.TEXT),
            Column("games", say("Games played")),
            *(Column(name, title, Unit.SHARE) for name, title in zip(ENDINGS, titles, strict=True)),
        ),
        tuple(
            (
                kind_name(kind),
                games.games,
                *(share(games.ended[each], games.games) for each in ENDINGS),
            )
            for kind, games in kinds(found)
        ),
    )


def _lengths(found: Figures) -> Sheet:
    return Sheet(
        "lengths",
        say("How long games are"),
        (
            Column("game", say("Game"), Unit.TEXT),
            Column("median_seconds", say("Length"), Unit.MINUTES),
            Column("short_seconds", say("Short"), Unit.MINUTES),
            Column("long_seconds", say("Long"), Unit.MINUTES),
            Column("turns", say("Turns")),
            Column("first_clue_seconds", say("First clue"), Unit.SECONDS),
            Column("late_first_clue_seconds", say("Late"), Unit.SECONDS),
        ),
        tuple((kind_name(kind), *_length(games)) for kind, games in kinds(found)),
        say(
            "One game in ten is shorter than “short”, and one in ten is longer than “long”; "
            "fewer than ten games give no result. The first clue is the median; one first clue "
            "in ten comes after “late”."
        ),
    )


def kinds(found: Figures) -> list[tuple[tuple[str, str], Games]]:
    """Return each kind (profile and language) with its games. The kind played most often comes
    first."""
    return sorted(found.of_kind.items(), key=lambda of: (-of[1].games, of[0]))


def rank_by_games(games: Mapping[str, Games]) -> list[str]:
    """Return the names of tables or bars. The name with the most games comes first."""
    return sorted(games, key=lambda name: (-games[name].games, name))


def _length(games: Games) -> tuple[Cell, ...]:
    short, long = _tenths(games.lengths)
    _, late = _tenths(games.first_clues)
    return (
        games.lengths.median,
        *(short, long),
        games.turns.median,
        games.first_clues.median,
        late,
    )


def _where(found: Figures) -> Sheet:
    played = [kind for kind, _ in kinds(found)]
    return Sheet(
        "where",
        say("What is played where"),
        (
            Column("table", say("Table"), Unit.TEXT),
            *(Column(plain(" ".join(kind)), kind_name(kind)) for kind in played),
        ),
        tuple(
            (plain(name), *(found.where[name, kind] for kind in played))
            for name in rank_by_games(found.of_table)
        ),
    )


def _word_lists(found: Figures) -> tuple[Sheet, ...]:
    return (
        _words("found", say("Words that are found"), found.words, "right"),
        _words("missed", say("Words that are missed"), found.words, "missed"),
        _words("lost", say("Words that lose a game"), found.words, "fatal"),
    )


def _words(name: str, title: Words, words: Sequence[Word], fate: str) -> Sheet:
    """Return the sheet of the words whose guesses most often had the result ``fate``. In a tie, the
    word that was dealt less often comes first."""
    most = sorted(
        (word for word in words if getattr(word, fate)),
        key=lambda word: (-getattr(word, fate), word.dealt, word.word),
    )
    return Sheet(
        name,
        title,
        (
            Column("word", say("Word"), Unit.TEXT),
            Column("language", say("Language"), Unit.TEXT),
            Column("times", say("Times")),
            Column("dealt", say("Dealt")),
            Column("share", say("Share"), Unit.SHARE),
        ),
        tuple(
            (
                plain(word.word),
                plain(word.lang),
                getattr(word, fate),
                word.dealt,
                share(getattr(word, fate), word.dealt),
            )
            for word in most[:MAX_LISTED_WORDS]
        ),
    )


def _faults(found: Figures) -> Sheet:
    return Sheet(
        "faults",
        say("Faults"),
        (
            Column("table", say("Table"), Unit.TEXT),
            Column("fault", say("Fault"), Unit.TEXT),
            Column("times", say("Times")),
            Column("seconds", say("Time"), Unit.HOURS),
            Column("still", say("At the end") if found.is_finished else say("Now"), Unit.TEXT),
        ),
        tuple(
            (
                plain(each.table),
                each.sentence,
                each.times,
                each.seconds,
                say("yes") if each.still else "",
            )
            for each in found.troubles
        ),
    )


def _all_words(found: Figures) -> Sheet:
    names = ("dealt", "right", "nobody", "other", "fatal")
    return Sheet(
        "words",
        say("Words"),
        (
            Column("word", say("Word"), Unit.TEXT),
            Column("language", say("Language"), Unit.TEXT),
            *(Column(name, name) for name in names),
        ),
        tuple(
            (plain(each.word), plain(each.lang), *(getattr(each, name) for name in names))
            for each in found.words
        ),
    )


def _evenings(found: Figures) -> Sheet:
    return Sheet(
        "evenings",
        say("Evenings"),
        (
            Column("evening", say("Evening"), Unit.DAY),
            Column("table", say("Table"), Unit.TEXT),
            Column("games", say("Games played")),
        ),
        tuple((evening, plain(table), games) for evening, table, games in sorted(found.evenings())),
    )


def _tenths(spread: Spread) -> tuple[float | None, float | None]:
    """Return the 10th and the 90th percentile. If there are too few values, both are None."""
    if spread.tenths is None or spread.count < MIN_GAMES_FOR_PERCENTILE:
        return None, None
    return spread.tenths
