"""The operator's desk in Chromium: its way in, what is set there, and a restore over a restart."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from accessible import faults_of
from modules import Modules
from month_of_games import KINDS, write_games, write_games_of
from old_chromium import in_old_and_new
from people import Open, Picture
from playwright.sync_api import Browser, Page, Route, expect
from table_with_pages import TableWithPages, until

LAPTOP = (1280, 800)
MOBILE = (412, 915)
PIN = "4711"
QUESTIONS = "**/api/1/desk"
WORDS = "APRON BREAD BUTTER CARROT COLANDER CUPBOARD FLOUR FORK FREEZER GARLIC GRATER HERB JUG " + (
    "KETTLE KNIFE LADLE LEMON MUG NAPKIN OVEN PEPPER PLATE SPOON STOVE WHISK YEAST"
)
PACK = (
    "name: kitchen\ntitle: Our kitchen\nlanguage: en\naudience: everybody\nsource: the cook\n"
    "licence: MIT\n\n" + WORDS.replace(" ", "\n") + "\n"
)
SECTIONS = (
    ".now:not([aria-busy]) .turn",
    ".settings fieldset",
    ".packs .card",
    ".records p, .story",
    ".statistics p",
)
OTHERS = (".doctor .counts li", ".backup .primary")


@pytest.fixture
def played() -> Iterator[TableWithPages]:
    """A table at which a month of games was played."""
    with tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp") as folder:
        write_games(Path(folder))
        with TableWithPages(Path(folder)) as running:
            yield running


@pytest.fixture
def link(table: TableWithPages) -> str:
    return link_of(table)


def link_of(table: TableWithPages) -> str:
    """Return the link of a desk, as the hidden screen gets it."""
    table.console.do("set-pin", pin=PIN)
    answer: Any = table.console.do("desk")
    told = answer.get("told", answer)
    return f"{table.url}{told['link']}"


def enter(page: Page, pin: str = PIN) -> None:
    page.fill("#pin", pin)
    page.press("#pin", "Enter")


@pytest.fixture
def desk(link: str, opened: Open) -> Page:
    """A desk whose PIN was entered."""
    page = opened(link, LAPTOP)
    enter(page)
    return page


def section(page: Page, number: int) -> None:
    page.locator("#sections button").nth(number).click()


@contextmanager
def held_back(page: Page, first: int = 0) -> Iterator[None]:
    """Let only the ``first`` questions of the desk reach the table until the context ends."""
    questions: list[Route] = []
    holds = True

    def hold(question: Route) -> None:
        nonlocal first
        if holds and first == 0:
            questions.append(question)
        else:
            first -= 1
            question.continue_()

    page.route(QUESTIONS, hold)
    with page.expect_request(QUESTIONS):
        yield
    holds = False
    for each in questions:
        each.continue_()
    page.unroute(QUESTIONS)


@pytest.mark.parametrize(("size", "lang"), [(LAPTOP, "en"), (MOBILE, "it")])
def test_every_section_is_in_order_for_eyes_and_ears(
    table: TableWithPages,
    link: str,
    opened: Open,
    picture: Picture,
    size: tuple[int, int],
    lang: str,
) -> None:
    page = opened(link, size, lang)
    expect(page.locator("#pin")).to_be_focused()
    assert faults_of(page) == []
    enter(page)
    for number, shown in enumerate((*SECTIONS, *OTHERS)):
        if number:
            section(page, number)
        page.wait_for_selector(shown)
        assert faults_of(page) == [], shown
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], shown
        picture(page, f"desk-{lang}-{number}")
        if shown == ".statistics p":
            nothing = {"en": "No finished game yet.", "it": "Ancora nessuna partita finita."}
            expect(page.locator(".statistics p")).to_have_text(nothing[lang])


@in_old_and_new
def test_the_key_leaves_the_browser_sealed_alone_and_the_pin_opens_the_desk(
    table: TableWithPages, link: str, opened: Open
) -> None:
    page = opened(link, LAPTOP)
    sent: list[bytes] = []
    page.on("request", lambda request: sent.append(request.post_data_buffer or b""))
    key = link.split("#")[1]
    expect(page).to_have_url(re.compile(re.escape(key) + r"\.[\w-]{43}$"))
    enter(page, "0000")
    expect(page.locator("#pin-wrong")).to_have_text("That is not the PIN.")
    enter(page)
    page.wait_for_selector(".now")
    assert table.console.shows(lambda message: message["desk"]["open"])
    assert not any(PIN.encode() in body or key.encode() in body for body in sent)
    page.reload()
    page.wait_for_selector(".now")  # the same desk, which is open still
    page.click("#lock")
    page.wait_for_selector("#pin")
    assert page.locator(".now").count() == 0


@in_old_and_new
def test_what_is_set_holds_at_the_table_at_once(table: TableWithPages, desk: Page) -> None:
    section(desk, 1)
    desk.get_by_label("Silent", exact=True).check()
    table.console.shows(lambda message: message["house"]["muted"])
    desk.get_by_label("Volume").fill("30")
    table.console.shows(lambda message: message["house"]["volume"] == 30)


def test_two_boxes_in_quick_succession_are_both_changed(table: TableWithPages, desk: Page) -> None:
    section(desk, 1)
    group = desk.get_by_role("group", name="Guests may")
    boxes = [group.get_by_label(name) for name in ("End a game", "Draw a new key")]
    for box in boxes:
        expect(box).to_be_checked()
    with held_back(desk):
        for box in boxes:
            box.uncheck()
    desk.get_by_label("Volume").fill("30")  # after both
    table.console.shows(lambda message: message["house"]["volume"] == 30)
    section(desk, 1)
    for box in boxes:
        expect(box).not_to_be_checked()


def test_a_schedule_that_is_switched_twice_in_quick_succession_ends_as_switched_last(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 1)
    dimmed = desk.get_by_label("Dimmed hours", exact=True)
    expect(dimmed).not_to_be_checked()
    with held_back(desk):
        dimmed.check()
        dimmed.uncheck()
    expect(desk.locator("#said")).to_contain_text("Dimmed until")
    expect(dimmed).not_to_be_checked()


def test_a_schedule_that_is_switched_off_before_its_new_time_is_answered_is_off(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 1)
    dimmed = desk.get_by_label("Dimmed hours", exact=True)
    dimmed.check()
    start = desk.get_by_label("Dimmed from")
    expect(start).to_have_value("22:00")
    with held_back(desk):
        start.fill("21:30")
        dimmed.uncheck()
        expect(start).to_have_count(0)
    hours = {"dimmed_from": "21:30", "dimmed_until": "21:30"}  # equal: off
    table.console.shows(lambda message: message["house"].items() >= hours.items())
    dimmed.check()
    expect(start).to_have_value("21:30")


def test_a_value_that_is_refused_late_does_not_replace_a_later_one(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 1)
    desk.get_by_label("Dimmed hours", exact=True).check()
    start = desk.get_by_label("Dimmed from")
    expect(start).to_have_value("22:00")
    with held_back(desk):
        start.fill("")
        start.fill("21:30")
    table.console.shows(lambda message: message["house"]["dimmed_from"] == "21:30")
    desk.get_by_label("Volume").fill("30")  # after both
    table.console.shows(lambda message: message["house"]["volume"] == 30)
    expect(start).to_have_value("21:30")


@in_old_and_new
def test_a_schedule_is_a_switch_and_two_times(table: TableWithPages, desk: Page) -> None:
    def hours(start: str, end: str) -> None:
        house = {"dimmed_from": start, "dimmed_until": end}
        table.console.shows(lambda message: message["house"].items() >= house.items())

    section(desk, 1)
    dimmed = desk.get_by_label("Dimmed hours", exact=True)
    expect(dimmed).not_to_be_checked()
    expect(desk.locator("input[type=time]")).to_have_count(0)
    dimmed.check()
    hours("22:00", "08:00")
    desk.get_by_label("Dimmed from").fill("21:30")
    hours("21:30", "08:00")
    dimmed.uncheck()
    expect(desk.locator("input[type=time]")).to_have_count(0)
    hours("21:30", "21:30")
    dimmed.check()
    hours("21:30", "08:00")
    desk.get_by_label("Dimmed from").fill("08:00")
    expect(dimmed).not_to_be_checked()
    desk.get_by_label("Dimmed from").fill("21:30")
    expect(dimmed).to_be_checked()
    hours("21:30", "08:00")
    section(desk, 0)
    section(desk, 1)
    expect(desk.get_by_label("Dimmed hours", exact=True)).to_be_checked()
    expect(desk.get_by_label("Dimmed until")).to_have_value("08:00")


@in_old_and_new
def test_the_game_in_play_is_shown_paused_and_ended_and_the_sound_muted(
    table: TableWithPages, desk: Page
) -> None:
    title, turn = desk.locator(".now h3").first, desk.locator(".turn")
    expect(title).to_have_text("No game is being played")
    table.console.do("start", profile="codenames")
    expect(title).to_have_text("The classic game")
    expect(turn).to_contain_text("waits for its clue")
    desk.get_by_role("button", name="Pause").click()
    expect(turn).to_contain_text("A pause")
    assert table.public()["view"]["paused"]
    desk.get_by_role("button", name="Resume").click()
    expect(turn).to_contain_text("waits for its clue")
    desk.get_by_role("button", name="Mute", exact=True).click()
    expect(desk.get_by_text("Muted", exact=True)).to_be_visible()
    table.console.shows(lambda message: message["house"]["muted"])
    desk.get_by_role("button", name="End the game").click()
    desk.get_by_role("button", name="Cancel").click()
    assert table.public()["view"]["outcome"] is None
    desk.get_by_role("button", name="End the game").click()
    desk.locator("dialog .danger").click()
    expect(title).to_have_text("No game is being played")
    assert table.public()["view"]["outcome"]["why"] == "stopped"
    expect(desk.get_by_role("button", name="End the game")).to_be_hidden()


def test_a_pack_is_mended_line_by_line_and_then_kept(table: TableWithPages, desk: Page) -> None:
    section(desk, 2)
    desk.get_by_role("button", name="Write a pack").click()
    desk.fill("#pack-text", PACK + "apron\n")
    expect(desk.locator(".complaints button")).to_have_text(["Line 34"])
    expect(desk.locator(".note")).to_have_count(1)
    assert desk.get_by_role("button", name="Save").is_disabled()
    desk.fill("#pack-text", PACK)
    desk.get_by_role("button", name="Save").click()
    expect(desk.locator(".card h3").first).to_have_text("Our kitchen")
    table.console.shows(lambda message: "kitchen" in [pack["name"] for pack in message["packs"]])
    assert (table.folder / "state/packs/kitchen.txt").read_text() == PACK


def test_a_long_pack_that_is_changed_while_it_is_uploaded_arrives(desk: Page) -> None:
    section(desk, 2)
    desk.get_by_role("button", name="Write a pack").click()
    desk.clock.install()
    lines = "# One of many lines that make this pack longer than three pieces.\n" * 1500
    expect(desk.locator("#pack-state")).not_to_have_text("")
    with held_back(desk):
        desk.fill("#pack-text", PACK + lines)
        desk.clock.run_for(700)
        desk.fill("#pack-text", PACK + lines + "ZEST\n")
        desk.clock.run_for(700)
    expect(desk.locator("#pack-state")).to_have_text(f"In order: {len(WORDS.split()) + 1} words.")


def test_a_pack_cannot_be_changed_while_it_is_saved(table: TableWithPages, desk: Page) -> None:
    section(desk, 2)
    desk.get_by_role("button", name="Write a pack").click()
    area, save = desk.locator("#pack-text"), desk.get_by_role("button", name="Save")
    area.fill(PACK)
    expect(save).to_be_enabled()
    with held_back(desk):
        save.click()
        expect(area).not_to_be_editable()
        (table.folder / "state/packs").touch()  # a file where the folder belongs
    expect(desk.locator("#pack-state.wrong")).to_be_visible()
    expect(area).to_be_editable()


RELOAD = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
"""True if the page would ask before it is loaded again."""


def test_a_pack_that_is_being_written_is_not_left_unasked(desk: Page) -> None:
    section(desk, 2)
    desk.get_by_role("button", name="Write a pack").click()
    desk.fill("#pack-text", "ours")
    desk.get_by_role("button", name="Italiano").click()
    expect(desk.locator("#sections [aria-current]")).to_have_text("Mazzi di parole")
    expect(desk.locator("#pack-text")).to_have_value("ours")
    section(desk, 1)
    desk.locator("dialog button:not(.danger)").click()
    expect(desk.locator("#pack-text")).to_have_value("ours")
    desk.locator("#lock").click()
    desk.locator("dialog button:not(.danger)").click()
    expect(desk.locator("#pack-text")).to_have_value("ours")
    assert desk.evaluate(RELOAD)
    section(desk, 1)
    desk.locator("dialog .danger").click()
    expect(desk.locator(".settings")).to_be_visible()
    assert not desk.evaluate(RELOAD)


def test_a_list_that_was_pasted_is_not_left_unasked(desk: Page) -> None:
    section(desk, 2)
    desk.get_by_role("button", name="Paste a list").click()
    desk.fill("#list-text", "ours")
    desk.get_by_role("button", name="Back", exact=True).click()
    desk.locator("dialog button:not(.danger)").click()
    expect(desk.locator("#list-text")).to_have_value("ours")
    desk.get_by_role("button", name="Back", exact=True).click()
    desk.locator("dialog .danger").click()
    expect(desk.get_by_role("button", name="Paste a list")).to_be_visible()


def test_a_pack_whose_title_would_be_markup_is_text_everywhere(desk: Page) -> None:
    title = """<img src=x onerror="document.body.id='taken'"><b id=bold>${1}</b>"""
    section(desk, 2)
    desk.get_by_role("button", name="Write a pack").click()
    desk.fill("#pack-text", PACK.replace("Our kitchen", title))
    desk.get_by_role("button", name="Save").click()
    expect(desk.locator(".card h3").first).to_have_text(title)
    assert desk.locator("#taken, #bold, img").count() == 0
    section(desk, 1)
    expect(desk.locator(".settings")).to_contain_text(title)
    assert desk.locator("#taken, #bold, img").count() == 0


def test_a_pack_that_is_too_long_can_be_chosen_again(desk: Page, tmp_path: Path) -> None:
    section(desk, 2)
    file = tmp_path / "words.txt"
    file.write_bytes(b"W" * (256 * 1024 + 1))
    desk.set_input_files("#pack-file", file)
    expect(desk.locator("#said")).to_contain_text("too long")
    expect(desk.locator("#pack-file")).to_have_value("")  # or the same file would be no change


def test_the_pads_are_not_tested_after_the_section_was_left(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 5)
    desk.wait_for_selector(".doctor .counts li")
    test = desk.get_by_role("button", name="Test the pads")
    with held_back(desk):
        test.click()
        section(desk, 0)
    desk.wait_for_selector(SECTIONS[0])
    assert not table.public()["service"]


def test_a_test_of_the_pads_begins_once_and_can_be_tried_again_if_refused(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 5)
    desk.wait_for_selector(".doctor .counts li")
    test = desk.get_by_role("button", name="Test the pads")
    table.console.do("start", profile="codenames")
    with held_back(desk):
        test.click()
        expect(test).to_be_disabled()
    expect(test.locator("~ .wrong")).not_to_be_empty()
    table.console.do("abandon")
    test.click()
    desk.get_by_role("button", name="End the test").click()
    expect(test).to_be_enabled()
    until(lambda: not table.public()["service"])


def test_another_device_cannot_use_the_link(
    table: TableWithPages, link: str, desk: Page, opened: Open
) -> None:
    desk.wait_for_selector(".now")
    other = opened(link, MOBILE)
    expect(other.locator("main h2")).to_have_text("There is no way in from here")
    assert table.console.shows(lambda message: message["desk"]["tried"])


@pytest.mark.parametrize(("size", "lang"), [(LAPTOP, "en"), (MOBILE, "it")])
def test_a_month_of_games_is_told_as_stories_and_in_plots(
    played: TableWithPages, opened: Open, picture: Picture, size: tuple[int, int], lang: str
) -> None:
    def look(name: str) -> None:
        assert faults_of(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        picture(page, f"desk-{lang}-{name}")

    page = opened(link_of(played), size, lang)
    enter(page)
    section(page, 3)
    expect(page.locator(".story")).to_have_count(30)
    look("games")
    page.locator(".story").first.click()
    expect(page.locator(".told li").first).to_be_visible()
    look("story")
    section(page, 4)
    expect(page.locator(".plots figure")).to_have_count(7)
    for each in page.locator(".plots details").all():
        rows = each.locator("tbody tr td:last-child").all_text_contents()
        assert sum(int(row) for row in rows) > 0
    look("statistics")
    page.locator(".plots figure").last.scroll_into_view_if_needed()
    look("statistics-below")


def test_the_filters_of_the_statistics_have_kinds_that_are_read_late(opened: Open) -> None:
    # One answer reads at most 50 games, and the latest.
    with tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp") as folder:
        english, italian = KINDS
        write_games_of(Path(folder), [*[english] * 51, italian, english])
        with TableWithPages(Path(folder)) as table:
            page = opened(link_of(table), LAPTOP)
            enter(page)
            section(page, 4)
            status = page.locator(".statistics [role=status]")
            expect(status).to_have_text("53 games")
            values = "options => options.map((each) => each.value)"
            game, lang = page.locator("#stats-game"), page.locator("#stats-lang")
            assert game.locator("option").evaluate_all(values) == ["", "codenames", italian[0]]
            assert lang.locator("option").evaluate_all(values) == ["", "en", "it"]
            game.select_option(italian[0])
            expect(status).to_have_text("1 game")
            expect(game).to_have_value(italian[0])
            assert game.locator("option").count() == 3


def test_a_backup_is_made_or_restored_alone(desk: Page, tmp_path: Path) -> None:
    section(desk, 6)
    make, file = desk.locator(".backup .primary").first, desk.locator("#restore-file")
    progress = desk.locator(".backup progress")
    with desk.expect_download() as download, held_back(desk, first=1):
        make.click()
        expect(progress.first).to_be_visible()
        expect(make).to_be_disabled()
        expect(file).to_be_disabled()
    saved = tmp_path / "table.backup"
    download.value.save_as(saved)
    expect(make).to_be_enabled()
    with held_back(desk):
        file.set_input_files(saved)
        expect(progress.last).to_be_visible()
        expect(make).to_be_disabled()
        expect(file).to_be_disabled()
    desk.locator("dialog button:not(.danger)").click()  # the table has read the whole backup
    expect(make).to_be_enabled()
    expect(file).to_be_enabled()


def test_a_backup_that_is_lost_while_it_is_downloaded_can_be_made_again(
    table: TableWithPages, desk: Page
) -> None:
    section(desk, 6)
    make, progress = desk.locator(".backup .primary").first, desk.locator(".backup progress").first
    with held_back(desk, first=1):
        make.click()
        expect(progress).to_be_visible()
        (table.folder / "state/desk-backup").unlink()
    expect(desk.locator(".backup .wrong")).to_be_visible()
    expect(progress).to_be_hidden()
    with desk.expect_download():
        make.click()


def test_a_filter_that_changes_while_games_are_counted_ends_the_earlier_count(
    chromium: Browser,
) -> None:
    with Modules() as modules:
        page = chromium.new_page()
        page.goto(modules.url)
        asked, state = page.evaluate(_FILTERED)
        page.close()
    assert asked == ["", "", "codex", "codex"]
    assert state == "desk-records-none"


# The second answer, of all games, comes after the filter was changed.
_FILTERED = """
async () => {
    const { statistics } = await import("/static/desk-statistics.js");
    const view = document.body, asked = [], waiting = [];
    const kinds = [{ profile: "codex", lang: "en" }];
    const answer = async (read) => {
        const statistics = { kinds, read, of: 100, games: 0 };
        waiting.shift()({ ok: true, told: { statistics, titles: { codex: "Codex" } } });
        await new Promise((go) => setTimeout(go));
    };
    statistics(view, { ask: (act, { profile = "" }) => {
        asked.push(profile);
        return new Promise((told) => waiting.push(told));
    } });
    await answer(50);
    const filter = document.getElementById("stats-game");
    filter.value = "codex";
    filter.dispatchEvent(new Event("change"));
    await answer(60);
    await answer(70);
    await answer(100);
    return [asked, view.querySelector("[role=status]").textContent];
}
"""


def test_a_backup_is_saved_and_put_back_over_a_restart(
    table: TableWithPages, desk: Page, tmp_path: Path
) -> None:
    section(desk, 6)
    desk.wait_for_selector(".backup .primary")
    with desk.expect_download() as download:
        desk.locator(".backup .primary").first.click()
    saved = tmp_path / "table.backup"
    download.value.save_as(saved)
    table.console.do("house", set={"volume": 10})
    desk.set_input_files("#restore-file", saved)
    desk.locator("dialog .danger").click()
    expect(desk.locator(".backup .right").last).to_contain_text("starts again")
    engine = table._processes["run"]
    assert engine.wait(timeout=60) == 0  # systemd starts it again
    table.console.hang_up()
    table.finger.hang_up()
    table.start_engine()
    assert table.console.shows(lambda message: message["house"]["volume"] == 60)
    state = table.folder / "state"
    assert [*state.glob("before-restore-*")]
    assert not (state / "desk-upload").exists()
    section(desk, 1)
    desk.wait_for_selector("#pin")
    enter(desk)
    desk.wait_for_selector(".settings fieldset")
