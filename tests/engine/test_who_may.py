"""Rights: every act, by everybody, in every state that matters.

`who_may.txt`, beside this file, has the answers: it shows each change of rights, line by line.
`WRITE_RIGHTS=1 make test`, or this file alone with that variable, writes it again.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any, Final, get_type_hints

import msgspec
import pytest
from desk_page import PIN, DeskPage, desk_at, link_of
from known_deal import begin_codex
from msgspec.structs import replace
from phones_at_a_table import Phones
from virtual_table import VirtualTable, place

from pi_table.common.errors import TableError
from pi_table.common.house_settings import House
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.house import Order
from pi_table.screens import web
from pi_table.screens.console import haste
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.inputs import Begin, Request, Task
from pi_table.table.engine.phones.phones import PhoneRequest
from pi_table.table.engine.requests import desk
from pi_table.table.engine.requests.acts import ACTS, Act, names_at
from pi_table.table.engine.requests.console import verdict_of
from pi_table.table.engine.requests.door import acts_on_offer, decide, without_pin
from pi_table.table.engine.requests.fields import read_fields, refusals
from pi_table.table.engine.requests.outcome import AnswerOnly, StateChange
from pi_table.table.engine.rights import PIN as PIN_NEEDED
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.lock import initial_lock as locked_lock
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.storage.desk_orders import ListStories
from pi_table.table.engine.touches.intents import Hold

MakeTable = Callable[..., VirtualTable]
ANSWERS: Final = Path(__file__).with_name("who_may.txt")
PAGE: Final = Path(*web.__path__) / "SECURITY.md"
OPENS, CLOSES = "<!-- acts -->\n", "<!-- end of the acts -->\n"
NOW: Final = 5000.0
LONG: Final = 1e6
BEGIN: Final = Begin("request", {"profile": "codenames"}, WordSource("own"))

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "start": {"profile": "codenames"},
    "house": {"set": {"brightness": 50}},
    "unlock": {"pin": "1234"},
    "set-pin": {"pin": "1234"},
    "change-pin": {"pin": "1234", "new": "5678"},
    "phone": {"for": "blue-spymaster"},
    "let-go": {"for": "red-spymaster"},
    "clue": {"word": "flight", "number": 2},
    "judge": {"word": "flight", "number": 2},
    "guess": {"cell": "A1"},
    "mark": {"cell": "A1"},
    "cover": {"cell": "A1"},
    "place": {"cell": "A1", "word": "zeppelins"},
    "choose": {"word": "zeppelins"},
    "send": {"to": "agent-2", "facts": ["role"]},
    "hack": {"target": "agent-2"},
    "ask": {"message": 1, "fact": "role"},
    "extort": {"fact": "role"},
    "attempt": {"code": "A2B2A4B4A6B6"},
    "choose-code": {"code": "1234"},
    "enter-code": {"code": "1234"},
    "vote": {"target": "agent-2"},
    "new-code": {"target": "agent-1"},
    "unpair": {"target": "agent-1"},
    "locate": {"seconds": 5},
    "set": {"settings": {"brightness": 50}},
    "closing": {"minutes": 15},
    "keep-free": {"seconds": 60},
    "finished": {"after": None},
    "rule": {"profile": "codenames", "setting": "zero", "value": True},
    "record": {"game": 1},
    "pack": {"name": "english"},
    "put": {"what": "text", "at": 0, "piece": ""},
    "read-list": {"source": "words.txt"},
    "remove-pack": {"name": "ours"},
    "get": {"at": 0},
}
"""Fields that an act needs besides its name."""
NAMES: Final = """
start next record tally house packs here doctor shutdown unlock lock set-pin
phone let-go desk close-desk service leave-service try-again set-aside
peek unpeek look clues mark judge
state now change-pin settings rule pads games statistics pack put check-pack
read-list save-pack remove-pack backup get check-backup restore drop
offer seats
locate set closing keep-free finished
place choose clue guess stop challenge allow uphold cover decline hourglass
pause resume correct new-key abandon reveal tick
ready send hack ask extort attempt done choose-code enter-code vote
end-discussion new-code pair unpair no-such-act
"""
"""Every act that anybody can name: the table's own, and those of the rules."""
SEATS: Final = (Seat.RED_SPYMASTER, Seat.RED_OPERATIVES, Seat.BLUE_SPYMASTER, Seat.AGENT_1)


# --- the states


