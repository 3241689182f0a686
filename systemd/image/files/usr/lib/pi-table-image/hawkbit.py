"""Asks a server for updates, installs them, and tells the server what came of them.

An action of the server's is over when the table has been started with what it brought, and that was
found good or not: what is under way is remembered on the partition of the games, which outlives the
slot. Nothing is started here: `pi-table-image-try.timer` does that when nobody plays.
"""

import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import held_folder
import slots
from ddi import Account, Artifact, Gone, Server, Trouble, Unfit, artifact_of

SETTINGS: Final = "hawkbit.toml"
UNDER_WAY: Final = "under-way.json"
BUNDLE: Final = ".raucb"
ROOM: Final = 64 << 20
"""Bytes that are left to the games beside a file that is fetched."""
AFTER_TROUBLE: Final = 300.0


class Slots(Protocol):
    """The two slots of this table."""

    def ask(self, *words: str) -> str:
        """What the program `slots` says."""

    def install(self, bundle: Path) -> str:
        """Install a bundle in the other slot; why it was not, or nothing."""

    def why_not(self) -> str:
        """Why the slot that was tried last is not kept."""


class UnderWay(NamedTuple):
    """An action of the server's that the table has taken up, as it is remembered."""

    action: str
    """Its address."""
    slot: str
    """The slot into which its update goes."""
    refusal: str | None = None
    """None while it is being installed; empty when it is; else why it was not."""


