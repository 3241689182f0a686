"""The operator's page: acts for the person who runs the house.

If a PIN is set, the page must be unlocked with it. The page is locked when it is left (`update`),
and after a while without a press.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from pi_table.common.language import Words, say
from pi_table.games.lines.game import YES_OR_NO, label_of, next_of
from pi_table.games.lines.house import GROUPS, SPELLINGS
from pi_table.protocols.ipc.messages import AnyTableMessage, OfferedPack
from pi_table.protocols.ipc.operator import Findings
from pi_table.protocols.ipc.service import Page
from pi_table.screens.console.acts import Act, by_operator
from pi_table.screens.console.house_lines import GuestsMay, HouseSettings, change
from pi_table.screens.console.keepers_acts import keepers_acts
from pi_table.screens.console.phones import desk, phones
from pi_table.screens.console.pin_entry import EnterPin, NewPin, waits
from pi_table.screens.console.screen import (
    AnswerScreen,
    Ask,
    Choice,
    Go,
    ListScreen,
    NewGame,
    OperatorScreen,
    Return,
    can_begin,
)
from pi_table.screens.console.service.pages import Service, in_service


class OperatorPage(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    heading = say("Operator")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        if not table.lock.open:
            return (Choice(say("Enter the PIN"), Go(EnterPin())), *keepers_acts(table))
        return (*_another_game(table), *keepers_acts(table), *_house(), *_machine(table))

    def beside(self, table: AnyTableMessage) -> Words:
        if not table.lock.pin:
            return say("No PIN is set: everybody may do this")
        return say("Open") if table.lock.open else say("Locked")

    def help(self, table: AnyTableMessage) -> Words:
        if table.lock.open:
            return ""
        if table.lock.wait > 0.0:
            return waits(table)
        return say("Forgotten? Delete the file pin.json beside the journal, and restart.")


def _another_game(table: AnyTableMessage) -> Iterator[Choice]:
    """Yield the choice to start a game, if guests may not start games.

    Only this page can offer that choice, because the table is locked again when the operator leaves
    this page.
    """
    if "start" not in table.house.guests_may and table.lock.pin and can_begin(table):
        yield Choice(say("New game…"), NewGame())


def _house() -> Iterator[Choice]:
    for group in GROUPS:
        yield Choice(group.title, Go(HouseSettings(group=group)))
    yield Choice(say("Word packs and adults"), Go(Packs(), by_operator("packs")))
    yield Choice(say("Guests may, without the PIN"), Go(GuestsMay()))


def _machine(table: AnyTableMessage) -> Iterator[Choice]:
    yield Choice(say("How is the table?"), Go(Doctor(), by_operator("doctor")))
    yield Choice(say("Service: try every part"), Go(Service(), in_service(Page.MENU)))
    yield from phones(table)
    yield from desk(table)
    yield Choice(say("Set the pads to this table"), Go(Calibration()))
    yield Choice(say("Change the PIN") if table.lock.pin else say("Set a PIN"), Go(NewPin()))
    if table.lock.pin:
        no_pin = by_operator("set-pin", pin=None)
        question = say("Remove the PIN? Then everybody may do everything.")
        yield Choice(say("Remove the PIN"), Go(Sure(question=question, do=no_pin)))
        yield Choice(say("Lock this page"), Ask(by_operator("lock")))
    off = say("Switch the machine off? The game is kept, and goes on when it is on again.")
    yield Choice(say("Switch off"), Go(Sure(question=off, do=by_operator("shutdown"), stay=True)))


class Sure(OperatorScreen, frozen=True, kw_only=True):
    """The question whether to carry out an act that the table always allows an operator."""

    question: Words
    do: Act
    stay: bool = False

    heading = say("Are you sure?")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return (
            Choice(say("No, go back"), Return()),
            Choice(say("Yes"), Ask(self.do, self.stay)),
        )

    def help(self, table: AnyTableMessage) -> Words:
        return self.question


class Packs(AnswerScreen[AnyTableMessage], OperatorScreen, frozen=True, kw_only=True):
    """The settings of word packs: the offered packs, words for adults, and spelling."""

    told: tuple[OfferedPack, ...] | None = None

    kind: ClassVar[Any] = tuple[OfferedPack, ...]
    heading = say("Word packs")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        house = table.house
        adults = Choice(
            say("Words for adults"),
            change("adults", not house.adults),
            value=label_of(YES_OR_NO, house.adults),
        )
        spelling = Choice(
            say("Spelling of English words"),
            change("spelling", next_of(SPELLINGS, house.spelling)),
            value=label_of(SPELLINGS, house.spelling),
        )
        lines = [adults, spelling]
        for pack in self.told or ():
            out = pack.name in house.packs_left_out
            left = [name for name in house.packs_left_out if name != pack.name]
            new = left if out else [*left, pack.name]
            label = say("{title} (18+)", title=pack.title) if pack.adults else pack.title
            value = label_of(YES_OR_NO, not out)
            lines.append(Choice(label, change("packs_left_out", new), value=value))
        return tuple(lines)

    def beside(self, table: AnyTableMessage) -> Words:
        return say("Asking the table…") if self.told is None else say("Offered to guests?")


class Doctor(AnswerScreen[AnyTableMessage], OperatorScreen, frozen=True, kw_only=True):
    told: Findings | None = None

    kind: ClassVar[Any] = Findings
    heading = say("How is the table?")
    hint = say("The command “pi-table doctor” says more.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        found = self.told
        if found is None:
            return ()
        lines = [Choice(say("Version"), value=found.version)]
        lines.append(Choice(say("Games are kept"), value=label_of(YES_OR_NO, found.can_store)))
        lines.append(Choice(say("Wet, or covered"), value=label_of(YES_OR_NO, found.wet)))
        deaf = ", ".join(found.deaf) or say("none")
        lines.append(Choice(say("Places that do not respond"), value=deaf))
        lines += [Choice(fault) for fault in found.faults]
        return tuple(lines)

    def beside(self, table: AnyTableMessage) -> Words:
        if self.told is None:
            return say("Asking the table…")
        return say("Something is wrong") if self.told.faults else say("All is well")


class Calibration(OperatorScreen, frozen=True, kw_only=True):
    """The screen with the steps to calibrate the pads. Calibration needs a command, because no game
    may run during it."""

    heading = say("Set the pads to this table")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return (
            Choice(say("1. Let the game end, and clear the table.")),
            Choice(say("2. Stop the table: “systemctl stop pi-table-engine”.")),
            Choice(say("3. Run “pi-table calibrate”, and touch what it asks for.")),
            Choice(say("4. Restart the table.")),
            Choice(say("Back"), Return()),
        )
