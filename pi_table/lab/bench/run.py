"""`pi-table bench`: prints groups of measurements, one JSON object on each line."""

import importlib
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table import __version__
from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say
from pi_table.lab.bench.contents import subject_of, table
from pi_table.table.store.disk import DISK

GROUPS: Final = ("rules", "table", "link", "clue", "lights", "screen", "web")
"""The groups of measurements that run by default.

Each is a module in this folder. Its function ``measure()`` yields measurements. Its constant
``BRIEF`` has arguments for a shorter run; with them, all default groups take five minutes.
"""
ASKED_FOR: Final = (
    *GROUPS,
    "bridge",
    "collector",
    "journal",
    "packs",
    "siege",
    "small",
    "stalls",
    "wear",
)
"""The groups that the command line may name. Those outside ``GROUPS`` take long: they run only if
they are named."""


def run(what: list[str], *, steps: bool = False) -> int:
    """Print the measurements of the named groups, or of the default groups. Return the exit status.

    Each object has a ``name``, the measured quantity (``what``), a ``value``, its ``unit``, its
    ``goal`` if it has one, further fields, and the machine and versions. A list that explains the
    measurements is printed to standard error, and then the subject of each group when its turn
    comes. Groups that are named run longer than by default. With ``steps``, only the steps of a
    guess are measured. Raises InputError for an unknown name.
    """
    if steps and what != ["table"]:
        raise InputError(say("--stamps belongs to one benchmark: pi-table bench table --stamps"))
    for name in what:
        if name not in ASKED_FOR:
            raise InputError(
                say(
                    "There is no benchmark {name}; {did_you_mean}",
                    name=repr(name),
                    did_you_mean=did_you_mean(name, ASKED_FOR),
                )
            )
    surroundings = {"machine": _machine(), "versions": _versions()}
    print(table(tuple(what) or GROUPS), file=sys.stderr, flush=True)
    groups = what or GROUPS
    for number, name in enumerate(groups, 1):
        print(f"{number} of {len(groups)}, {name}: {_subject(name)}", file=sys.stderr, flush=True)
        for measurement in _measure(name, brief=not what, **({"steps": True} if steps else {})):
            line = _with_subject(measurement) | surroundings
            print(msgspec.json.encode(line).decode(), flush=True)
    return 0


def _subject(group: str) -> str:
    """Return the first sentence of the group's module, which says what it measures."""
    told = importlib.import_module(f"pi_table.lab.bench.{group}").__doc__ or ""
    sentence, _, _ = " ".join(told.split()).partition(". ")
    return sentence.rstrip(".")


def _measure(group: str, *, brief: bool, **more: object) -> Iterator[dict[str, Any]]:
    module = importlib.import_module(f"pi_table.lab.bench.{group}")
    measurements: Iterator[dict[str, Any]]
    measurements = module.measure(**(module.BRIEF if brief else {}), **more)
    return measurements


def _with_subject(measurement: dict[str, Any]) -> dict[str, Any]:
    subject = subject_of(measurement["name"])
    if subject is None:
        return measurement
    about = {"what": subject.what} | ({"goal": subject.goal} if subject.goal else {})
    return {"name": measurement["name"]} | about | measurement


def _machine() -> dict[str, object]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def _processor() -> str:
    """Return the model of a Raspberry Pi, or else the name of the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            fields = dict(line.partition(":")[::2] for line in file)
    except OSError:
        fields = {}
    named = {name.strip(): value.strip() for name, value in fields.items()}
    return named.get("Model") or named.get("model name") or platform.machine()


def _versions() -> dict[str, str]:
    return {
        "pi_table": __version__,
        "python": platform.python_version(),
        "msgspec": msgspec.__version__,
        "sqlite": _sqlite_version(),
    }


def _sqlite_version() -> str:
    connection = DISK.connect(Path(os.devnull), read_only=True)
    (version,) = connection.execute("SELECT sqlite_version()").fetchone()
    connection.close()
    return str(version)
