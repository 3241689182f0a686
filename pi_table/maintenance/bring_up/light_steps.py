"""Bring-up steps for the lights: the chain from tile to tile, and the power supply in white
light."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import cycle
from typing import Final

from pi_table.common.geometry import LED_COUNT, PLACES, leds_of, place_named
from pi_table.common.language import Say, say
from pi_table.devices.hal import own_controller, pi_board
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.registry import LIGHTS, PARTS
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.machine_findings import power
from pi_table.maintenance.bring_up.pi_controller_findings import NOT_HERE, OK, parts
from pi_table.maintenance.bring_up.terminal import UNCLEAR
from pi_table.maintenance.bring_up.wiring import (
    CHAIN,
    CHAIN_IN,
    CHAIN_OUT,
    CORNERS,
    SIDES,
    strip_of,
    wires_of,
)
from pi_table.maintenance.bring_up.wiring_faults import Fault, chips_lost, fault

GLOW: Final = 0x303030
"""A colour that can be seen in daylight, but needs far less current than any limit."""
COLOURS: Final = (0x780000, 0x007800, 0x000078)
WHITE: Final = 0xFFFFFF
COLOUR_SECONDS: Final = 0.7
STEP_SECONDS: Final = 0.25
STATUS_SECONDS: Final = 1.0
"""Seconds after which the controller's service has told systemd that its lights refuse a frame."""
WHITE_SECONDS: Final = 4.0
DARK: Final = (0,) * LED_COUNT

Show = Callable[[LightFrame, float], None]
"""A function that shows a frame on the lights, then waits for the given number of seconds."""


@contextmanager
def strip(bench: Bench) -> Iterator[Show]:
    """Yield a function that shows frames with the configured driver. The lights are dark at the
    end."""
    if bench.controller_lights:
        conversation = bench.controller()

        def show(frame: LightFrame, seconds: float) -> None:
            conversation.show(frame)
            conversation.pause(seconds)

        yield show
        show(DARK, 0.1)
        return
    with closing(asyncio.new_event_loop()) as loop:
        opener = LIGHTS.opener(bench.config.lights.driver, PARTS)
        with closing(opener(bench.config, loop)) as lights:

            def show_by_driver(frame: LightFrame, seconds: float) -> None:
                lights.show(frame)
                loop.run_until_complete(asyncio.sleep(seconds))

            yield show_by_driver


@contextmanager
def keep_shown(
    bench: Bench, show: Show, *frames: LightFrame, seconds: float = COLOUR_SECONDS
) -> Iterator[None]:
    """Show these frames in turn, each for so many seconds, until the context ends.

    Within the context, ask only the maker: the conversation with the controller is in use. Outside
    the context, nothing is sent during a question, so the controller shows its own pattern.
    """
    turns = cycle(frames)

    def turn() -> None:
        show(next(turns), seconds)

    turn()
    with bench.meanwhile(turn):
        yield


def chain(bench: Bench) -> Iterator[Finding]:
    """Ask the maker whether all lights work, and whether colours, order and corners are right."""
    yield from look_at(bench, LOOKS)


def look_at(bench: Bench, looks: "Sequence[Look]") -> Iterator[Finding]:
    """Show the frames of each look, and ask the maker about them. Stop after a broken finding."""
    with strip(bench) as show:
        if (refused := _refused(bench, show)) is not None:
            yield refused
            return
        for what, frames, seconds, question, yes, no in looks:
            with keep_shown(bench, show, *frames, seconds=seconds):
                finding = bench.ask_if_right(what, question, yes)
            if finding is None:
                # Further questions show frames of their own, so `keep_shown` has ended.
                finding = no if isinstance(no, Finding) else no(bench, show)
            yield finding
            if finding.verdict is Verdict.BROKEN:
                return


def _refused(bench: Bench, show: Show) -> Finding | None:
    """Return a finding if the lights' device refuses frames. The controller does not tell: it plays
    on without lights. Only its service says so."""
    if not (bench.controller_lights and own_controller.is_used(bench.config)):
        return None
    show(all_lights(GLOW), STATUS_SECONDS)
    why = parts(bench.unit()).get("lights", OK)
    if why in (OK, NOT_HERE):
        return None
    return Finding(
        "lights",
        Verdict.BROKEN,
        say("The controller cannot light the table: {why}.", why=Say(why)),
        say("See the lines config.txt and light device of `pi-table doctor`."),
    )


