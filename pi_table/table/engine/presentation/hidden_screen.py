"""The hidden screen, as an immutable value: its operator's page, its peek, and its service mode.

These three belong to the screen at which they were requested, and end when that screen disconnects.
If the screen disconnects before the answer to such a request, the answer opens nothing at the next
screen. ``now`` is in seconds of the table's clock.
"""

import msgspec
from msgspec.structs import replace

from pi_table.devices.hal.contracts import Readings
from pi_table.table.engine.requests.acts import act_at_console
from pi_table.table.engine.rights import PIN
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.lock import (
    Lock,
    advance_lock,
    after_pin,
    after_pin_elsewhere,
    close_page,
    extend_page,
)
from pi_table.table.engine.state.peek import Peek, current_peek
from pi_table.table.engine.state.service import Service, advance_service, with_readings


class HiddenScreen(msgspec.Struct, frozen=True):
    """The hidden screen at one moment."""

    lock: Lock = Lock()
    peek: Peek | None = None
    """The peek in progress; None if there is none."""
    service: Service | None = None
    number: int = 0
    """Identifies this screen. The first screen since the engine's start has 0, the next 1, and so
    on."""
    pin_of: int | None = 0
    """The number of the screen at which a PIN was last entered or set. None if the page was locked
    since then."""

    # Time and presence

    def advance(self, now: float) -> "HiddenScreen":
        """Return the screen at ``now``: its page may lock itself, and service mode may end."""
        screen = self._with(advance_lock(self.lock, now))
        if screen.service is None:
            return screen
        return replace(screen, service=advance_service(screen.service, now))

    def next_screen(self) -> "HiddenScreen":
        """Return the next screen, after this one has disconnected."""
        return replace(
            self, lock=close_page(self.lock), peek=None, service=None, number=self.number + 1
        )

    # Peeks

    def with_peek(self, peek: Peek | None, screen: int) -> "HiddenScreen":
        """Return the screen with this peek; None ends the current peek. ``screen`` is the number of
        the screen that requested this. If that screen has disconnected, nothing changes."""
        return replace(self, peek=peek) if screen == self.number else self

    def without_peek(self) -> "HiddenScreen":
        return self if self.peek is None else replace(self, peek=None)

    def peek_at(self, game: GameInPlay | None, now: float) -> Peek | None:
        """Return the peek if it is still valid at ``now`` in this game; otherwise None."""
        return None if game is None else current_peek(self.peek, game.state, game.number, now)

    # Service

    def with_service(self, service: Service | None, screen: int) -> "HiddenScreen":
        """Return the screen with this state of service mode; None ends the mode. ``screen`` is the
        number of the screen that requested this. If that screen has disconnected, nothing changes.
        """
        return replace(self, service=service) if screen == self.number else self

    def without_service(self) -> "HiddenScreen":
        return self if self.service is None else replace(self, service=None)

    def with_readings(self, readings: Readings) -> "HiddenScreen":
        if self.service is None:
            return self
        return replace(self, service=with_readings(self.service, readings))

    def on_use(self, now: float) -> "HiddenScreen":
        """Return the screen after a touch or a press. In service mode, a touch also keeps the
        operator's page open, because people who test cells press no button."""
        if self.service is None:
            return self
        return replace(
            self, lock=extend_page(self.lock, now), service=replace(self.service, used=now)
        )

    # The operator's page

    def on_request(self, act: object, now: float) -> "HiddenScreen":
        """Return the screen after a request. If the request needs the PIN, an open page stays open
        for longer."""
        return self._with(extend_page(self.lock, now)) if act_at_console(act).needs == PIN else self

    def with_lock(self, lock: Lock) -> "HiddenScreen":
        """Return the screen after a request to lock its page. If a PIN is still being checked or
        stored, its result will not open the page."""
        return replace(self._with(lock), pin_of=None)

    def with_pin_check(self, to: object, screen: int) -> "HiddenScreen":
        """Return the screen during the check of a PIN. ``to`` identifies the request; ``screen`` is
        the number of the screen at which the PIN was entered."""
        return replace(self, lock=replace(self.lock, judged=to), pin_of=screen)

    def with_pin_check_at_desk(self, to: object) -> "HiddenScreen":
        """Return the screen during the check of a PIN that was entered at the desk."""
        return replace(self, lock=replace(self.lock, judged=to))

    def after_pin_check_at_desk(self, is_right: bool) -> "HiddenScreen":
        """Return the screen after the check of a PIN entered at the desk. The check does not open
        this screen's page, but a right PIN ends the screen's wait after wrong PINs."""
        return self._with(after_pin_elsewhere(self.lock, is_right))

    def after_pin_change_at_desk(self, is_set: bool) -> "HiddenScreen":
        """Return the screen after the desk changed the PIN: the page is locked."""
        return self._with(Lock(is_set))

    def with_pin_change(self, screen: int) -> "HiddenScreen":
        """Return the screen while a new PIN is being stored. ``screen`` is the number of the screen
        at which the PIN was entered."""
        return replace(self, pin_of=screen)

    def after_pin_check(self, is_right: bool, wrong: int, now: float) -> "HiddenScreen":
        """Return the screen after a PIN check; ``wrong`` is the number of wrong PINs in a row."""
        return self._with_lock_for_requester(after_pin(self.lock, is_right, wrong, now))

    def on_failure(self, to: object) -> "HiddenScreen":
        """Return the screen after request ``to`` failed. If the request was a PIN check, another
        PIN can be checked."""
        if self.lock.judged is not to:
            return self
        return self._with(replace(self.lock, judged=None))

    def after_pin_change(self, is_set: bool, now: float) -> "HiddenScreen":
        """Return the screen after the PIN was changed or removed on the disk."""
        lock = extend_page(Lock(is_set, open_until=now), now) if is_set else Lock()
        return self._with_lock_for_requester(lock)

    def _with_lock_for_requester(self, lock: Lock) -> "HiddenScreen":
        """Return the screen with this lock. If the PIN was entered at an earlier screen, or before
        a request to lock the page, the page is closed."""
        return self._with(lock if self.pin_of == self.number else close_page(lock))

    def _with(self, lock: Lock) -> "HiddenScreen":
        if lock is self.lock:
            return self
        return replace(self, lock=lock, service=self.service if lock.is_open else None)
