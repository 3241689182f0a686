"""Phones with a seat: which have one, the code by which one comes, and how it is let go of."""

import pytest
import segno
from codex_table import CodexTable
from codex_table import desk as codex_desk
from every_screen import LOOKS, look
from msgspec.structs import replace
from playing import ADDRESS, Desk, RulesTable, choose

from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import (
    Answer,
    DeskState,
    PageLock,
    PhoneState,
    Presence,
    board_link,
)
from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.screens.console import style
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Typed
from pi_table.screens.console.look import Look, convert_scene
from pi_table.screens.console.model import Model
from pi_table.screens.console.phones import DeskCode, OnePhone, Phones, SeatCode
from pi_table.screens.console.scene import scene
from pi_table.screens.console.setup import propose
from pi_table.screens.console.shapes import Circle, Rect, Scene
from pi_table.screens.console.update import let_time_pass, update
from pi_table.screens.console.word_games.game_menu import Home

PHONES = "Phones…"
KEY_LINE = "Key on your phone"
RED = "red-spymaster"


def at_a_table(*seats: str, **options: object) -> Desk:
    return Desk(RulesTable(**options).begin().serve(*seats))  # type: ignore[arg-type]


def shows_code(*seats: str) -> Desk:
    """The code of red's spymaster is on the screen."""
    return choose(at_a_table(*seats), KEY_LINE)


def everything(model: Model) -> str:
    """All that the console has in its memory of itself."""
    return (
        repr(
            [
                [getattr(screen, name) for name in screen.__struct_fields__]
                for screen in model.screens
            ]
        )
        + repr(model.unanswered)
        + repr(model.bookmark)
    )


def link_of(desk: Desk) -> str | None:
    screen = desk.model.screen
    return screen.text(desk.table.message()) if isinstance(screen, SeatCode | DeskCode) else None


# Where phones are offered


def test_before_the_first_clue_a_press_shows_the_code_of_each_spymaster_without_a_phone() -> None:
    desk = at_a_table()
    assert desk.labels[:4] == ["Red gives the clue", KEY_LINE, KEY_LINE, "New game…"]
    assert [choice.team for choice in desk.model.choices[1:3]] == [*Team]
    desk.table.phone(RED, PhoneState.HERE)
    assert desk.hear().labels.count(KEY_LINE) == 1
    choose(desk, KEY_LINE)
    assert desk.asked[-1]["for"] == "blue-spymaster"
    assert link_of(desk) is not None
    desk = at_a_table()
    desk.table.do(RED, "clue", word="flight", number=2)
    assert KEY_LINE not in desk.hear().labels
    assert PHONES in choose(desk, "More…").labels


def test_a_house_that_wants_its_pin_for_phones_offers_no_key_to_guests() -> None:
    desk = at_a_table()
    house, lock = House(phones_need_pin=True), PageLock(pin=True, open=False)
    desk.happen(replace(desk.table.message(), house=house, lock=lock))
    assert KEY_LINE not in desk.labels


def test_where_no_pages_are_served_no_phone_is_offered_anywhere() -> None:
    desk = Desk(RulesTable().begin())
    assert PHONES not in desk.labels
    assert PHONES not in choose(desk, "More…").labels
    choose(desk, "Operator…")
    assert PHONES not in desk.labels
    assert "no pages are served" in desk.values


def test_a_link_that_another_phone_tried_is_a_warning_at_home() -> None:
    desk = at_a_table(RED)
    assert PHONES not in desk.labels
    desk.table.phone(RED, PhoneState.HERE, tried=True)
    desk.hear()
    assert (PHONES, "a warning") in zip(desk.labels, desk.values, strict=True)
    choose(desk, PHONES)
    assert desk.values[0] == "here · a warning"
    assert any("Another phone has tried this link" in text for text in desk.texts)


def test_every_seat_of_the_game_is_told_with_how_it_stands_with_its_phone() -> None:
    desk = at_a_table(RED)
    desk.table.phone("blue-spymaster", PhoneState.AWAY).phone("red-operatives", PhoneState.WAITING)
    choose(desk.hear(), "More…", PHONES)
    assert desk.labels == [
        *("Red: spymaster", "Blue: spymaster", "Red: operatives", "Blue: operatives"),
        "The board, for everybody",
    ]
    assert desk.values == ["here", "away", "not scanned yet", "no phone", ""]


