"""The configuration: `default.toml` with a file of the operator's laid over it.

The defaults, and what each key means, stand in `default.toml` alone.
"""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from pi_table.errors import InputError, did_you_mean


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: str
    pack: str
    packs: str
    adults: bool
    keep_blanks: bool

    @property
    def packs_folder(self) -> Path | None:
        return Path(self.packs) if self.packs else None


class TouchSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    intent: str
    hold_ms: Annotated[int, msgspec.Meta(ge=100, le=3000)]


class LightsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str


class SimulatedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    link: str


class ControllerSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    port: str


Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]


class ConsoleSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    inputs: str
    encoder_a: Pin
    encoder_b: Pin
    press: Pin
    back: Pin
    peek: Pin
    fullscreen: bool
    language: Literal["en", "it"]


class PathsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: str
    runtime: str

    @property
    def journal(self) -> Path:
        return Path(self.state) / "journal.sqlite"

    @property
    def public_socket(self) -> Path:
        return Path(self.runtime) / "public.sock"

    @property
    def console_socket(self) -> Path:
        return Path(self.runtime) / "console.sock"


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: TableSection
    touch: TouchSection
    lights: LightsSection
    controller: ControllerSection
    simulated: SimulatedSection
    console: ConsoleSection
    paths: PathsSection


CHOICES = {
    ("table", "cards"): ("own", "dealt"),
    ("touch", "intent"): ("hold", "tap-twice", "tap"),
    ("console", "language"): ("en", "it"),
}


def load(path: Path | None = None, changes: dict[str, dict[str, Any]] | None = None) -> Config:
    """The configuration with the file at ``path`` and then ``changes`` laid over the defaults.

    Raises InputError for a file that cannot be read, an unknown key, or a value that a key
    cannot have. Names of drivers are checked when they are opened.
    """
    values: dict[str, dict[str, Any]] = tomllib.loads(
        files("pi_table").joinpath("default.toml").read_text("utf-8")
    )
    if path is not None:
        _lay_over(values, _read(path), str(path))
    _lay_over(values, changes or {}, "the program")
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        where = str(path) if path else "the configuration"
        raise InputError(f"In {where}, a value cannot be what it is: {error}.") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"The configuration {path} cannot be read: {error.strerror}. Check its path and rights."
        ) from None
    except ValueError as error:
        raise InputError(f"The configuration {path} is not TOML: {error}.") from None


def _lay_over(values: dict[str, dict[str, Any]], given: dict[str, Any], where: str) -> None:
    for section, keys in given.items():
        if section not in values:
            raise InputError(
                f"In {where}, there is no section [{section}]; {did_you_mean(section, [*values])}"
            )
        if not isinstance(keys, dict):
            raise InputError(f"In {where}, [{section}] is a section, not a value.")
        for key, value in keys.items():
            if key not in values[section]:
                raise InputError(
                    f"In {where}, [{section}] has no key {key!r}; "
                    f"{did_you_mean(key, [*values[section]])}"
                )
            choices = CHOICES.get((section, key))
            if choices is not None and value not in choices:
                raise InputError(
                    f"In {where}, [{section}] {key} cannot be {value!r}; "
                    f"{did_you_mean(str(value), choices)}"
                )
            values[section][key] = value
