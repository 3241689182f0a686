"""Gives every bring-up step the configuration, the controller, and the maker's answers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import join_texts, say
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.contracts import ConsoleInputs
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.pi_controller_findings import Unit, show_unit
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.terminal import UNCLEAR, Person

YES_OR_NO: Final = say("[y]es, [n]o:").msgid
NOBODY: Final = say("Nobody was asked, so nobody has looked.")


class Maker(Person, Protocol):
    """The person who builds the table, and who answers questions about what can be seen or
    heard."""

    @property
    def asks(self) -> bool:
        """True if questions may be asked. If False, checks by eye or ear are reported as not
        done."""

    def read(self, question: str) -> str:
        """Ask a question and return the answer as text. Raises InputError if no answer comes."""


@contextmanager
def _on_a_thread(turn: Callable[[], None]) -> Iterator[None]:
    """Repeat ``turn`` on a thread until the context ends. A DeviceError ends the thread; the next
    request to the controller then reports the error."""
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
    """A table during bring-up, with everything that its steps need.

    ``connect`` opens a conversation with the controller; ``inputs`` opens the knob and buttons.
    ``root`` is the root of the file system. ``wait`` sleeps for a number of seconds. ``meanwhile``
    repeats an action while the program waits for a person's answer. ``unit`` returns the properties
    of the controller's service.
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
        unit: Callable[[], Unit] = show_unit,
    ) -> None:
        self.config = config
        self.maker = maker
        self.inputs = inputs
        self.root = root
        self.wait = wait
        self.meanwhile = meanwhile or _on_a_thread
        self.unit = unit
        self._connect = connect or self._by_serial
        self._opened = ExitStack()
        self._conversation: Conversation | None = None

    @property
    def has_controller(self) -> bool:
        """True if the touch or the lights have the driver ``controller``."""
        return "controller" in (self.config.touch.driver, self.config.lights.driver)

    @property
    def controller_lights(self) -> bool:
        return self.config.lights.driver == "controller"

    def controller(self) -> Conversation:
        """Return the conversation with the controller, shared within a step. Raises DeviceError."""
        if self._conversation is None:
            self._conversation = self._opened.enter_context(self._connect())
        return self._conversation

    def let_go(self) -> None:
        """End any conversation with the controller, and close its port."""
        self._conversation = None
        self._opened.close()

    def ask_maker(
        self, what: str, question: str, yes: str, no: Callable[[], Finding] | Finding
    ) -> Finding:
        """Ask the maker about something that can be seen or heard. If the answer is yes, return a
        finding with the verdict OK and the sentence ``yes``. If it is no, return the finding
        ``no``."""
        found = self.ask_if_right(what, question, yes)
        if found is not None:
            return found
        return no if isinstance(no, Finding) else no()

    def ask_if_right(self, what: str, question: str, yes: str) -> Finding | None:
        """Ask as `ask_maker` does, but return None if the answer is no."""
        if not self.maker.asks:
            return Finding(what, Verdict.LOOK, NOBODY, question)
        return Finding(what, Verdict.OK, yes) if self.ask(question) else None

    def ask(self, question: str) -> bool:
        """Ask the maker until the answer is yes or no. Return True if it is yes."""
        asked, answer = join_texts(" ", (question, YES_OR_NO)), ""
        while answer not in ("y", "n"):
            answer = self.maker.choose(asked, f"{UNCLEAR}yn", "y")
        return answer == "y"

    @contextmanager
    def _by_serial(self) -> Iterator[Conversation]:
        port = self.config.controller.port
        with open_line(port) as line:
            yield Conversation(line, port)
