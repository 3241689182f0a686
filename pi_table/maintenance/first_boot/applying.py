"""Writes settings to their places below the root of a system.

Each file is written completely or not at all, and only if it changes. After an interruption, the
next boot writes all files again.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.files import link_whole, sync_folder, write_whole
from pi_table.common.language import say, system_says
from pi_table.maintenance.first_boot import (
    bridge_secrets,
    cloud_init,
    desk_link,
    once,
    places,
    usb,
    wifi,
)
from pi_table.maintenance.first_boot.below_root import (
    give_state,
    make_folder,
    owner_of_state,
    write,
)
from pi_table.maintenance.first_boot.bridge_settings import Secrets
from pi_table.maintenance.first_boot.reading import find_file
from pi_table.maintenance.first_boot.settings import Settings, UnusableError
from pi_table.table.engine.storage.house_files import PIN
from pi_table.table.engine.storage.pin import hash_pin
from pi_table.table.store.sealed_file import encode_sealed

_OWN_NAME: Final = re.compile(r"^127\.0\.1\.1[ \t]+(.*)$", re.M)
"""Pattern of the line in Debian's /etc/hosts that has the machine's own names."""


def apply(settings: Settings, root: Path, file: Path) -> list[str]:
    """Store the settings in the system below ``root``. Remove stored secrets from the settings file
    ``file``, and a stored private key from the key file beside it.

    Return a sentence for each setting that has no effect yet. Raises UnusableError, before any
    change, if a setting is impossible on this system. Raises OSError if a file cannot be written.
    """
    bridge = settings.bridge
    secrets = Secrets() if bridge is None else bridge_secrets.to_keep(bridge, root)
    shown = Secrets() if bridge is None else bridge_secrets.to_show(bridge, secrets)
    laid_over = _settings_text(settings, shown)
    failed: list[str] = []
    changes_state = settings.pin is not None or bridge is not None or settings.screen == "none"
    if changes_state:
        owner_of_state(root)  # raises UnusableError if this system has no table
    _check_secrets_can_be_blanked(settings, file)
    desk_link.check_a_desk_can_open(settings, root)
    if changes_state:
        give_state(root)
    if settings.pin is not None:
        _keep_pin(settings.pin, root)
    desk_link.keep(settings, root)  # before the PIN is removed from the file: a new PIN, a new link
    if bridge is not None:
        bridge_secrets.keep(bridge, secrets, root)
    # This also removes the remains of an earlier secret after a power cut.
    for each, kinds in _secret_in(file).items():
        if each.exists() and once.may_be_blanked(each):
            once.blank(each, *kinds)
    if bridge is not None and bridge.broker:
        bridge_secrets.write_for_bridge(shown, root)
    else:
        bridge_secrets.remove_for_bridge(bridge, root)
    if settings.hostname is not None:
        failed += cloud_init.hand_over(
            cloud_init.HOSTNAME_KEYS, settings.hostname, root, file.parent
        )
        failed += _set_name(settings.hostname, root)
    if settings.timezone is not None:
        failed += cloud_init.hand_over(
            cloud_init.TIMEZONE_KEYS, settings.timezone, root, file.parent
        )
        _set_zone(root, settings.timezone)
    write(root / places.SETTINGS, laid_over)
    if settings.pages is not None:
        _start_without(root / places.NO_PAGES, settings.pages)
    _start_without(root / places.NO_SCREEN, settings.screen != "none")
    if settings.usb is not None:
        write(root / places.USB_RULES, usb.rules_of(settings.usb))
    if settings.wifi is not None:
        write(root / places.CONNECTION, wifi.connection(settings.wifi), 0o600)
        if settings.wifi.country is not None:
            failed += wifi.set_country(settings.wifi.country, root, file.parent)
        failed += wifi.switch_on(root)
    return failed


def _secret_in(file: Path) -> dict[Path, tuple[once.Kind, ...]]:
    """Return the files on the boot partition that may contain secrets, and the kinds of secrets."""
    return {file: (once.PIN, once.PASSWORD), find_file(file.with_name(places.KEY)): (once.KEY,)}


def _check_secrets_can_be_blanked(settings: Settings, file: Path) -> None:
    """Raise UnusableError if a new secret could not be removed from the card afterwards."""
    given = Secrets() if settings.bridge is None else settings.bridge.given
    with_secrets = {
        file: settings.pin is not None or given.password is not None,
        find_file(file.with_name(places.KEY)): given.key is not None,
    }
    wrong = [
        say(
            "{name} cannot be written, but its secrets must be removed from it once they are "
            "stored: check that the boot partition is not read-only.",
            name=each.name,
        )
        for each, has_one in with_secrets.items()
        if has_one and not once.may_be_blanked(each)
    ]
    if wrong:
        raise UnusableError(*wrong)


def _keep_pin(pin: str, root: Path) -> None:
    """Store the PIN in the engine's own file, in the format that the engine reads."""
    state, owner = root / places.STATE, owner_of_state(root)
    make_folder(state, owner, 0o700)
    write_whole(state / PIN, [encode_sealed(msgspec.json.encode(hash_pin(pin)))], owner=owner)