def read_place(bench: Bench, question: str) -> int | None:
    """Ask the maker until the answer is a place or "none". Return the place (0 … 26), or None."""
    while True:
        said = bench.maker.read(question)
        place = place_named(said if said in PLACES else said.upper())
        if place is not None or said.lower() == "none":
            return place


def broken_chain(bench: Bench, show: Show) -> Finding:
    """Ask the maker for the last place of the chain that glows. Return the finding about the break
    behind that place."""
    with keep_shown(bench, show, all_lights(GLOW)):
        return _find_chain_end(bench)


def _find_chain_end(bench: Bench) -> Finding:
    broken = partial(fault, "lights", Fault.CHAIN)
    place = read_place(
        bench,
        say(
            "The chain goes A1 to E1, E2 to A2, and so on, there and back, then end-turn and "
            "hourglass. Which is the last place along it that glows? Its name, or none:"
        ),
    )
    if place is None:
        return broken(
            say("Not one light glows."),
            say(
                "Look at the fuse, and at 5 V and ground of the first tile, A1; then at the wire "
                "of its data, from J5 of the carrier to {chain_in}, at U1 in its socket, and at "
                "J4.6 (pin 19 of the Raspberry Pi).",
                chain_in=CHAIN_IN,
            )
            if wires_of(bench.config).has_carrier
            else say(
                "Look at 5 V and ground of the first tile, A1; then at the wire of its data, from "
                "D6 of the Nano through 470 Ω to {chain_in}.",
                chain_in=CHAIN_IN,
            ),
            last=None,
        )
    names = CORNERS if len(leds_of(place)) == len(CORNERS) else SIDES
    letters = "".join(map(str, range(1, len(names) + 1)))
    asked = say(
        "How many of the lights of {places} glow, 1 to {len}?",
        places=PLACES[place],
        len=len(names),
    )
    lit = UNCLEAR
    while lit == UNCLEAR:
        lit = bench.maker.choose(asked, UNCLEAR + letters, letters[-1])
    count = int(lit)
    reached = strip_of(place)[0] + count
    if reached >= LED_COUNT:
        return broken(
            say("The chain reaches its last light, yet some within it are dark."),
            say("Such a light passes data on, but is dead itself: replace it."),
            last=PLACES[place],
            light=reached,
        )
    if count < len(names):
        return broken(
            say(
                "The chain ends within the tile of {places}, behind its {names} light (number "
                "{reached} of {led_count}).",
                places=PLACES[place],
                names=names[count - 1],
                reached=reached,
                led_count=LED_COUNT,
            ),
            say(
                "Solder the data pins between its {names} and its {names_2} light again; if that "
                "does not help, one of the two is dead: replace the second, then the first.",
                names=names[count - 1],
                names_2=names[count],
            ),
            last=PLACES[place],
            light=reached,
        )
    after = PLACES[CHAIN[CHAIN.index(place) + 1]]
    return broken(
        say(
            "The chain ends between the tiles of {places} and {after} (behind light number "
            "{reached} of {led_count}).",
            places=PLACES[place],
            after=after,
            reached=reached,
            led_count=LED_COUNT,
        ),
        say(
            "Look at the cable from {chain_out} of {places} to {chain_in} of {after}: is it "
            "whole, and plugged in at both ends? Then at the last light of {places_2}, then at "
            "the first of {after_2}.",
            chain_out=CHAIN_OUT,
            places=PLACES[place],
            chain_in=CHAIN_IN,
            after=after,
            places_2=PLACES[place],
            after_2=after,
        ),
        last=PLACES[place],
        light=reached,
    )


WRONG_COLOURS: Final = fault(
    "lights",
    Fault.COLOURS,
    say("The colours come in another order than red, green, blue."),
    say(
        "These lights expect green, red, blue (WS2812B). Yours are of another kind, or the "
        "strip receives half a light: look at the first light's data pin and the level of "
        "its data."
    ),
)

WRONG_ORDER: Final = fault(
    "lights",
    Fault.CHAIN,
    say("The tiles are chained in another order than the table expects."),
    say(
        "Follow the light, and plug the cables so that it runs A1 to E1, E2 to A2, A3 to E3, "
        "E4 to A4, A5 to E5, end-turn, hourglass."
    ),
)