class Agent:
    """The table's part in its updates, which goes on from what ``state`` holds."""

    def __init__(self, server: Server, here: Slots, state: Path, about: dict[str, str]) -> None:
        """``about`` is what the table says of itself."""
        self._server, self._slots, self._about = server, here, about
        self._state, self._remembered = state, state / UNDER_WAY

    def step(self) -> float:
        """Do what there is to do; the seconds until the next time. Raises Trouble."""
        try:
            self._tell_what_came_of_it()
        except Trouble as trouble:  # whatever became of the last update, the next one may come
            print(trouble, flush=True)
        wanted = self._server.wanted()
        if wanted.describe:
            said = {"mode": "merge", "data": self._about}
            self._server.send(wanted.describe, said, method="PUT")
        if wanted.confirm:
            print("The server has an update that is to be confirmed: do that there.", flush=True)
        if wanted.cancel:
            self._cancel(wanted.cancel)
        elif wanted.deploy:
            self._deploy(wanted.deploy)
        elif not wanted.confirm:
            self._forget_what_was_ended()
        return wanted.seconds

    def _tell_what_came_of_it(self) -> None:
        """Tell the server, if what was taken up was refused, or has been judged."""
        under_way = self._under_way()
        if under_way is None:
            return
        word = self._slots.ask("get-word", under_way.slot)
        if under_way.refusal is None and word != "bad":
            # It was installed, and this program ended before it could write that down.
            under_way = under_way._replace(refusal="")
            self._remember(under_way)
        if under_way.refusal is not None:
            self._drop_bundles()
        if under_way.refusal:
            finished, why = "failure", under_way.refusal
        elif self._slots.ask("get-default") == under_way.slot:
            finished, why = "success", "The new version runs."
        elif under_way.refusal is not None and word == "bad":
            finished, why = "failure", self._slots.why_not()
        else:
            return
        with suppress(Gone):  # it was closed there meanwhile
            self._server.report(under_way.action, "closed", finished, why)
        self._forget()

    def _deploy(self, address: str) -> None:
        action = address.partition("?")[0]
        default = self._slots.ask("get-default")
        if self._slots.ask("get-current") != default:
            return  # the version that runs is being judged, and would be judged over the only other
        under_way = self._under_way()
        if under_way and under_way.action == action and under_way.refusal is not None:
            return  # it waits for its trial
        try:
            artifact = artifact_of(self._server.get(address), BUNDLE)
            if artifact is None:
                return
            path = self._fetched(action, artifact)
        except Unfit as unfit:
            print(unfit, flush=True)
            self._drop_bundles()
            self._server.report(action, "closed", "failure", str(unfit))
            return
        slot = slots.other(default)
        self._slots.ask("set-state", slot, "bad")  # what is there is not tried any more
        self._remember(UnderWay(action, slot))
        self._remember(UnderWay(action, slot, self._slots.install(path)))
        self._tell_what_came_of_it()
        if self._under_way():
            self._server.report(
                action,
                "scheduled",
                "none",
                "Installed. It starts when nobody plays, in quiet hours or when the table has "
                "just been switched on.",
            )

    def _fetched(self, action: str, artifact: Artifact) -> Path:
        """The file of an update, fetched whole; those of others are gone. Raises Unfit where there
        is no room for it."""
        path = self._state / f"update-{artifact.sha256[:16]}{BUNDLE}"
        self._drop_bundles(but=path)
        there = path.stat().st_size if path.exists() else 0
        free = os.statvfs(self._state)
        if free.f_bavail * free.f_frsize < artifact.size - there + ROOM:
            raise Unfit(f"There is no room for the {artifact.size >> 20} MiB of {artifact.name}.")
        if not there:
            self._server.report(action, "download", "none")
        self._server.fetch(artifact, path)
        self._server.report(action, "downloaded", "none")
        return path

    def _cancel(self, address: str) -> None:
        """Call off what is not begun yet; what is being tried is not stopped."""
        action = address.partition("?")[0]
        stop = self._server.stop_of(address)
        under_way = self._under_way()
        if under_way and under_way.action.rpartition("/")[2] == stop:
            if self._slots.ask("get-word", under_way.slot) == "tried":
                self._server.report(action, "rejected", "none", "It is being tried.")
                return
            self._slots.ask("set-state", under_way.slot, "bad")
            self._forget()
        self._drop_bundles()
        self._server.report(action, "closed", "success")

    def _forget_what_was_ended(self) -> None:
        """The server wants nothing any more, so it has ended an action by itself: what was
        installed for that, and has not been tried, is not started."""
        under_way = self._under_way()
        if under_way and self._slots.ask("get-word", under_way.slot) == "new":
            self._slots.ask("set-state", under_way.slot, "bad")
            self._forget()
            print("The server has ended the action: what was installed is not started.", flush=True)

    def _drop_bundles(self, but: Path | None = None) -> None:
        for each in self._state.glob(f"*{BUNDLE}"):
            if each != but:
                each.unlink()

    # What is remembered

    def _under_way(self) -> UnderWay | None:
        try:
            return UnderWay(**json.loads(self._remembered.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            print(
                f"{self._remembered} cannot be read: what was under way is forgotten.", flush=True
            )
            self._forget()
            return None

    def _remember(self, under_way: UnderWay) -> None:
        new = self._remembered.with_suffix(".new")
        with new.open("w") as file:
            json.dump(under_way._asdict(), file)
            file.flush()
            os.fsync(file.fileno())
        new.rename(self._remembered)

    def _forget(self) -> None:
        self._remembered.unlink()


class OwnSlots:
    """The slots of the machine that this runs on."""

    ask = staticmethod(slots.ask)

    def install(self, bundle: Path) -> str:
        # RAUC believes a signature, and no name.
        named = held_folder.IMAGE / bundle.name
        done = subprocess.run(["rauc", "install", named], text=True, capture_output=True)
        if done.returncode == 0:
            return ""
        last = [line for line in (done.stdout + done.stderr).splitlines() if "LastError" in line]
        return "".join(last[-1:]) or done.stderr.strip() or "RAUC did not install it."

    def why_not(self) -> str:
        return slots.why_not() or "It was not kept."


def account_of(settings: dict[str, Any]) -> tuple[Account, Path | None]:
    """The account that the settings hold, and the certificates. Raises ValueError for what is
    missing or is no text."""
    for name in ("server", "controller", "token"):
        if name not in settings:
            raise ValueError(f"{name} is missing")
    for name, value in settings.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is no text in quotes")
    if urlsplit(settings["server"]).scheme not in ("http", "https"):
        raise ValueError("server is no address that begins with https://")
    authorities = settings.get("authorities")
    account = Account(
        settings["server"].rstrip("/"),
        settings.get("tenant", "DEFAULT"),
        settings["controller"],
        settings["token"],
        settings.get("token_kind", "TargetToken"),
    )
    return account, Path(authorities) if authorities else None


def main(wait: Callable[[float], None] = time.sleep) -> int:
    try:
        state = held_folder.held()
        account, authorities = account_of(tomllib.loads((state / SETTINGS).read_text("utf-8-sig")))
        server = Server(account, authorities)
    except (ValueError, OSError) as error:
        print(f"{held_folder.IMAGE / SETTINGS} cannot be used: {error}.", file=sys.stderr)
        return 2
    if not account.server.startswith("https:"):
        print(
            f"{account.server} is asked without encryption: everybody on the way reads the token, "
            "and may say in the server's place which of the maker's versions is installed.",
            flush=True,
        )
    agent = Agent(server, OwnSlots(), state, release())
    while True:
        try:
            seconds = agent.step()
        except Trouble as trouble:
            print(trouble, flush=True)
            seconds = AFTER_TROUBLE
        wait(seconds)


def release(path: Path = Path("/usr/lib/os-release")) -> dict[str, str]:
    """What image runs here."""
    lines = path.read_text().splitlines()
    named = dict(line.split("=", 1) for line in lines if line.startswith("IMAGE_"))
    return {name.lower(): value for name, value in named.items()}


if __name__ == "__main__":
    sys.exit(main())
