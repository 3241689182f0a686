"""The engine as a program: the sockets, devices and signals around a table."""

import asyncio
import gc
import logging
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from msgspec.structs import replace

from pi_table.common.config import Config, PathsSection
from pi_table.common.crash_handling import forbid_core_dumps
from pi_table.common.errors import InputError, TableError
from pi_table.common.house_settings import House, quiet_hours
from pi_table.common.language import LANGUAGES, Lang, catalogue, say
from pi_table.common.light_layout import read_layout
from pi_table.common.log import begin_log
from pi_table.common.realtime import use_realtime_priority
from pi_table.common.service import run_service
from pi_table.devices.hal.registry import Hardware, open_hardware
from pi_table.devices.sound.settings import Settings
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.words import guests
from pi_table.games.words import pack as pack_files
from pi_table.protocols.ipc import house, messages
from pi_table.protocols.ipc.server import Server, Viewer
from pi_table.protocols.sealing.seal import load_library
from pi_table.table.backups.checking import BackupChecker
from pi_table.table.backups.for_desk import BackupsOfTable
from pi_table.table.engine.dealing import Cards, Dealer, shelf_of
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.presentation.case_panel import CasePanel
from pi_table.table.engine.presentation.speaker import Speaker
from pi_table.table.engine.process import backup_contents
from pi_table.table.engine.process.builder import build
from pi_table.table.engine.process.referee import Referee
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.process.sealed_socket import SealedSocket
from pi_table.table.engine.storage.packs import PackFolder
from pi_table.table.engine.storage.storage import Storage, no_way_to_switch_off
from pi_table.table.engine.storage.workers import OnThreads, Workers
from pi_table.table.engine.table import Callbacks
from pi_table.table.engine.touches.intents import Intents, Mode

log = logging.getLogger("pi_table")

PUBLIC_MODE: Final = 0o666
CONSOLE_MODE: Final = 0o660
HOUSE_MODE: Final = 0o660
SWITCH_SECONDS: Final = 0.001
"""Maximum time in seconds for which one thread keeps the Python interpreter while another waits. So
a thread that deals words, or reads records of games, delays a touch by no more than this."""
MINUTE: Final = 60.0
SWITCH_OFF_SECONDS: Final = 30.0
"""Timeout of the switch-off command, in seconds."""
END_SECONDS: Final = 1.0
"""Seconds that the engine continues after it was ordered to end, so that its last answer can be
delivered."""
READ_ROUNDS: Final = 2
"""Number of rounds of the event loop in which pending input is read before time may pass."""


Ask = Callable[[Mapping[str, Any], Callable[[Verdict], None]], None]
"""A function that passes an act (JSON) to the table, and calls its second argument with the
verdict."""


