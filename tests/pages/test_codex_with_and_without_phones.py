"""Codex of which four agents have phones, and two go to the hidden screen (CX-20)."""

from typing import Final

import pytest
from old_chromium import in_old_and_new
from people import Board, Open, Phones, Picture
from playwright.sync_api import expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

SEATS: Final = tuple(f"agent-{place}" for place in range(1, 7))
WITH_PHONES: Final = ("agent-1", "agent-3", "agent-4", "agent-6")
WITHOUT: Final = ("agent-2", "agent-5")
VISIT_SECONDS: Final = 45
"""A visit at the hidden screen lasts so long, whoever is done; four people have to be done on their
phones meanwhile."""


@in_old_and_new
def test_those_with_phones_do_a_lap_at_once_and_the_others_follow(
    table: TableWithPages, opened: Open, phone: Phones, picture: Picture
) -> None:
    board = Board(opened(table.url))
    options = {"lang": "en", "screens": "phones", "visit_seconds": VISIT_SECONDS}
    table.console.do("start", profile="codex", options=options)
    phones = {seat: phone(seat) for seat in WITH_PHONES}
    names = dict(zip(SEATS, (a["nickname"] for a in table.public()["view"]["agents"]), strict=True))

    def named(seats: tuple[str, ...]) -> str:
        return ", ".join(names[seat] for seat in seats)

    # Those with phones: all at the same time.
    until(lambda: table.public()["view"]["together"] == [*WITH_PHONES])
    board.title_is(f"To your phones: {named(WITH_PHONES)}")
    expect(board.page.locator("#more")).to_contain_text(f"Then: {named(WITHOUT)}")
    assert doing(board) == {names[seat]: "missing" if seat in WITH_PHONES else "" for seat in SEATS}
    for each in phones.values():
        each.offers("begin")
        expect(each.page.locator(".head")).to_contain_text(f"On their phones: {named(WITH_PHONES)}")
    picture(board.page, "codex-mixed-phones")
    phones["agent-4"].press("begin")
    others = named(tuple(seat for seat in WITH_PHONES if seat != "agent-4"))
    expect(board.page.locator("#more")).to_contain_text(f"Still missing: {others}")
    assert doing(board)[names["agent-4"]] == "is there"
    for seat, each in phones.items():
        if seat != "agent-4":
            each.press("begin")
    expect(board.page.locator("#more")).not_to_contain_text("missing")
    assert {*doing(board).values()} == {"on the phone", ""}
    for each in phones.values():
        for digit in "47114711":
            each.press(f"digit-{digit}")
    for place, each in enumerate(phones.values()):
        to = WITH_PHONES[place - 1]
        for line in ("send", to, "role", "none", "yes"):
            each.press(f"line-{line}")
    assert table.public()["view"]["together"] == [*WITH_PHONES]
    for place, each in enumerate(phones.values()):
        if place == 3:  # nothing tells who of them is done
            assert {*doing(board).values()} == {"on the phone", ""}
        for line in ("done", "yes"):
            each.press(f"line-{line}")

    # Then the others: one after the other, at the hidden screen.
    for place, seat in enumerate(WITHOUT):
        until(lambda seat=seat: table.public()["view"]["at_screen"] == seat)  # type: ignore[misc]
        view = table.public()["view"]
        assert (view["phase"], view["together"]) == ("send", [])
        board.title_is(f"{names[seat]}, it is your visit")
        then = board.page.locator("#more")
        if WITHOUT[place + 1 :]:
            expect(then).to_contain_text(f"Then: {named(WITHOUT[place + 1 :])}")
        else:
            expect(then).not_to_contain_text("Then:")
        assert doing(board)[names[seat]] == "visits now"
        assert all(doing(board)[names[seat]] == "done" for seat in WITH_PHONES)
        for each in phones.values():
            expect(each.page.locator(".visit")).to_contain_text("It is not your visit now.")
        picture(board.page, f"codex-mixed-screen-{place}")
        table.console.do("ready", seat)
        table.console.do("choose-code", seat, code="2468")
        table.console.do("send", seat, to=SEATS[0], facts=["role"])
        table.console.do("done", seat)

    # And those with phones again, with what has come.
    until(lambda: table.public()["view"]["phase"] == "act")
    assert table.public()["view"]["together"] == [*WITH_PHONES]
    for each in phones.values():
        each.offers("begin")


def doing(board: Board) -> dict[str, str]:
    """Return the action that the board shows for each agent, by nickname."""
    agents = board.page.locator("#agents .agent")
    found: list[tuple[str, str]] = agents.evaluate_all(
        """agents => agents.map(agent => [agent.querySelector(".nickname").textContent,
            agent.parentElement.dataset.doing === undefined
                ? "" : agent.querySelector(".doing").textContent])"""
    )
    return dict(found)
