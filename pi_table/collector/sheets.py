"""The tables of a report: what stands in the terminal, on the page and in the lists."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Final

from pi_table.collector.figures import ENDINGS, Figures, Games, Word
from pi_table.collector.sheet import Cell, Column, Sheet, Unit, plain
from pi_table.language import Say, Words, recognised, say, say_many
from pi_table.names import TEAMS
from pi_table.rules.profile import PROFILES
from pi_table.rules.team import Team

MOST_WORDS: Final = 15
"""Words of each list on the page."""
FEWEST: Final = 10
"""Games of which one can say how long one in ten is."""
NOTHING: Final = Games()
"""Of a table at which nothing was played."""


def sheets(found: Figures) -> tuple[Sheet, ...]:
    """The tables of a report, for people."""
    return (
        *(_tables(found), _kinds(found), _lengths(found), _where(found)),
        *(*_word_lists(found), _faults(found)),
    )


def lists(found: Figures) -> tuple[Sheet, ...]:
    """The tables of a report, for programs."""
    return (
        *(_tables(found), _kinds(found), _lengths(found), _where(found)),
        *(_faults(found), _all_words(found), _evenings(found)),
    )


def summary(found: Figures) -> tuple[Words, ...]:
    """What is told before all else, in sentences."""
    games = say_many("{count} game", "{count} games", found.all.games)
    tables = say_many("at {count} table", "at {count} tables", len(found.of_table))
    lines: list[Words] = [Say("{games} {tables}", (("games", games), ("tables", tables)))]
    if found.all.first is not None and found.all.last is not None:
        first, last = found.all.first.isoformat(), found.all.last.isoformat()
        lines.append(say("Evenings from {first} to {last}", first=first, last=last))
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
    """What a game in a language is called, such as ``Codenames, it``."""
    profile, lang = kind
    known = PROFILES.get(profile)
    title: Words = plain(profile) if known is None else Say(known.title)
    return Say("{game}, {language}", (("game", title), ("language", plain(lang))))


def _tables(found: Figures) -> Sheet:
    known = {**dict.fromkeys((*found.known, *found.faulty), NOTHING), **found.of_table}
    return Sheet(
        "tables",
        say("Tables"),
        (
            Column("table", say("Table"), Unit.TEXT),
            Column("games", say("Games played")),
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
                each.games,
                each.seconds,
                _median(each.lengths),
                _share(each.ended["stopped"], each.games),
                each.last,
                found.faulty.get(name, 0.0),
                plain(found.versions.get(name) or ""),
            )
            for name, each in sorted(known.items(), key=lambda of: (-of[1].games, of[0]))
        ),
        say("The length is that of the game in the middle, of those that nobody stopped."),
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
                *(_share(games.ended[each], games.games) for each in ENDINGS),
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
            "Of ten games one is shorter than “short”, and one longer than “long”; fewer do not "
            "tell. The first clue is that of the game in the middle; of ten first clues one comes "
            "after “late”."
        ),
    )


def kinds(found: Figures) -> list[tuple[tuple[str, str], Games]]:
    """What was played, and its games, the most often first."""
    return sorted(found.of_kind.items(), key=lambda of: (-of[1].games, of[0]))


def ranked(found: Figures) -> list[str]:
    """The tables at which something was played, those with most games first."""
    return sorted(found.of_table, key=lambda name: (-found.of_table[name].games, name))


def _length(games: Games) -> tuple[Cell, ...]:
    short, long = _tenths(games.lengths)
    _, late = _tenths(games.first_clues)
    return (
        _median(games.lengths),
        *(short, long),
        _median(games.turns),
        _median(games.first_clues),
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
            (plain(name), *(found.where[name, kind] for kind in played)) for name in ranked(found)
        ),
    )


def _word_lists(found: Figures) -> tuple[Sheet, ...]:
    return (
        _words("found", say("Words that are found"), found.words, "right"),
        _words("missed", say("Words that are missed"), found.words, "missed"),
        _words("lost", say("Words that lose a game"), found.words, "fatal"),
    )


def _words(name: str, title: Words, words: Sequence[Word], fate: str) -> Sheet:
    """The words with most of such guesses; of two with as many, the one that was dealt less."""
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
                _share(getattr(word, fate), word.dealt),
            )
            for word in most[:MOST_WORDS]
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
            Column("still", say("Now"), Unit.TEXT),
        ),
        tuple(
            (
                plain(each.table),
                recognised(plain(each.sentence)),
                each.times,
                each.seconds,
                say("yes") if each.still else "",
            )
            for each in found.troubles
        ),
    )


def _all_words(found: Figures) -> Sheet:
    """Every word."""
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
    """Every evening at every table."""
    return Sheet(
        "evenings",
        say("Evenings"),
        (
            Column("evening", say("Evening"), Unit.DAY),
            Column("table", say("Table"), Unit.TEXT),
            Column("games", say("Games played")),
        ),
        tuple(
            (evening, plain(table), games)
            for (evening, table), games in sorted(found.evenings.items())
        ),
    )


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _tenths(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The value below which a tenth of them is, and the one above which a tenth is; None where they
    are too few."""
    if len(values) < FEWEST:
        return None, None
    tenths = quantiles(values, n=10, method="inclusive")
    return tenths[0], tenths[-1]


def _share(some: int, of: int) -> float | None:
    return some / of if of else None
