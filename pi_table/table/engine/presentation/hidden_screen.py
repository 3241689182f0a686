"""The hidden screen, as a value: what is open there, for whoever opened it and for nobody else.

The operator's page, service and a peek belong to the screen at which somebody asked for them. When
that screen hangs up they are closed, and what it asked for before, and is answered only now, opens
nothing for the next. ``now`` is in seconds of the table's clock.
"""

import msgspec
from msgspec.structs import replace

from pi_table.devices.hal.contracts import Readings
from pi_table.table.engine.requests.acts import act_at_console
from pi_table.table.engine.rights import PIN
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.lock import Lock, left, tried, unjudged, used
from pi_table.table.engine.state.lock import passed as lock_passed
from pi_table.table.engine.state.peek import Peek
from pi_table.table.engine.state.peek import passed as peek_passed
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.state.service import measured as service_measured
from pi_table.table.engine.state.service import passed as service_passed


class HiddenScreen(msgspec.Struct, frozen=True):
    """The hidden screen at one instant."""

    lock: Lock = Lock()
    """The lock of the operator's page."""
    peek: Peek | None = None
    """The peek that is on; None while nobody peeks."""
    service: Service | None = None
    """What is tried in service; None where the table is not in service."""
    number: int = 0
    """Which hidden screen is there: how many have hung up."""
    pin_of: int = 0
    """The number of the hidden screen at which a PIN was entered, or set, last."""

    # Time, and who is there

    def passed(self, now: float) -> "HiddenScreen":
        """The screen at ``now``: its page may have locked itself, and service be over."""
        screen = self._with(lock_passed(self.lock, now))
        if screen.service is None:
            return screen
        return replace(screen, service=service_passed(screen.service, now))

    def left(self) -> "HiddenScreen":
        """The screen that comes after this one has hung up."""
        return replace(self, lock=left(self.lock), peek=None, service=None, number=self.number + 1)

    # Peeks

    def peeks(self, peek: Peek | None, screen: int) -> "HiddenScreen":
        """The screen after the one of this number asked for a ``peek``, or for its end: the next
        one has not asked to see anything."""
        return replace(self, peek=peek) if screen == self.number else self

    def unpeeked(self) -> "HiddenScreen":
        """The screen after the peek is over: it does not come back."""
        return self if self.peek is None else replace(self, peek=None)

    def peek_at(self, game: GameInPlay | None, now: float) -> Peek | None:
        """What is left of the peek at ``now``, as the game stands then."""
        return None if game is None else peek_passed(self.peek, game.state, game.number, now)

    # Service

    def serves(self, service: Service | None, screen: int) -> "HiddenScreen":
        """The screen after the one of this number asked for ``service``, or for its end."""
        return replace(self, service=service) if screen == self.number else self

    def unserved(self) -> "HiddenScreen":
        """The screen after service is over."""
        return self if self.service is None else replace(self, service=None)

    def measured(self, readings: Readings) -> "HiddenScreen":
        """The screen after the touch grid has measured."""
        if self.service is None:
            return self
        return replace(self, service=service_measured(self.service, readings))

    def in_use(self, now: float) -> "HiddenScreen":
        """The screen when somebody touches or presses something. In service that keeps the
        operator's page open, too: whoever tries the cells presses nothing meanwhile."""
        if self.service is None:
            return self
        return replace(self, lock=used(self.lock, now), service=replace(self.service, used=now))

    # The operator's page

    def asked(self, act: object, now: float) -> "HiddenScreen":
        """The screen after an act was asked for: an open page that is used stays open."""
        return self._with(used(self.lock, now)) if act_at_console(act).needs == PIN else self

    def locked_so(self, lock: Lock) -> "HiddenScreen":
        """The screen whose page is locked so from now on."""
        return self._with(lock)

    def enters_pin(self, to: object, screen: int) -> "HiddenScreen":
        """The screen while the PIN of the request ``to`` is looked at, which was entered at the
        screen of this number."""
        return replace(self, lock=replace(self.lock, judged=to), pin_of=screen)

    def judges(self, to: object) -> "HiddenScreen":
        """The screen while the PIN of the request ``to`` is looked at, which was entered at the
        operator's desk."""
        return replace(self, lock=replace(self.lock, judged=to))

    def pin_tried_elsewhere(self, is_right: bool) -> "HiddenScreen":
        """The screen after a PIN was looked at that was entered at the desk: it opens nothing here,
        and the right one ends the wait."""
        return self._with(unjudged(self.lock, is_right))

    def pin_set_elsewhere(self, is_set: bool) -> "HiddenScreen":
        """The screen after another PIN was set at the desk: its own page is locked."""
        return self._with(Lock(is_set))

    def changes_pin(self, screen: int) -> "HiddenScreen":
        """The screen while another PIN is kept, which was set at the screen of this number."""
        return replace(self, pin_of=screen)

    def pin_tried(self, is_right: bool, wrong: int, now: float) -> "HiddenScreen":
        """The screen after a PIN was looked at; ``wrong`` have been in a row."""
        return self._with_page_of_whoever_did_that(tried(self.lock, is_right, wrong, now))

    def pin_not_tried(self, to: object) -> "HiddenScreen":
        """The screen after the request ``to`` failed: if it had a PIN, that was not looked at."""
        if self.lock.judged is not to:
            return self
        return self._with(replace(self.lock, judged=None))

    def pin_set(self, is_set: bool, now: float) -> "HiddenScreen":
        """The screen after another PIN was kept, or none."""
        lock = used(Lock(is_set, open_until=now), now) if is_set else Lock()
        return self._with_page_of_whoever_did_that(lock)

    def _with_page_of_whoever_did_that(self, lock: Lock) -> "HiddenScreen":
        """The screen after a PIN was looked at or set: its page is open for whoever did that there,
        and for nobody who came to it meanwhile."""
        return self._with(lock if self.pin_of == self.number else left(lock))

    def _with(self, lock: Lock) -> "HiddenScreen":
        if lock is self.lock:
            return self
        return replace(self, lock=lock, service=self.service if lock.is_open else None)
