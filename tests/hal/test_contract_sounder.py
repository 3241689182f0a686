"""Every driver of a loudspeaker keeps its contract; a new one adds a class here."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ear import Ear
from patience import serve_until
from sounder_contract import SounderContract

from pi_table.common.config import load
from pi_table.devices.hal.contracts import SILENCE, Clip
from pi_table.devices.hal.registry import open_hardware
from pi_table.devices.hal.simulated import SimulatedTable


class OnALoop:
    """A loudspeaker as the table opens it, on an event loop of its own."""

    def __init__(self, sound: dict[str, Any]) -> None:
        self.loop = asyncio.new_event_loop()
        self._hardware = open_hardware(load(changes={"sound": sound}), self.loop)
        self.sounder = self._hardware.sounder

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def serve(self) -> None:
        for _ in range(5):
            self.loop.run_until_complete(asyncio.sleep(0.001))

    def close(self) -> None:
        self._hardware.close()
        self.loop.close()


class InMemory(OnALoop):
    """The simulated table's loudspeaker. What is replaced while nobody listens is not heard."""

    is_heard = True

    def __init__(self) -> None:
        super().__init__({"driver": "simulated"})
        assert isinstance(self.sounder, SimulatedTable)
        self._heard: list[Clip] = []
        self._listens = True
        self.sounder.on_play = self._play

    def _play(self, clip: Clip) -> None:
        if self._listens and clip != SILENCE:
            self._heard.append(clip)

    def heard(self) -> list[Clip]:
        return self._heard

    def listen(self, yes: bool) -> None:
        self._listens = yes
        if yes and isinstance(self.sounder, SimulatedTable):
            self._play(self.sounder.played)


class Silent(OnALoop):
    """A table without a loudspeaker."""

    is_heard = False

    def __init__(self) -> None:
        super().__init__({"driver": "none"})

    def heard(self) -> list[Clip]:
        return []

    def listen(self, yes: bool) -> None:
        """There is nothing to listen to."""


class ByAplay(OnALoop):
    """The real aplay, and the ear behind its device."""

    is_heard = True

    def __init__(self, ear: Ear) -> None:
        super().__init__({"driver": "alsa", "device": ear.device})
        self.heard = ear.heard
        self.listen = ear.listen


class TestSimulatedSounder(SounderContract):
    @pytest.fixture
    def rig(self) -> Iterator[InMemory]:
        with closing(InMemory()) as rig:
            yield rig


class TestNoSounder(SounderContract):
    @pytest.fixture
    def rig(self) -> Iterator[Silent]:
        with closing(Silent()) as rig:
            yield rig


@pytest.mark.paced
class TestAlsa(SounderContract):
    @pytest.fixture
    def rig(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ByAplay]:
        with closing(ByAplay(Ear(tmp_path, monkeypatch))) as rig:
            yield rig
