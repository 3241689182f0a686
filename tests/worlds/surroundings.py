"""Observables of a program besides its output to sockets: its files, process, log and output."""

import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Any
from unittest import mock

from pi_table.common.language import LANGUAGES, Lang, translate
from pi_table.games.announcer.announcement import Announcement
from pi_table.table.engine.presentation.speaker import Speaker

_ORDINARY = {*vars(logging.makeLogRecord({})), "message", "asctime"}


def files(folder: Path) -> tuple[tuple[str, int, str], ...]:
    """The names, sizes and rights of everything under a folder."""
    found = []
    for entry in os.scandir(folder):
        if entry.name != Printed.NAME:
            status = entry.stat(follow_symlinks=False)
            found.append((entry.path, status.st_size, oct(status.st_mode)))
        if entry.is_dir(follow_symlinks=False):
            found += files(Path(entry.path))
    return tuple(sorted(found))


def process() -> tuple[object, ...]:
    """Return the observables of this process for others on the machine."""
    return (
        tuple(thread.name for thread in threading.enumerate()),
        tuple(os.environb.items()),
        _content("/proc/self/comm"),
        _content("/proc/self/cmdline"),
        os.getcwd(),
        len(os.listdir("/proc/self/fd")),
    )


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 65536)
    finally:
        os.close(file)


def told_by_announcement(said: Announcement) -> tuple[object, ...]:
    """All that an announcement tells, to whatever makes something of it."""
    words = [translate(said.words, lang) for lang in LANGUAGES]
    more = said.place, said.team, said.identity, said.spoken
    return said.what.value, *words, said.after, *more


@contextmanager
def listening_to_announcements(heard: Callable[[list[object]], None]) -> Iterator[None]:
    """Hear what the loudspeaker is told to make of, whether there is one or not."""
    original = Speaker.announce

    def announce(speaker: Speaker, said: tuple[Announcement, ...], lang: Lang) -> Any:
        heard([lang, *map(told_by_announcement, said)])
        return original(speaker, said, lang)

    with mock.patch.object(Speaker, "announce", announce):
        yield


class Printed:
    """Takes all that is printed, by Python and past it, into a file."""

    NAME = "output"

    def __init__(self, folder: Path) -> None:
        self.path = folder / self.NAME

    def __enter__(self) -> "Printed":
        with ExitStack() as stack:
            file = stack.enter_context(self.path.open("a", buffering=1))
            stack.enter_context(redirect_stdout(file))
            stack.enter_context(redirect_stderr(file))
            for number in (1, 2):
                kept = os.dup(number)
                stack.callback(os.close, kept)
                stack.callback(os.dup2, kept, number)
                os.dup2(file.fileno(), number)
            self.until = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.until.close()

    def length(self) -> int:
        sys.stdout.flush()
        return self.path.stat().st_size

    def text(self) -> str:
        sys.stdout.flush()
        return self.path.read_text()


@contextmanager
def listening_to_logs(heard: Callable[[str], None]) -> Iterator[None]:
    """Every record of every logger, with its traceback and all that is attached to it."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            attached = {k: v for k, v in vars(record).items() if k not in _ORDINARY}
            text = logging.Formatter("%(name)s %(levelname)s %(message)s").format(record)
            heard(f"{text} {attached or ''}")

    root, listener = logging.getLogger(), Listener()
    level = root.level
    root.addHandler(listener)
    root.setLevel(1)
    # At the level of debugging, which no program of ours sets, it repeats each frame: sealed bytes.
    frames = logging.getLogger("websockets")
    frames.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(listener)
        root.setLevel(level)
        frames.setLevel(logging.NOTSET)


@contextmanager
def listening_to_warnings(heard: Callable[[str], None]) -> Iterator[None]:
    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        heard(f"{category.__name__}: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show  # type: ignore[assignment]
        yield
