"""The memory and processor time of a process, as the kernel counts them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

from pi_table.common.errors import InputError
from pi_table.lab.bench.measurement import Measurement


@dataclass
class Cost:
    pid: int
    counted: BinaryIO
    """The open file ``smaps_rollup`` of the process. Each read returns the memory use of that
    moment."""

    def at_rest(
        self, memory: str, processor: str, seconds: float, **more: object
    ) -> Iterator[Measurement]:
        """Let the process rest for this many seconds. Yield two measurements: its memory, named
        ``memory``, and its share of a core, named ``processor``. Both get the fields ``more``."""
        used, begun = processor_seconds(self.pid), monotonic()
        sleep(seconds)
        share = (processor_seconds(self.pid) - used) / (monotonic() - begun)
        took = memory_of(self.counted.read())
        pss, rss = (round(took[name], 2) for name in ("Pss", "Rss"))
        percent = round(100 * share, 4)
        yield {"name": memory, "value": pss, "unit": "MiB", "rss": rss, **more}
        unit = {"unit": "% of a core", "seconds": seconds}
        yield {"name": processor, "value": percent, **unit, **more}


@contextmanager
def cost_of(pid: int) -> Iterator[Cost]:
    """Yield a `Cost` for a process that has just started.

    Soon after its start, a process with secrets lets only root read its memory counts. A file that
    was opened before can still be read. Raises InputError if it is too late to open the file.
    """
    try:
        counted = open(f"/proc/{pid}/smaps_rollup", "rb")  # noqa: SIM115 - closed below
    except PermissionError:
        raise InputError(
            "Only root can measure a process that hides its memory: use sudo."
        ) from None
    with counted:
        yield Cost(pid, counted)


def processor_seconds(pid: int) -> float:
    """Return the processor time in seconds that all threads of a process have used."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def memory_of(counted: bytes) -> dict[str, float]:
    """Return the counts from the text of ``smaps_rollup``, by name, in MiB."""
    lines = counted.decode("ascii").splitlines()[1:]
    rows = (line.split() for line in lines)
    return {name.rstrip(":"): int(kilobytes) / 1024 for name, kilobytes, *_ in rows}
