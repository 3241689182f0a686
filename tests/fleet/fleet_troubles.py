"""Failures between many tables and their database while games are played."""

import time
from collections.abc import Callable
from random import Random, randrange
from typing import TYPE_CHECKING, Final, NamedTuple

from collecting import Collecting, until
from mosquitto import Mosquitto
from postgres import Postgres

from pi_table.fleet.bridge.records import SETTLED_SECONDS, ask_again
from pi_table.fleet.collector.subscription import SESSION_SECONDS

if TYPE_CHECKING:
    from crowd import Crowd


class House(NamedTuple):
    """All that can fail."""

    crowd: "Crowd"
    broker: Mosquitto
    collector: Collecting
    server: Postgres


class Trouble(NamedTuple):
    """Something that goes wrong within some seconds, and is right again in the end."""

    happen: Callable[[House, float], None]
    session: int = SESSION_SECONDS
    """Seconds for which the broker keeps what comes for a collector that is away."""
    settled: float = SETTLED_SECONDS
    """As `Plan.settled`."""

    def __str__(self) -> str:
        return self.happen.__name__

    @property
    def collector(self) -> tuple[str, ...]:
        """Return the arguments with which Python runs the collector."""
        return "-c", COLLECTOR.format(session=self.session)


COLLECTOR: Final = """
import sys
from pi_table.cli import main
from pi_table.fleet.collector import subscription
subscription.SESSION_SECONDS = {session}
sys.exit(main())
"""


def one_after_another(house: House, seconds: float) -> None:
    """Everything fails alone, but that the broker dies while it keeps what nobody has fetched."""
    crowd, broker, collector, server = house
    each = seconds / 7
    for number in (0, len(crowd.plans) - 1):
        crowd.kill(number)
        crowd.start(number)
        time.sleep(each)
    collector.kill()
    time.sleep(each)
    broker.kill()  # as a power cut does: it knows what it last wrote to its disk
    time.sleep(each)
    broker.start()
    collector.start()
    time.sleep(each)
    # From here on no bridge connects again, so none tells again what a collector has lost.
    broker.freeze()  # nothing comes through, and nobody is told
    time.sleep(each)
    broker.thaw()
    server.stop()
    time.sleep(each)
    server.start()


def power_cut(house: House, seconds: float) -> None:
    """All machines lose their power at once, and come back in whatever order."""
    crowd, broker, collector, server = house
    seed = randrange(1000)
    print(f"The order is that of seed {seed}.")
    chance = Random(seed)
    time.sleep(seconds / 2)
    numbers = range(len(crowd.plans))
    for kill in (broker.kill, collector.kill, server.kill):
        kill()
    for number in numbers:
        crowd.kill(number)
    back: list[Callable[[], None]] = [broker.start, collector.start, server.start]
    back += [lambda number=number: crowd.start(number) for number in numbers]  # type: ignore[misc]
    for start in chance.sample(back, len(back)):
        time.sleep(chance.uniform(0.0, seconds / 2 / len(back)))
        start()


def away_too_long(house: House, seconds: float) -> None:
    """The collector is away until the broker gives its session up, with all that waits in it. The
    staff then does as the page of the collector says."""
    crowd, broker, collector, _ = house
    time.sleep(seconds / 4)
    collector.kill()
    until(lambda: "Expiring client collector" in broker.log.read_text(), "The end of the session")
    time.sleep(seconds / 4)
    collector.start()
    for plan in crowd.plans:
        for name in plan.names:
            ask_again(crowd.folder / name)
    for number in range(len(crowd.plans)):  # each begins at its start, and not within a minute
        crowd.kill(number)
        crowd.start(number)
    time.sleep(seconds / 4)


ONE_AFTER_ANOTHER: Final = Trouble(one_after_another)
POWER_CUT: Final = Trouble(power_cut)
AWAY_TOO_LONG: Final = Trouble(away_too_long, session=5, settled=0.5)
