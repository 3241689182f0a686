"""The drawings of the cables are those of wiring.csv, and of nothing else."""

import html
from collections import Counter
from itertools import pairwise

import pytest

from hardware import leads
from hardware.cabling import Drawing, WiringError, pins, text
from hardware.draw_harness import differs
from hardware.electrode_design import Design
from hardware.harness import FOLDER, crimps, drawings, joints, ready_leads, wire_metres
from hardware.harness_of_pi import CHIPS_3V3, GROUNDS, HEADER, PI, SCREEN_5V
from hardware.parts import read as parts
from hardware.places import CARRIER, centre, chain, metres, wiring
from hardware.places import PI as PI_PLACE
from hardware.power import Budget

ROWS = wiring()
DRAWN = drawings(ROWS)


def joined(drawing: Drawing) -> list[tuple[tuple[str, object], tuple[str, object]]]:
    """The ends of every wire: connector and pin."""
    found = []
    for left, _, right in drawing["connections"]:
        ((one, first),) = left.items()
        ((other, second),) = right.items()
        found += [((one, a), (other, b)) for a, b in zip(first, second, strict=True)]
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawing_is_what_the_wiring_says(name: str) -> None:
    committed = (FOLDER / f"{name}.yml").read_text("utf-8")
    assert text(DRAWN[name]) == committed, "Draw anew: make -C hardware harness"


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_names_all_that_its_drawing_joins(name: str) -> None:
    picture = html.unescape((FOLDER / f"{name}.svg").read_text("utf-8"))
    for part in DRAWN[name]["connectors"]:
        assert f">{part}<" in picture


@pytest.mark.parametrize("name", DRAWN)
def test_every_wire_ends_at_a_pin_that_there_is_and_no_pin_has_two(name: str) -> None:
    drawing = DRAWN[name]
    ends = [end for wire in joined(drawing) for end in wire]
    for part, pin in ends:
        assert pin in drawing["connectors"][part]["pins"]
    assert [end for end, times in Counter(ends).items() if times > 1] == []


def test_the_lights_run_from_the_carrier_through_every_tile_in_the_strips_order() -> None:
    data = {one: other for (one, a), (other, b) in joined(DRAWN["lights"]) if a == b == 2}
    at, visited = "carrier J5", []
    while f"{at.removesuffix(' J1')} J2" in data or at == "carrier J5":
        at = data["carrier J5" if at == "carrier J5" else f"{at.removesuffix(' J1')} J2"]
        visited.append(at.removesuffix(" J1"))
    feeds = [name for name in DRAWN["lights"]["cables"] if name.startswith("feed of")]
    assert visited == [*chain(ROWS)]
    assert len(feeds) == 6


def test_every_electrode_has_a_lead_from_its_chips_plug() -> None:
    wired = {(one, pin): other for (one, pin), (other, _) in joined(DRAWN["electrodes"])}
    for row in ROWS:
        if row["kind"] in ("pad", "rim"):
            plug, _, pin = row["plug"].partition(".")
            assert wired.pop((f"carrier {plug}", int(pin))) == f"{row['name']} J3"
            if row["kind"] == "rim":
                assert wired.pop((f"{row['name']} J3", "tail")) == f"rim {row['name']}"
    assert wired == {}


def test_no_wire_holds_the_overlay_once_its_plugs_are_drawn() -> None:
    """Each wire that is soldered to a guard ends in a plug, drawn from a wire that stays."""
    on_the_overlay = {f"rim {row['name']}" for row in ROWS if row["kind"] == "rim"}
    soldered = [wire for wire in joined(DRAWN["electrodes"]) if wire[1][0] in on_the_overlay]
    assert len(soldered) == 4
    for (plug, _), _ in soldered:
        assert plug.endswith(" J3")
        assert DRAWN["electrodes"]["connectors"][plug]["pins"] == [1, "tail"]


def test_every_pin_of_the_pi_is_joined_to_what_the_wiring_has_there() -> None:
    drawing = DRAWN["pi"]
    names = drawing["connectors"]
    told = {}
    for wire in joined(drawing):
        ends = dict(wire)
        if PI in ends:
            ((other, pin),) = (end for end in wire if end[0] != PI)
            label = names[other]["pinlabels"][names[other]["pins"].index(pin)]
            told[ends[PI]] = label
    for row in ROWS:
        if row["kind"] in ("pi", "panel", "amplifier", "controller"):
            assert told.pop(HEADER[int(row["pin"].removeprefix("GPIO"))]) == row["name"]
    assert told.pop(CHIPS_3V3) == "+3V3"
    assert told.pop(SCREEN_5V) == "5V"
    assert {*told} == {*GROUNDS.values()}
    assert {*told.values()} == {"ground", "GND"}


def test_the_wire_that_is_bought_is_as_long_as_what_is_drawn() -> None:
    bought = {part.key_figures.partition(",")[0]: part.quantity for part in parts()}
    metres = wire_metres(ROWS)
    assert metres.pop("22 AWG") <= bought["AWG 22"]
    assert metres.pop("28 AWG") <= bought["AWG 28 or thinner"]
    assert metres == {}