def situations(make_table: MakeTable, folder: Path) -> Iterator[tuple[str, Snapshot]]:
    """Each state that matters, by its name."""
    empty = _seen(make_table(folder / "empty" / "journal"))
    yield "none", empty
    yield "none+closed", replace(empty, closed=True, fault="The card is loose.")
    yield "none+kept-free", replace(empty, in_force=replace(empty.in_force, free_until=LONG))
    yield "none+out-of-service", replace(empty, house=replace(empty.house, out_of_service=True))
    yield "none+service", replace(empty, service=Service(NOW))
    yield from _under_lock("none", empty)
    screenless = make_table(folder / "screenless" / "journal", has_screen=False)
    phones = Phones(screenless)
    desk_at(screenless)
    yield "no-screen", _locked(_seen(screenless))
    damaged = replace(_seen(screenless), closed=True, fault="The journal is damaged.")
    yield "no-screen+closed", _locked(damaged)
    screenless.do("start", profile="deep-undercover", cards="dealt", starts="red")
    yield "no-screen+laying", _locked(_seen(screenless))
    screenless.do("abandon")
    screenless.start()
    phones.join("red-spymaster")
    yield "no-screen+clue", _locked(_seen(screenless))
    desk_locked = replace(_seen(screenless).desk, opened=None)
    yield "no-screen+desk-locked", replace(_locked(_seen(screenless)), desk=desk_locked)
    screenless.do("abandon")
    yield "no-screen+over", _locked(_seen(screenless))

    table = make_table(folder / "words" / "journal")
    table.start()
    phones = Phones(table)
    for seat in (Seat.RED_SPYMASTER, Seat.RED_OPERATIVES):
        phones.join(seat.value)
    page = DeskPage(table, link_of(table))
    clue = _seen(table)
    without_pin = replace(clue, lock=locked_lock(False, 0, NOW))
    yield "clue", without_pin
    yield "clue+full", replace(without_pin, fault="The disk is full.")
    yield "clue+closed", replace(without_pin, closed=True, fault="The card is loose.")
    yield from _under_lock("clue", clue)
    assert page.knock()
    assert page.ask("unlock", pin=PIN)["ok"]
    yield "clue+desk-open", _locked(_seen(table))
    table.do("unlock", pin=PIN)
    table.clue(2)
    guess = replace(_seen(table), lock=locked_lock(False, 0, NOW))
    yield "guess", guess
    yield "guess+closed", replace(guess, closed=True, fault="The card is loose.")
    table.do("pause")
    yield "paused", replace(_seen(table), lock=locked_lock(False, 0, NOW))
    table.do("resume")
    table.do("abandon")
    over = _seen(table)
    yield "over", replace(over, lock=locked_lock(False, 0, NOW))
    yield from _under_lock("over", over)
    yield "over+desk-open", _locked(over)
    served = replace(over.desk, service=Service(NOW))
    yield "over+desk-service", replace(_locked(over), desk=served, service=served.service)
    yield "over+restoring", replace(over, desk=replace(over.desk, restoring="a request"))
    table.do("reveal")
    yield "revealed", replace(_seen(table), lock=locked_lock(False, 0, NOW))
    table.do("next", keep_phones=True)
    yield "next+phones-asked", replace(_seen(table), lock=locked_lock(False, 0, NOW))

    codex = begin_codex(make_table(folder / "codex" / "journal"))
    yield "codex", _seen(codex)
    yield "codex+locked", _locked(_seen(codex))
    codex.do("choose-code", "agent-1", code="1234")
    codex.do("peek", "agent-1")
    yield "codex+peek", _seen(codex)
    on_phones = make_table(folder / "phones" / "journal")
    begin_codex(on_phones, screens="phones")
    phones = Phones(on_phones)
    phones.join("agent-1")
    yield "codex+phones", _seen(on_phones)
    yield "codex+phones+locked", _locked(_seen(on_phones))


def _seen(table: VirtualTable) -> Snapshot:
    return table.table._machine.snapshot(table.now)


def _locked(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, lock=locked_lock(True, 0, 0.0))


def _under_lock(name: str, snapshot: Snapshot) -> Iterator[tuple[str, Snapshot]]:
    """The state with a PIN that is set: locked, also where guests may nothing; open; waiting."""
    lock = locked_lock(True, 0, 0.0)
    yield f"{name}+locked", _locked(snapshot)
    strict = replace(snapshot.house, guests_may=(), phones_need_pin=True)
    yield f"{name}+locked-strict", replace(snapshot, lock=lock, house=strict)
    yield f"{name}+unlocked", replace(snapshot, lock=replace(lock, open_until=LONG))
    yield f"{name}+waiting", replace(snapshot, lock=replace(lock, free_at=LONG), pin_wait=60.0)


# --- who asks, and what is answered


