"""A table whose operator has set a PIN, and has a desk: for attacks on that."""

from pathlib import Path
from time import monotonic
from typing import Any, Final

from attacked import Attacked, new_game
from patience import PATIENCE
from sealed_desk import Desk, Post
from wires import Answer, request

PIN: Final = "72831"
KIND: Final = "application/octet-stream"


class DeskTable:
    """A running table with pages, the hidden screen, and a PIN."""

    def __init__(self, folder: Path) -> None:
        self.packs = folder / "packs"
        self.packs.mkdir()
        self.table = Attacked(folder, f'[table]\ncards = "dealt"\npacks = "{self.packs}"\n')
        self.console = self.table.console()
        self.console.until(lambda table: table["pages"] is not None)
        self.operator("set-pin", pin=PIN)

    def operator(self, act: str, **fields: Any) -> Any:
        """Act on the hidden screen while the operator's page is open; return the answer."""
        answer = self.console.ask(act, **fields)
        assert answer["ok"], (act, answer["sentence"])
        return answer["told"]

    def begin(self) -> None:
        new_game(self.console)

    def link(self) -> str:
        """The link of a new desk."""
        link: str = self.operator("desk")["link"]
        return link

    def asked(self, body: bytes, device: str = "127.0.0.5", **headers: str) -> Answer:
        """Return the answer over HTTP."""
        headers.setdefault("Content_Type", KIND)
        return request(self.table.port, "/api/1/desk", "POST", body, device, **headers)

    def post(self, device: str = "127.0.0.5") -> Post:
        """Return a function that sends as the desk of a device. It retries if it was too fast."""

        def post(frame: bytes) -> bytes:
            end = monotonic() + PATIENCE
            while (answer := self.asked(frame, device)).status in (429, 503):
                assert monotonic() < end, answer
            assert answer.status == 200, answer
            return answer.body

        return post

    def desk(self, device: str = "127.0.0.5") -> Desk:
        """A desk that was led to a new link, and is heard."""
        desk = Desk(self.link(), self.post(device))
        assert desk.knock()
        return desk

    def open_desk(self) -> Desk:
        """One at which the PIN was entered."""
        desk = self.desk()
        assert desk.why("unlock", pin=PIN) is None
        return desk

    @property
    def muted(self) -> bool:
        self.console.ask("clues")
        muted: bool = self.console.table["house"]["muted"]
        return muted

    def close(self) -> None:
        self.console.close()
        self.table.close()