def utc_now() -> str:
    """Return the time of the wall clock for the journal: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


async def run(
    config: Config,
    stop: asyncio.Event,
    ready: Callable[[], None] = lambda: None,
    make_workers: Callable[[Storage], Workers] | None = None,
    dealer: Dealer | None = None,
    config_file: Path | None = None,
) -> None:
    """Run the table until ``stop`` is set; call ``ready`` when the table can answer.

    Backups include ``config_file``. Tests pass ``make_workers`` and ``dealer`` to control time and
    chance. Raises InputError and DeviceError if a part cannot be built, and JournalInUseError if
    another table runs.
    """
    loop = asyncio.get_running_loop()
    dealer = dealer or _dealer(config)
    async with AsyncExitStack() as stack:
        checker = BackupChecker(backup_contents.COMMAND)
        # Storage first: it refuses a second engine before that engine uses a device of the first.
        storage = Storage(
            config.paths.journal,
            dealer,
            utc_now,
            try_replay,
            _name_packs_left_out(config.house, dealer),
            _switch(config.table.switch_off),
            PackFolder(config.packs_folder, config.table.pack),
            BackupsOfTable(config, config_file, utc_now, checker.look, checker.stop),
        )
        stack.callback(storage.close)
        hardware = open_hardware(config, loop)
        stack.callback(hardware.close)
        workers = make_workers(storage) if make_workers else OnThreads(storage, loop)

        def end() -> None:
            # Leave time to read the last answer; then systemd starts the table again.
            loop.call_later(END_SECONDS, stop.set)

        daemon = _Daemon(config, storage, workers, hardware, loop, end)
        stack.callback(daemon.close)
        await daemon.open(config.paths)
        ready()
        await stop.wait()


class _Daemon:
    def __init__(
        self,
        config: Config,
        storage: Storage,
        workers: Workers,
        hardware: Hardware,
        loop: asyncio.AbstractEventLoop,
        end: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._hardware = hardware
        self._due: asyncio.Handle | None = None
        self._minute: asyncio.Handle | None = None
        self._looking = False
        self._closed = False
        self._logged: str | None = None
        self._warned: str | None = None
        self._heard_by = storage.settings.house
        self._has_screen = config.console.screen != "none"
        self._language = config.console.language
        """The language of announcements before the first game."""
        self._speaker = Speaker(
            hardware.sounder,
            config.sound.voice_command,
            _wish_to_hear(storage.settings.house),
            loop,
            self._on_sound_fault,
            heard=config.sound.driver != "none",
        )
        self._referee = Referee(loop)
        self._public = Server(lambda: messages.line(self._table.public_message()))
        self._console = Server(
            lambda: messages.line(self._table.console_message()),
            lambda line, viewer: self._take(line, viewer, self._table.ask),
            gone=self._on_console_left,
            came=lambda viewer: self._show_panel(),
        )
        self._house = Server(
            lambda: house.line(self._table.house_message()),
            lambda line, viewer: self._take(line, viewer, self._table.on_house_order),
            house.MAX_CONNECTIONS,
        )
        self._servers = {
            Audience.PUBLIC: self._public,
            Audience.CONSOLE: self._console,
            Audience.HOUSE: self._house,
        }
        self._sealed = SealedSocket(loop)
        self._table = build(
            storage,
            workers,
            intents=Intents(cast(Mode, config.touch.intent), config.touch.hold_ms / 1000),
            lights=hardware.lights,
            cards=cast(Cards, config.table.cards),
            clock=loop.time,
            callbacks=Callbacks(
                publish=lambda audience: self._servers[audience].publish(),
                after=self._after,
                later=self._later,
                announce=self._announce,
                measure=hardware.touch.measure,
                try_sound=self._speaker.try_sound,
                send_block=self._sealed.take_block,
                ask_referee=self._referee.ask,
                end=end,
            ),
            peek_seconds=float(config.console.peek_seconds),
            has_screen=self._has_screen,
            string=read_layout(config.lights.layout).lights,
            frames_per_second=config.lights.frames_per_second,
        )
        self._panel = CasePanel(hardware.panel, self._table.switch_off, log.error)

    async def open(self, paths: PathsSection) -> None:
        """Open the sockets and start the devices and the clock. Raises DeviceError."""
        await self._public.open(paths.public_socket, PUBLIC_MODE)
        await self._console.open(paths.console_socket, CONSOLE_MODE)
        await self._house.open(paths.house_socket, HOUSE_MODE)
        await self._sealed.open(paths.sealed_socket, self._table)
        self._hardware.touch.start(self._table.on_touch_frame)
        self._speaker.switch_on()
        self._tell_the_time_of_day()
        self._panel.ready()
        self._after()

    def close(self) -> None:
        """Close the sockets and the table. Call this before closing the devices."""
        self._closed = True
        for handle in (self._due, self._minute):
            if handle is not None:
                handle.cancel()
        self._sealed.close()
        self._house.close()
        self._console.close()
        self._public.close()
        self._table.close()
        self._referee.close()
        self._speaker.close()

    # The sockets

    def _announce(self, said: tuple[Announcement, ...], lang: Lang | None) -> None:
        self._speaker.announce(said, lang or self._language)

    def _on_sound_fault(self, trouble: str | None) -> None:
        log.warning(trouble or say("The loudspeaker is in order again."))
        self._table.on_sound_fault(trouble)

    def _take(self, line: bytes, viewer: Viewer, ask: Ask) -> None:
        try:
            request = messages.read_request(line)
        except InputError as error:
            answer = messages.Answer(0, ok=False, reason="no-request", sentence=str(error))
            viewer.answer(messages.line(answer))
            return

        def answer_with(verdict: Verdict) -> None:
            viewer.answer(
                messages.line(
                    messages.Answer(
                        request.id, verdict.ok, verdict.reason, verdict.sentence, verdict.told
                    )
                )
            )

        ask(request.do, answer_with)

    def _on_console_left(self, viewer: Viewer) -> None:
        self._table.on_console_left()
        self._show_panel()

    def _show_panel(self) -> None:
        """Show the table's state on the case. If the table should have a hidden screen, a missing
        one counts as a fault, because the key cannot be seen without it."""
        lacks_screen = self._has_screen and not self._console.is_watched
        ails = self._table.ails or lacks_screen
        self._panel.show(self._table.out_of_order, ails)

    def _later(self, call: Callable[[], None]) -> None:
        """Call a function in the next pass of the event loop, after the servers have sent their
        messages."""
        self._loop.call_soon(lambda: self._loop.call_soon(call))

    # Time

    def _tell_the_time_of_day(self) -> None:
        """Give the table the local time, now and at each full minute."""
        if self._closed:
            return
        now = datetime.now()
        self._table.on_time_of_day(now.strftime("%H:%M"))
        self._minute = self._loop.call_later(MINUTE - now.second, self._tell_the_time_of_day)

    def _after(self) -> None:
        """Log changed faults, tell the loudspeaker what has changed, and schedule the table's next
        wake-up."""
        if self._table.fault != self._logged:
            self._logged = self._table.fault
            log.error(self._logged or say("The journal is in order again."))
        if self._table.trouble != self._warned:
            self._warned = self._table.trouble
            log.warning(self._warned or say("The touch grid is in order again."))
        self._show_panel()
        self._sealed.see_to_beats()
        if self._table.house is not self._heard_by:
            self._heard_by = self._table.house
            self._speaker.change(_wish_to_hear(self._heard_by))
        if not self._table.is_in_service:
            self._speaker.end_test()
        if self._looking or self._closed:
            return
        if self._due is not None:
            self._due.cancel()
        wakes = self._table.wakes
        self._due = None if wakes is None else self._loop.call_at(wakes, self._look_first)

    def _look_first(self, looked: int = 0) -> None:
        """Read pending input, and then let time pass.

        If the process was stopped for a moment, the lift of a finger may still be unread when the
        end of its hold is due. The event loop handles new input only after all calls that were due
        already. So this method waits for `READ_ROUNDS` rounds, after which all pending input was
        read.
        """
        if self._closed:
            return
        self._looking = looked < READ_ROUNDS
        if self._looking:
            self._due = self._loop.call_soon(self._look_first, looked + 1)
        else:
            self._table.on_timer()


def _dealer(config: Config) -> Dealer:
    folder, is_named = config.packs_folder, bool(config.table.packs)
    packs = pack_files.packs(folder if is_named or folder.is_dir() else None)
    for fault in packs.faults:
        log.warning("Word pack left out: %s", fault)

    def keep(lang: str, words: Sequence[str]) -> None:
        if not config.table.keep_blanks:
            return
        try:
            if not is_named:
                folder.mkdir(mode=0o700, exist_ok=True)
            guests.keep(folder, lang, words)
        except (TableError, OSError) as error:  # the game with these words continues
            log.warning("The guests' words are not kept: %s", error)

    return Dealer(shelf_of(packs, config.table.pack), keep=keep)


def _name_packs_left_out(house: House, dealer: Dealer) -> House:
    """Return the house's settings, in which each excluded pack has the pack's own name. The
    configuration may use another name for the pack."""
    names = [pack.name for pack in dealer.shelf.packs]
    left_out = (pack_files.resolve_name(name, names) for name in house.packs_left_out)
    return replace(house, packs_left_out=tuple(left_out))


def _wish_to_hear(house: House) -> Settings:
    return Settings(house.volume, house.muted, quiet_hours(house), house.speech)


def _switch(command: str) -> Callable[[], None]:
    """Return a function that runs this switch-off command. Raises InputError."""
    if not command:
        return no_way_to_switch_off
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(
            say(
                "In the configuration, [table] switch_off is not a command ({error}): write it "
                "as in a shell.",
                error=error,
            )
        ) from None

    def switch_off() -> None:
        try:
            subprocess.run(words, check=True, timeout=SWITCH_OFF_SECONDS, capture_output=True)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise TableError(
                say(
                    "The machine could not be switched off: {command} failed ({name}). Try the "
                    "command by hand, or correct [table] switch_off.",
                    command=repr(command),
                    name=type(error).__name__,
                )
            ) from None

    return switch_off


def main(config: Config, config_file: Path | None = None) -> int:
    """Run the table as a program until SIGTERM or SIGINT; return its exit status."""
    forbid_core_dumps()
    use_realtime_priority()
    begin_log()
    return asyncio.run(_program(config, config_file))


def _load_what_play_needs() -> None:
    """Load at the start what would otherwise delay the first touches: the texts of the first
    announcement, the library that decrypts a phone's first frame, and the search for similar names.
    """
    import difflib  # noqa: F401 - for `did_you_mean`; the other commands go without

    for lang in LANGUAGES:
        catalogue(lang)
    load_library()


async def _program(config: Config, config_file: Path | None) -> int:
    broken: list[object] = []

    async def serve(stop: asyncio.Event, ready: Callable[[], None]) -> None:
        def on_unexpected_error(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
            # After an unexpected error the state is unknown, so stop: the journal has the game, and
            # a restart continues from there. Log no repr, since it may contain a key.
            error = context.get("exception")
            log.error(
                say(
                    "The table stops: {it}.",
                    it=type(error).__name__ if error else say("a fault"),
                )
            )
            broken.append(error)
            stop.set()

        def on_built() -> None:
            _load_what_play_needs()
            # The objects built so far are never freed; scanning them would delay a guess.
            gc.collect()
            gc.freeze()
            sys.setswitchinterval(SWITCH_SECONDS)
            ready()
            log.info("The table is ready.")

        asyncio.get_running_loop().set_exception_handler(on_unexpected_error)
        await run(config, stop, on_built, config_file=config_file)

    await run_service(serve)
    return 1 if broken else 0
