"""A table without a hidden screen: the desk begins games and gives out seats, and spymasters have
the key on their phones."""

import re
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, cast

import pytest
from desk_page import PIN, DeskPage, desk_at
from phone import Phone
from table_without_a_screen import Evening, prepare
from virtual_table import ANSWERED, RED_KEY, VirtualTable

from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.common.house_settings import House
from pi_table.common.language import LANGUAGES
from pi_table.games.rules.codex.identikit import WRONG_CODES
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.word_games.key import Key
from pi_table.lab.running_table import RunningTable, Wire
from pi_table.protocols.ipc.messages import Presence
from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.protocols.sealing.frames import from_text
from pi_table.protocols.sealing.seal import KEY_BYTES
from pi_table.table.engine.desk.desk import IDLE_SECONDS, MAX_WRONG_PINS
from pi_table.table.engine.idle import ASK_SECONDS, END_SECONDS
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.requests import desk_play
from pi_table.table.engine.requests.acts import DESK, act_at, names_at
from pi_table.table.engine.requests.outcome import AnswerOnly
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.storage.card_link import FILE, LINK_BYTES, make_card_link
from pi_table.table.engine.storage.phones_file import PHONES, PhonesFile

MakeTable = Callable[..., VirtualTable]
SPYMASTERS: Final = ("red-spymaster", "blue-spymaster")
RED: Final = ("A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2")
AGENTS: Final = tuple(f"agent-{number}" for number in range(1, 7))
HOUSE: Final = House(idle_minutes=10, keep_minutes=30)


@pytest.fixture
def evening(make_table: MakeTable, path: Path) -> Evening:
    return Evening(make_table, path)


def guess(evening: Evening, *cells: str) -> None:
    for cell in cells:
        evening.table.hold(cell)
        evening.table.advance(ANSWERED)


# Whole games


