"""The screen with both teams' hands, while the teams lay out words of a pack. The team on turn
chooses its next card (DU-2).

Nothing is secret at this stage, so everybody may look. One card is always chosen. The next touch of
an empty cell lays this card on that cell.
"""

from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import AnyTableMessage, Request, TableMessage
from pi_table.screens.console.acts import act, operatives
from pi_table.screens.console.screen import AnyScreen, Ask, Become, Choice, Effect, Go, Screen
from pi_table.screens.console.word_games.game_menu import WhileLaying
from pi_table.screens.console.word_games.lay_out import hands_lie_open


class Hands(Screen[TableMessage], frozen=True, kw_only=True):
    """The cards of the team on turn. Turning the knob marks a card, and thereby chooses it."""

    hand: tuple[str, ...] = ()
    """The words in the hand of the team on turn after the game's latest event."""
    asked: str | None = None
    """The word that was requested from the table and is not confirmed yet; or None."""

    has_grid: ClassVar[bool] = False

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        public = table.public
        if public is None or public.turn is None:
            return ()
        seat = operatives(public.turn)
        words = (
            Choice(
                word,
                None
                if word == public.next_word
                else Ask(act(seat, "choose", word=word), stay=True),
                public.turn,
            )
            for word in hand_of(table)
        )
        return (*words, Choice(say("More…"), Go(WhileLaying())))

    def possible(self, table: AnyTableMessage) -> bool:
        return hands_lie_open(table)

    def knob(self, given: Input, table: TableMessage) -> Effect | None:
        match given:
            case Input.RIGHT:
                return self._turn(1, table)
            case Input.LEFT:
                return self._turn(-1, table)
            case Input.BACK:
                return Go(WhileLaying())
        return None

    def _turn(self, steps: int, table: TableMessage) -> Effect:
        choices = self.choices(table)
        place = (self.selected + steps) % len(choices)
        effect = choices[place].does
        return effect if isinstance(effect, Ask) else Become(replace(self, selected=place))

    def asking(self, request: Request) -> AnyScreen:
        word = request.do.get("word")
        if request.do["act"] != "choose" or word not in self.hand:
            return self
        return replace(self, asked=word, selected=self.hand.index(word))

    def anew(self, table: TableMessage) -> AnyScreen:
        """Return the screen with the chosen card marked.

        A requested card stays marked until the table confirms it. If the menu is marked, it stays
        marked until a card is laid.
        """
        hand, chosen = hand_of(table), None if table.public is None else table.public.next_word
        if hand == self.hand and self.asked not in (None, chosen):
            return self
        in_menu = hand == self.hand and self.selected == len(hand)
        place = hand.index(chosen) if chosen and chosen in hand else 0
        return replace(self, hand=hand, asked=None, selected=self.selected if in_menu else place)


def hand_of(table: TableMessage) -> tuple[str, ...]:
    """Return the words that the team on turn must still lay."""
    public = table.public
    if public is None or public.hands is UNSET or public.turn is None:
        return ()
    return public.hands.of(public.turn)
