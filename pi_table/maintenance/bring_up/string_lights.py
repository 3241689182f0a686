"""Bring-up of a string of lights: whether each light works, and where it lies.

The layout of the configuration says which light shows which place. Texts for people count the
lights along the string, from 1.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.config import Config
from pi_table.common.errors import InputError
from pi_table.common.geometry import LED_COUNT, PLACES
from pi_table.common.language import Say, join_texts, say
from pi_table.common.light_layout import (
    PRESETS,
    LightLayout,
    check_all_shown,
    preset,
    read_layout,
)
from pi_table.devices.hal import pi_board
from pi_table.devices.hal.contracts import LightFrame
from pi_table.maintenance.bring_up.bench import NOBODY, Bench
from pi_table.maintenance.bring_up.board_findings import lights_driver
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.light_steps import (
    COLOUR_SECONDS,
    COLOURS,
    GLOW,
    TURNING,
    TURNS,
    Look,
    Show,
    all_lights,
    chain,
    keep_shown,
    look_at,
    read_place,
    strip,
)
from pi_table.maintenance.bring_up.terminal import UNCLEAR
from pi_table.maintenance.bring_up.wiring_faults import Fault, fault

WALK_SECONDS: Final = 0.6
"""Seconds for which each light is lit alone, with its number on the screen."""


def _light_fault(kind: Fault, says: str, do: str, **figures: object) -> Finding:
    return fault("lights", kind, says, do, (), Verdict.BROKEN, **figures)


class LightString(msgspec.Struct, frozen=True):
    """The string of a configuration. Lights are counted from 0 here, and from 1 in texts."""

    layout: LightLayout
    name: str
    """The value of `layout` in [lights]: a preset, or the path of a file."""
    has_num_leds: bool = False
    """True if config.txt names the number of lights, as num_leds."""

    @property
    def lit(self) -> list[int]:
        """Return the lights that do not stay dark, in the order of the string."""
        return [light for light, leds in enumerate(self.layout.lights) if leds]

    @property
    def places(self) -> list[int]:
        """Return the places in the order in which the string first reaches them."""
        return [
            *dict.fromkeys(place for light in self.lit if (place := self.place(light)) is not None)
        ]

    def place(self, light: int) -> int | None:
        return self.layout.place_of(light)

    def describe(self, light: int) -> Say:
        """Return the number of a light, and its place."""
        place = self.place(light)
        if place is None:
            return say("light {number} (which stays dark)", number=light + 1)
        return say("light {number} ({place})", number=light + 1, place=PLACES[place])

    def frame(self, light: int) -> LightFrame:
        """Return a frame in which this light glows. Lights that share an LED with it glow, too."""
        leds = self.layout.lights[light]
        return tuple(GLOW if led in leds else 0 for led in range(LED_COUNT))

    def route(self) -> Say:
        return join_texts(", ", (PLACES[place] for place in self.places))

    def can_lose(self, light: int) -> bool:
        """True if every place still has a light without this one."""
        rest = [leds for at, leds in enumerate(self.layout.lights) if at != light]
        try:
            check_all_shown(rest, "")
        except InputError:
            return False
        return True


def string_of(config: Config, root: Path) -> LightString:
    """Return the string of a configuration. Raises InputError for a layout with an error."""
    driver = lights_driver(config, pi_board.board_of(pi_board.model(root)))
    layout = config.lights.layout
    return LightString(read_layout(layout), layout, driver == pi_board.PIO_DRIVER)


def lights(bench: Bench) -> Iterator[Finding]:
    """Check the lights of a table of boards: the chain of tiles, or a string of another layout."""
    yield from chain(bench) if bench.config.lights.layout == "tiles" else string(bench)


def string(bench: Bench) -> Iterator[Finding]:
    """Ask the maker whether all lights work, and whether colours and order are right."""
    try:
        of = string_of(bench.config, bench.root)
    except InputError as error:
        yield Finding("layout", Verdict.BROKEN, str(error))
        return
    yield _layout(bench, of)
    looks: tuple[Look, ...] = (
        (
            "lights",
            (all_lights(GLOW),),
            COLOUR_SECONDS,
            say("Do all 25 cells and both pads glow, in a steady white?"),
            say("Every light glows."),
            partial(find_break, of),
        ),
        (
            "colours",
            TURNING,
            COLOUR_SECONDS,
            TURNS,
            say("The colours are right."),
            partial(find_colours, of),
        ),
    )
    for finding in look_at(bench, looks):
        yield finding
        if finding.verdict is Verdict.BROKEN:
            return
    yield one_by_one(bench, of)


def _layout(bench: Bench, of: LightString) -> Finding:
    figures: dict[str, object] = {"lights": of.layout.light_count, "lit": len(of.lit)}
    if bench.config.table.build == "evening" and of.name == "tiles":
        do = say('For the string of hardware/EVENING.md write layout = "string-100" in [lights].')
        more = preset("string-100").light_count - of.layout.light_count
        return Finding(
            "layout",
            Verdict.LOOK,
            say("The layout is that of the tiles: four lights in each cell."),
            join_texts(" ", (do, _restart(of, more))),
            figures=figures,
        )
    return Finding(
        "layout",
        Verdict.OK,
        say(
            "The layout {name} has {count} lights. {lit} of them glow, the first at {place}.",
            name=of.name,
            count=of.layout.light_count,
            lit=len(of.lit),
            place=PLACES[of.places[0]],
        ),
        figures=figures,
    )


# Dark lights


class _DarkLight(msgspec.Struct, frozen=True):
    """A light whose place is dark. ``before`` is the last light that glows, if all lights behind it
    are dark."""

    light: int
    before: int | None = None


def find_break(of: LightString, bench: Bench, show: Show) -> Finding:
    """Ask the maker what the string shows while all lights should glow. Return the finding about
    the first light that does not glow."""
    with keep_shown(bench, show, all_lights(GLOW)):
        found = _find_first_wrong(of, bench)
    return found if isinstance(found, Finding) else _look_at_dark(of, found, bench, show)


def _find_first_wrong(of: LightString, bench: Bench) -> Finding | _DarkLight:
    place = read_place(
        bench,
        say(
            "The string goes {route}. Which is the first place along it that is dark, or has "
            "another colour? Its name, or none:",
            route=of.route(),
        ),
    )
    if place is None:
        return Finding("lights", Verdict.LOOK, say("No place is dark, and none is coloured."))
    if place == of.places[0]:
        return _first_light(of, bench)
    first, before = _lights_around(of, place)
    if place != of.places[-1] and bench.ask(say("Does any place behind it glow white?")):
        return _DarkLight(first)
    if bench.ask(say("Does it show another colour, or do lights behind it flicker?")):
        return _damaged_data(of, before)
    return _DarkLight(first, before)


def _look_at_dark(of: LightString, dark: _DarkLight, bench: Bench, show: Show) -> Finding:
    """Return the finding about a dark place: its light is dead, or lies elsewhere."""
    with keep_shown(bench, show, of.frame(dark.light)):
        place = read_place(
            bench,
            say(
                "Only {light} should glow now. Which place does? Its name, or none:",
                light=of.describe(dark.light),
            ),
        )
    if place is None:
        return _dead(of, dark.light, dark.before)
    return _moved(of, dark.light, place)


def _first_light(of: LightString, bench: Bench) -> Finding | _DarkLight:
    """Return the finding about a string whose first place is wrong, or its first light if only that
    one is dark."""
    light = of.layout.lights_of(of.places[0])[0]
    if len(of.places) > 1 and bench.ask(say("Does any place behind it glow white?")):
        return _DarkLight(light)
    if bench.ask(say("Does any light glow at all?")):
        return _light_fault(
            Fault.DATA,
            say("The first light understands its data wrong."),
            say(
                "Look at the ground between Pi and string, and at the level shifter's 5 V. Shorten "
                "the data wire. If that does not help, cut the first light off."
            ),
            light=1,
        )
    if bench.ask(
        say(
            "Hold the data wire at the data input (DIN) of the string's second light, behind the "
            "first. Do lights glow now?"
        ),
    ):
        return _light_fault(
            Fault.FIRST_LIGHT,
            say("The first light of the string is dead: from the second on, the string glows."),
            join_texts(
                " ",
                (
                    say(
                        "Cut the first light off, and join the data, 5 V and ground to the second."
                    ),
                    _how_to_go_on(of, 0),
                ),
            ),
            light=1,
        )
    return _light_fault(
        Fault.CHAIN,
        say("Not one light glows."),
        say(
            "Measure 5 V at the string's first light. Then look at its data: from pin 19 to "
            "pin 2 of the 74AHCT125, from its pin 3 to the string; and at the end of the "
            "string that the data enters."
        ),
        last=None,
    )


def _lights_around(of: LightString, place: int) -> tuple[int, int]:
    """Return the first light of a place, and the last light before it that glows."""
    first = of.layout.lights_of(place)[0]
    return first, max(light for light in of.lit if light < first)


def _dead(of: LightString, light: int, before: int | None = None) -> Finding:
    """Return the finding about a dark light. ``before`` is the last light that glows, if all lights
    behind it are dark."""
    figures: dict[str, object] = {"light": light + 1, "place": _name(of, light)}
    if before is None:
        return _light_fault(
            Fault.DEAD_LIGHT,
            say("Only {light} is dark: it is dead, but passes data on.", light=of.describe(light)),
            join_texts(" ", (_cut_out(light), _how_to_go_on(of, light))),
            **figures,
        )
    says = [
        say(
            "The string ends between {place} and {after}: {light} and all lights behind it are "
            "dark.",
            place=_name(of, before),
            after=_name(of, light),
            light=of.describe(light),
        )
    ]
    do = [say("Bend the three wires between the two, and join a broken one.")]
    between = range(before + 1, light)
    if between:
        numbers = join_texts(" and ", (str(each + 1) for each in between))
        do.append(say("Look at light {numbers} between them, too: it stays dark.", numbers=numbers))
    do += [
        say("If that does not help, {light} is dead.", light=of.describe(light)),
        _cut_out(light),
        _how_to_go_on(of, light),
        say(
            "If the string still ends there, the light before it is at fault: do the same with "
            "light {number}.",
            number=light,
        ),
    ]
    figures["last"] = _name(of, before)
    return _light_fault(Fault.CHAIN, join_texts(" ", says), join_texts(" ", do), **figures)


def _damaged_data(of: LightString, before: int) -> Finding:
    return _light_fault(
        Fault.DATA,
        say(
            "The lights behind {light} get wrong data: it damages what it passes on.",
            light=of.describe(before),
        ),
        join_texts(
            " ",
            (
                say("Look at its 5 V and ground, and bend its wires. If that does not help:"),
                _cut_out(before),
                _how_to_go_on(of, before),
            ),
        ),
        light=before + 1,
        place=_name(of, before),
    )


def _cut_out(light: int) -> Say:
    return say("Cut light {number} out, and join the wires, arrow to arrow.", number=light + 1)


_RESTART: Final = say("Then restart the controller and the engine.")
"""They read the layout only when they start."""


def _restart(of: LightString, more: int) -> Say:
    """Return what must happen before a layout with so many more lights is used."""
    if not of.has_num_leds:
        return _RESTART
    return say(
        "For the changed layout write num_leds={count} into config.txt. Then restart the machine.",
        count=of.layout.light_count + more,
    )


def _how_to_go_on(of: LightString, light: int) -> Say:
    """Return how the other lights get their places back when a light was cut out."""
    if not of.layout.lights[light] or of.can_lose(light):
        do = say(
            "Then tell the layout: remove the line of light {number} from {file}.",
            number=light + 1,
            file=_own_file(of),
        )
        return join_texts(" ", (do, _restart(of, -1)))
    place = _name(of, light)
    return say(
        "Then move each light behind it up by one: the next lies at {place} now. Join a spare "
        "light, from the rest of the string, to the end. Or solder the spare one in here, and move "
        "nothing. The layout stays as it is.",
        place=place,
    )


def _own_file(of: LightString) -> Say | str:
    """Return the file that the maker may change."""
    if of.name in PRESETS:
        return say(
            "a copy of the layout {name} in /etc/pi-table/, and name the copy as layout in "
            "[lights]",
            name=of.name,
        )
    return of.name


def _name(of: LightString, light: int) -> str:
    place = of.place(light)
    return "-" if place is None else PLACES[place]


# Colours

_LETTERS: Final = "rgb"
_NAMES: Final = {"R": say("red"), "G": say("green"), "B": say("blue")}


def find_colours(of: LightString, bench: Bench, show: Show) -> Finding:
    """Ask the maker what the string shows for red and for green. Return the finding about its order
    of colours, or about wrong data."""
    seen: dict[str, str] = {}
    for wanted, colour in zip("RG", COLOURS, strict=False):
        letter = UNCLEAR
        asked = say(
            "Now each light should be {colour}. Are they all [r]ed, all [g]reen or all [b]lue, "
            "or do they [d]iffer?",
            colour=_NAMES[wanted],
        )
        with keep_shown(bench, show, all_lights(colour)):
            while letter not in (*_LETTERS, "d"):
                letter = bench.maker.choose(asked, f"{UNCLEAR}{_LETTERS}d", "d")
            if letter == "d":
                return _first_coloured(of, bench)
        seen[wanted] = letter.upper()
    given = of.layout.order
    order = dict.fromkeys(given, "")
    for wanted in "RG":
        order[wanted] = seen[wanted]
    rest = {*"RGB"} - {*seen.values()}
    if len(rest) != 1:
        return fault(
            "colours",
            Fault.COLOURS,
            say("Two colours look alike on all lights: the lights have another number of colours."),
            say(
                "Lights with a fourth colour (RGBW) do not work here: take a string of WS2812B, "
                "with red, green and blue."
            ),
        )
    (order["B"],) = rest
    real = "".join(order[each] for each in given)
    exchanged = [_NAMES[each] for each in "RGB" if order[each] != each]
    if not exchanged:
        return Finding("colours", Verdict.LOOK, say("Red and green are right: look again."))
    return fault(
        "colours",
        Fault.COLOURS,
        say(
            "The string has the order {real}, and the layout {given}: {colours} are exchanged.",
            real=real,
            given=given,
            colours=join_texts(" and ", exchanged),
        ),
        join_texts(
            " ",
            (
                say(
                    "Tell the layout: write order {real} into {file}.",
                    real=real,
                    file=_own_file(of),
                ),
                _RESTART,
            ),
        ),
        order=real,
    )


def _first_coloured(of: LightString, bench: Bench) -> Finding:
    place = read_place(
        bench,
        say(
            "The string goes {route}. Which is the first place along it with another colour than "
            "those before it? Its name, or none:",
            route=of.route(),
        ),
    )
    if place is None or place == of.places[0]:
        return _first_data()
    return _damaged_data(of, _lights_around(of, place)[1])


def _first_data() -> Finding:
    return _light_fault(
        Fault.DATA,
        say("No light understands its data."),
        say(
            "Look at the ground between Pi and string, at the level shifter's 5 V, and at the "
            "length of the data wire. If all is right, the first light is damaged: cut it off."
        ),
        light=1,
    )


# The order


def one_by_one(bench: Bench, of: LightString) -> Finding:
    """Light each light alone, in the order of the string, and show its number. Ask whether each was
    at its place."""
    if not bench.maker.asks:
        return Finding("order", Verdict.LOOK, NOBODY)
    with strip(bench) as show:
        answer = "a"
        while answer == "a":
            _walk(bench, of, show)
            with keep_shown(bench, show, of.frame(of.lit[-1])):
                answer = bench.maker.choose(
                    say("Did each light glow at the place that was named? [y]es, [n]o, [a]gain:"),
                    "ayn",
                    "y",
                )
        if answer == "y":
            return Finding("order", Verdict.OK, say("The string lies in its order."))
        return _find_moved(bench, of, show)


def _walk(bench: Bench, of: LightString, show: Show) -> None:
    for light in of.lit:
        bench.maker.show_task(
            say(
                "Light {number} of {count}: {place}",
                number=light + 1,
                count=of.layout.light_count,
                place=_name(of, light),
            )
        )
        show(of.frame(light), WALK_SECONDS)


def _find_moved(bench: Bench, of: LightString, show: Show) -> Finding:
    """Light one light after the other until the maker sees one at another place."""
    for light in of.lit:
        with keep_shown(bench, show, of.frame(light)):
            if bench.ask(say("Is {light} at its place?", light=of.describe(light))):
                continue
            place = read_place(bench, say("Where does it glow? The name of the place, or none:"))
        return _moved(of, light, place)
    return Finding("order", Verdict.LOOK, say("Each light is at its place."))


def _moved(of: LightString, light: int, place: int | None) -> Finding:
    """Return the finding about the first light that is at another place, or nowhere."""
    wanted = _name(of, light)
    figures: dict[str, object] = {"light": light + 1, "place": wanted}
    if place is None:
        return _light_fault(
            Fault.CHAIN,
            say("The string's {light} glows nowhere.", light=of.describe(light)),
            say("It may lie outside the cells: lay it at {place}.", place=wanted),
            **figures,
        )
    figures["glows"] = PLACES[place]
    says = say(
        "The string's {light} glows at {place}, not at {wanted}.",
        light=of.describe(light),
        place=PLACES[place],
        wanted=wanted,
    )
    # Was a light cut out, or added, just before? Then each light is where its neighbour should be.
    places = [of.place(each) for each in of.lit]
    at, restart = of.lit.index(light), _RESTART
    if at + 1 < len(places) and places[at + 1] == place:
        do = say(
            "The string is one light too far: lay each light from this one on at the place before "
            "its own."
        )
        if of.can_lose(light):
            instead = say(
                "Or, if a light is missing, remove its line from {file}.", file=_own_file(of)
            )
            do, restart = join_texts(" ", (do, instead)), _restart(of, -1)
    elif at > 0 and places[at - 1] == place:
        restart = _restart(of, +1)
        do = say(
            "One light more than in the layout lies before it: take it out, or tell the layout: "
            "add a line with - where it is to {file}.",
            file=_own_file(of),
        )
    else:
        do = say(
            "Lay the string in this order: {route}. Or tell the layout where the lights are: write "
            "their places, in the order of the string, into {file}.",
            route=of.route(),
            file=_own_file(of),
        )
    return _light_fault(Fault.CHAIN, says, join_texts(" ", (do, restart)), **figures)
