"""The pictures of a report, as SVG: evenings, hours, tables, lengths and first clues.

People with any colour vision can tell the colours apart (palette by Okabe and Ito), and each
picture has a legend.
"""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final

import matplotlib
import msgspec
from matplotlib.dates import DateFormatter
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pi_table.common.language import Lang, Words, say, translate
from pi_table.fleet.collector.figures import FIRST_CLUE_STEP, LENGTH_STEP, Figures
from pi_table.fleet.collector.report_sheets import kind_name, kinds, rank_by_games
from pi_table.fleet.collector.sheet import plain
from pi_table.fleet.collector.spread import Spread

COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
OTHERS: Final = "#999999"
MAX_OWN_COLOURS: Final = 6
"""Maximum number of tables or games that have their own colour; all others share one colour."""
MAX_DAYS_BY_EVENING: Final = 120
"""Maximum number of days for which the chart has a column for each evening. For more days, it has a
column for each week."""
MAX_CHARTED_TABLES: Final = 40
"""Maximum number of tables in the chart of tables: the most used ones."""
MAX_NAME_LENGTH: Final = 24
"""Maximum number of characters of a name in a picture. The middle of a longer name is left out."""
MIN_TIME_SPAN: Final = timedelta(days=13)
"""Minimum length of the time axis of a picture."""
DAY: Final = timedelta(days=1)
WIDTH: Final = 10.0
"""Width of a picture in inches; an inch has 72 points."""
DAYS: Final = (
    *(say("Monday"), say("Tuesday"), say("Wednesday"), say("Thursday"), say("Friday")),
    *(say("Saturday"), say("Sunday")),
)


class Picture(msgspec.Struct, frozen=True):
    name: str
    title: Words
    svg: str


def pictures(found: Figures, lang: Lang) -> tuple[Picture, ...]:
    """Return the pictures of a report; none if no game was played."""
    if not found.all.games:
        return ()
    drawn = (
        ("evenings-picture", say("Games by evening"), _evenings),
        ("hours-picture", say("When games begin"), _hours),
        ("where-picture", say("What is played where"), _where),
        ("lengths-picture", say("How long games are"), _lengths),
        ("first-clue-picture", say("How long the first clue takes"), _first_clues),
    )
    with matplotlib.rc_context(STYLE):
        return tuple(Picture(name, title, _svg(draw(found, lang))) for name, title, draw in drawn)


def _evenings(found: Figures, lang: Lang) -> Figure:
    """Draw the number of games for each evening or week. Each table has its own colour. In a report
    about several venues, each venue has its own colour instead."""
    by_bar = len(found.all_bars()) > 1
    days = found.all.evenings
    weekly = (max(days) - min(days)).days > MAX_DAYS_BY_EVENING
    apart = rank_by_games(found.of_bar if by_bar else found.of_table)[:MAX_OWN_COLOURS]
    counts: Counter[tuple[date, str | None]] = Counter()
    for evening, table, games in found.evenings():
        name = found.bar_of(table) if by_bar else table
        begins = evening - timedelta(days=evening.weekday()) if weekly else evening
        counts[begins, name if name in apart else None] += games
    figure, axes = _axes(3.2)
    shown: list[tuple[Any, str]] = []
    below: Counter[date] = Counter()
    for one, colour in _with_colours(apart, any(name is None for _, name in counts)):
        its = {day: games for (day, name), games in counts.items() if name == one}
        label = translate(say("others") if one is None else _short(one) or say("no bar"), lang)
        columns = axes.bar(
            [*its],
            [*its.values()],
            bottom=[below[day] for day in its],
            width=6.0 if weekly else 0.85,
            align="edge" if weekly else "center",
            color=colour,
        )
        shown.append((columns, label))
        below.update(its)
    if weekly:
        axes.set_xlabel(translate(say("Weeks, by their Monday"), lang))
    last = max(day for day, _ in counts)
    first = min(last - MIN_TIME_SPAN, *(day for day, _ in counts))
    step = 7 if weekly else 1
    axes.set_xlim(first - DAY, last + step * DAY)
    _dates(axes, first, last, step)
    _whole(axes.yaxis)
    axes.set_ylabel(translate(say("Games played"), lang))
    _legend(axes, shown)
    return figure


def _hours(found: Figures, lang: Lang) -> Figure:
    """Draw a heat map of the weekdays and hours at which games began. Darker means more games."""
    hours = [*range(6, 24), *range(6)]
    rows = [[found.hours[day, hour] for hour in hours] for day in range(7)]
    used = [at for at in range(24) if any(row[at] for row in rows)] or [0]
    first, last = used[0], used[-1] + 1
    figure, axes = _axes(2.8)
    shown = axes.imshow([row[first:last] for row in rows], cmap="Blues", aspect="auto", vmin=0)
    labels = [f"{hour:02}" for hour in hours[first:last]]
    axes.set_xticks(range(last - first), labels)
    axes.set_yticks(range(7), [translate(day, lang) for day in DAYS])
    axes.set_xlabel(translate(say("Hour"), lang))
    axes.grid(visible=False)
    scale = figure.colorbar(shown, ax=axes, pad=0.02)
    scale.set_label(translate(say("Games played"), lang))
    scale.outline.set_visible(False)
    scale.locator = _whole_steps()
    return figure


