"""Whole games as a page gets them: the public messages of a table in virtual time."""

import json
from collections.abc import Iterable
from typing import Any

from pi_table.protocols.ipc.messages import line
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage
from pi_table.table.engine.outputs import Audience

Message = dict[str, Any]


class Recording(Stage):
    """A table whose public messages are kept, each with its time (seconds)."""

    def __init__(self) -> None:
        self.messages: list[tuple[float, Message]] = []
        super().__init__()

    def _publish(self, audience: Audience) -> None:
        super()._publish(audience)
        if audience is not Audience.CONSOLE:
            message = json.loads(line(self._table.public_message()))
            if not self.messages or self.messages[-1][1] != message:
                self.messages.append((self.now, message))


def recorded(lines: Iterable[dict[str, Any]], end: float = 0.0) -> list[tuple[float, Message]]:
    """Return the messages that a scenario publishes, and those until ``end``."""
    table = Recording()
    with table:
        for step in scenario.read_scenario(json.dumps(line) for line in lines):
            if isinstance(step.what, scenario.Picture):
                continue
            table.advance(step.at)
            table.perform(step.what)
        table.advance(max(table.now, end))
        return table.messages
