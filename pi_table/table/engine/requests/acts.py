"""The table of acts. A row has an act, who may request it, what it needs, and its function.

`door.py` applies the rows. `tests/engine/who_may.txt` lists the answer to every act in every state.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from pi_table.games.rules.seat import Role, Seat
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.requests import console, desk, desk_play, game, house
from pi_table.table.engine.requests.fields import InLanguage
from pi_table.table.engine.requests.outcome import Outcome
from pi_table.table.engine.rights import PIN, Asker, Need
from pi_table.table.engine.snapshot import Snapshot

F = TypeVar("F")
CONSOLE, PHONE, DESK, HOUSE = Asker.CONSOLE, Asker.PHONE, Asker.DESK, Asker.HOUSE
SPYMASTER, OPERATIVES, AGENT = Role.SPYMASTER, Role.OPERATIVES, Role.AGENT


class Act(msgspec.Struct, Generic[F], frozen=True):
    """A row of the table: one act, for one kind of asker."""

    name: str
    do: Callable[[Request, F, Snapshot, float], Outcome] = game.play  # type: ignore[assignment]
    """The function that decides the outcome. Raises TableError to refuse the act."""
    fields: type[F] | None = None
    """The type of the act's fields, without name and seat. None if there are no fields, or if the
    rules of the game read them."""
    by: Asker = CONSOLE
    seat: Seat | None = None
    """The only seat that may request the act at the hidden screen; None for any seat of
    the game."""
    phones: tuple[Role, ...] = ()
    """The roles whose phones may request the act. No phone can guess, because a guess is a finger
    on a card."""
    needs: Need = None
    """The permission or the PIN that the act needs if a PIN is set. At the hidden screen, an act
    needs neither while the operator's page is open."""
    when: Callable[[Snapshot], None] | None = None
    """A function that raises TableError while the act is not allowed. It does not look at the
    fields."""
    is_offered: Callable[[Snapshot], bool] | None = None
    """A function that returns True while the hidden screen offers the act to the operator. None if
    the screen never offers it, or if the rules decide whether it is offered."""
    is_limited: bool = False
    """True if a phone may request the act only a few times a minute. Without this limit, phones
    could cause any number of stored and announced acts, because the rules always allow such an act.
    """
    while_locked: bool = False
    """True if a desk may request the act before the PIN was entered."""
    by_itself: bool = False
    """True if the desk's page requests the act automatically. Such a request does not keep the desk
    open."""
    without_screen: bool = False
    """True if a desk may request the act only at a table without a hidden screen."""
    shows_only: bool = False
    """True if the act only changes what the hidden screen shows."""