def test_a_group_that_plays_alone_has_two_seats() -> None:
    desk = choose(at_a_table(players="cooperative"), "More…", PHONES)
    assert desk.labels[:-1] == ["Red: spymaster", "Red: operatives"]


def test_before_the_first_game_there_is_the_board_alone() -> None:
    desk = choose(Desk(RulesTable().serve()), "More…", PHONES)
    assert desk.labels == ["The board, for everybody"]


# The code of a seat


def test_a_seat_is_asked_for_and_its_code_is_the_address_and_the_link() -> None:
    desk = shows_code()
    assert desk.asked == [{"seat": "operator", "act": "phone", "for": RED, "lang": "en"}]
    link = link_of(desk)
    assert link is not None
    assert link.startswith(f"{ADDRESS}/seat#")
    assert not any("seat#" in text for text in desk.texts)
    assert ADDRESS not in desk.texts


FIVE_INCHES, ON_A_DESK = look(inches=5), look(width=1280, height=800, inches=10.1)
HIGH_CONTRAST = look(House(high_contrast=True))


@pytest.mark.parametrize("on", [*LOOKS.values(), FIVE_INCHES, ON_A_DESK, HIGH_CONTRAST])
def test_the_code_is_on_the_screen_as_its_standard_wants_it_and_large_enough(on: Look) -> None:
    desk = shows_code()
    drawn = convert_scene(scene(replace(desk.model, layout=on.layout), 0.0), on)
    assert module_of(drawn, on, str(link_of(desk))) >= 3, "pixels across"


def module_of(drawn: Scene, on: Look, text: str) -> float:
    """The pixels of a module of the code of this text, which must be drawn, with its quiet zone;
    each module is looked at in its middle."""
    paper, ink = (on.colours.get(colour, colour) for colour in (style.INK, style.GROUND))
    rects = [each for each in drawn if isinstance(each, Rect)]
    plate = max((each for each in rects if each.fill == paper), key=lambda each: each.w)
    over = [each for each in rects[rects.index(plate) :] if each.fill in (paper, ink)]
    wanted = quiet([[bool(dark) for dark in row] for row in segno.make(text, error="m").matrix])
    module = plate.w / len(wanted)
    for row, modules in enumerate(wanted):
        for column, dark in enumerate(modules):
            x, y = plate.x + (column + 0.5) * module, plate.y + (row + 0.5) * module
            at = [e for e in over if e.x <= x < e.x + e.w and e.y <= y < e.y + e.h]
            assert (at[-1].fill == ink) is dark, (row, column)
    return min(each.h for each in over)


def quiet(matrix: list[list[bool]]) -> list[list[bool]]:
    """The same with four light modules around it."""
    across = len(matrix) + 8
    rows = [[*[False] * 4, *row, *[False] * 4] for row in matrix]
    around = [[False] * across for _ in range(4)]
    return [*around, *rows, *around]


def test_the_code_closes_when_the_phone_is_here_or_away_and_leaves_nothing_behind() -> None:
    for state in (PhoneState.HERE, PhoneState.AWAY, None):
        desk = shows_code()
        link = str(link_of(desk)).partition("#")[2]
        assert link in str(desk.model.screen.told.link)  # type: ignore[attr-defined]
        desk.table.phone(RED, PhoneState.WAITING)
        assert isinstance(desk.hear().model.screen, SeatCode)
        desk.table.phone(RED, state)
        assert isinstance(desk.hear().model.screen, Home)
        assert link not in everything(desk.model)


def test_the_code_of_another_phone_waits_for_its_own_answer() -> None:
    """The table's message from before the new link closes nothing."""
    desk = at_a_table()
    desk.table.phone(RED, PhoneState.AWAY)
    choose(desk.hear(), "More…", PHONES, "Red: spymaster")
    assert isinstance(desk.model.screen, OnePhone)
    desk.model, (request,) = update(desk.model, Input.PRESS, 0.0)
    desk.hear()
    assert isinstance(desk.model.screen, SeatCode)
    assert link_of(desk) is None
    assert "Asking the table…" in desk.texts
    desk.happen(desk.table.answer(request))
    assert link_of(desk) is not None
    assert isinstance(desk.hear().model.screen, SeatCode)


