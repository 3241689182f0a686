"""Polls a server for updates, installs them, and reports the result.

The server calls an update an action. An action ends only after the table has started with the new
version and judged it. This program stores the action in progress on the partition of the games,
which an update does not replace. It never restarts the table: `pi-table-image-try.timer` does that
when nobody plays.
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
"""Number of bytes that a download must leave free for the games."""
AFTER_TROUBLE: Final = 300.0


class Slots(Protocol):
    """The interface to a table's two slots."""

    def ask(self, *words: str) -> str:
        """Run the program `slots` with these arguments; return its output."""

    def install(self, bundle: Path) -> str:
        """Install a bundle in the slot that is not running. Return the reason if the installation
        fails, otherwise ""."""

    def why_not(self) -> str:
        """Return the reason why the slot of the last trial was not kept."""


class UnderWay(NamedTuple):
    """The server's action that is in progress, as this program stores it."""

    action: str
    """Address of the action on the server."""
    slot: str
    """Name of the slot in which the update is installed."""
    refusal: str | None = None
    """None during the installation; "" after a successful installation; otherwise the reason why
    the installation failed."""


class Agent:
    """Carries out the server's update requests. The action in progress is stored in the folder
    ``state``, so that a restarted agent continues with it."""

    def __init__(self, server: Server, here: Slots, state: Path, about: dict[str, str]) -> None:
        """Prepare the agent. The folder ``state`` is also for downloads; ``about`` is the table's
        description for the server."""
        self._server, self._slots, self._about = server, here, about
        self._state, self._remembered = state, state / UNDER_WAY

    def step(self) -> float:
        """Poll the server once and do everything that is due; return the seconds until the next
        poll. Raises Trouble."""
        try:
            self._tell_what_came_of_it()
        except Trouble as trouble:  # a problem with the last update must not block the next one
            print(trouble, flush=True)
        wanted = self._server.poll()
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
        """Report the result of the action in progress to the server, if its installation has failed
        or its trial has been judged."""
        under_way = self._under_way()
        if under_way is None:
            return
        word = self._slots.ask("get-word", under_way.slot)
        if under_way.refusal is None and word != "bad":
            # The update was installed, but this program ended before it could store that.
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
        with suppress(Gone):  # the server has closed it meanwhile
            self._server.report(under_way.action, "closed", finished, why)
        self._forget()

    def _deploy(self, address: str) -> None:
        action = address.partition("?")[0]
        default = self._slots.ask("get-default")
        if self._slots.ask("get-current") != default:
            return  # the running version is on trial: do not overwrite the old one
        under_way = self._under_way()
        if under_way and under_way.action == action and under_way.refusal is not None:
            return  # the update waits for its trial
        try:
            artifact = artifact_of(self._server.get(address), BUNDLE)
            if artifact is None:
                return
            path = self._fetch_whole(action, artifact)
        except Unfit as unfit:
            print(unfit, flush=True)
            self._drop_bundles()
            self._server.report(action, "closed", "failure", str(unfit))
            return
        slot = slots.other(default)
        self._slots.ask("set-state", slot, "bad")  # the slot will be overwritten: do not start it
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

    def _fetch_whole(self, action: str, artifact: Artifact) -> Path:
        """Download an update's file completely, and delete the files of other updates. Raises Unfit
        if there is no room for the file."""
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
        """Cancel an action whose trial has not begun; a trial in progress is not stopped."""
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
        """Forget the action in progress. Called if the server has no request, which means that it
        has ended the action.

        An update that is installed but not yet tried is then never started.
        """
        under_way = self._under_way()
        if under_way and self._slots.ask("get-word", under_way.slot) == "new":
            self._slots.ask("set-state", under_way.slot, "bad")
            self._forget()
            print("The server has ended the action: what was installed is not started.", flush=True)

    def _drop_bundles(self, but: Path | None = None) -> None:
        for each in self._state.glob(f"*{BUNDLE}"):
            if each != but:
                each.unlink()

    # The stored action

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
    """The slots of this machine."""

    ask = staticmethod(slots.ask)

    def install(self, bundle: Path) -> str:
        # RAUC checks the signature, so the name does not matter.
        named = held_folder.IMAGE / bundle.name
        done = subprocess.run(["rauc", "install", named], text=True, capture_output=True)
        if done.returncode == 0:
            return ""
        last = [line for line in (done.stdout + done.stderr).splitlines() if "LastError" in line]
        return "".join(last[-1:]) or done.stderr.strip() or "RAUC did not install it."

    def why_not(self) -> str:
        return slots.why_not() or "It was not kept."


def account_of(settings: dict[str, Any]) -> tuple[Account, Path | None]:
    """Return the account in the settings, and the path of the file with CA certificates. The path
    is None if the settings name no such file.

    Raises ValueError for a value that is missing or is not a text.
    """
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
        state = held_folder.image_folder()
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
    """Return the entries of os-release whose names begin with IMAGE_. The returned names are in
    lower case."""
    lines = path.read_text().splitlines()
    named = dict(line.split("=", 1) for line in lines if line.startswith("IMAGE_"))
    return {name.lower(): value for name, value in named.items()}


if __name__ == "__main__":
    sys.exit(main())