def askers(snapshot: Snapshot) -> Iterator[tuple[str, Callable[[dict[str, Any]], Task]]]:
    """Everybody who can ask, by name, and how they do."""

    def console(seat: str | None) -> Callable[[dict[str, Any]], Task]:
        return lambda do: Request(Asker.CONSOLE, "request", {**do, "seat": seat})

    for seat in (Seat.OPERATOR, *SEATS):
        yield f"console, {seat.value}", console(seat.value)
    yield "console, no seat", console(None)
    line = DeskRequest(snapshot.desk.link, b"", 1, "en")
    yield "desk", lambda do: Request(Asker.DESK, line, do)
    yield "house", lambda do: Request(Asker.HOUSE, "request", {**do, "seat": "operator"})
    for seat in SEATS:
        phone = snapshot.phones.of(seat)
        device, hello = b"", b""
        if phone is not None and phone.link.device is not None:
            device, hello = phone.link.device, phone.handshake.hello
        to = PhoneRequest(seat, device, hello, 1)
        yield f"phone, {seat.value}", lambda do, to=to: Request(Asker.PHONE, to, do)  # type: ignore[misc]


def answer(what: Task, snapshot: Snapshot) -> str:
    """Return the result: the kind of act, or the reason of a refusal in brackets."""
    try:
        outcome = decide(what, snapshot, NOW)
    except TableError as refusal:
        return f"({verdict_of(refusal).reason})"
    if isinstance(outcome, AnswerOnly):
        return "told"
    if isinstance(outcome, StateChange):
        return "becomes"
    return type(outcome).__name__


def test_everybody_may_ask_for_what_is_written_down_and_for_nothing_else(
    make_table: MakeTable, tmp_path: Path
) -> None:  # CON-3
    told = _table(make_table, tmp_path)
    if "WRITE_RIGHTS" in os.environ:
        ANSWERS.write_text(told)
    assert told.splitlines() == ANSWERS.read_text().splitlines()


PLACES: Final[tuple[tuple[str, Callable[[Act[Any]], bool]], ...]] = (
    ("hidden screen", lambda act: act.by is Asker.CONSOLE),
    ("spymaster's phone", lambda act: Role.SPYMASTER in act.phones),
    ("operative's phone", lambda act: Role.OPERATIVES in act.phones),
    ("agent's phone", lambda act: Role.AGENT in act.phones),
    ("desk", lambda act: act.by is Asker.DESK and not act.without_screen),
    ("desk, no hidden screen", lambda act: act.without_screen),
    ("house", lambda act: act.by is Asker.HOUSE),
)


def as_markdown() -> str:
    """The rights, as a table in Markdown."""
    rows: dict[tuple[str, str], list[str]] = {}
    for where, may in PLACES:
        for act in filter(may, ACTS):
            need, permission = _need(act, where)
            named = (
                f"`{act.name}`"
                if permission in (None, act.name)
                else f"`{act.name}` (`{permission}`)"
            )
            rows.setdefault((where, need), []).append(named)
    lines = [f"| {where} | {', '.join(acts)} | {need} |" for (where, need), acts in rows.items()]
    return "\n".join(("| asked for at | what | needs |", "|---|---|---|", *lines))


def _need(act: Act[Any], where: str) -> tuple[str, str | None]:
    """Return the requirement of the act if a PIN is set, and its permission of ``guests_may``."""
    permission = None if act.needs == PIN_NEEDED else act.needs
    match where:
        case "desk" | "desk, no hidden screen":
            return "link" if act.while_locked else "link, PIN", None
        case "house":
            return "socket", None
        case "agent's phone":  # what agents do is play, whatever it is called
            return "link", None
        case "hidden screen" if permission is not None:
            return "permission, or the PIN", permission
        case "hidden screen":
            return "nothing" if act.needs is None else "PIN", None
    return ("link", None) if permission is None else ("link, permission", permission)


def test_the_page_shows_the_rights_as_they_are() -> None:
    head, rest = PAGE.read_text().split(OPENS)
    shown, tail = rest.split(CLOSES)
    if "WRITE_RIGHTS" in os.environ:
        shown = f"{as_markdown()}\n"
        PAGE.write_text(head + OPENS + shown + CLOSES + tail)
    assert shown == f"{as_markdown()}\n"


def test_no_act_has_two_rows_in_one_place_and_each_is_tried_here() -> None:
    rows = [(act.by, act.name) for act in ACTS]
    assert len({*rows}) == len(rows)
    assert {act.name for act in ACTS} - {*names_at(Asker.HOUSE)} <= {*NAMES.split()}
    assert names_at(Asker.HOUSE) == [order.value for order in Order]


def test_some_acts_are_limited_on_phones_and_some_keep_no_desk_open() -> None:
    limited = {act.name for act in ACTS if act.is_limited}
    assert limited == {"pause", "resume", "hourglass", "new-key"}
    assert {act.name for act in ACTS if act.by_itself} == {"state", "now", "pads", "seats"}
    assert {act.name for act in ACTS if act.while_locked} == {"state", "unlock"}


