"""The lab's commands of the `pi-table` command line."""

import argparse
import json
import sys
from collections.abc import Callable
from gettext import gettext as _
from pathlib import Path
from typing import Final, TextIO

from pi_table.common.arguments import Commands


def add_commands(commands: Commands) -> None:
    commands.group(_("to develop"))

    gallery = commands.add("gallery", _("every scene of the lights as a picture"))
    gallery.add_argument(
        "--layout",
        default="tiles",
        metavar="L",
        help=_("show the lights as a string of this layout does: a name or a file (%(default)s)"),
    )
    walk = commands.add("walk", _("pictures of a walk through every game"))
    commands.add("colours", _("how well eyes of each kind tell colours apart"))
    commands.add("legibility", _("how large texts look to their readers"))

    eyes = commands.add("eyes", _("pictures as other eyes see them, and in a dim bar"))
    eyes.add_argument("pictures", nargs="+", type=Path, metavar=_("PICTURE"), help=_("as PNG"))
    for command in (gallery, walk, eyes):
        command.add_argument(
            "--out", type=Path, metavar=_("DIR"), required=True, help=_("where to put them")
        )

    bench = commands.add("bench", _("measure, one JSON object a line"))
    bench.add_argument(
        "what",
        nargs="*",
        metavar=_("WHAT"),
        help=_(
            "rules, table, link, clue, lights, screen, web (all of these if none is named); or "
            "bridge, collector, journal, packs, siege, small, stalls, wear"
        ),
    )
    bench.add_argument(
        "--stamps", action="store_true", help=_("with table: when each step of a guess is done")
    )


class Progress:
    """Shows the progress of a long command: one line in a terminal, or one dot for each step in a
    log."""

    def __init__(self, file: TextIO, total: int) -> None:
        self._file = file
        self._total = total
        self._done = 0

    def step(self, name: str) -> None:
        self._done += 1
        counted = f"\r\x1b[K{self._done}/{self._total} {name}"
        print(counted if self._file.isatty() else ".", end="", file=self._file, flush=True)

    def end(self) -> None:
        print("\r\x1b[K" if self._file.isatty() else "\n", end="", file=self._file, flush=True)


def _gallery(arguments: argparse.Namespace) -> int:
    from pi_table.common.language import for_reader, say
    from pi_table.lab.clips import CLIPS
    from pi_table.lab.gallery import write_gallery

    progress = Progress(sys.stderr, len(CLIPS))
    write_gallery(arguments.out, written=progress.step, layout=arguments.layout)
    progress.end()
    text = say(
        "Written into {out}: {count} moving pictures, contact-sheet.png with all of them, and "
        "scenes.jsonl.",
        out=str(arguments.out),
        count=len(CLIPS),
    )
    print(for_reader(text), file=sys.stderr)
    return 0


def _walk(arguments: argparse.Namespace) -> int:
    from pi_table.common.language import LANGUAGES, for_reader, say
    from pi_table.lab.walks import walks
    from pi_table.simulator.headless import run

    all_of_them = {
        f"{lang}/{name}": lines for lang in LANGUAGES for name, lines in walks(lang).items()
    }
    progress = Progress(sys.stderr, len(all_of_them))
    pictures = 0
    for name, lines in all_of_them.items():
        pictures += run(map(json.dumps, lines), arguments.out / name, sys.stderr).pictures
        progress.step(name)
    progress.end()
    text = say(
        "Written into {out}: {count} pictures, in a folder for each language and game.",
        out=str(arguments.out),
        count=pictures,
    )
    print(for_reader(text), file=sys.stderr)
    return 0


def _colours(arguments: argparse.Namespace) -> int:
    from pi_table.lab.seeing.colours import table

    print(table())
    return 0


def _legibility(arguments: argparse.Namespace) -> int:
    from pi_table.lab.legibility import open_playwright, rows, table

    with open_playwright() as playwright:
        found = [*rows(playwright)]
    print(table(found))
    return int(any(row.is_too_small for row in found))


def _eyes(arguments: argparse.Namespace) -> int:
    from pi_table.lab.seeing.eyes import write_all

    for path in write_all(arguments.pictures, arguments.out):
        print(path)
    return 0


def _bench(arguments: argparse.Namespace) -> int:
    from pi_table.lab.bench.run import run

    return run(arguments.what, steps=arguments.stamps)


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "gallery": _gallery,
    "walk": _walk,
    "colours": _colours,
    "legibility": _legibility,
    "eyes": _eyes,
    "bench": _bench,
}
"""For each command, by name, the function that runs it and returns the exit status."""
