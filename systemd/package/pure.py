"""The libraries in pure Python that the package has inside: from their locked wheels, less what a
table does not use."""

from pathlib import Path
from zipfile import ZipFile

from sources import of_the_lock, wheel_of

PURE = (
    *("gpiozero", "simplemma"),
    # what serves the pages, and what draws their QR codes
    *("starlette", "websockets", "h11", "anyio", "idna", "typing-extensions"),
    "segno",
    # what draws tables in a terminal; Debian's brings what colours source code and reads Markdown
    "rich",
    # what draws word cards; Debian's brings cairo and two families of fonts
    "reportlab",
    # what the bridge meets its broker with
    *("aiomqtt", "paho-mqtt"),
)

UNUSED = (
    *("gpiozerocli", "reportlab/fonts", "reportlab/graphics", "reportlab/platypus"),
    *("websockets/asyncio", "websockets/legacy", "websockets/sync", "websockets/trio"),
)
"""Folders of wheels of which pi-table imports nothing."""

LANGUAGES = ("en", "it")
"""Those that pi-table speaks. simplemma has some fifty."""


def lay_pure(code: Path) -> None:
    """Lay the libraries into the folder of the code."""
    for name in PURE:
        with ZipFile(wheel_of(of_the_lock(), name)) as wheel:
            for entry in sorted(wheel.namelist()):
                if not entry.endswith("/") and is_used(entry):
                    target = code / entry
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(wheel.read(entry))


def is_used(name: str) -> bool:
    """Is that file of a wheel of use on a table?"""
    folder, _, file = name.rpartition("/")
    if folder.endswith("simplemma/strategies/dictionaries/data"):
        return file.partition(".")[0] in LANGUAGES
    if ".dist-info" in folder:
        # gpiozero asks for its own entry points.
        return file in ("METADATA", "entry_points.txt")
    unused = folder.startswith(UNUSED) or name == "segno/cli.py"
    return not unused and not file.endswith((".pyi", "py.typed"))
