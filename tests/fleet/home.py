"""Home Assistant as a process of its own, in ``.venv-home``."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import pytest
from patience import PATIENCE
from waiting import waited_for

PYTHON: Final = Path(".venv-home/bin/python").absolute()
PROGRAM: Final = Path(__file__).with_name("home_assistant_process.py")
VERSION: Final = "2025.4.4"
"""The newest one that every Python 3.13 runs."""

needs_home = pytest.mark.skipif(
    not PYTHON.exists(), reason="`.ci/setup.sh home` found no Python 3.13 to make .venv-home with"
)


def judged(messages: Sequence[tuple[str, bytes]]) -> list[list[str]]:
    """Return the errors of Home Assistant's parser and schemas for each message.

    A message is a topic and a payload. The list is empty where Home Assistant accepts it.
    """
    asked = [{"topic": topic, "payload": payload.decode()} for topic, payload in messages]
    done = subprocess.run(
        [PYTHON, PROGRAM, "judge"],
        input=json.dumps(asked).encode(),
        capture_output=True,
        timeout=2 * PATIENCE,
    )
    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert answer["version"] == VERSION
    complaints: list[list[str]] = answer["complaints"]
    return complaints


class Refused(Exception):  # noqa: N818
    """Home Assistant does not do what was asked of it."""


class HomeAssistant:
    """A whole Home Assistant with the configuration that lies in a folder, connected to the broker
    at a port of this machine, with a user and a password where it asks for them."""

    def __init__(self, folder: Path, port: int, *credentials: str) -> None:
        self._log = (folder / "log").open("ab")
        self._process = subprocess.Popen(
            [PYTHON, PROGRAM, "serve", str(folder), str(port), *credentials],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        try:
            self.version: str = self._read()["version"]
        except BaseException:
            self._end()
            raise AssertionError((folder / "log").read_text()) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def states(self) -> dict[str, dict[str, Any]]:
        """Each entity, by its id, with its ``state`` and its ``attributes``."""
        states: dict[str, dict[str, Any]] = self._ask(ask="states")
        return states

    def state(self, entity: str) -> str | None:
        """The state of an entity; None where there is no such entity."""
        found = self.states().get(entity)
        return None if found is None else found["state"]

    def until(self, so: Callable[[dict[str, dict[str, Any]]], bool]) -> None:
        """Wait until it is so with the entities. Raises AssertionError if it never is."""
        assert waited_for(lambda: so(self.states())), json.dumps(self.states(), indent=1)

    def call(self, service: str, **data: Any) -> None:
        """Do what somebody does with an entity, such as ``light.turn_on``. Raises Refused."""
        refused = self._ask(ask="call", service=service, data=data)
        if refused is not None:
            raise Refused(refused)

    def against(self, blueprint: str, **inputs: Any) -> str | None:
        """Return the complaints about a blueprint or the automation made from it; None if there is
        none."""
        against: str | None = self._ask(ask="automation", blueprint=blueprint, inputs=inputs)
        return against

    def read(self, file: Path) -> Any:
        """A file of YAML, as Home Assistant reads it."""
        return self._ask(ask="read", text=file.read_text())

    def rendered(self, template: str) -> str:
        """The text that a template comes to."""
        text: str = self._ask(ask="render", template=template)
        return text

    def complaints(self) -> list[str]:
        """Return its warnings since the last call."""
        complaints: list[str] = self._ask(ask="complaints")
        return complaints

    def _ask(self, **asked: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def _end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()
