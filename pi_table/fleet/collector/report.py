"""A report on the games: in the terminal, and optionally in a folder with page, pictures, lists."""

import sys
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, say
from pi_table.common.output_locale import readers_language
from pi_table.fleet.collector import report_sheets
from pi_table.fleet.collector.figures import Figures, Period, read
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.sheet import as_csv


def report(where: str, since: date | None, until: date | None, folder: Path | None) -> int:
    """Print a report on the games from evening ``since`` to evening ``until``; None means no limit.
    With ``folder``, also write the page, pictures and lists. Return 0. Raises InputError,
    StorageError and OSError."""
    if since is not None and until is not None and since > until:
        raise InputError(say("The last evening of a report cannot be before the first."))
    if folder is not None:
        check_pictures()
    with closing(open_database(where, to_read=True)) as database:
        found = read(database, Period(since, until), datetime.now(UTC))
    lang = readers_language()
    from pi_table.fleet.collector.report_in_terminal import show

    show(found, lang)
    if folder is not None:
        write(found, folder, lang)
        print(folder / "report.html")
    return 0


def check_pictures() -> None:
    """Raise InputError if matplotlib, which draws the pictures, is missing."""
    try:
        import matplotlib  # noqa: F401 - is asked only whether it is there
    except ImportError:
        raise InputError(
            say(
                "For the pictures of a report, matplotlib has to be installed: {executable} -m "
                "pip install matplotlib.",
                executable=sys.executable,
            )
        ) from None


def write(found: Figures, folder: Path, lang: Lang) -> None:
    """Write a report's page, pictures and lists into a folder. A missing folder is created. Raises
    OSError."""
    from pi_table.fleet.collector.report_page import page
    from pi_table.fleet.collector.report_pictures import pictures

    folder.mkdir(parents=True, exist_ok=True)
    drawn = pictures(found, lang)
    for picture in drawn:
        (folder / f"{picture.name}.svg").write_text(picture.svg, "utf-8")
    for sheet in report_sheets.csv_sheets(found):
        (folder / f"{sheet.name}.csv").write_text(as_csv(sheet), "utf-8")
    (folder / "report.html").write_text(page(found, drawn, lang), "utf-8")
