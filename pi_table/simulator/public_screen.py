"""The public screen above the table: the state of the game, and the sentence that was said last.

The lights, the loudspeaker and the screen answer a guess at the same time, after a moment of
suspense. Until then the screen holds back everything that would reveal the answer. All times are in
seconds.
"""

from typing import Final

from pi_table.common.language import Lang
from pi_table.games.announcer.announcement import CANCEL_OTHERS, CAPTION_SECONDS, What
from pi_table.protocols.ipc.messages import AnyPublicMessage, AnyView, Said

_AFRESH: Final = frozenset(what.value for what in CANCEL_OTHERS)

_EXPLAINS: Final = What.EXPLAIN.value


class PublicScreen:
    """Takes the public messages. Returns what the screen should show at a given time."""

    def __init__(self) -> None:
        self.service = False
        self._view: AnyView | None = None
        self._next: AnyView | None = None
        self._next_at = 0.0
        self._number: int | None = None
        """The number of the newest sentence of the table; None before the first message."""
        self._said: list[tuple[float, Said]] = []
        """The newest sentences, each with the time in seconds from which it is shown."""
        self._explained: list[tuple[float, Said, tuple[object, ...]]] = []
        """The last two explanations. Each has the time from which it is shown, and the step that it
        explains."""

    def take(self, message: AnyPublicMessage, now: float) -> None:
        self.service = message.service
        self._view, self._next = self.view(now), message.view
        last = self._number
        new = [] if last is None else [each for each in message.said if each.number > last]
        self._number = message.said[-1].number if message.said else 0
        if any(each.what in _AFRESH for each in new):
            self._said, self._next_at, self._explained = [], now, []
        for each in new if last is not None else message.said[-1:]:
            if each.what == _EXPLAINS:
                begins = now if last is None else now + each.after
                of_now = begins, each, _step_of(message.view)
                self._explained = [*self._explained[-1:], of_now]
        self._said = [*self._said, *((now + each.after, each) for each in new if each.spoken)][-8:]
        reveals = any(each.what == "revealing" for each in new)
        waits = min((each.after for each in new if each.after > 0.0), default=0.0)
        self._next_at = now + waits if reveals else max(now, self._next_at)

    def view(self, now: float) -> AnyView | None:
        return self._next if now >= self._next_at else self._view

    def caption(self, now: float, lang: Lang) -> str:
        """Return the caption in this language: a sentence just said, or an explanation; "" for
        none."""
        read = ""
        for at, said in self._said:
            if at <= now < at + CAPTION_SECONDS and said.what != _EXPLAINS:
                read = said.words[lang]
        return read or self._explanation(now, lang)

    def _explanation(self, now: float, lang: Lang) -> str:
        """Return the newest explanation that is due, while its step lasts; "" otherwise."""
        words = ""
        for at, said, step in self._explained:
            # An explanation stays until the next is due: an earlier end would announce the answer.
            if at <= now:
                words = said.words[lang] if _step_of(self.view(now)) == step else ""
        return words


def _step_of(view: AnyView | None) -> tuple[object, ...]:
    """Return the step of the game: a team and its phase, and whether the team has guessed in it.
    The engine explains each step once."""
    phase, turn = getattr(view, "phase", None), getattr(view, "turn", None)
    return phase, turn, bool(getattr(view, "guesses", 0))