def _set_zone(root: Path, zone: str) -> None:
    link, leads_to = root / places.LOCALTIME, f"../{places.ZONES}/{zone}"
    if not (link.is_symlink() and os.readlink(link) == leads_to):
        link_whole(link, leads_to)
    if (root / places.TIMEZONE).exists():
        write(root / places.TIMEZONE, f"{zone}\n")


def _start_without(file: Path, wanted: bool) -> None:
    """Enable or disable the service that does not start while ``file`` exists."""
    if not wanted:
        write(file, "")
    elif file.exists():
        file.unlink()
        sync_folder(file.parent)


def _settings_text(settings: Settings, shown: Secrets) -> str:
    """Return the text of the file that overrides the configuration. Every user can read it, so it
    has the paths of secrets, not the secrets."""
    sections: dict[str, dict[str, Any]] = {}
    if settings.language is not None:
        sections["console"] = {"language": settings.language}
    if settings.screen is not None:
        sections.setdefault("console", {})["screen"] = settings.screen
    if settings.bridge is not None:
        named = {"broker": settings.bridge.broker, "table": settings.bridge.table}
        named |= {"prefix": settings.bridge.prefix, **bridge_secrets.paths(shown)}
        sections["bridge"] = {key: value for key, value in named.items() if value is not None}
    if settings.house:
        sections["house"] = settings.house
    lines = [
        "# From pi-table.toml on the boot partition: written anew at each boot with such a file."
    ]
    try:
        for name, values in sections.items():
            lines += ["", f"[{name}]", *(f"{key} = {_toml(values[key])}" for key in values)]
        text = "\n".join(lines) + "\n"
        if tomllib.loads(text) == sections:
            return text
    except (ValueError, TypeError, RecursionError):
        pass  # the value is a date, or NaN
    raise UnusableError(say("[house] has a value that cannot be stored: write it more simply."))


def _toml(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _set_name(name: str, root: Path) -> list[str]:
    """Store the host name, and give it to the kernel. Return a sentence if the kernel does not take
    it. Raises OSError if the name cannot be stored."""
    write(root / places.HOSTNAME, f"{name}\n")
    write(root / places.HOSTS, _hosts(root / places.HOSTS, name))
    kernel = root / places.KERNEL_NAME
    try:
        if not kernel.exists() or kernel.read_text().strip() == name:
            return []  # `root` is another system, which does not run
        kernel.write_text(f"{name}\n")
        now = kernel.read_text().strip()
    except OSError as error:
        return [
            say(
                "The machine gets its new name at its next start: {strerror}.",
                strerror=system_says(error),
            )
        ]
    return [] if now == name else [say("The machine is still called {now}: restart it.", now=now)]


def _hosts(file: Path, name: str) -> str:
    text = file.read_text(errors="surrogateescape") if file.exists() else "127.0.0.1\tlocalhost\n"
    line = f"127.0.1.1\t{name}"
    if found := _OWN_NAME.search(text):
        # cloud-init adds a domain to the name at each start: keep the domain.
        return text if name in found[1].split() else _OWN_NAME.sub(line, text, count=1)
    return f"{text.rstrip()}\n{line}\n"
