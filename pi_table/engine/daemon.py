"""The composition root: one function builds the table in order and takes it down in reverse."""

import asyncio
import gc
import logging
import signal
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import cast

from pi_table.config import Config, TableSection
from pi_table.engine.archive import Archive
from pi_table.engine.dealing import Cards, Dealer, shelf_of
from pi_table.engine.intents import Intents, Mode
from pi_table.engine.notify import notify, watchdog_seconds
from pi_table.engine.opening import MakeRecorder, open_game
from pi_table.engine.recorder import ThreadRecorder
from pi_table.engine.session import Session
from pi_table.engine.table import Table, Verdict
from pi_table.errors import InputError, TableError
from pi_table.hal.contracts import TouchFrame
from pi_table.hal.registry import open_hardware
from pi_table.ipc import messages
from pi_table.ipc.server import Server, Viewer
from pi_table.store.aside import set_aside
from pi_table.words import guests
from pi_table.words import pack as pack_files

log = logging.getLogger("pi_table")

PUBLIC_MODE = 0o666
CONSOLE_MODE = 0o660


def utc_now() -> str:
    """The wall clock, for the journal: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


async def run(
    config: Config,
    stop: asyncio.Event,
    ready: Callable[[], None] = lambda: None,
    make_recorder: MakeRecorder | None = None,
    dealer: Dealer | None = None,
) -> None:
    """Run the table until ``stop`` is set; ``ready`` is called once it answers.

    Raises InputError and DeviceError for what cannot be built, and JournalInUseError where another
    table runs. ``make_recorder`` and ``dealer``
    are other than usual only where time and chance are a test's.
    """
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        dealer = dealer or _dealer(config.table)
        session = Session(dealer)
        stack.callback(session.close)
        recorder = make_recorder or (lambda journal: ThreadRecorder(journal, utc_now, loop))
        path = config.paths.journal
        open_game(session, dealer, path, recorder, loop.time())

        def reopen(aside: bool) -> None:
            if aside:
                set_aside(path, utc_now())
            open_game(session, dealer, path, recorder, loop.time())

        hardware = open_hardware(config, loop)
        stack.callback(hardware.close)
        table = Table(
            session,
            Intents(cast(Mode, config.touch.intent), config.touch.hold_ms / 1000),
            hardware.lights,
            Archive(path),
            cast(Cards, config.table.cards),
            reopen,
        )
        driver = _Driver(table, loop)
        stack.callback(driver.stop)

        public = Server(lambda: messages.line(table.public_message(loop.time())))
        stack.callback(public.close)
        await public.open(config.paths.public_socket, PUBLIC_MODE)
        console = Server(lambda: messages.line(table.table_message(loop.time())), driver.heard)
        stack.callback(console.close)
        await console.open(config.paths.console_socket, CONSOLE_MODE)

        logged: str | None = None
        warned: str | None = None

        def publish(now: float) -> None:
            nonlocal logged, warned
            console.publish()
            driver.schedule()
            if session.fault != logged:
                logged = session.fault
                log.error(logged or "The journal is in order again.")
            if table.trouble != warned:
                warned = table.trouble
                log.warning(warned or "The touch grid is in order again.")

        table.publish = publish
        table.publish_public = lambda now: public.publish()
        publish(loop.time())
        hardware.touch.start(driver.felt)
        driver.run()
        ready()
        await stop.wait()


def _dealer(config: TableSection) -> Dealer:
    """The dealer that the configuration describes. Raises InputError."""
    folder = config.packs_folder
    packs = pack_files.packs(folder)
    for fault in packs.faults:
        log.warning("Word pack left out: %s", fault)

    def keep(lang: str, words: Sequence[str]) -> None:
        if folder is None or not config.keep_blanks:
            return
        try:
            guests.keep(folder, lang, words)
        except TableError as error:  # the game that was begun with them is not to suffer
            log.warning("The guests' words are not kept: %s", error)

    return Dealer(shelf_of(packs, config.adults, config.pack), keep=keep)


class _Driver:
    """Calls the table whenever a finger, a request or the time does."""

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        self._table = table
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._scheduled = False
        self._stopped = False

    def felt(self, frame: TouchFrame) -> None:
        self._table.frame(frame, self._loop.time())
        self.schedule()

    def heard(self, line: bytes, viewer: Viewer) -> None:
        """A line from the console."""
        try:
            request = messages.read_request(line)
        except InputError as error:
            answer = messages.Answer(0, ok=False, reason="no-request", sentence=str(error))
            viewer.answer(messages.line(answer))
            return

        def answered(verdict: Verdict, now: float) -> None:
            viewer.answer(
                messages.line(
                    messages.Answer(
                        request.id, verdict.ok, verdict.reason, verdict.sentence, verdict.told
                    )
                )
            )

        self._table.ask(request.do, self._loop.time(), answered)
        self.schedule()

    def run(self) -> None:
        """Let the table do what is due, and come back when it wants to."""
        self._scheduled = False
        if self._stopped:
            return
        self._table.tick(self._loop.time())
        if self._timer is not None:
            self._timer.cancel()
        wakes = self._table.wakes
        self._timer = None if wakes is None else self._loop.call_at(wakes, self.run)

    def schedule(self) -> None:
        """Look again at when the table wants to be called, once what is going on is over."""
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self.run)

    def stop(self) -> None:
        """Leave the table alone from now on: its devices are about to be closed."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()


def main(config: Config) -> int:
    """Run the table as a program, until SIGTERM or SIGINT; the answer is its exit status."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    return asyncio.run(_program(config))


async def _program(config: Config) -> int:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    broken: list[object] = []

    def died(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        # Whatever went wrong unforeseen, going on would be guessing: the journal has the game, and
        # a fresh start stands where this one stood. What was at hand may hold a key: no repr of it.
        error = context.get("exception")
        log.error("The table stops: %s.", type(error).__name__ if error else "a fault")
        broken.append(error)
        stop.set()

    def asked_to_stop() -> None:
        notify("STOPPING=1")
        stop.set()

    loop.set_exception_handler(died)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked_to_stop)

    def ready() -> None:
        # Nothing built so far will ever be garbage; scanning it would cost a guess its answer.
        gc.collect()
        gc.freeze()
        notify("READY=1")
        _watch(loop)
        log.info("The table is ready.")

    await run(config, stop, ready)
    return 1 if broken else 0


def _watch(loop: asyncio.AbstractEventLoop) -> None:
    seconds = watchdog_seconds()
    if seconds is None:
        return

    def alive() -> None:
        notify("WATCHDOG=1")
        loop.call_later(seconds, alive)

    alive()