def test_the_ready_leads_that_are_bought_are_those_that_are_drawn() -> None:
    bought = {part.id: part.quantity for part in parts() if part.id in leads.sold()}
    assert ready_leads(DRAWN["lights"]) == bought
    assert joints(DRAWN["lights"]) == 3 + 3 + 5 * 2, "two cables of the chain, and five feeds"
    others = [DRAWN["electrodes"], DRAWN["pi"]]
    assert [ready_leads(each) + Counter(joints=joints(each)) for each in others] == [Counter()] * 2


def test_a_ready_lead_reaches_where_its_cable_ends() -> None:
    """Two joined leads are soldered, and cut, to the length of the cable."""
    budget, cables = Budget(), DRAWN["lights"]["cables"]
    for before, place in pairwise(["carrier", *chain(ROWS)]):
        start = CARRIER if before == "carrier" else centre(before)
        assert cables[f"to {place}"]["length"] >= round(budget.metres(start, centre(place)), 3)
    assert {each["gauge"] for each in cables.values()} == {"22 AWG"}
    assert {colour for each in cables.values() for colour in each["colors"]} == {"BK"}


@pytest.mark.parametrize(
    ("metres", "ids", "made"),
    [
        (0.1, ("lead-203",), 0.203),
        (0.203, ("lead-203",), 0.203),
        (0.204, ("lead-305",), 0.305),
        (0.306, ("lead-305", "lead-305"), 0.306),
        (0.58, ("lead-305", "lead-305"), 0.58),
    ],
)
def test_a_wire_is_the_shortest_lead_that_reaches_or_two(
    metres: float, ids: tuple[str, ...], made: float
) -> None:
    assert leads.choose(metres) == ids
    assert leads.metres_of(metres) == made


def test_a_wire_that_two_leads_do_not_reach_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.59 m is longer than two lead-305"):
        leads.choose(0.59)


def test_no_more_than_eighty_contacts_are_crimped_by_hand_and_some_fail() -> None:
    """The electrodes' thin leads at both ends, the wires to the Pi and those to the amplifier."""
    number = {name: crimps(drawing) for name, drawing in DRAWN.items()}
    assert number == {"lights": 0, "electrodes": 2 * (27 + 4), "pi": 7 + 2}
    of = {part.id: part.quantity for part in parts()}
    assert sum(number.values()) <= 80
    assert 1.1 * sum(number.values()) <= of["contact"] <= 1.3 * sum(number.values())


def test_the_plugs_that_are_bought_are_as_many_as_are_drawn() -> None:
    of = {part.id: part.quantity for part in parts()}
    kinds = Counter(len(each["pins"]) for each in DRAWN["lights"]["connectors"].values())
    assert of["plug-3"] == kinds[3]
    small = sum(
        name.endswith(" J3") and "carrier" not in name for name in DRAWN["electrodes"]["connectors"]
    )
    assert small == 27 + 4
    assert of["plug-2"] == small
    assert kinds[2] == 2 * 6, "ends of feeds: of four places two are empty"
    assert of["plug-4"] == kinds[2] + 1, "the amplifier's too"
    electrodes = DRAWN["electrodes"]["connectors"]
    assert of["plug-12"] == sum(len(each["pins"]) == 12 for each in electrodes.values())
    assert {len(each["pins"]) for name, each in electrodes.items() if " J3" in name} == {2, 12}


def test_the_cable_to_the_carrier_reaches_it_and_its_wires_are_bought_so_long() -> None:
    length = DRAWN["pi"]["cables"]["to the carrier"]["length"]
    assert metres(PI_PLACE, CARRIER) < length
    header = next(part for part in parts() if part.id == "wire-header")
    assert f"seven of them {length + 0.07:.1f} m" in header.what


def test_a_lead_is_as_long_as_its_way() -> None:
    metres = Design().lead_metres
    assert metres("C3") < metres("C2") < metres("A1")
    assert metres("far") > metres("C1")
    assert metres("near") > metres("C5")
    drawn = DRAWN["electrodes"]["cables"]
    assert drawn["lead near"]["length"] == round(metres("near"), 2)
    assert drawn["tail near"]["length"] == Design().figures["guard_tail"]


def test_a_plug_that_the_wiring_does_not_have_is_named() -> None:
    with pytest.raises(WiringError, match="no plug J99 of the carrier"):
        pins(ROWS, "carrier", "J99")


def test_two_electrodes_at_one_pin_are_named() -> None:
    wrong = [{**row, "plug": "J1.2"} if row["name"] == "A1" else row for row in ROWS]
    with pytest.raises(WiringError, match=r"A1 and B1 are both at J1.2"):
        drawings(wrong)


def picture(version: str, *words: str) -> str:
    texts = "".join(f'<text x="1">{word}</text>' for word in words)
    return f"<!-- Generated by graphviz version {version} (0)\n --><svg>{texts}</svg>"


def test_two_pictures_of_one_version_are_the_same_to_the_byte() -> None:
    assert differs(picture("2.43.0", "A1"), picture("2.43.0", "A1")) == ""
    moved = picture("2.43.0", "A1").replace('x="1"', 'x="2"')
    assert differs(picture("2.43.0", "A1"), moved) == "it is another picture"


def test_two_pictures_of_two_versions_say_the_same() -> None:
    moved = picture("9.0", "A1", "B1").replace('x="1"', 'x="2"')
    assert differs(picture("2.43.0", "B1", "A1"), moved) == ""
    assert differs(picture("2.43.0", "A1"), moved) == "it says something else"
