"""`pi-table settings`: stores the settings from a file on the boot partition, and writes a report.

The report is a text file beside the settings file. A table may have no keyboard, but the person who
wrote the settings can read the card.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from pi_table.common.errors import TableError
from pi_table.common.files import write_whole
from pi_table.common.language import (
    LANGUAGES,
    Lang,
    for_reader,
    join_texts,
    language_named,
    say,
    system_says,
    translate,
)
from pi_table.maintenance.first_boot import bridge_secrets, desk_link, once, places
from pi_table.maintenance.first_boot.applying import apply as put_in_place
from pi_table.maintenance.first_boot.bridge_settings import Bridge, Secrets
from pi_table.maintenance.first_boot.reading import find_file, namesakes
from pi_table.maintenance.first_boot.settings import Settings, UnusableError, read
from pi_table.table.engine.storage.card_link import read_card_link


def apply(file: Path, root: Path) -> int:
    """Read ``file``, or the file that `find_file` finds for it; store its settings in the system.

    Return 0 if all settings are stored and in effect, 1 if some are not, 2 if none was stored.
    """
    file = find_file(file)
    try:
        settings = read(file, root)
        failed = put_in_place(settings, root, file)
        desk = desk_link.show(read_card_link(root / places.STATE), file, root)
        shows_nothing = _shows_nothing(settings.bridge, root)
    except UnusableError as unusable:
        _say(file, [say("Nothing of {name} was applied:", name=file.name), *unusable.wrong])
        return 2
    except (TableError, OSError) as error:
        why = (
            str(error)
            if isinstance(error, TableError)
            else say("{why}: {file}", why=system_says(error), file=error.filename)
        )
        _say(
            file,
            [
                say("Not all of {name} could be applied.", name=file.name),
                why,
                say("Restart the table."),
            ],
        )
        return 1
    begin = say("All of {name} was applied.", name=file.name)
    if failed:
        begin = say("All of {name} was applied, but not all of it works yet:", name=file.name)
    said = [begin, *failed, *summary(settings)]
    said += (
        say(
            "{name} was not read: put its lines into {name_2}, and delete it.",
            name=each.name,
            name_2=file.name,
        )
        for each in namesakes(file)
    )
    if shows_nothing:
        said.append(
            say("No password for the broker is stored: write it into [bridge], if it wants one.")
        )
    lang = None if settings.language is None else language_named(settings.language)
    _say(file, said, lang, desk)
    return 1 if failed else 0


def check(file: Path, root: Path) -> int:
    """Print the faults of the settings file, and change nothing. Return 2 if it has faults, else
    0."""
    file = find_file(file)
    try:
        settings = read(file, root)
    except UnusableError as unusable:
        print(for_reader(join_texts("\n", unusable.wrong)), file=sys.stderr)
        return 2
    print(
        for_reader(
            join_texts("\n", [say("{name} is in order.", name=file.name), *summary(settings)])
        )
    )
    return 0


def summary(settings: Settings) -> list[str]:
    """Return a line of text for each setting, without secrets."""
    wifi, bridge = settings.wifi, settings.bridge
    kept = Secrets() if bridge is None or not bridge.broker else bridge.given
    found = {
        "hostname": settings.hostname,
        "language": settings.language,
        say("time zone"): settings.timezone,
        "PIN": settings.pin and say("set, and removed from this file"),
        say("hidden screen"): {"hidden": say("yes"), "none": say("none"), None: None}[
            settings.screen
        ],
        say("pages for phones and screens"): {
            True: say("served"),
            False: say("not served"),
            None: None,
        }[settings.pages],
        "Wi-Fi": wifi and wifi.ssid,
        say("USB devices"): settings.usb and settings.usb.summary(),
        say("table among many"): bridge
        and (bridge.table if bridge.broker else say("it is stand-alone")),
        "broker": bridge and bridge.broker,
        say("password of the broker"): kept.password and say("set, and removed from this file"),
        say("key of the table"): kept.key and say("set, and removed from its file"),
        say("of the house"): ", ".join(settings.house),
    }
    return [
        say("{what}: {value}", what=what, value=value) for what, value in found.items() if value
    ]


def _shows_nothing(bridge: Bridge | None, root: Path) -> bool:
    """True if the settings name a broker, but the bridge has neither password nor key for that
    broker."""
    if bridge is None or not bridge.broker:
        return False
    shown = bridge_secrets.to_show(bridge, bridge_secrets.to_keep(bridge, root))
    return shown.password is None and shown.key is None


def _say(
    file: Path, lines: list[str], lang: Lang | None = None, secret: Sequence[str] = ()
) -> None:
    """Write the report beside the settings file. Also print it to standard error, for the log, but
    without the lines in ``secret``.

    The report is in the language of the settings. If the settings have no language, the report is
    in every language.
    """
    said = join_texts("\n", (*lines, ""))
    print(said, end="", file=sys.stderr)
    said = join_texts("\n", (*lines, *secret, ""))
    text = "\n".join(translate(said, each) for each in ([lang] if lang else LANGUAGES))
    says = file.with_name(places.SAYS)
    # Old versions of Notepad need these line ends.
    data = text.replace("\n", "\r\n").encode()
    try:
        if not says.exists() or says.read_bytes() != data:
            if says.exists():
                once.blank(says, once.LINK)  # a new file would leave the old bytes on the card
            write_whole(says, [data], 0o644)
    except OSError as error:
        print(
            say("{says} cannot be written: {strerror}.", says=says, strerror=system_says(error)),
            file=sys.stderr,
        )
