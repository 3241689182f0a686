"""A table that has failed for good, and will not come back by itself: the screen says why."""

import os
import signal
import socket
import threading
from pathlib import Path

import pytest
from playing import RulesTable

from pi_table.common import config
from pi_table.common.failure_report import LOST, NOT_BEGUN, WHY
from pi_table.common.house_settings import House
from pi_table.common.language import LANGUAGES
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Busy
from pi_table.screens.console import app
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Stopped
from pi_table.screens.console.inbox import LOOK_SECONDS, Watch
from pi_table.screens.console.look import Look, look_for
from pi_table.screens.console.painter import paint
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Scene, Text
from pi_table.table.store.faults import JournalDamagedError

FULL = "The journal cannot be written: No space left on device."
READY = b"READY=1\nSTATUS="


def texts(shapes: Scene) -> list[str]:
    return [str(shape.text) for shape in shapes if isinstance(shape, Text)]


def shown(console: Console, now: float = 0.0) -> str:
    return " ".join(texts(console.scene(now)))


def test_it_is_looked_for_only_while_the_table_is_away(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    watch = Watch(path)
    assert watch.look(0.0, away=True) == []
    path.write_text(f"{FULL}\n")
    assert watch.look(LOOK_SECONDS / 2, away=True) == []
    assert watch.look(LOOK_SECONDS, away=True) == [Stopped(FULL)]
    assert watch.look(2 * LOOK_SECONDS, away=True) == []
    assert watch.look(2.1 * LOOK_SECONDS, away=False) == [Stopped(None)]
    assert watch.look(9 * LOOK_SECONDS, away=False) == []
    assert watch.look(10 * LOOK_SECONDS, away=True) == [Stopped(FULL)]
    path.unlink()
    assert watch.look(11 * LOOK_SECONDS, away=True) == [Stopped(None)]


def test_the_screen_says_why_and_what_to_do_until_the_table_is_back() -> None:
    console = Console(lambda request: None)
    assert "Connecting" in shown(console)
    console.happen(Stopped(FULL), 1.0)
    assert FULL in shown(console)
    assert "Switch the table off and on again" in shown(console)
    console.happen(Disconnected(), 2.0)  # which is no news
    assert FULL in shown(console)
    console.happen(Busy(), 3.0)
    assert "Another screen" in shown(console)
    console.happen(Stopped(None), 4.0)
    console.happen(Connected(), 4.0)
    console.happen(RulesTable().message(), 5.0)
    assert FULL not in shown(console, 5.0)


DAMAGED = str(JournalDamagedError(Path("/var/lib/pi-table/journal.db"), "its tail is torn"))


@pytest.mark.parametrize("why", [NOT_BEGUN, LOST, DAMAGED])
def test_nobody_is_promised_what_is_lost(why: str) -> None:
    console = Console(lambda request: None)
    for sentence, promised in ((WHY["timeout"], True), (why, False)):
        console.happen(Stopped(sentence), 1.0)
        assert sentence in shown(console)
        assert ("Nothing of the game is lost" in shown(console)) is promised
        assert "show it to whoever looks after" in shown(console)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_our_own_words_are_in_the_screens_language(lang: str) -> None:
    console = Console(lambda request: None, "it" if lang == "it" else "en")
    console.happen(Stopped(WHY["watchdog"]), 1.0)
    assert ("Non rispondeva" if lang == "it" else "It stopped answering") in shown(console)
    assert ("Il tavolo si è fermato" if lang == "it" else "has stopped") in shown(console)


def test_a_table_that_comes_back_finds_the_screen_laid_out_as_it_was() -> None:
    small = config.load(changes={"console": {"width": 480, "height": 320, "inches": 3.5}}).console

    def look(house: House) -> Look:
        return look_for(small, house)

    console = Console(lambda request: None, look=look)
    before = console.model.layout
    console.happen(Connected(), 0.0)
    console.happen(RulesTable().message(), 1.0)
    assert console.model.layout == before == look(House()).layout
    assert scene(console.model, 1.0)


def test_the_process_shows_it_and_tells_systemd_when_it_shows_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "40000")
    runtime = tmp_path / "run"
    runtime.mkdir()
    settings = config.load(
        changes={"console": {"fullscreen": False}, "paths": {"runtime": str(runtime)}}
    )
    settings.paths.engine_fault.parent.mkdir()
    settings.paths.engine_fault.write_text(FULL)
    painted: list[Scene] = []
    told: list[bytes] = []
    monkeypatch.setattr(
        app, "paint", lambda surface, shapes: painted.append(shapes) or paint(surface, shapes)
    )

    def manage() -> None:
        try:
            while told.count(b"WATCHDOG=1") < 3 or READY not in told:
                told.append(manager.recv(100))
                if told[-1] == READY:
                    assert painted
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20.0)
        manager_side = threading.Thread(target=manage)
        manager_side.start()
        assert app.run(settings) == 0
        manager_side.join()
    assert told.count(READY) == 1
    assert any(FULL in words for words in texts(painted[0]))