WRONG_CORNER: Final = fault(
    "lights",
    Fault.CORNERS,
    say("In some cell another corner glows instead of the far left one."),
    say(
        "That tile is turned: its first light belongs at the far left, seen from the "
        "operatives. If it is the same in every cell, the strip was laid another way round: "
        "hardware/README.md says what to change."
    ),
)


def all_lights(colour: int) -> LightFrame:
    return (colour,) * LED_COUNT


def _place(place: int) -> LightFrame:
    return tuple(GLOW if led in leds_of(place) else 0 for led in range(LED_COUNT))


def _first_lights() -> LightFrame:
    first = {leds_of(place)[0] for place in range(len(PLACES))}
    return tuple(GLOW if led in first else 0 for led in range(LED_COUNT))


TURNING: Final = (*map(all_lights, COLOURS), DARK)
TURNS: Final = say(
    "Does the whole table turn red, then green, then blue, then dark, again and again?"
)
"""The dark frame marks where the colours begin. Without it, red, green, blue and green, blue, red
look the same."""
Look = tuple[
    str, tuple[LightFrame, ...], float, str, str, Finding | Callable[[Bench, Show], Finding]
]
LOOKS: Final[tuple[Look, ...]] = (
    (
        "lights",
        (all_lights(GLOW),),
        COLOUR_SECONDS,
        say("Do all 25 cells and both pads glow, with all of their lights?"),
        say("Every light glows."),
        broken_chain,
    ),
    (
        "colours",
        TURNING,
        COLOUR_SECONDS,
        TURNS,
        say("The colours are right."),
        WRONG_COLOURS,
    ),
    (
        "order",
        tuple(map(_place, CHAIN)),
        STEP_SECONDS,
        say(
            "Does light run from A1 to E1, back from E2 to A2, and so on, to end-turn and "
            "hourglass?"
        ),
        say("The tiles are chained in their order."),
        WRONG_ORDER,
    ),
    (
        "corners",
        (_first_lights(),),
        COLOUR_SECONDS,
        say(
            "Does only the far left corner of every cell glow, as the operatives see it (of a "
            "pad: its left)?"
        ),
        say("Every tile lies the right way round."),
        WRONG_CORNER,
    ),
)
"""The maker's checks by eye. Each has a name, frames, seconds for each frame, a question, the
sentence after a yes, and the finding after a no."""


def white(bench: Bench) -> Iterator[Finding]:
    """Check that the power supply can light the whole table in white, at the current limit."""
    with strip(bench) as show:
        if (refused := _refused(bench, show)) is not None:
            yield refused
            return
        if bench.controller_lights:
            yield _white_by_controller(bench, show)
        else:
            show(all_lights(WHITE), WHITE_SECONDS)
            most = bench.config.lights.max_milliamps
            yield Finding("supply", Verdict.OK, say("White, at {most} mA at most.", most=most))
        model = pi_board.model(bench.root)
        if pi_board.is_pi(model):
            yield power(model)


def _white_by_controller(bench: Bench, show: Show) -> Finding:
    conversation = bench.controller()
    before = conversation.state()
    most = conversation.settings().most_ma
    for _ in range(round(WHITE_SECONDS / STEP_SECONDS)):
        show(all_lights(WHITE), STEP_SECONDS)
        if conversation.hello.boot != before.boot:
            conversation.show(DARK)
            return fault(
                "supply",
                Fault.SUPPLY,
                say("The controller restarted when the table was white: its voltage dropped."),
                say(
                    "The supply, or what leads from it to the lights, is too weak for {most} mA: "
                    "measure 5 V at the last light, take thicker or shorter wires, "
                    "feed the strip at both ends, or take a larger supply.",
                    most=most,
                ),
                most_ma=most,
            )
    after = conversation.state()
    for lost in chips_lost(before, after, wires_of(bench.config)):
        return lost
    capped = say(", dimmed to stay below the cap") if after.starving else ""
    return Finding(
        "supply",
        Verdict.OK,
        say(
            "White draws {current_ma} mA by calculation{capped} ({most} mA), and nothing "
            "restarted.",
            current_ma=after.current_ma,
            capped=capped,
            most=most,
        ),
        figures={"current_ma": after.current_ma, "most_ma": most, "capped": after.starving},
    )