def _where(found: Figures, lang: Lang) -> Figure:
    names = sorted(rank_by_games(found.of_table)[:MAX_CHARTED_TABLES], key=found.bar_of)
    apart = [kind for kind, _ in kinds(found)[:MAX_OWN_COLOURS]]
    figure, axes = _axes(1.0 + 0.32 * len(names))
    shown: list[tuple[Any, str]] = []
    left = [0] * len(names)
    for kind, colour in _with_colours(apart, len(found.of_kind) > len(apart)):
        if kind is None:
            its = [found.of_table[name].games - left[at] for at, name in enumerate(names)]
            label = translate(say("others"), lang)
        else:
            its, label = [found.where[name, kind] for name in names], _short_kind(kind, lang)
        shown.append((axes.barh(range(len(names)), its, left=left, color=colour), label))
        left = [before + more for before, more in zip(left, its, strict=True)]
    has_bars = len(found.all_bars()) > 1
    labels = [
        f"{bar} · {_short(name)}"
        if has_bars and (bar := _short(found.bar_of(name)))
        else _short(name)
        for name in names
    ]
    axes.set_yticks(range(len(names)), labels)
    axes.set_ylim(len(names) - 0.5, -0.5)
    if len(names) < len(found.of_table):
        these = say(
            "The {count} busiest of {all} tables", count=len(names), all=len(found.of_table)
        )
        axes.set_title(translate(these, lang), loc="left")
    _whole(axes.xaxis)
    axes.set_xlabel(translate(say("Games played"), lang))
    axes.grid(visible=False, axis="y")
    _legend(axes, shown)
    return figure


def _lengths(found: Figures, lang: Lang) -> Figure:
    of_kind = {kind: games.lengths for kind, games in kinds(found)}
    return _histogram(of_kind, LENGTH_STEP // 60, say("Minutes"), lang)


def _first_clues(found: Figures, lang: Lang) -> Figure:
    of_kind = {kind: games.first_clues for kind, games in kinds(found)}
    return _histogram(of_kind, FIRST_CLUE_STEP, say("Seconds"), lang)


def _histogram(
    of_kind: dict[tuple[str, str], Spread], step: int, label: Words, lang: Lang
) -> Figure:
    """Draw a histogram for each kind of game, one above the other. A bin is ``step`` wide, in the
    unit of the ``label``. The last column also counts all larger values."""
    apart = [kind for kind, spread in of_kind.items() if spread.count][:MAX_OWN_COLOURS]
    last = step * (1 + _last_bin(of_kind[kind] for kind in apart))
    figure = Figure((WIDTH, 0.9 + 0.85 * max(1, len(apart))), layout="constrained")
    rows: Any = figure.subplots(max(1, len(apart)), sharex=True, squeeze=False)
    lowest = rows[-1, 0]
    _bare(lowest)
    for axes, kind, colour in zip(rows[:, 0], apart, COLOURS, strict=False):
        counts: Counter[int] = Counter()
        for at, games in sorted(of_kind[kind].bins.items()):
            counts[min(at, last // step)] += games
        axes.bar(
            [step * at for at in counts],
            [*counts.values()],
            width=0.9 * step,
            align="edge",
            color=colour,
        )
        axes.set_title(_short_kind(kind, lang), loc="left")
        _bare(axes)
        _whole(axes.yaxis)
    figure.supylabel(translate(say("Games played"), lang), fontsize="medium")
    lowest.set_xlim(0, last + step)
    lowest.set_xticks(range(0, last + step + 1, step * (1 + last // (12 * step))))
    lowest.set_xlabel(translate(label, lang))
    return figure


def _last_bin(spreads: Iterable[Spread]) -> int:
    """Return the bin at the 99th percentile of all values together; 0 if there are none."""
    bins = sum((Counter(spread.bins) for spread in spreads), Counter[int]())
    reached = 0
    for at, games in sorted(bins.items()):
        reached += games
        if reached > int(0.99 * bins.total()):
            return at
    return 0


def _short(name: str) -> str:
    """Return a name that fits into a picture. If it is too long, its middle is left out."""
    text = plain(name)
    if len(text) <= MAX_NAME_LENGTH:
        return text
    half = MAX_NAME_LENGTH // 2
    return f"{text[:half]}…{text[1 - half :]}"


def _short_kind(kind: tuple[str, str], lang: Lang) -> str:
    profile, language = kind
    return translate(kind_name((_short(profile), _short(language))), lang)


def _with_colours(apart: Sequence[Any], others: bool) -> list[tuple[Any, str]]:
    """Return each item with its colour. With ``others``, a last item None is added, for all items
    without their own colour."""
    return [*zip(apart, COLOURS, strict=False), *([(None, OTHERS)] if others else [])]


def _axes(height: float) -> tuple[Figure, Any]:
    figure = Figure((WIDTH, height), layout="constrained")
    axes = figure.subplots()
    _bare(axes)
    return figure, axes


def _bare(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="both", color="#e5e5e5", linewidth=0.6)
    axes.set_axisbelow(True)


def _dates(axes: Any, first: date, last: date, step: int) -> None:
    """Label the last day of the time axis, and days at equal distances before it. The distance is a
    multiple of ``step`` days. Labels have only digits, so they need no translation."""
    apart = step * (1 + (last - first).days // (6 * step))
    count = 1 + (last - first).days // apart
    axes.set_xticks([last - at * apart * DAY for at in range(count)])
    axes.xaxis.set_major_formatter(DateFormatter("%Y-%m-%d"))


def _whole(axis: Any) -> None:
    """Label an axis with whole numbers only."""
    axis.set_major_locator(_whole_steps())


def _whole_steps() -> MaxNLocator:
    return MaxNLocator(nbins=5, integer=True)


def _legend(axes: Any, shown: Sequence[tuple[Any, str]]) -> None:
    """Draw a legend with all names; Matplotlib's own would leave out names that begin with an
    underscore."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
    axes.legend(*zip(*shown, strict=True), **place)


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


STYLE: Final[dict[str, Any]] = {
    "font.size": 10.0,
    "axes.titlesize": 10.0,
    "svg.hashsalt": "pi-table",
    "text.parse_math": False,  # a name may have a $ in it
}
