"""A table in virtual time that keeps its messages as pages and phones get them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pi_table.common.language import to_json
from pi_table.games.rules import games
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import line
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.outputs import Audience

Message = dict[str, Any]


class Recording(Stage):
    """A table whose public messages are kept, each with its time (seconds)."""

    def __init__(self) -> None:
        self.messages: list[tuple[float, Message]] = []
        super().__init__()

    def play(self, lines: Iterable[dict[str, Any]]) -> Iterator[str]:
        """Perform the lines of a scenario. Yield the name of each picture when it is due."""
        for step in scenario.read_scenario(json.dumps(each) for each in lines):
            self.advance(step.at)
            if isinstance(step.what, scenario.Picture):
                yield step.what.name
            else:
                self.perform(step.what)

    def phone_message(self, seat: Seat, holds: bool) -> Message:
        """Return the private message for the phone of a seat. ``holds`` is True while a finger is
        held on the phone."""
        game = self._table.game
        assert game is not None
        may, time = games.may(game.state, seat), game.time(self.now)
        shown = family_of(game.board).phone(game.state, seat, time, may, holds)
        message: Message = json.loads(to_json(shown))
        return {**message, "game": game.number, "rules": msgspec.to_builtins(game.board.settings)}

    def _publish(self, audience: Audience) -> None:
        super()._publish(audience)
        if audience is not Audience.CONSOLE:
            message = json.loads(line(self._table.public_message()))
            if not self.messages or self.messages[-1][1] != message:
                self.messages.append((self.now, message))


def record_messages(
    lines: Iterable[dict[str, Any]], end: float = 0.0
) -> list[tuple[float, Message]]:
    """Play a scenario, then let time pass until ``end`` (seconds). Return all public messages, each
    with its time."""
    with Recording() as table:
        for _ in table.play(lines):
            pass
        table.advance(max(table.now, end))
        return table.messages
