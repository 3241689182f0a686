"""An ear for the real aplay: ALSA's own file plugin, which writes down what a device was given.

The plugin stands for the device, and a shell behind it for the air. While the ear does not listen,
the shell reads nothing: then the device takes no more than a pipe holds, as a real one takes no
more than its buffer holds.
"""

from pathlib import Path

import pytest

from pi_table.devices.hal.contracts import Clip

CONFIGURATION = """
</usr/share/alsa/alsa.conf>
pcm.ear {{
    type file
    slave.pcm {{ type null }}
    file "|exec sh {folder}/ear.sh"
    format "raw"
}}
pcm.tape {{
    type file
    slave.pcm {{ type null }}
    file {{ @func getenv vars [ TAPE ] default "/dev/null" }}
    format "wav"
}}
"""
EAR = """
heard={folder}/heard/$(cut -d " " -f 22 /proc/$$/stat)-$$
while [ -e {folder}/deaf ]; do sleep 0.01; done
exec cat >"$heard"
"""
"""Which of two came later is known by when each was begun: on a busy machine the shell of an aplay
that has been killed may take its first step after the next one has brought its clip."""


class Ear:
    """The other end of the ALSA device ``ear``, while the configuration of ALSA is this one's."""

    device = "ear"

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        (folder / "heard").mkdir()
        (folder / "ear.sh").write_text(EAR.format(folder=folder))
        (folder / "asound.conf").write_text(CONFIGURATION.format(folder=folder))
        monkeypatch.setenv("ALSA_CONFIG_PATH", str(folder / "asound.conf"))

    def listen(self, yes: bool) -> None:
        if yes:
            (self._folder / "deaf").unlink(missing_ok=True)
        else:
            (self._folder / "deaf").touch()

    def heard(self) -> list[Clip]:
        """Return the clip of each aplay, without the silence that fills its last period."""
        files = sorted((self._folder / "heard").iterdir(), key=_begun)
        return [clip for file in files if (clip := _without_end(file.read_bytes())).samples]


def _begun(file: Path) -> list[int]:
    return [int(number) for number in file.name.split("-")]


def _without_end(data: bytes) -> Clip:
    sounding = len(data.rstrip(b"\0"))
    return Clip(data[: sounding + sounding % 2])
