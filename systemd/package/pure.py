"""The Python libraries without C code that the package contains. They come from the wheels in the
lock file, without the files that a table does not use."""

from pathlib import Path
from zipfile import ZipFile

from sources import of_the_lock, wheel_of

PURE = (
    *("gpiozero", "simplemma"),
    # the pages' server and QR codes
    *("starlette", "websockets", "h11", "anyio", "idna", "typing-extensions"),
    "segno",
    # grids in a terminal; Debian's package would add a highlighter and a Markdown parser
    "rich",
    # word cards; Debian's package would add cairo and two families of fonts
    "reportlab",
    # the bridge's connection to its broker
    *("aiomqtt", "paho-mqtt"),
)

UNUSED = (
    *("gpiozerocli", "reportlab/fonts", "reportlab/graphics", "reportlab/platypus"),
    *("websockets/asyncio", "websockets/legacy", "websockets/sync", "websockets/trio"),
)
"""Folders in the wheels that the package leaves out, because pi-table does not import them."""

LANGUAGES = ("en", "it")
"""The languages of pi-table. The package has simplemma's data only for these, not for all of some
fifty languages."""


def lay_pure(code: Path) -> None:
    """Copy the pure Python libraries into the folder of the code."""
    for name in PURE:
        with ZipFile(wheel_of(of_the_lock(), name)) as wheel:
            for entry in sorted(wheel.namelist()):
                if not entry.endswith("/") and is_used(entry):
                    target = code / entry
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(wheel.read(entry))


def is_used(name: str) -> bool:
    """True if a table uses this file of a wheel."""
    folder, _, file = name.rpartition("/")
    if folder.endswith("simplemma/strategies/dictionaries/data"):
        return file.partition(".")[0] in LANGUAGES
    if ".dist-info" in folder:
        # gpiozero reads its own entry points.
        return file in ("METADATA", "entry_points.txt")
    unused = folder.startswith(UNUSED) or name == "segno/cli.py"
    return not unused and not file.endswith((".pyi", "py.typed"))
