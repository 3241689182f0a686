"""A game, line by line: the rules as `pi-table play` offers them, and what came of each line."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from pi_table.games.announcer.announcement import Announcement
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.play import play
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.word_games.views import PublicView

Json = dict[str, Any]


class Table:
    """A game of any kind; what is seen of it is for those to say that know its kind."""

    def __init__(self, chance: Chance) -> None:
        self.line = ""
        self.public: Json = {}
        self.said: tuple[Announcement, ...] = ()
        """Announcements of the latest line's events."""
        self._standing = Standing()
        self._answers = play(self._lines(), chance)

    def _lines(self) -> Iterator[str]:
        while True:
            yield self.line

    def answer(self, line: str) -> Json:
        """Return the answer of `play` to one line."""
        self.line = line
        answer: Json = json.loads(next(self._answers))
        return answer

    def look(self, seat: str) -> Json:
        """Return the view of a seat."""
        seen: Json = self.answer(json.dumps({"seat": seat, "act": "look"}))["told"]
        return seen

    def came(self, line: str) -> str:
        """Return the result of a line, in one line."""
        answer = self.answer(line)
        before, self.public = self.public, answer["view"]
        self._announce(json.loads(line).get("at", self._standing.at))
        if not answer["ok"]:
            assert [*answer] == ["ok", "view", "reason"]
            reason = Reason(answer["reason"])  # type: ignore[call-arg]  # the enum adds it
            same = "" if before == self.public else f" · now {self.status(before)}"
            return f"refused  {reason.value}: {reason.sentence}{same}"
        return self.done(line, answer["told"], before)

    def _announce(self, at: float) -> None:
        """Tell the announcer how the game stands for everybody at this time."""
        view: PublicView | CodexView
        if self.public["profile"] == "codex":
            view, is_late = msgspec.convert(self.public, CodexView), False
        else:
            view = msgspec.convert(self.public, PublicView)
            is_late = view.timer is not None and view.timer.urging
        before, self._standing = (
            self._standing,
            Standing(view=view, game=1, at=at, urging=is_late),
        )
        self.said = announce(before, self._standing)

    def done(self, line: str, told: Any, before: Json) -> str:
        """Return the result of an accepted line."""
        alone = "" if told is None else f"told {json.dumps(told)} · "
        return f"ok  {alone}{self.status(before)}"

    def status(self, before: Json) -> str:
        """All of the public view that is worth a line after the view ``before``."""
        raise NotImplementedError

    def views(self) -> Iterator[str]:
        """Yield the public view."""
        raise NotImplementedError