def test_the_code_closes_a_minute_after_the_last_press() -> None:
    desk = shows_code()
    desk.model = let_time_pass(desk.model, CODE_SECONDS - 0.1)
    assert isinstance(desk.model.screen, SeatCode)
    desk.model = let_time_pass(desk.model, CODE_SECONDS)
    assert isinstance(desk.model.screen, Home)


def test_a_console_closes_the_code_though_nothing_happens() -> None:
    console = Console(lambda request: None)
    console.model = shows_code().model
    with_code = console.scene(1.0)
    assert not console.let_time_pass(CODE_SECONDS - 0.1)
    assert console.let_time_pass(CODE_SECONDS)
    assert console.scene(CODE_SECONDS) != with_code
    assert isinstance(console.model.screen, Home)


def test_going_back_closes_the_code() -> None:
    desk = shows_code()
    link = str(link_of(desk)).partition("#")[2]
    desk.happen(Input.BACK)
    assert isinstance(desk.model.screen, Home)
    assert link not in everything(desk.model)


def test_what_is_opened_over_a_code_closes_it() -> None:
    desk = shows_code()
    link = str(link_of(desk)).partition("#")[2]
    desk.happen(Typed("?"))
    assert link not in everything(desk.model)
    assert isinstance(desk.happen(Input.BACK).model.screen, Home)


def test_no_screen_says_its_link_where_it_is_written_out() -> None:
    desk = shows_code()
    link = str(link_of(desk)).partition("#")[2]
    for text in (repr(desk.model), repr(desk.model.screen), repr([*desk.model.screens])):
        assert link not in text
    assert link not in repr(desk.model.screen.told)  # type: ignore[attr-defined]
    assert link not in repr(desk.model.choices)


def test_the_key_is_hidden_where_phones_are_shown_and_stays_so() -> None:
    desk = at_a_table().happen(Input.PEEK)
    assert desk.model.peeking
    choose(desk, "More…", PHONES)
    assert not desk.model.peeking
    assert not desk.model.can_peek
    desk.happen(Input.BACK)
    assert not desk.model.wants_secrets


def test_a_refusal_closes_the_code_and_says_why() -> None:
    desk = choose(at_a_table(), "More…", PHONES)
    desk.model, (request,) = update(desk.model, Input.PRESS, 0.0)
    refused = Answer(request.id, False, "no-room", "Six phones have a seat: disconnect one first.")
    desk.model, _ = update(desk.model, refused, 0.0)
    assert isinstance(desk.model.screen, Phones)
    assert "Six phones have a seat: disconnect one first." in desk.texts


def test_the_code_closes_with_the_pages() -> None:
    desk = shows_code()
    desk.table.pages = None
    assert desk.hear().labels[0] == "Red gives the clue"


# Letting go


def test_a_phone_is_let_go_of_after_a_question() -> None:
    desk = choose(at_a_table(RED), "More…", PHONES, "Red: spymaster")
    assert desk.labels == ["Disconnect this phone", "Back"]
    choose(desk, "Disconnect this phone")
    assert desk.labels[desk.model.selected] == "No, go back"
    choose(desk, "Yes, disconnect it")
    assert desk.asked == [{"seat": "operator", "act": "let-go", "for": RED}]
    assert isinstance(desk.model.screen, Phones)
    assert desk.values[0] == "no phone"


def test_who_presses_twice_before_the_table_has_answered_asks_once() -> None:
    desk = choose(at_a_table(RED), "More…", PHONES, "Red: spymaster", "Disconnect this phone")
    desk.happen(Input.RIGHT)
    model, (request,) = update(desk.model, Input.PRESS, 0.0)
    model, more = update(model, Input.PRESS, 0.0)
    assert more == ()
    model, _ = update(model, Answer(request.id, ok=False, sentence="Not now."), 0.0)
    assert len(update(model, Input.PRESS, 0.0)[1]) == 1


