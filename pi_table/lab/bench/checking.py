"""Measures how long a touch waits while the table checks a large backup for the operator's desk."""

import os
from base64 import b64encode
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common import config as config_files
from pi_table.games.words.pack import MAX_BYTES
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.relayed import ADDRESS
from pi_table.lab.running_table import Console, RunningTable, Wire
from pi_table.protocols.ipc.sealed import DeskCall, DeskReply, Relayed
from pi_table.protocols.sealing.frames import DESK_DOWN, DESK_KNOCK, DESK_UP, as_text, from_text
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal, unseal
from pi_table.table.backups.backup import back_up
from pi_table.table.engine.storage.transfer import PIECE_BYTES

PIN: Final = "4711"
PACKS: Final = 24
"""Number of word packs in the backup. Each has the largest size. Reading all of them takes half a
minute."""
WALL: Final = "2026-01-01T00:00:00.000+00:00"


class Desk:
    """A client that acts as the desk, the operator's web page. It uses the table's sealed socket,
    and sends one request at a time."""

    def __init__(self, table: RunningTable, console: Console) -> None:
        self._wire = Wire(table.folder / "run" / "sealed.sock")
        self._wire.send(msgspec.to_builtins(Relayed(0, (), ADDRESS)))
        console.ask("set-pin", pin=PIN)
        link = console.ask("desk")["told"]["link"].partition("#")[2]
        self._device, self._hello = os.urandom(KEY_BYTES), as_text(os.urandom(16))
        self._number = 0
        said = {"k": as_text(self._device), "h": self._hello}
        self._send(said, DESK_KNOCK, from_text(link, KEY_BYTES) or b"")
        self._session = self._answer()["s"]
        self.ask("unlock", pin=PIN)

    def ask(self, act: str, **fields: Any) -> Any:
        self.begin(act, **fields)
        return self._answer()

    def begin(self, act: str, **fields: Any) -> None:
        do = {"act": act, **fields}
        said = {"s": self._session, "h": self._hello, "n": self._number, "do": do}
        self._send(said, DESK_UP, self._device)

    def is_answered(self) -> bool:
        """True if the last request has been answered. The answer is read and thrown away."""
        while self._wire.waiting():
            if self._wire.read()["kind"] == "desk-reply":
                return True
        return False

    def put(self, backup: bytes) -> None:
        for at in range(0, len(backup), PIECE_BYTES):
            piece = b64encode(backup[at : at + PIECE_BYTES]).decode()
            self.ask("put", what="backup", at=at, piece=piece)

    def close(self) -> None:
        self._wire.close()

    def _send(self, said: dict[str, Any], use: bytes, key: bytes) -> None:
        self._number += 1
        frame = seal(msgspec.json.encode(said), use, os.urandom(NONCE_BYTES), key)
        self._wire.send(msgspec.to_builtins(DeskCall(self._number, frame)))

    def _answer(self) -> Any:
        while (said := self._wire.read())["kind"] != "desk-reply":
            pass
        reply = unseal(msgspec.convert(said, DeskReply).sealed, DESK_DOWN, self._device)
        assert reply is not None
        return msgspec.json.decode(reply)


class BusyDesk:
    """A desk that makes the table check a backup again and again. A check starts while no game is
    played."""

    def __init__(self, stack: ExitStack, table: RunningTable, console: Console) -> None:
        self._desk = Desk(table, console)
        stack.callback(self._desk.close)
        self._desk.put(laborious_backup(table.folder / "other"))
        self._console = console
        self._is_checking = False

    def keep_checking(self) -> None:
        """Unless the last check still runs, end the game, start a check, and start another game."""
        if self._is_checking and not self._desk.is_answered():
            return
        public = self._console.table["public"]
        if public is not None and public["phase"] != "over":
            self._console.do("abandon")
        self._desk.begin("check-backup")
        self._console.ask("record")  # its answer shows that the check was received
        self._is_checking = True
        self._console.do("start", profile=PROFILE.id)

    def is_checking(self) -> bool:
        self._is_checking = self._is_checking and not self._desk.is_answered()
        return self._is_checking


def laborious_backup(folder: Path) -> bytes:
    """Return a valid backup that takes at least as long to check as any other of its size."""
    packs = folder / "state" / "packs"
    packs.mkdir(parents=True)
    letters = "ABCDEFGHIJKLMNOPQRST"
    # A word that has other signs than letters takes longer.
    words = ["".join(signs) for signs in product(letters, letters, letters, "1234567")]
    for number in range(PACKS):
        head = f"name: pack-{number}\ntitle: Pack\nlanguage: en\naudience: everybody\n"
        text = f"{head}source: the bench\nlicence: none\n\n" + "\n".join(words)
        (packs / f"pack-{number}.txt").write_text(text[: MAX_BYTES - 1].rpartition("\n")[0])
    config = folder / "table.toml"
    config.write_text(f'[paths]\nstate = "{folder / "state"}"\n')
    back_up(folder / "backup.tar", config_files.load(config), config, WALL)
    return (folder / "backup.tar").read_bytes()