def test_the_console_lets_pass_in_haste_what_shows_only() -> None:
    assert {*haste._ONLY_SHOW} == {act.name for act in ACTS if act.shows_only}


def test_each_act_is_given_the_fields_that_it_takes() -> None:
    for act in ACTS:
        takes = get_type_hints(act.do)["fields"]
        assert takes is (NoneType if act.fields is None else act.fields), act.name


def test_each_field_that_can_be_wrong_has_a_refusal() -> None:
    for act in ACTS:
        for field in () if act.fields is None else msgspec.structs.fields(act.fields):
            assert field.type is Any or [*refusals(field.type)], (act.name, field.name)


def test_what_cannot_be_asked_for_now_is_refused_before_its_fields_are_read(
    make_table: MakeTable, tmp_path: Path
) -> None:
    start = Request(Asker.CONSOLE, None, {"act": "start", "seat": "operator", "cards": 1})
    snapshot = _seen(make_table(tmp_path / "journal"))
    assert answer(start, snapshot) == "(unusable)"
    assert answer(start, replace(snapshot, service=Service(NOW))) == "(in-service)"


def test_the_operator_is_offered_what_makes_sense(make_table: MakeTable, tmp_path: Path) -> None:
    table = make_table(tmp_path / "journal")
    empty = _seen(table)
    assert acts_on_offer(empty) == ("start", "record")
    assert acts_on_offer(replace(empty, closed=True)) == ("try-again", "set-aside")
    table.start()
    assert acts_on_offer(_seen(table)) == ("record",)  # there is no clue yet
    table.clue(2)
    assert acts_on_offer(_seen(table)) == ("clues", "record")
    full = replace(_seen(table), fault="The disk is full.")
    assert acts_on_offer(full) == ("clues", "record", "try-again")
    assert acts_on_offer(replace(full, closed=True)) == ("clues", "try-again", "set-aside")
    table.do("abandon")
    assert acts_on_offer(_seen(table)) == ("clues", "start", "next", "record")
    assert acts_on_offer(_locked(_seen(table))) == ("clues", "start", "next", "record")
    strict = replace(_locked(_seen(table)), house=House(guests_may=()))
    assert acts_on_offer(strict) == ("clues",)


def test_agents_need_no_pin_for_what_they_play(make_table: MakeTable, tmp_path: Path) -> None:
    snapshot = _locked(_seen(make_table(tmp_path / "journal")))
    strict = replace(snapshot, house=House(guests_may=()))
    assert without_pin(strict, Role.AGENT, ("pause", "ask")) == ("pause", "ask")
    assert without_pin(strict, Role.SPYMASTER, ("pause", "clue")) == ("clue",)


@pytest.mark.parametrize(("most", "listed"), [(0, 1), (200, 200), (201, 200)])
def test_a_desk_is_listed_no_more_games_than_a_page_takes(
    make_table: MakeTable, tmp_path: Path, most: int, listed: int
) -> None:
    snapshot = _seen(make_table(tmp_path / "journal"))
    games = read_fields(desk.Games, {"most": most})
    order = desk.list_games(Request(Asker.DESK, None, {}), games, snapshot, NOW)
    assert isinstance(order, ListStories)
    assert order.most == listed


def _table(make_table: MakeTable, folder: Path) -> str:
    """The table of rights: for each asker, the acts of which the same becomes in every state."""
    rows: dict[str, dict[str, dict[str, list[str]]]] = {}

    def note(who: str, act: str, came: str, state: str) -> None:
        rows.setdefault(who, {}).setdefault(act, {}).setdefault(came, []).append(state)

    for state, snapshot in situations(make_table, folder):
        for who, ask in askers(snapshot):
            for act in NAMES.split():
                came = answer(ask({"act": act, **FIELDS.get(act, {})}), snapshot)
                note(who, act, came, state)
        for name in ("A1", "end-turn", "hourglass"):
            note("a finger", name, answer(Hold(place(name), NOW, None), snapshot), state)
        note("a program", "begin", answer(BEGIN, snapshot), state)
    lines = []
    for who, acts in rows.items():
        lines.append(f"\n## {who}\n")
        alike: dict[str, list[str]] = defaultdict(list)
        for act, answers in acts.items():
            alike[_answers(answers)].append(act)
        lines += [f"{', '.join(names)}\n{answers}" for answers, names in alike.items()]
    return "\n".join(lines).lstrip() + "\n"


def _answers(answers: dict[str, list[str]]) -> str:
    """Return the results of an act: last the commonest, for all states that are not named."""
    rare = sorted(answers, key=lambda came: len(answers[came]))
    usual = rare.pop()
    if not rare:
        return f"    {usual}"
    named = (f"    {came}: {' '.join(answers[came])}" for came in rare)
    return "\n".join((*named, f"    otherwise {usual}"))
