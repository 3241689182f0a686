"""The hours and prices of a table are count_actions from its files."""

import re
from collections import Counter
from pathlib import Path

import pytest

from enclosure.fasteners import JOINTS
from hardware import effort, harness, parts, places, variants
from hardware.effort import COUNTS, TABLES, list_savings
from hardware.figures import read
from hardware.handwork import CABLES, FILE, WITH_SCREEN, count_actions, hours, work
from hardware.variants import BUILD, FIGURES, bought, box, chapters, options, rows

BOTH = (True, False)


@pytest.mark.parametrize("has_screen", BOTH)
def test_each_action_has_minutes_and_each_chapter_is_one_of_the_guide(has_screen: bool) -> None:
    of = {each.action for each in work(has_screen)}
    minutes = read(FILE)
    assert of <= {*minutes}
    assert {*minutes} - of <= {"flat", "again"}
    assert {each.chapter for each in work(has_screen)} <= {*chapters()}
    assert {figure.mark for figure in minutes.values()} == {"P"}


def test_the_screws_and_inserts_are_those_of_every_joint() -> None:
    with_screen, plain = count_actions(True), count_actions(False)
    assert with_screen["screw"] == sum(joint.count for joint in JOINTS)
    assert with_screen["insert"] == sum(j.count for j in JOINTS if j.into == "insert")
    assert plain["screw"] < with_screen["screw"]


def test_the_box_is_that_of_the_figures() -> None:
    text = FIGURES.read_text("utf-8")
    for has_screen, variant in ((True, "with it"), (False, "without it")):
        (found,) = re.findall(rf"  {variant}: .*, (\d+) pieces of sheet of (\d+) dm²", text)
        overlay = 1
        pieces = sum(box(has_screen).pieces.values()) + overlay
        assert (pieces, box(has_screen).area) == tuple(map(int, found))
    assert box(True).tabs > box(False).tabs > 0
    assert f"together: {box(True).hours:.0f} h" in text
    assert f"{box(True).printed} pieces together" in text


def test_all_plywood_is_bought_that_the_pieces_take() -> None:
    of = {part.id: part.quantity for part in parts.read()}
    assert {name: of[name] for name in box(True).sheets} == box(True).sheets
    plain = {part.id: part.quantity for part in bought(False)}
    assert {name: plain[name] for name in box(False).sheets} == box(False).sheets


def test_figures_without_a_number_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "figures.txt"
    file.write_text("  71 pieces together: 118 h, 1403 g\n", "utf-8")
    monkeypatch.setattr(variants, "FIGURES", file)
    with pytest.raises(ValueError, match=r"figures.txt has no .*tabs"):
        box.__wrapped__(True)


def test_every_pin_that_no_fabricator_solders_is_soldered_by_hand() -> None:
    """A tile has 8 pins of plugs; six have a feed's plug. The breakouts' strips are soldered into
    the breakouts, and their sockets onto the carrier. A contact spring is not soldered."""
    pads = len(places.rows("pad"))
    carrier = 3 * 12 + 7 + 3 + 7 * 4 + 2 + 3 * 2 + 2 + 2 + 14
    assert count_actions(True)["pin"] == pads * (3 + 3 + 2) + 6 * 4 + carrier + 2 * 3 * 20
    assert count_actions(True).get("flat", 0) == 0
    assert count_actions(True)["spring"] == pads


def test_the_crimps_are_those_of_the_drawings() -> None:
    drawn = harness.drawings(places.wiring())
    assert count_actions(True)["crimp"] == sum(map(harness.crimps, drawn.values()))
    assert count_actions(True)["ready"] == 2 * (27 * 3 + 6 * 2)
    assert count_actions(True)["joint"] == harness.joints(drawn["lights"])
    assert {*CABLES, *WITH_SCREEN} <= {*drawn["pi"]["cables"]}
    wires = Counter[str]()
    for each in work(True):
        wires[each.chapter] += int(each.count) * (each.action == "header")
    assert +wires == {"chips": 7 + 2 + 2, "sound": 4 + 2, "screen": 2, "knobs": 4 + 4 * 2}


