"""`pi-table settings`: settings from a file of the boot partition, and what came of them.

That is told in a text beside the file: at a table without a keyboard, whoever wrote the one can
read the other.
"""

import sys
from pathlib import Path

from pi_table.common.errors import TableError
from pi_table.common.files import write_whole
from pi_table.common.language import LANGUAGES, Lang, for_reader, language_named, translated
from pi_table.maintenance.first_boot import bridge_secrets, places
from pi_table.maintenance.first_boot.applying import apply as put_in_place
from pi_table.maintenance.first_boot.bridge_settings import Bridge, Secrets
from pi_table.maintenance.first_boot.reading import meant, namesakes
from pi_table.maintenance.first_boot.settings import Settings, UnusableError, read


def apply(file: Path, root: Path) -> int:
    """Take over the settings in a file, or in its namesake where it is missing; the answer is the
    program's exit status."""
    file = meant(file)
    try:
        settings = read(file, root)
        failed = put_in_place(settings, root, file)
        shows_nothing = _shows_nothing(settings.bridge, root)
    except UnusableError as unusable:
        _say(file, [f"Nothing was taken over from {file.name}:", *unusable.wrong], None)
        return 2
    except (TableError, OSError) as error:
        why = str(error) if isinstance(error, TableError) else f"{error.strerror}: {error.filename}"
        _say(
            file,
            [f"Not all of {file.name} could be taken over.", why, "Start the table again."],
            None,
        )
        return 1
    said = [f"All of {file.name} was taken over."]
    if failed:
        said = [f"All of {file.name} was taken over, but not all of it works yet:", *failed]
    said += taken_over(settings)
    said += (
        f"{each.name} was not read: put its lines into {file.name}, and delete it."
        for each in namesakes(file)
    )
    if shows_nothing:
        said.append("No password for the broker is kept: write it into [bridge], if it wants one.")
    lang = None if settings.language is None else language_named(settings.language)
    _say(file, said, lang)
    return 1 if failed else 0


def check(file: Path, root: Path) -> int:
    """Tell what is wrong in a file, and change nothing; the answer is the exit status."""
    file = meant(file)
    try:
        settings = read(file, root)
    except UnusableError as unusable:
        print(for_reader("\n".join(unusable.wrong)), file=sys.stderr)
        return 2
    print(for_reader("\n".join([f"{file.name} is in order.", *taken_over(settings)])))
    return 0


def taken_over(settings: Settings) -> list[str]:
    """What is set, without secrets, a line each."""
    wifi, bridge = settings.wifi, settings.bridge
    kept = Secrets() if bridge is None or not bridge.broker else bridge.given
    found = {
        "hostname": settings.hostname,
        "language": settings.language,
        "time zone": settings.timezone,
        "PIN": settings.pin and "set, and removed from this file",
        "pages for phones and screens": {True: "served", False: "not served", None: None}[
            settings.pages
        ],
        "Wi-Fi": wifi and wifi.ssid,
        "USB devices": settings.usb and settings.usb.told(),
        "table among many": bridge and (bridge.table if bridge.broker else "it is alone"),
        "broker": bridge and bridge.broker,
        "password of the broker": kept.password and "set, and removed from this file",
        "key of the table": kept.key and "set, and removed from its file",
        "of the house": ", ".join(settings.house),
    }
    return [f"{what}: {value}" for what, value in found.items() if value]


def _shows_nothing(bridge: Bridge | None, root: Path) -> bool:
    """Is there a broker, and nothing by which the table shows it who it is?"""
    if bridge is None or not bridge.broker:
        return False
    shown = bridge_secrets.to_show(bridge, bridge_secrets.to_keep(bridge, root))
    return shown.password is None and shown.key is None


def _say(file: Path, lines: list[str], lang: Lang | None) -> None:
    """Write what is to be said beside the settings, in the language that is set there, or else in
    every one; and to standard error, which goes into a log."""
    said = "\n".join(lines) + "\n"
    print(said, end="", file=sys.stderr)
    text = "\n".join(translated(said, each) for each in ([lang] if lang else LANGUAGES))
    says = file.with_name(places.SAYS)
    # Notepad shows these ends of lines, too.
    data = text.replace("\n", "\r\n").encode()
    try:
        if not says.exists() or says.read_bytes() != data:
            write_whole(says, [data], 0o644)
    except OSError as error:
        print(f"{says} cannot be written: {error.strerror}.", file=sys.stderr)
