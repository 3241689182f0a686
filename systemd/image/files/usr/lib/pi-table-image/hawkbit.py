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
from pathlib import Path
from typing import Any, Final, Protocol

import slots
from ddi import Account, Server, Trouble, artifact_of

STATE: Final = Path("/var/lib/pi-table/image")
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


class Agent:
    """The table's part in its updates, which goes on from what ``state`` holds."""

    def __init__(self, server: Server, here: Slots, state: Path, about: dict[str, str]) -> None:
        """``about`` is what the table says of itself."""
        self._server, self._slots, self._about = server, here, about
        self._state, self._under_way = state, state / UNDER_WAY

    def step(self) -> float:
        """Do what there is to do; the seconds until the next time. Raises Trouble."""
        if self._under_way.exists():
            self._tell_what_came_of_it(json.loads(self._under_way.read_bytes())["action"])
        wanted = self._server.wanted()
        if wanted.describe:
            said = {"mode": "merge", "data": self._about}
            self._server.send(wanted.describe, said, method="PUT")
        if wanted.cancel:
            self._cancel(wanted.cancel)
        elif wanted.deploy and not self._under_way.exists():
            self._deploy(wanted.deploy)
        return wanted.seconds

    def _tell_what_came_of_it(self, action: str) -> None:
        """Tell the server, if what was installed has been judged."""
        default = self._slots.ask("get-default")
        word = self._slots.ask("get-word", slots.other(default))
        remembered = json.loads(self._under_way.read_bytes())
        if default == remembered["slot"]:
            self._server.report(action, "closed", "success", "The new version runs.")
        elif word == "bad":
            self._server.report(action, "closed", "failure", self._slots.why_not())
        else:
            return
        self._under_way.unlink()

    def _deploy(self, address: str) -> None:
        action = address.partition("?")[0]
        try:
            artifact = artifact_of(self._server.get(address), BUNDLE)
        except Trouble as trouble:
            self._server.report(action, "closed", "failure", str(trouble))
            raise
        if artifact is None:
            return
        path = self._state / f"update-{artifact.sha256[:16]}{BUNDLE}"
        for other in self._state.glob(f"*{BUNDLE}*"):  # of an update that was called off
            if not other.name.startswith(path.name):
                other.unlink()
        if not path.exists():
            free = os.statvfs(self._state)
            if free.f_bavail * free.f_frsize < artifact.size + ROOM:
                why = f"There is no room for the {artifact.size >> 20} MiB of {artifact.name}."
                self._server.report(action, "closed", "failure", why)
                return
            self._server.report(action, "download", "none")
            self._server.fetch(artifact, path)
            self._server.report(action, "downloaded", "none")
        why = self._slots.install(path)
        path.unlink()
        if why:
            self._server.report(action, "closed", "failure", why)
            return
        self._remember(action)
        self._server.report(
            action, "scheduled", "none", "Installed. It starts when nobody plays, in quiet hours."
        )

    def _remember(self, action: str) -> None:
        slot = slots.other(self._slots.ask("get-default"))
        new = self._under_way.with_suffix(".new")
        with new.open("w") as file:
            json.dump({"action": action, "slot": slot}, file)
            file.flush()
            os.fsync(file.fileno())
        new.rename(self._under_way)

    def _cancel(self, address: str) -> None:
        """Call off what is not begun yet; what is being tried is not stopped."""
        action = address.partition("?")[0]
        told = self._server.get(address)
        stop = str(told["cancelAction"]["stopId"])
        if self._under_way.exists():
            remembered = json.loads(self._under_way.read_bytes())
            if remembered["action"].rpartition("/")[2] == stop:
                if self._slots.ask("get-word", remembered["slot"]) != "new":
                    self._server.report(action, "rejected", "none", "It is being tried.")
                    return
                self._slots.ask("set-state", remembered["slot"], "bad")
                self._under_way.unlink()
        self._server.report(action, "closed", "success")


class OwnSlots:
    """The slots of the machine that this runs on."""

    ask = staticmethod(slots.ask)

    def install(self, bundle: Path) -> str:
        done = subprocess.run(["rauc", "install", bundle], text=True, capture_output=True)
        if done.returncode == 0:
            return ""
        last = [line for line in (done.stdout + done.stderr).splitlines() if "LastError" in line]
        return "".join(last[-1:]) or done.stderr.strip() or "RAUC did not install it."

    def why_not(self) -> str:
        return slots.WHY.read_text().strip() if slots.WHY.exists() else "It was not kept."


def account_of(settings: dict[str, Any]) -> tuple[Account, Path | None]:
    """The account that the settings hold, and the certificates. Raises KeyError, with its name, for
    what is missing."""
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
        account, authorities = account_of(tomllib.loads((STATE / SETTINGS).read_text()))
    except (ValueError, KeyError, OSError) as error:
        print(f"{STATE / SETTINGS} cannot be used: {error!r}.", file=sys.stderr)
        return 2
    agent = Agent(Server(account, authorities), OwnSlots(), STATE, release())
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