# The board, and the sign


def test_the_board_s_code_has_its_address_beside_it() -> None:
    desk = choose(at_a_table(), "More…", PHONES, "The board, for everybody")
    assert ADDRESS in desk.texts
    assert "Scan to watch" in desk.texts


def test_who_is_invited_finds_the_board_s_code() -> None:
    table = RulesTable().serve()
    table.presence = Presence.IDLE
    served = Desk(table)
    assert "Scan to watch" in served.texts
    for on in LOOKS.values():
        drawn = convert_scene(scene(replace(served.model, layout=on.layout), 0.0), on)
        assert module_of(drawn, on, board_link(ADDRESS)) >= 3
    table.pages = None
    assert "Scan to watch" not in served.hear().texts


def test_the_headline_shows_which_teams_key_a_phone_can_show() -> None:
    desk = at_a_table(RED)
    desk.table.phone("blue-operatives", PhoneState.HERE)
    signs = signs_of_phones(desk)
    assert len(signs) == 1
    desk.table.phone("blue-spymaster", PhoneState.AWAY)
    assert len(signs_of_phones(desk)) == 2
    drawn = scene(desk.model, 0.0)
    (red,) = (each.x for each in drawn if isinstance(each, Circle) and each.r == 4)
    assert red < max(sign.x for sign in signs_of_phones(desk))  # red’s before blue’s
    desk.table.phone(RED, PhoneState.ASKED).phone("blue-spymaster", PhoneState.WAITING)
    assert signs_of_phones(desk) == []


def signs_of_phones(desk: Desk) -> list[Rect]:
    drawn = scene(desk.hear().model, 0.0)
    return [each for each in drawn if isinstance(each, Rect) and (each.w, each.radius) == (15, 3)]


def test_a_code_that_leaves_the_screen_is_ended_unless_a_phone_has_come() -> None:
    ended = {"seat": "operator", "act": "let-go", "for": RED, "unused": True}
    desk = shows_code()
    desk.table.phone(RED, PhoneState.WAITING)
    desk.hear().happen(Input.BACK)
    assert desk.asked[-1] == ended
    desk = shows_code()
    desk.table.phone(RED, PhoneState.HERE)
    assert ended not in desk.hear().asked
    desk = shows_code()
    desk.table.phone(RED, None)  # its minute was over
    assert ended not in desk.hear().asked


# The next game


def over(*linked: str) -> Desk:
    desk = at_a_table(*linked)
    desk.table.do("operator", "abandon")
    return desk.hear()


def test_the_hidden_screen_asks_whether_the_same_spymasters_play_on() -> None:
    desk = choose(over(RED), "Next game")
    assert desk.labels == [
        "Yes, new spymasters",
        "Yes, the same ones",
        "No, go back",
    ]
    choose(desk, "Yes, the same ones")
    assert desk.asked[-1]["keep_phones"] is True
    desk = choose(over(RED), "Next game", "Yes, new spymasters")
    assert "keep_phones" not in desk.asked[-1]


def test_where_nobody_has_a_phone_nothing_is_asked_about_phones() -> None:
    assert choose(over(), "Next game").labels == ["Yes, next game", "No, go back"]


def test_where_phones_need_the_pin_nobody_else_keeps_one() -> None:
    desk = over(RED)
    desk.table.house = House(phones_need_pin=True)
    desk.table.lock = PageLock(pin=True, open=False)
    assert choose(desk.hear(), "Next game").labels == [
        "Yes, new spymasters",
        "No, go back",
    ]


# Codex


def test_in_codex_phones_come_first_until_one_is_linked_and_before_the_rest_until_all_are() -> None:
    table = CodexTable(screens="phones").serve()
    desk = codex_desk(table)
    assert desk.labels[:2] == [PHONES, "I am Moon"]
    table.phone("agent-1", PhoneState.WAITING)
    assert desk.hear().labels[:2] == ["I am Moon", PHONES]
    for number in range(2, 7):
        table.phone(f"agent-{number}", PhoneState.HERE)
    assert PHONES not in desk.hear().labels


