"""A wire that does to what is sent whatever a wire can do, by a seed."""

import heapq
import random
from enum import Enum


class Harm(Enum):
    """The possible harms to the data of one write."""

    FLIP = "flip"
    DROP = "drop"
    INSERT = "insert"
    NOISE = "noise"
    """Bytes by chance come instead of it."""
    DUPLICATE = "duplicate"
    """It comes again later."""
    DELAY = "delay"
    """It comes later than what is sent after it."""


def harmed(data: bytes, harm: Harm, chance: random.Random) -> bytes:
    """These bytes after this has happened to them (what changes bytes, not what moves them)."""
    bent = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(bent) + 1)
        match harm:
            case Harm.FLIP if bent:
                bent[at % len(bent)] ^= 1 << chance.randrange(8)
            case Harm.DROP:
                del bent[at : at + chance.choice((1, 1, 3, 20))]
            case Harm.INSERT:
                bent[at:at] = chance.randbytes(chance.choice((1, 1, 3, 20)))
            case Harm.NOISE:
                return chance.randbytes(chance.randrange(1, 100))
    return bytes(bent)


class Channel:
    """One direction of the wire: what is sent comes out a little later, harmed or not."""

    def __init__(self, chance: random.Random, harms: list[Harm], share: float) -> None:
        """``share`` of what is sent is harmed, in one of these ways."""
        self._chance, self._harms = chance, harms
        self.share = share
        self._on_the_way: list[tuple[float, int, bytes]] = []
        self._count = 0

    def send(self, data: bytes, now: float) -> None:
        at = now + 0.002
        if self._harms and self._chance.random() < self.share:
            harm = self._chance.choice(self._harms)
            later = now + self._chance.uniform(0.002, 0.4)
            if harm is Harm.DUPLICATE:
                self._put(later, data)
            elif harm is Harm.DELAY:
                at = later
            else:
                data = harmed(data, harm, self._chance)
        self._put(at, data)

    def _put(self, at: float, data: bytes) -> None:
        self._count += 1
        heapq.heappush(self._on_the_way, (at, self._count, data))

    def come(self, now: float) -> list[bytes]:
        """Return the data that has arrived by now, piece by piece."""
        found = []
        while self._on_the_way and self._on_the_way[0][0] <= now:
            found.append(heapq.heappop(self._on_the_way)[2])
        return found