def test_what_only_the_screen_needs_is_left_out_of_a_plain_table() -> None:
    plain = {part.id for part in bought(False)}
    (only,) = re.findall(r"  only with it: (.*)", FIGURES.read_text("utf-8"))
    named = {each.partition(" ")[2] for each in only.split(", ")}
    listed = {part.id for part in parts.read()}
    assert {part.id for part in bought(True)} == listed
    assert listed - plain == named & listed | {"screen-cable"}


@pytest.mark.parametrize(
    ("says", "option"),
    [("only with it", variants.WITH), ("only without it", variants.WITHOUT)],
)
def test_a_part_of_one_variant_is_marked_with_it_in_every_chapter(says: str, option: str) -> None:
    (only,) = re.findall(rf"^  {says}: (.*)", FIGURES.read_text("utf-8"), re.MULTILINE)
    named = {each.partition(" ")[2] for each in only.split(", ")}
    assert {row["part"] for row in rows() if row["for"] == option} >= named
    assert [row for row in rows() if row["part"] in named and row["for"] != option] == []


def test_every_option_is_one_of_the_table() -> None:
    assert options(True) == {
        "",
        "sound",
        "an LED and a button on the case",
        variants.WITH,
    }
    assert options(False) - {variants.WITHOUT} == options(True) - {variants.WITH}


def test_more_hours_are_more_work() -> None:
    with_screen, plain = hours(True), hours(False)
    assert all(with_screen[name] >= plain[name] for name in chapters())
    minutes = {name: figure.value for name, figure in read(FILE).items()}
    net = sum(each.count * minutes[each.action] for each in work(True)) / 60
    assert sum(with_screen.values()) == pytest.approx(net * (1 + minutes["again"]))


def test_the_guide_and_the_first_page_have_the_hours() -> None:
    (said,) = effort.say_hours()
    assert said in BUILD.read_text("utf-8")
    crimps, inserts = (round(count_actions(True)[name]) for name in ("crimp", "insert"))
    work = (
        f"{crimps} crimps, {inserts} threaded inserts; about {sum(hours(True).values()):.0f} hours"
    )
    assert f"{work} by hand (estimated) |" in (BUILD.parents[1] / "README.md").read_text("utf-8")


def test_the_groups_are_all_parts_and_each_is_in_one() -> None:
    listed = parts.read()
    for part in listed:
        assert sum(bool(re.fullmatch(ids, part.id)) for ids in parts.GROUPS.values()) <= 1, part.id
    of = {part.id: parts.group(part) for part in listed}
    assert {*of.values()} == {*parts.GROUPS, parts.ELECTRONICS}
    assert of["screen"] == of["screen-cable"] == "screen and knob"
    assert of["screw-m3"] == of["plywood"] == "box"
    assert of["screw-terminal"] == of["mpr121-breakout"] == parts.ELECTRONICS


def test_the_middle_of_the_prices_is_between_their_bounds() -> None:
    low, high = parts.cost(parts.read())
    assert low < parts.middle(parts.read()) < high
    for name, (least, most) in parts.PRICES.items():
        (part,) = [p for p in parts.read() if p.price_class == name][:1]
        one = parts.middle([part]) / part.quantity
        assert least < one < most, name
        assert one * one == pytest.approx(max(least, parts.LEAST) * most)


def test_a_table_without_something_costs_less() -> None:
    saved = [int(cells.split("|")[2]) for cells in [*list_savings()][2:]]
    assert len(saved) == 4
    assert min(saved) > 0


def test_the_tables_show_all_counts() -> None:
    shown = [line.split(" | ")[0].removeprefix("| ") for each in TABLES for line in each()]
    for what in (*COUNTS, *parts.GROUPS, *chapters()):
        assert what in shown