def test_a_whole_game_is_played_with_two_phones_and_the_operators(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    for seat in SPYMASTERS:
        evening.join(seat)
    assert {evening.seen(seat)["key"] for seat in SPYMASTERS} == {RED_KEY.letters}
    evening.play("red-spymaster", "clue", word="flight", number=8)
    guess(evening, *RED)
    assert evening.do("now")["game"] is None
    assert evening.table.view.outcome.winner.value == "red"
    evening.do("reveal")
    assert evening.table.view.key == RED_KEY.letters


def test_the_operator_can_do_all_of_an_evening_at_the_desk(evening: Evening) -> None:
    evening.do("start", profile="codenames", options={"timer": "hourglass"})
    for seat in SPYMASTERS:
        evening.join(seat)
    evening.do("new-key")
    for act in ("pause", "resume", "hourglass"):
        evening.do(act)
    evening.play("red-spymaster", "clue", word="flight", number=2)
    evening.do("correct", number=3)
    assert evening.table.view.clue.number == 3
    guess(evening, "E5")
    assert evening.table.view.outcome is not None
    evening.do("correct")
    assert evening.table.view.outcome is None
    evening.do("abandon")
    evening.do("next", keep_phones=True)
    assert "phone" in [each["state"] and "phone" for each in evening.do("seats")["seats"]]
    for phone in evening.phones.values():
        phone.hold = True
    evening.beats(12)
    evening.play("red-spymaster", "clue", word="flight", number=1)
    assert evening.refused("start", profile="alias-24") == "game-in-progress"
    evening.do("start", profile="alias-24", ending=True)
    evening.do("change-pin", pin=PIN, new="1234")
    evening.do("unlock", pin="1234")


def test_what_the_desk_may_do_in_a_game_is_what_the_rules_allow_now(evening: Evening) -> None:
    assert evening.do("now")["may"] == []
    evening.do("start", profile="codenames")
    assert evening.do("now")["may"] == ["pause", "abandon", "new-key"]
    evening.do("abandon")
    assert evening.do("now")["may"] == ["correct", "reveal"]


def test_an_abandoned_game_that_is_taken_back_at_the_desk_goes_on(
    make_table: MakeTable, path: Path
) -> None:
    evening = Evening(make_table, path, house=HOUSE, frames_per_second=2)
    evening.do("start", profile="codenames")
    evening.table.advance(600.0 + ASK_SECONDS + 1800.0 + 1.0)
    evening.do("unlock", pin=PIN)
    assert evening.do("now")["may"] == ["correct", "reveal"]
    evening.do("correct")
    evening.table.advance(5.0)
    assert evening.table.view.outcome is None
    assert evening.table.message.idle is Presence.PLAYING


@pytest.mark.parametrize("act", ["correct", "reveal"])
def test_a_table_that_sleeps_after_a_game_wakes_for_an_act_of_the_desk(
    make_table: MakeTable, path: Path, act: str
) -> None:
    evening = Evening(make_table, path, house=HOUSE, frames_per_second=2)
    evening.do("start", profile="codenames")
    evening.do("abandon")
    evening.table.advance(END_SECONDS + 1.0)
    assert evening.table.message.idle is Presence.IDLE
    evening.do(act)
    evening.table.advance(5.0)
    assert evening.table.message.idle is Presence.PLAYING
    assert not evening.table.view.paused


@pytest.mark.parametrize("profile", PROFILES)
def test_each_game_begins_at_the_desk_and_gives_seats_to_phones(
    evening: Evening, profile: str
) -> None:
    offer = {game["profile"]: game for game in evening.do("offer", lang="en")["games"]}
    assert [*offer] == [*PROFILES]
    evening.do("start", profile=profile)
    seats = [each["seat"] for each in evening.do("seats")["seats"] if each["needed"]]
    assert seats == [*(AGENTS if profile == "codex" else SPYMASTERS)]
    for seat in seats:
        evening.join(seat)
    assert {each["state"] for each in evening.do("seats")["seats"] if each["needed"]} == {"here"}


def test_words_that_the_teams_lay_out_themselves_need_no_screen(evening: Evening) -> None:
    evening.do("start", profile="deep-undercover", cards="dealt", pack="english")
    for cell in (f"{column}{row}" for row in range(1, 6) for column in "ABCDE"):
        evening.table.hold(cell)
        evening.table.advance(1.0)
    for seat in SPYMASTERS:
        evening.join(seat)
    assert evening.seen("red-spymaster")["key"] is not None
    assert evening.table.view.phase.value == "clue"


def test_the_word_to_lay_next_is_chosen_at_the_desk(evening: Evening) -> None:
    evening.do("start", profile="deep-undercover", cards="dealt", pack="english")
    hand = evening.do("seats")["hand"]
    public = evening.table.view
    assert hand["team"] == public.turn.value
    assert hand["words"] == [*getattr(public.hands, public.turn.value)]
    assert hand["next"] == hand["words"][0]
    chosen = hand["words"][7]
    evening.do("choose", word=chosen)
    assert evening.do("seats")["hand"]["next"] == chosen
    guess(evening, "C3")
    assert evening.table.view.cells["C3"].word == chosen
    other = evening.do("seats")["hand"]
    assert other["team"] != hand["team"]
    assert chosen not in other["words"]
    assert evening.refused("choose", word=hand["words"][0]) == "not-in-hand"
    assert evening.refused("choose") == "missing-field"
    assert evening.refused("choose", word=["C3"]) == "bad-word"


def test_a_choice_at_the_desk_is_no_other_act_and_no_other_seats(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    assert evening.do("seats")["hand"] is None
    asked = {"seat": "red-spymaster", "number": 3, "cell": "A1"}
    assert evening.refused("choose", word="flight", **asked) == "cards-laid-out"
    evening.do("start", profile="codex", ending=True)
    assert evening.do("seats")["hand"] is None
    assert evening.refused("choose", word="flight") == "unknown-act"


def test_a_rematch_with_sides_swapped_is_begun_at_the_desk(
    make_table: MakeTable, path: Path
) -> None:
    blue_key = Key.read(RED_KEY.letters.translate(str.maketrans("rb", "br")))
    evening = Evening(make_table, path, keys=[RED_KEY, blue_key])
    evening.do("start", profile="codenames")
    started = evening.table.view.starts
    evening.join("red-spymaster")
    assert not evening.do("offer")["may_swap"]
    evening.do("abandon")
    assert evening.do("offer")["may_swap"]
    evening.do("next", swap=True)
    assert evening.table.view.starts is started.other
    assert _states(evening)["red-spymaster"] is None


def test_another_game_is_on_phones_though_the_last_was_at_a_screen(
    make_table: MakeTable, path: Path
) -> None:
    table = make_table()  # with a hidden screen, which is then removed
    table.do("start", profile="codex")
    table.do("abandon")
    table.switch_off()
    evening = Evening(make_table, path)
    evening.do("next")
    assert [each["seat"] for each in evening.do("seats")["seats"]] == [*AGENTS]
    evening.join("agent-1")
    assert "ready" in evening.phones["agent-1"].message["may"]


@pytest.mark.parametrize(
    ("profile", "options"), [("codex", {}), ("codenames", {"players": "cooperative"})]
)
def test_a_game_without_two_sides_has_none_to_swap(
    evening: Evening, profile: str, options: dict[str, Any]
) -> None:
    evening.do("start", profile=profile, options=options)
    evening.do("abandon")
    offer = evening.do("offer")
    assert (offer["may_go_on"], offer["may_swap"]) == (True, False)


def test_a_damaged_journal_is_answered_at_the_desk(make_table: MakeTable, path: Path) -> None:
    evening = Evening(make_table, path)
    evening.do("start", profile="codenames")
    assert evening.refused("try-again") == "nothing-to-mend"
    assert evening.refused("set-aside") == "nothing-to-mend"
    evening.do("pause")
    evening.table.switch_off()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE seq = 2")
    damaged = path.read_bytes()

    evening.table = evening.desk.table = make_table(has_screen=False)
    assert evening.desk.knock()
    evening.do("unlock", pin=PIN)
    now = evening.do("now")
    assert "is damaged" in now["faults"][0]
    assert now["may"] == ["try-again", "set-aside"]
    evening.do("try-again")
    assert "is damaged" in evening.do("now")["faults"][0]
    assert path.read_bytes() == damaged
    evening.do("set-aside")
    now = evening.do("now")
    assert (now["faults"], now["may"]) == ([], [])
    (aside,) = path.parent.glob("*set-aside*.sqlite")
    assert aside.read_bytes() == damaged
    evening.do("start", profile="codenames")


def test_another_phone_in_an_agents_seat_asks_for_the_code(evening: Evening) -> None:  # CX-19
    evening.do("start", profile="codex")
    evening.do("ready")
    evening.join("agent-1")
    evening.play("agent-1", "choose-code", code="1234")
    other = evening.join("agent-1")
    other.hold = True
    evening.beats(8)
    assert other.message["agent"] is None
    assert other.message["door"]["code"] == "enter"


def test_a_round_of_codex_is_played_on_six_phones(evening: Evening) -> None:
    evening.do("start", profile="codex")
    for seat in AGENTS:
        evening.join(seat)
    for phone in evening.phones.values():
        phone.hold = True
    _visit(evening, "send")
    _visit(evening, "act")
    assert evening.table.view.phase.value == "discuss"
    evening.do("end-discussion")
    for _ in AGENTS:
        guess(evening, CELLS[AGENT_CELLS[0]], CELLS[AGENT_CELLS[1]])
    _visit(evening, "machine")
    assert (evening.table.view.phase.value, evening.table.view.number) == ("send", 2)


@pytest.mark.parametrize("starts", ["at-once", "ready"])
def test_a_whole_game_of_codex_is_played_on_phones_and_at_the_desk(
    evening: Evening, starts: str
) -> None:
    options = {"visit_starts": starts, "visit_seconds": 10}
    evening.do("start", profile="codex", options=options)
    evening.table.advance(1.0)  # by then a first visit that begins at once is running
    for seat in AGENTS:
        evening.join(seat)
    for phone in evening.phones.values():
        phone.hold = True
    if starts == "ready":
        evening.do("ready")
    evening.beats(2)
    evening.play("agent-1", "choose-code", code="1234")
    evening.do("let-go", **{"for": "agent-1"})  # a phone is lost during the visit
    evening.table.advance(11.0)
    evening.join("agent-1").hold = True
    _visit(evening, "send")
    _visit(evening, "act")
    evening.do("end-discussion")
    for target in (1, 0, 0, 0, 0, 0):
        guess(evening, CELLS[AGENT_CELLS[target]])
    for _ in range(WRONG_CODES):
        evening.play("agent-1", "enter-code", code="4321")
    assert evening.ask("agent-1", "enter-code", code="1234")["reason"] == "too-many-codes"
    evening.do("new-code", target="agent-1")
    _visit(evening, "machine")
    _visit(evening, "send")
    for act in ("ready", "enter-code"):
        for seat in AGENTS:
            evening.ask(seat, act, **_DO[act])
    evening.beats(2)
    papers = [phone.message["agent"] for phone in evening.phones.values()]
    side = papers[0]["belongs"]  # an infiltrator belongs to the other faction
    mine = [each["identikit"] for each in papers if each["belongs"] == side]
    code = "".join(each["fragment"] for each in sorted(mine, key=itemgetter("position")))
    evening.play("agent-1", "attempt", code=code)
    assert evening.table.view.outcome.winner.value == side
    evening.do("reveal")
    assert evening.table.view.identikits is not None


def test_no_agent_is_sent_to_a_screen_that_is_missing(evening: Evening) -> None:
    evening.do("start", profile="codex")
    for seat in AGENTS:
        evening.join(seat)
    assert evening.do("now")["may"] == ["pause", "abandon", "ready", "new-code"]
    assert evening.refused("unpair", target="agent-1") == "unusable"


def test_no_code_is_promised_after_the_game(evening: Evening) -> None:
    evening.do("start", profile="codex")
    evening.join("agent-1")
    evening.do("abandon")
    evening.do("let-go", **{"for": "agent-1"})
    assert _said(evening)[-1].endswith("has no phone any more.")
    assert evening.refused("phone", **{"for": "agent-1"}) == "game-over"


@pytest.mark.parametrize("how", ["let-go", "phone"])
def test_an_agent_whose_phone_is_gone_in_a_visit_goes_on_with_another(
    evening: Evening, how: str
) -> None:  # CX-19, CX-20
    evening.do("start", profile="codex")
    name = evening.table.view.agents[0].nickname
    assert _said(evening)[-1] == f"{name} needs a phone: the operator has a code."
    evening.join("agent-1")
    evening.play("agent-1", "ready")
    evening.play("agent-1", "choose-code", code="1234")
    evening.do(how, **{"for": "agent-1"})
    assert _said(evening)[-2:] == [
        f"{name} has no phone any more: the operator has a new code.",
        f"{name} needs a phone: the operator has a code.",
    ]
    assert evening.join("agent-1").message["door"]["code"] == "enter"
    evening.play("agent-1", "ready")
    evening.play("agent-1", "enter-code", code="1234")
    evening.play("agent-1", "send", to="agent-2", facts=["role"])


def test_an_agent_at_the_truth_machine_needs_a_phone_too(evening: Evening) -> None:  # CX-9, CX-20
    evening.do("start", profile="codex")
    for seat in AGENTS:
        evening.join(seat).hold = True
    for phase in ("send", "act"):
        _visit(evening, phase)
    evening.do("end-discussion")
    name = evening.table.view.agents[1].nickname
    evening.do("let-go", **{"for": "agent-2"})
    for _ in AGENTS:
        guess(evening, CELLS[AGENT_CELLS[0]], CELLS[AGENT_CELLS[1]])
    assert _said(evening)[-2:] == [
        f"{name} goes to the truth machine.",
        f"{name} needs a phone: the operator has a code.",
    ]
    evening.join("agent-2")
    evening.play("agent-2", "enter-code", code="1234")
    evening.play("agent-2", "reveal", fact="position")
    assert evening.table.view.phase.value == "send"


def _said(evening: Evening) -> list[str]:
    """The announcements in the newest message, in English, without those of refused touches."""
    said = evening.table.public[-1][1].said
    return [each.words["en"] for each in said if each.what != "refused"]


_DO: Final[dict[str, dict[str, Any]]] = {
    "ready": {},
    "choose-code": {"code": "1234"},
    "enter-code": {"code": "1234"},
    "reveal": {"fact": "position"},
    "done": {},
}
"""What an agent does on the phone: the first act that is possible, with its fields."""


def _visit(evening: Evening, phase: str) -> None:
    """Let every agent do what is to be done in this phase."""
    for _ in range(40):
        evening.table.advance(0.5)
        evening.beats(2)
        for seat, phone in evening.phones.items():
            if evening.table.view.phase.value != phase:
                return
            may = phone.message["may"]
            if "done" not in may and "send" in may:
                to = AGENTS[AGENTS.index(seat) - 1]
                evening.play(seat, "send", to=to, facts=["role"])
            elif act := next((act for act in _DO if act in may), None):
                evening.play(seat, act, **_DO[act])
    raise AssertionError(f"The phase {phase} does not end.")


# Words


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_that_is_said_names_a_hidden_screen(
    make_table: MakeTable, path: Path, profile: str
) -> None:
    said: list[str] = []
    evening = Evening(make_table, path)
    guess(evening, "A1")  # there is no game
    evening.do("start", profile=profile, options={"explain": True})
    evening.beats(4)
    guess(evening, "A1", "B2")  # it is too early, or means nothing
    for seat in evening.do("seats")["seats"]:
        if seat["needed"]:
            evening.join(seat["seat"])
            said += evening.ask(seat["seat"], "place")["sentence"].values()
    for act in ("pause", "resume", "abandon", "reveal"):
        evening.desk.ask(act)
        guess(evening, "A1")
        said += [evening.do("now", lang=lang)["status"] for lang in LANGUAGES]
    messages = [message for _, message in evening.table.public]
    announced = {
        words for message in messages for each in message.said for words in each.words.values()
    }
    assert len(announced) > 10
    said += announced
    assert [each for each in said if re.search("hidden screen|schermo", each)] == []


# What the operator's phone has to begin with


def test_the_link_on_the_card_waits_for_its_first_device(make_table: MakeTable, path: Path) -> None:
    link = prepare(path.parent)
    for _ in range(2):
        table = make_table(has_screen=False)
        table.beat()
        table.advance(10 * CODE_SECONDS)
        table.table.on_console_left()
        table.advance(1.0)
        table.switch_off()
    table = make_table(has_screen=False)
    desk, thief = DeskPage(table, link), DeskPage(table, link)
    assert desk.knock()
    assert not thief.knock()
    assert desk.ask("unlock", pin=PIN)["ok"]
    table.switch_off()
    table = make_table(has_screen=False)
    desk.table = thief.table = table
    assert not thief.knock()
    assert desk.knock()


def test_the_card_has_the_same_link_until_a_new_one_is_wanted(path: Path) -> None:
    link = prepare(path.parent)
    assert prepare(path.parent) == link


def test_a_link_on_the_card_is_such_as_the_hidden_screen_shows(path: Path) -> None:
    assert LINK_BYTES == KEY_BYTES
    prepare(path.parent)
    page = make_card_link(path.parent, None, is_new=False).page
    link = PhonesFile(path.parent).links.desk
    assert link is not None
    assert link.page == page


def test_a_link_that_a_device_has_opened_is_no_longer_on_the_card(
    make_table: MakeTable, path: Path
) -> None:
    evening = Evening(make_table, path)
    card = make_card_link(path.parent, None, is_new=False)
    assert card.key is None
    assert card.page is None
    new = make_card_link(path.parent, None, is_new=True)  # as with a new PIN on the card
    evening.table.switch_off()
    evening.table = evening.desk.table = make_table(has_screen=False)
    assert not evening.desk.knock()
    desk = DeskPage(evening.table, from_text(new.key or "", KEY_BYTES) or b"")
    assert desk.knock()


def test_a_damaged_link_on_the_card_opens_nothing_and_is_replaced(
    make_table: MakeTable, path: Path
) -> None:
    link = prepare(path.parent)
    (path.parent / FILE).write_text("no link")
    assert not DeskPage(make_table(has_screen=False), link).knock()
    assert prepare(path.parent) != link


def test_after_damage_to_the_links_the_next_start_makes_another(
    make_table: MakeTable, path: Path
) -> None:
    evening = Evening(make_table, path)
    evening.table.switch_off()
    (path.parent / PHONES).write_text("no links")
    make_table(has_screen=False).switch_off()
    link = prepare(path.parent)
    assert DeskPage(make_table(has_screen=False), link).knock()


def test_five_wrong_pins_end_the_link_and_the_next_start_makes_another(
    make_table: MakeTable, path: Path
) -> None:
    evening = Evening(make_table, path)
    link = evening.desk.link
    for _ in range(MAX_WRONG_PINS):
        evening.refused("unlock", pin="0000")
    assert evening.desk.ask("state") is None
    evening.table.switch_off()
    assert prepare(path.parent) != link


class Program:
    """A table that runs as a program, from the end of the process of its pages."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.asked = 0

    def desk_called(self, frame: bytes) -> bytes:
        self.asked += 1
        said = b64encode(frame).decode()
        self.wire.send({"kind": "desk", "id": self.asked, "sealed": said})
        while (answer := self.wire.read()).get("kind") != "desk-reply":
            pass
        return b64decode(answer["sealed"])


def test_a_desk_knows_from_the_configuration_whether_there_is_a_screen(
    start: Callable[..., RunningTable], tmp_path: Path
) -> None:
    desk = DeskPage(cast(Any, None), prepare(tmp_path / "state"))
    for screen in ("none", "hidden"):
        table = start(settings=f'[console]\nscreen = "{screen}"\n')
        table.wait()
        with closing(Wire(table.folder / "run" / "sealed.sock")) as wire:
            desk.table = cast(Any, Program(wire))
            assert desk.knock()
            assert desk.ask("state")["told"]["screen"] is (screen == "hidden")
        assert table.stop() == 0


# The codes of seats


def test_a_new_code_ends_the_right_of_the_old_phone(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    evening.join("red-spymaster")
    old = evening.phones["red-spymaster"]
    assert evening.seen("red-spymaster")["key"] is not None
    evening.join("red-spymaster")
    old.hold, old.message = True, None
    for _ in range(12):
        old.hear(evening.table.beat(old.next()))
    assert old.message is None


def test_a_code_ends_after_a_minute(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    evening.link("red-spymaster")
    assert _states(evening)["red-spymaster"] == "waiting"
    evening.table.advance(CODE_SECONDS + 0.1)
    assert _states(evening)["red-spymaster"] is None


def test_a_code_ends_when_the_desk_no_longer_shows_it(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    evening.link("red-spymaster")
    evening.do("let-go", **{"for": "red-spymaster", "unused": True})
    assert _states(evening)["red-spymaster"] is None
    evening.join("red-spymaster")
    evening.do("let-go", **{"for": "red-spymaster", "unused": True})
    assert _states(evening)["red-spymaster"] == "here"
    evening.do("let-go", **{"for": "red-spymaster"})
    assert _states(evening)["red-spymaster"] is None


def test_a_code_ends_when_the_desk_is_locked(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    phone = Phone(evening.link("red-spymaster"))
    evening.do("lock")
    for _ in range(6):
        phone.hear(evening.table.beat(phone.next()))
    assert not phone.session
    evening.do("unlock", pin=PIN)
    assert _states(evening)["red-spymaster"] is None


def test_a_desk_that_only_shows_the_seats_locks_itself(evening: Evening) -> None:
    for _ in range(2):
        evening.do("seats")
        evening.table.advance(0.4 * IDLE_SECONDS)
    evening.do("seats")
    evening.table.advance(0.4 * IDLE_SECONDS)
    assert evening.refused("seats") == "locked"


def _states(evening: Evening) -> dict[str, Any]:
    return {each["seat"]: each["state"] for each in evening.do("seats")["seats"]}


# Rights


def test_a_table_with_a_hidden_screen_keeps_these_acts_there(make_table: MakeTable) -> None:
    table = make_table()
    desk = desk_at(table)
    for name in (
        "offer",
        "start",
        "next",
        "seats",
        "phone",
        "let-go",
        "correct",
        "reveal",
        "choose",
        "try-again",
        "set-aside",
    ):
        answer = desk.ask(name, profile="codenames", **{"for": "red-spymaster"})
        assert (answer["ok"], answer["reason"]) == (False, "at-the-screen"), name


def test_a_locked_desk_begins_nothing_and_shows_no_code(evening: Evening) -> None:
    evening.do("start", profile="codenames")
    evening.do("lock")
    for name in names_at(DESK):
        act = act_at(DESK, name)
        assert act is not None
        if not act.while_locked:
            answer = evening.desk.ask(name, **{"for": "red-spymaster", "profile": "codenames"})
            assert answer["reason"] == "locked", name


def test_the_desk_is_told_the_same_whatever_the_key_is(
    make_table: MakeTable, tmp_path: Path
) -> None:  # ALL-1
    told = [_told(make_table, tmp_path / name, key) for name, key in _TWINS.items()]
    assert told[0] == told[1]
    assert any(said for _, said in told[0])


def test_a_desk_that_is_told_of_the_key_is_noticed(
    make_table: MakeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # ALL-1
    def leaks(request: Request, fields: None, snapshot: Snapshot, now: float) -> AnswerOnly:
        hidden = [phone.message for phone in snapshot.phones.phones if phone]
        return AnswerOnly({"seats": [len(message) for message in hidden], "told": str(hidden)})

    monkeypatch.setattr(desk_play.list_seats, "__code__", leaks.__code__)
    monkeypatch.setattr(desk_play, "AnswerOnly", AnswerOnly)
    told = [_told(make_table, tmp_path / name, key) for name, key in _TWINS.items()]
    assert told[0] != told[1]


_TWINS: Final = {
    "one": RED_KEY,
    "other": Key.read("rrrrrrrrrnnnnnnnabbbbbbbb"),
}
"""Two keys that agree on the nine cells of red."""


def _told(make_table: MakeTable, folder: Path, key: Key) -> list[tuple[str, Any]]:
    """Everything that the desk and the public are told of a game under this key."""
    evening = Evening(make_table, folder / "journal", keys=[key])
    told: list[tuple[str, Any]] = []

    def look() -> None:
        for act in ("now", "offer", "seats", "state"):
            answer = evening.do(act)
            answer.pop("uptime", None)
            answer.pop("temperature", None)
            told.append((act, answer))
        told.append(("public", [message for _, message in evening.table.public]))

    evening.do("start", profile="codenames")
    for seat in SPYMASTERS:
        evening.join(seat)
        look()
    evening.seen("blue-spymaster")
    look()
    evening.play("red-spymaster", "clue", word="flight", number=8)
    look()
    for cell in RED[:4]:
        guess(evening, cell)
        look()
    return told
