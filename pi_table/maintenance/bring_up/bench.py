"""What a step of bringing a table up works with: the maker, the configuration, the controller."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import joined, say
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.contracts import ConsoleInputs
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.serial_line import opened
from pi_table.maintenance.bring_up.terminal import Person

UNCLEAR: Final = "?"
YES_OR_NO: Final = say("[y]es, [n]o:").msgid
NOBODY: Final = say("Nobody was asked, so nobody has looked.")


class Maker(Person, Protocol):
    """Somebody who brings a table up, and has eyes and ears."""

    @property
    def asks(self) -> bool:
        """Are questions asked? Otherwise whatever only eyes can tell stays open."""

    def read(self, question: str) -> str:
        """The answer to a question, in words. Raises InputError if nobody is there to answer."""


@contextmanager
def _on_a_thread(turn: Callable[[], None]) -> Iterator[None]:
    """Do a thing again and again until this is left. A device that fails meanwhile ends it: whoever
    speaks with the device next is told."""
    over = threading.Event()

    def turns() -> None:
        with suppress(DeviceError):
            while not over.is_set():
                turn()

    thread = threading.Thread(target=turns, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Bench:
    """A table that is brought up, and what it is brought up with.

    ``connect`` opens a conversation with the controller, ``inputs`` the knob and buttons, ``root``
    is where the file system begins, ``wait`` lets so many seconds pass, and ``meanwhile`` does a
    thing again and again while somebody is waited for.
    """

    def __init__(
        self,
        config: Config,
        maker: Maker,
        connect: Callable[[], AbstractContextManager[Conversation]] | None = None,
        inputs: Callable[[Config], ConsoleInputs] = open_inputs,
        root: Path = Path("/"),
        wait: Callable[[float], None] = time.sleep,
        meanwhile: "Callable[[Callable[[], None]], AbstractContextManager[None]] | None" = None,
    ) -> None:
        self.config = config
        self.maker = maker
        self.inputs = inputs
        self.root = root
        self.wait = wait
        self.meanwhile = meanwhile or _on_a_thread
        self._connect = connect or self._by_serial
        self._opened = ExitStack()
        self._conversation: Conversation | None = None

    @property
    def has_controller(self) -> bool:
        """Does the configuration name the driver of the controller?"""
        return "controller" in (self.config.touch.driver, self.config.lights.driver)

    @property
    def controller_lights(self) -> bool:
        """Does the controller drive the lights?"""
        return self.config.lights.driver == "controller"

    def controller(self) -> Conversation:
        """The conversation with the controller, which goes on from step to step. Raises
        DeviceError."""
        if self._conversation is None:
            self._conversation = self._opened.enter_context(self._connect())
        return self._conversation

    def let_go(self) -> None:
        """End the conversation with the controller: its port is free for others. May be called
        again, with no effect."""
        self._conversation = None
        self._opened.close()

    def seen(
        self, what: str, question: str, yes: str, no: Callable[[], Finding] | Finding
    ) -> Finding:
        """What eyes or ears say: ``question`` is put to the maker, ``yes`` is the sentence for one
        that is answered so."""
        if not self.maker.asks:
            return Finding(what, Verdict.LOOK, NOBODY, question)
        while (
            answer := self.maker.choose(joined(" ", (question, YES_OR_NO)), f"{UNCLEAR}yn", "y")
        ) not in (
            "y",
            "n",
        ):
            pass
        if answer == "y":
            return Finding(what, Verdict.OK, yes)
        return no if isinstance(no, Finding) else no()

    @contextmanager
    def _by_serial(self) -> Iterator[Conversation]:
        port = self.config.controller.port
        with opened(port) as line:
            yield Conversation(line, port)
