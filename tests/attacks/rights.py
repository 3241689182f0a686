"""The life of every right: who has it, how they get it, what ends it, and who can see that.

``python tests/attacks/rights.py`` writes the table into the page on security. Each end of a right
names the test that holds it.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.table.engine.desk.desk import IDLE_SECONDS, MAX_OPEN_SECONDS
from pi_table.table.engine.desk.desk import MAX_WRONG_PINS as DESK_TRIES
from pi_table.table.engine.phones.phones import CONFIRM_SECONDS
from pi_table.table.engine.state.lock import OPEN_SECONDS
from pi_table.table.engine.state.peek import PEEK_SECONDS

PAGE: Final = Path(__file__).parents[2] / "pi_table" / "screens" / "web" / "SECURITY.md"
BEGIN, END = "<!-- rights: tests/attacks/rights.py -->\n", "<!-- end of the rights -->\n"
PHONES: Final = "tests/engine/test_phones_over_games.py"


class End(NamedTuple):
    """The end of a right, and the test that proves it."""

    by: str
    test: str


class Right(NamedTuple):
    name: str
    whose: str
    """The receivers of the right, and how they get it."""
    ends: tuple[End, ...]
    seen: str
    """The people who can see that somebody has the right."""


RIGHTS: Final = (
    Right(
        "peek: the key on the hidden screen",
        "anybody who presses PEEK there",
        (
            End(
                f"after {PEEK_SECONDS / 60:g} minutes",
                "tests/engine/test_peek.py::test_a_peek_is_over_after_its_seconds",
            ),
            End(
                "at the game's end, at a new key, when the table asks if anybody still plays",
                "tests/engine/test_peek.py::test_a_peek_at_a_key_is_over_with",
            ),
            End(
                "when the screen disconnects",
                "tests/engine/test_peek.py::test_a_peek_is_over_when_its_console_hangs_up",
            ),
        ),
        "everybody: lights, sound, a caption",
    ),
    Right(
        "code: a seat for the phone that scans it",
        "anybody at the hidden screen, during a game; with the PIN if the house wants it; without "
        "that screen, the open desk",
        (
            End(
                f"after {CODE_SECONDS:g} seconds",
                f"{PHONES}::test_a_code_that_nobody_scanned_ends_in_a_minute",
            ),
            End(
                "when it leaves the screen",
                f"{PHONES}::test_a_code_ends_when_it_leaves_the_screen",
            ),
            End(
                "when the screen disconnects",
                f"{PHONES}::test_a_code_ends_with_the_hidden_screen_that_showed_it",
            ),
            End(
                "when its desk locks",
                "tests/engine/test_no_screen.py::test_a_code_ends_when_the_desk_is_locked",
            ),
            End("at a restart", f"{PHONES}::test_a_code_does_not_outlive_a_restart"),
            End(
                "once it is scanned",
                "tests/attacks/test_forged_seats.py"
                "::test_a_second_phone_on_a_link_is_shut_out_and_told",
            ),
        ),
        "the hidden screen",
    ),
    Right(
        "link: a seat of a word game on a phone",
        "the first phone that scans the code",
        (
            End("when the game ends", f"{PHONES}::test_a_seat_of_a_word_game_ends_with_its_game"),
            End(
                f"if the same people play on: after {CODE_SECONDS:g} seconds, unless a finger "
                f"held on the phone for {CONFIRM_SECONDS:g} second confirms it",
                f"{PHONES}::test_a_seat_that_nobody_confirms_ends_in_a_minute",
            ),
            End(
                "when the hidden screen ends it, or the seat gets a new code",
                "tests/attacks/test_forged_seats.py::test_a_link_that_was_let_go_opens_nothing",
            ),
        ),
        "everybody: board and hidden screen; lights and voice tell its start and end",
    ),
    Right(
        "link: an agent of Codex on a phone",
        "the first phone that scans the code; each seat is a person",
        (
            End(
                "when a game other than the next one begins",
                f"{PHONES}::test_an_agent_keeps_the_phone_for_the_evening",
            ),
            End(
                "when the hidden screen ends it",
                "tests/engine/test_phones.py"
                "::test_an_agent_pairs_when_their_phone_is_heard_and_goes_back_when_it_is_let_go_of",
            ),
        ),
        "everybody: the public view names the agents with phones",
    ),
    Right(
        "PIN session: the operator's page on the hidden screen",
        "anybody who enters the PIN",
        (
            End(
                f"{OPEN_SECONDS / 60:g} minutes after the last act, or when the page is left",
                "tests/engine/test_pin.py::test_the_right_pin_opens_and_leaving_the_page_locks",
            ),
            End(
                "when the screen disconnects",
                "tests/engine/test_pin.py"
                "::test_a_pin_opens_nothing_for_a_screen_that_came_while_it_was_looked_at",
            ),
        ),
        "the hidden screen",
    ),
    Right(
        "desk session: the operator's desk",
        "anybody who scans the code on the operator's page and enters the PIN there",
        (
            End(
                f"{IDLE_SECONDS / 60:g} minutes after the last question",
                "tests/engine/test_desk.py"
                "::test_a_session_ends_by_itself_when_nobody_asks_for_anything",
            ),
            End(
                f"after {MAX_OPEN_SECONDS / 3600:g} hours",
                "tests/engine/test_desk.py::test_a_session_ends_at_the_latest_after_a_working_day",
            ),
            End(
                "when the PIN is changed",
                "tests/attacks/test_desk_attacks.py::test_a_new_pin_ends_every_desk",
            ),
            End(
                f"after {DESK_TRIES} wrong PINs",
                "tests/engine/test_desk.py::test_five_wrong_pins_at_one_desk_end_its_link",
            ),
            End(
                "when the hidden screen ends it",
                "tests/engine/test_desk.py::test_the_hidden_screen_knows_of_the_desk_and_can_end_it",
            ),
        ),
        "the hidden screen",
    ),
    Right(
        "desk's link on the card of a table without a hidden screen",
        "anybody who reads the card; the desk needs the PIN, too",
        (
            End(
                "once it is opened",
                "tests/engine/test_no_screen.py"
                "::test_the_link_on_the_card_waits_for_its_first_device",
            ),
            End(
                "when the card sets a PIN",
                "tests/first_boot/test_desk_link.py"
                "::test_a_pin_on_the_card_ends_the_link_and_makes_another",
            ),
        ),
        "nobody",
    ),
    Right(
        "retained message: a command that a broker keeps",
        "nobody: it is refused",
        (
            End(
                "at once",
                "tests/bridge/test_commands.py::test_a_command_that_is_to_be_kept_is_refused",
            ),
        ),
        "the operator, in the answer",
    ),
    Right(
        "credential: a table's password at the broker",
        "a table, by `pi-table provision`",
        (
            End(
                "when the table is revoked",
                "tests/fleet/test_rights.py"
                "::test_a_revoked_table_is_thrown_out_and_does_not_come_back",
            ),
            End(
                "when the table gets another password",
                "tests/fleet/test_rights.py"
                "::test_a_table_with_another_password_leaves_its_old_one_without_use",
            ),
        ),
        "the owner of the fleet",
    ),
    Right(
        "backup: everything stored, without links of phones or bridge secrets",
        "root, at any time; the unlocked desk, between games",
        (
            End(
                "never: the file is not encrypted",
                "tests/engine/test_desk.py"
                "::test_no_backup_is_made_or_read_while_a_game_is_under_way",
            ),
        ),
        "nobody",
    ),
)


def table() -> str:
    """The table as the page has it."""
    rows = ["| right | who gets it, how | what ends it | who sees it |", "|---|---|---|---|"]
    for right in RIGHTS:
        ends = "; ".join(end.by for end in right.ends)
        rows.append(f"| {right.name} | {right.whose} | {ends} | {right.seen} |")
    return "\n".join(rows) + "\n"


def page() -> str:
    """The page as it is to be."""
    text = PAGE.read_text("utf-8")
    return re.sub(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", table(), text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
