"""The venue's settings as the desk shows them: groups of lines, translated for the reader.

The hidden screen has the same labels and proposed values (`games.lines`). The desk's page draws a
line by its ``kind`` and knows nothing about the setting itself.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, get_type_hints

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.house_settings import House, Percent, TimeOfDay
from pi_table.common.language import Lang, Say, Words, say, translate
from pi_table.games.lines.game import SETTINGS, YES_OR_NO, Values, label_of
from pi_table.games.lines.house import GROUPS, GUESTS, PHONES, SPELLINGS
from pi_table.games.rules.profile import PROFILES, options_of, profile_named, settings_for
from pi_table.protocols.ipc.messages import OfferedPack

Kind = Literal["switch", "percent", "time", "choice", "several", "all-but"]


class Line(msgspec.Struct, frozen=True):
    field: str
    label: str
    kind: Kind
    """The kind of control that the page draws. In ``several`` and ``all-but``, people choose any
    number of values: ``several`` stores the chosen values, and ``all-but`` stores the others."""
    value: Any
    values: tuple[tuple[Any, str], ...] = ()
    """The values to choose from, each with its label."""
    default: Any = None
    """In a house rule: the value that the game has without this rule."""
    schedule: str | None = None
    """Label of the switch that turns a schedule on or off; None except in the line of the
    schedule's start. A schedule is off while its start and end are equal."""


class Group(msgspec.Struct, frozen=True):
    """Lines of a form that belong together."""

    title: str
    lines: tuple[Line, ...]
    profile: str | None = None
    """The game of a group of house rules; None for settings of the house."""


def groups(house: House, packs: Iterable[OfferedPack], lang: Lang) -> tuple[Group, ...]:
    shown = [
        Group(
            translate(group.title, lang),
            tuple(_line(house, line.field, line.label, line.values, lang) for line in group.lines),
        )
        for group in GROUPS
    ]
    offered = tuple((pack.name, _title(pack)) for pack in packs)
    shown.append(
        Group(
            translate(say("Word packs and adults"), lang),
            (
                _line(house, "adults", say("Words for adults"), YES_OR_NO, lang),
                _line(house, "spelling", say("Spelling of English words"), SPELLINGS, lang),
                _several(house, "packs_left_out", say("Offered to guests"), offered, lang),
            ),
        )
    )
    guests = say("Guests may, without the PIN")
    may = _several(house, "guests_may", guests, tuple(GUESTS.items()), lang)
    phones = _line(house, PHONES.field, PHONES.label, PHONES.values, lang)
    shown.append(Group(translate(guests, lang), (may, phones)))
    shown += _rules(house, lang)
    return tuple(shown)


def with_rule(house: House, profile: object, setting: object, value: object) -> dict[str, Any]:
    """Return the house rules after one change. If ``value`` is the game's own default, the rule is
    removed. Raises InputError if the game or setting is unknown, or if the setting cannot have this
    value."""
    game = profile_named(profile)
    rules = dict(house.rules.get(game.id, {}))
    if not isinstance(setting, str):
        raise InputError(say("A house rule is named by a setting of its game."))
    if value == _usual(game.id, setting):
        rules.pop(setting, None)
    else:
        rules[setting] = value
    settings_for(game, rules)
    return {**house.rules, game.id: rules}


def _usual(profile: str, setting: str) -> Any:
    game = PROFILES[profile]
    return msgspec.to_builtins(options_of(game, game.usual)).get(setting)


def _rules(house: House, lang: Lang) -> Iterator[Group]:
    for game in PROFILES.values():
        own = house.rules.get(game.id, {})
        lines = []
        for setting in SETTINGS:
            if setting.field not in game.settings:
                continue
            usual = _usual(game.id, setting.field)
            value = own.get(setting.field, usual)
            values = tuple(
                (msgspec.to_builtins(each), translate(label, lang))
                for each, label in setting.values
            )
            if value not in [each for each, _ in values]:
                values = (*values, (value, translate(label_of(setting.values, value), lang)))
            kind: Kind = "switch" if isinstance(usual, bool) else "choice"
            label = translate(setting.label, lang)
            lines.append(Line(setting.field, label, kind, value, values, usual))
        title = say("House rules: {game}", game=Say(game.title))
        yield Group(translate(title, lang), tuple(lines), game.id)


def _line(house: House, field: str, label: Words, values: Values, lang: Lang) -> Line:
    value = msgspec.to_builtins(getattr(house, field))
    shown = tuple((each, translate(words, lang)) for each, words in values)
    kind = _kind(field)
    if kind != "choice":
        shown = ()
    elif value not in [each for each, _ in shown]:
        shown = (*shown, (value, _label_of_unlisted(value, values, lang)))
    schedule = translate(_SCHEDULES[field], lang) if field in _SCHEDULES else None
    return Line(field, translate(label, lang), kind, value, shown, schedule=schedule)


def _label_of_unlisted(value: Any, values: Values, lang: Lang) -> str:
    return str(value) if isinstance(value, int) else translate(label_of(values, value), lang)


def _kind(field: str) -> Kind:
    kind = _KINDS[field]
    if kind == Percent:
        return "percent"
    if kind == TimeOfDay:
        return "time"
    return "switch" if kind is bool else "choice"


def _several(
    house: House, field: str, label: Words, values: tuple[tuple[str, Words], ...], lang: Lang
) -> Line:
    shown = tuple((name, translate(words, lang)) for name, words in values)
    kind: Kind = "all-but" if field == "packs_left_out" else "several"
    return Line(field, translate(label, lang), kind, list(getattr(house, field)), shown)


def _title(pack: OfferedPack) -> Words:
    return say("{title} (18+)", title=pack.title) if pack.adults else pack.title


_SCHEDULES: Final = {"dimmed_from": say("Dimmed hours"), "quiet_from": say("Quiet hours")}
_KINDS: Final[dict[str, Any]] = get_type_hints(House, include_extras=True)