def test_a_game_at_the_hidden_screen_has_no_seats_for_phones() -> None:
    desk = codex_desk(CodexTable().serve())
    assert PHONES not in desk.labels
    choose(desk, "More…", PHONES)
    assert desk.labels == ["The board, for everybody"]
    assert "In this game all visits are at the hidden screen." in desk.texts


def test_agents_are_called_by_their_nicknames() -> None:
    desk = choose(codex_desk(CodexTable(screens="phones").serve()), PHONES, "Puma")
    assert desk.asked[0]["for"] == "agent-3"
    assert "Puma" in desk.texts


def test_visits_on_phones_are_offered_where_pages_are_served() -> None:  # CX-20
    table = RulesTable().serve()
    desk = Desk(table)
    setup = propose(table.message(), "codex")
    desk.model = replace(desk.model, screens=(*desk.model.screens, setup))
    choose(desk, "Visits")
    assert "On phones, all at once" in desk.values
    assert any("Whoever has none comes to this screen" in text for text in desk.texts)
    _, (request,) = update(choose_line(desk, "Start the game"), Input.PRESS, 0.0)
    assert request.do["options"]["screens"] == "phones"
    table.pages = None
    assert propose(table.message(), "codex").settings.screens == "hidden"
    setup = propose(table.message(), "codex")
    desk.model = replace(desk.model, screens=(*desk.model.screens[:1], setup))
    assert "Visits" not in desk.hear().labels


def choose_line(desk: Desk, label: str) -> Model:
    """The console with this choice selected."""
    return replace(
        desk.model,
        screens=(
            *desk.model.screens[:-1],
            replace(desk.model.screen, selected=desk.labels.index(label)),
        ),
    )


# The operator's desk


def operators(pin: bool = True) -> Desk:
    table = RulesTable().serve()
    table.lock = PageLock(pin=pin, open=True)
    return choose(Desk(table), "More…", "Operator…")


def test_a_desk_needs_a_pin() -> None:
    desk = operators(pin=False)
    at = desk.labels.index("The operator’s desk")
    assert desk.values[at] == "set a PIN first"
    assert desk.model.choices[at].does is None


def test_the_operator_opens_a_desk_by_a_code_and_ends_it() -> None:
    desk = choose(operators(), "The operator’s desk")
    assert desk.asked == [{"seat": "operator", "act": "desk", "lang": "en"}]
    assert str(link_of(desk)).startswith(f"{ADDRESS}/desk#")
    desk.table.desk = DeskState(PhoneState.HERE, open=True)
    desk.hear()
    assert not isinstance(desk.model.screen, DeskCode)
    assert ("The operator’s desk", "open") in zip(desk.labels, desk.values, strict=True)
    choose(desk, "End the desk’s session", "Yes, end it")
    assert desk.asked[-1] == {"seat": "operator", "act": "close-desk"}
    assert "End the desk’s session" not in desk.labels


def test_the_code_of_a_desk_closes_when_the_page_locks_itself() -> None:
    desk = choose(operators(), "The operator’s desk")
    desk.table.lock = PageLock(pin=True, open=False)
    assert not isinstance(desk.hear().model.screen, DeskCode)


# Dealt words


def test_where_pages_are_served_nobody_is_led_through_laying_out_but_may_be() -> None:
    desk = Desk(RulesTable().begin())
    assert "Lay out the cards" in desk.labels
    desk = at_a_table()
    assert "Lay out the cards" not in desk.labels
    assert "Lay out the cards" in choose(desk, "More…").labels


def test_setting_up_says_where_dealt_words_are_seen() -> None:
    table = RulesTable()
    desk = Desk(table)
    setup = propose(table.message(), "codenames")
    desk.model = replace(desk.model, screens=(*desk.model.screens, setup))
    assert "Lay the cards out: after the start, this screen says where each goes." in desk.texts
    table.serve()
    desk.hear()
    assert "The words are on the pages’ board: no cards have to be laid out." in desk.texts
    choose(desk, "Cards")
    assert not any("board" in text for text in desk.texts)
