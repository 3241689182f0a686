"""What is seen of a table, and what of it is new to those who look."""

from pi_table.engine.families import family_of
from pi_table.engine.lighting import Attention, light
from pi_table.engine.outputs import Audience, Publish, Show
from pi_table.engine.situation import Situation
from pi_table.geometry import for_each_led


class Appearance:
    """What the lights show and each audience was told last: only what differs is ordered.

    What the public is told of anew is the board, never the state, so that not even the time of a
    message says that something hidden has changed (ALL-1).
    """

    def __init__(self) -> None:
        self.wakes: float | None = None
        """When the lights want to change by themselves, None if they rest."""
        self._shown: tuple[int, ...] | None = None
        """The colours of the places."""
        self._published: dict[Audience, tuple[object, tuple[object, ...]]] = {}
        """What each audience's newest message was made of: a state or board, and what else."""

    def news(self, situation: Situation, attention: Attention, now: float) -> list[Show | Publish]:
        """Order the lights and the messages that are to look otherwise than they do."""
        out: list[Show | Publish] = []
        game = situation.game
        state = board = None
        urging = False
        if game is not None:
            state, board = game.state, game.board
            urging = family_of(board).urging(board, game.time(now))
        lighting = light(board, attention, urging, now)
        self.wakes = lighting.wakes
        if lighting.frame != self._shown:
            self._shown = lighting.frame
            out.append(Show(for_each_led(lighting.frame)))
        if self._is_new(Audience.PUBLIC, board, situation.out_of_order, urging):
            out.append(Publish(Audience.PUBLIC))
        more = (situation.faults, situation.closed, urging, situation.peek)
        if self._is_new(Audience.CONSOLE, state, *more):
            out.append(Publish(Audience.CONSOLE))
        return out

    def _is_new(self, audience: Audience, of_the_game: object, *more: object) -> bool:
        newest = self._published.get(audience)
        if newest is not None and newest[0] is of_the_game and newest[1] == more:
            return False
        self._published[audience] = of_the_game, more
        return True