_IN_A_GAME: Final[tuple[Act[Any], ...]] = (
    Act("look", game.look),
    Act("clues", game.list_clues, is_offered=game.has_clues, shows_only=True),
    Act("peek", game.peek, shows_only=True),
    Act("unpeek", game.unpeek, shows_only=True),
    Act("mark", game.mark_cell, game.Mark, phones=(OPERATIVES,)),
    Act("judge", game.judge_clue, game.Clue, by=PHONE, phones=(SPYMASTER,)),
)
_OF_THE_OPERATOR: Final[tuple[Act[Any], ...]] = (
    Act(
        *("start", console.start_game, console.Start),
        needs="start",
        when=console.check_can_start,
        is_offered=console.can_start,
    ),
    Act(
        *("next", console.start_next, console.Next),
        needs="start",
        when=console.check_can_start_next,
        is_offered=console.can_start_next,
    ),
    Act(
        *("record", console.read_record, console.Record),
        needs="record",
        is_offered=console.has_records,
        shows_only=True,
    ),
    Act("tally", console.read_tally, shows_only=True),
    Act("here", console.note_presence, shows_only=True),
    Act("phone", console.link_phone, console.ForSeat, when=console.check_phones_allowed),
    Act("let-go", console.let_phone_go, console.LetGo),
    Act("unlock", console.enter_pin, console.EnterPin),
    Act("lock", console.lock_page, shows_only=True),
    Act(
        *("try-again", console.reopen_journal),
        when=console.check_has_fault,
        is_offered=console.can_reopen_journal,
    ),
    Act(
        *("set-aside", console.set_journal_aside),
        needs=PIN,
        when=console.check_is_closed,
        is_offered=console.can_set_journal_aside,
    ),
    Act("house", console.change_house, console.Changes, needs=PIN),
    Act("packs", console.list_packs, needs=PIN, shows_only=True),
    Act("doctor", console.report_health, needs=PIN, shows_only=True),
    Act(
        *("service", console.serve, console.Serve),
        needs=PIN,
        when=console.check_no_game,
        shows_only=True,
    ),
    Act("leave-service", console.leave_service, shows_only=True),
    Act("shutdown", console.switch_off, needs=PIN),
    Act("set-pin", console.set_pin, console.NewPin, needs=PIN),
    Act("desk", console.link_desk, needs=PIN, when=console.check_can_link_desk),
    Act("close-desk", console.close_desk, console.CloseDesk, needs=PIN),
)
_OF_THE_RULES: Final[tuple[Act[Any], ...]] = (
    Act("clue", phones=(SPYMASTER,)),
    *(Act(name, phones=(SPYMASTER,)) for name in ("challenge", "allow", "uphold")),
    *(Act(name, phones=(SPYMASTER,)) for name in ("cover", "decline")),
    Act("hourglass", phones=(SPYMASTER,), is_limited=True),
    Act("pause", phones=(SPYMASTER, AGENT), needs="pause", is_limited=True),
    Act("resume", phones=(SPYMASTER, AGENT), is_limited=True),
    Act("new-key", phones=(SPYMASTER,), needs="new-key", is_limited=True),
    Act("reveal", phones=(SPYMASTER, AGENT), needs="reveal"),
    Act("correct", needs="correct"),
    Act("abandon", needs="abandon"),
    Act("new-code", needs="new-key"),
    Act("unpair", needs="new-key"),
    *(Act(name, phones=(AGENT,)) for name in ("ready", "choose-code", "enter-code")),
    *(Act(name, phones=(AGENT,)) for name in ("send", "hack", "ask", "extort", "attempt", "done")),
)
"""Acts of the rules. Those without a row can be requested only at the hidden screen."""
_OF_THE_DESK: Final[tuple[Act[Any], ...]] = (
    Act("state", desk.report_state, while_locked=True, by_itself=True),
    Act("unlock", desk.enter_pin, console.EnterPin, while_locked=True),
    Act("lock", desk.lock_desk),
    Act("now", desk.report_now, InLanguage, by_itself=True),
    *(Act(name, desk.act_in_game) for name in desk.GAME_ACTS),
    Act("change-pin", desk.change_pin, desk.ChangedPin),
    Act("settings", desk.list_settings, InLanguage),
    Act("house", desk.change_house, desk.Change),
    Act("rule", desk.change_rule, desk.Rule),
    Act("doctor", desk.report_health, InLanguage),
    Act("service", desk.try_pads, when=desk.check_can_try_pads),
    Act("leave-service", desk.leave_service),
    Act("pads", desk.report_pads, by_itself=True),
    Act("games", desk.list_games, desk.Games),
    Act("record", desk.read_record, desk.Record),
    Act("tally", console.read_tally),
    Act("statistics", desk.count_games, desk.Statistics),
    Act("packs", desk.list_packs),
    Act("pack", desk.read_pack, desk.Name),
    Act("put", desk.put_piece, desk.Put),
    Act("check-pack", desk.check_pack),
    Act("read-list", desk.read_list, desk.WordList),
    Act("save-pack", desk.save_pack, desk.Save),
    Act("remove-pack", desk.remove_pack, desk.Name),
    Act("backup", desk.make_backup, when=desk.check_backup_allowed),
    Act("get", desk.get_piece, desk.Get, when=desk.check_backup_allowed),
    Act("check-backup", desk.check_backup, when=desk.check_backup_allowed),
    Act("restore", desk.restore, when=desk.check_backup_allowed),
    Act("drop", desk.drop_transfers),
    Act("shutdown", console.switch_off),
)
_OF_THE_DESK_ALONE: Final[tuple[Act[Any], ...]] = (
    Act("offer", desk_play.offer_games, InLanguage),
    Act("start", desk_play.start_game, console.Start, when=console.check_can_start),
    Act("next", desk_play.start_next, console.Next, when=console.check_can_start_next),
    Act("seats", desk_play.list_seats, by_itself=True),
    Act("phone", console.link_phone, console.ForSeat),
    Act("let-go", console.let_phone_go, console.LetGo),
    *(Act(name, desk.act_in_game) for name in desk_play.GAME_ACTS),
    Act("choose", desk_play.choose_word, desk_play.Choose),
    Act("try-again", console.reopen_journal, when=console.check_has_fault),
    Act("set-aside", console.set_journal_aside, when=console.check_is_closed),
)
"""Acts of the desk at a table without a hidden screen."""
_OF_THE_HOUSE: Final[tuple[Act[Any], ...]] = (
    Act("locate", house.locate, house.Locate),
    Act("set", house.change_settings, house.Set),
    Act("closing", house.announce_closing, house.Close),
    Act("keep-free", house.keep_free, house.KeepFree),
    Act("finished", house.read_finished, house.Finished),
)
ACTS: Final = (
    *_IN_A_GAME,
    *(replace(act, seat=Seat.OPERATOR) for act in _OF_THE_OPERATOR),
    *_OF_THE_RULES,
    *(replace(act, by=DESK) for act in _OF_THE_DESK),
    *(replace(act, by=DESK, without_screen=True) for act in _OF_THE_DESK_ALONE),
    *(replace(act, by=HOUSE) for act in _OF_THE_HOUSE),
)

_WITHOUT_ROW: Final = Act[None]("")
"""The default row, for a name that has no row. The rules decide whether the name is an act."""
_ROWS: Final = {by: {act.name: act for act in ACTS if act.by is by} for by in Asker}
_AT_CONSOLE: Final = _ROWS[CONSOLE]
_ON_PHONE: Final = _AT_CONSOLE | _ROWS[PHONE]


def act_at(by: Asker, name: object) -> Act[Any] | None:
    """Return the row of an act for this asker; None if there is none. ``name`` comes from the
    request, so it may have any type."""
    return _ROWS[by].get(name) if isinstance(name, str) else None


def act_at_console(name: object) -> Act[Any]:
    return _AT_CONSOLE.get(name, _WITHOUT_ROW) if isinstance(name, str) else _WITHOUT_ROW


def act_on_phone(name: object) -> Act[Any]:
    """Return the row of an act on a phone. Most of these rows are also used for the
    hidden screen."""
    return _ON_PHONE.get(name, _WITHOUT_ROW) if isinstance(name, str) else _WITHOUT_ROW


def names_at(by: Asker) -> list[str]:
    return [*_ROWS[by]]
