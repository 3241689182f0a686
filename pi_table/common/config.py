"""The configuration: the values of `default.toml`, replaced by those of the operator's file.

`default.toml` is the only place with the defaults and the meaning of each key.
"""

import os
import shlex
import tomllib
from importlib.resources import files
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Final, Literal

import msgspec

from pi_table.common.edited_text import read_text
from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.common.language import LANGUAGES, Lang, did_you_mean, join_texts, say

MAX_BYTES: Final = 32 * 1024
"""Maximum size of a configuration file in bytes. A file with every key and comment has a tenth of
this size."""


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    build: str
    cards: str
    pack: str
    packs: str
    keep_blanks: bool
    switch_off: str


class TouchSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    intent: str
    hold_ms: Annotated[int, msgspec.Meta(ge=100, le=3000)]


class LightsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    layout: str
    frames_per_second: Annotated[int, msgspec.Meta(ge=1, le=50)]
    max_milliamps: Annotated[int, msgspec.Meta(ge=100, le=6500)]
    device: str


class SoundSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    device: str
    voice: str

    @property
    def voice_command(self) -> tuple[str, ...]:
        """The words of the setting `voice`: a command, or ``pico``. Empty for the default voice,
        espeak-ng. Raises ValueError if a quote is not closed."""
        return tuple(shlex.split(self.voice))


class SimulatedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    link: str


class ControllerSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    port: str
    i2c: Annotated[str, msgspec.Meta(pattern="^/dev/[A-Za-z0-9_-]{1,64}$")]
    irq: Annotated[
        str, msgspec.Meta(pattern="^(GPIO[0-9]{1,2}|/dev/gpiochip[0-9]{1,2}:[0-9]{1,3})?$")
    ]


Command = Literal[
    "locate", "brightness", "volume", "quiet", "idle-lights", "closing", "out-of-service"
]
"""The commands that a table may accept from a broker."""
Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]


class GpioSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chip: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{0,64}$")]


class PanelSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    status_led: Pin
    switch_off: Pin
    hold_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=10)]


class ConsoleSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    screen: Literal["hidden", "none"]
    inputs: str
    encoder_a: Pin
    encoder_b: Pin
    press: Pin
    back: Pin
    peek: Pin
    fullscreen: bool
    display: str
    width: Annotated[int, msgspec.Meta(ge=320, le=3840)]
    height: Annotated[int, msgspec.Meta(ge=240, le=2400)]
    inches: Annotated[float, msgspec.Meta(ge=2, le=50)]
    language: Lang
    peek_seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)]
    backlight: str


class WebSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    listen: str
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    address: Annotated[str, msgspec.Meta(pattern=r"^(https?://[A-Za-z0-9.:\[\]-]{1,253})?$")]
    portal: bool


BrokerAddress = Annotated[
    str, msgspec.Meta(pattern=r"^(mqtts?://[A-Za-z0-9.:\[\]-]{1,253}(:[0-9]{1,5})?)?$")
]
TableName = Annotated[str, msgspec.Meta(pattern="^[a-z0-9_-]{0,40}$")]
"""The name of a table in a fleet; "" stands for the machine's name."""
TopicLevels = Annotated[
    str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,3}$")
]
"""The first levels of all MQTT topics of a table."""


class BridgeSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    broker: BrokerAddress
    table: TableName
    password_file: str
    ca: str
    certificate: str
    key: str
    prefix: TopicLevels
    home_assistant: Annotated[
        str, msgspec.Meta(pattern="^([A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,3})?$")
    ]
    commands: tuple[Command, ...]
    metrics: str


class PathsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: str
    runtime: str
    bridge: str
    settings: str

    @property
    def journal(self) -> Path:
        return Path(self.state) / "journal.sqlite"

    @property
    def public_socket(self) -> Path:
        return Path(self.runtime) / "public.sock"

    @property
    def console_socket(self) -> Path:
        return Path(self.runtime) / "console.sock"

    @property
    def sealed_socket(self) -> Path:
        return Path(self.runtime) / "sealed.sock"

    @property
    def house_socket(self) -> Path:
        return Path(self.runtime) / "house.sock"

    @property
    def engine_fault(self) -> Path:
        """The file for the reason why the engine has failed permanently.

        It is outside of the runtime folder, because systemd removes that folder when the service
        ends.
        """
        return Path(f"{self.runtime}-fault") / "engine"


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: TableSection
    touch: TouchSection
    lights: LightsSection
    sound: SoundSection
    panel: PanelSection
    gpio: GpioSection
    controller: ControllerSection
    simulated: SimulatedSection
    console: ConsoleSection
    web: WebSection
    bridge: BridgeSection
    house: House
    paths: PathsSection

    @property
    def packs_folder(self) -> Path:
        """The folder of the venue's own word packs, by default beside the journal. The folder may
        not exist."""
        return Path(self.table.packs) if self.table.packs else Path(self.paths.state) / "packs"


CHOICES = {
    ("table", "build"): ("boards", "evening"),
    ("table", "cards"): ("own", "dealt"),
    ("touch", "intent"): ("hold", "tap-twice", "tap"),
    ("console", "language"): (*LANGUAGES,),
}


MOVED: Final = {
    ("table", "adults"): ("house", "adults"),
    ("table", "spelling"): ("house", "spelling"),
}
"""Keys that are also accepted in a wrong section, because they used to be there, or because people
look for them there. Maps the wrong section and key to the right section and key."""


def load(
    path: Path | None = None,
    changes: dict[str, dict[str, Any]] | None = None,
    settings: Path | None = None,
) -> Config:
    """Return the configuration. The file at ``path`` overrides the defaults, the settings file
    overrides both, and ``changes`` override all.

    The settings file is ``settings``, or else the file that the section [paths] names. Raises
    InputError for a file that cannot be read, an unknown key, or an invalid value. Driver names are
    checked when the drivers are opened.
    """
    values: dict[str, dict[str, Any]] = tomllib.loads(
        files("pi_table").joinpath("default.toml").read_text("utf-8")
    )
    if path is not None:
        _lay_over(values, _read(path), str(path))
    where = str(path) if path else say("the configuration")
    named = values["paths"]["settings"]
    if settings is None and isinstance(named, str) and named:
        settings = Path(named)
    if settings is not None and os.path.lexists(settings):
        _lay_over(values, _read(settings), str(settings))
        where = join_texts(" and ", (where, str(settings)))
    _lay_over(values, changes or {}, say("the program"))
    try:
        config = msgspec.convert(values, Config)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(
            say("In {where}, a value is not valid: {error}.", where=where, error=error)
        ) from None
    _check_sound(config.sound, where)
    return config


def _check_sound(sound: SoundSection, where: str) -> None:
    try:
        sound.voice_command  # noqa: B018 - read only to check it
    except ValueError:
        raise InputError(
            say(
                "In {where}, [sound] voice cannot be read as a command: close its quotes.",
                where=where,
            )
        ) from None


def _read(path: Path) -> dict[str, Any]:
    text = read_text(path, MAX_BYTES, say("The configuration {path}", path=path))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(
            say(
                "The configuration {path} has values within values within values; no key has "
                "such a value: write it again.",
                path=path,
            )
        ) from None
    except ValueError as error:
        raise InputError(
            say("The configuration {path} is not TOML: {error}.", path=path, error=error)
        ) from None


def _lay_over(values: dict[str, dict[str, Any]], given: dict[str, Any], where: str) -> None:
    for section, keys in given.items():
        if section not in values:
            name = section if section.isprintable() else _short(section)
            raise InputError(
                say(
                    "In {where}, there is no section [{name}]; {did_you_mean}",
                    where=where,
                    name=name[:MAX_QUOTED],
                    did_you_mean=did_you_mean(section[:MAX_QUOTED], [*values]),
                )
            )
        if not isinstance(keys, dict):
            raise InputError(
                say(
                    "In {where}, [{section}] is a section, not a value.",
                    where=where,
                    section=section,
                )
            )
        for key, value in keys.items():
            section, key = MOVED.get((section, key), (section, key))
            if key not in values[section]:
                raise InputError(
                    say(
                        "In {where}, [{section}] has no key {short}; {did_you_mean}",
                        where=where,
                        section=section,
                        short=_short(key),
                        did_you_mean=did_you_mean(key[:MAX_QUOTED], [*values[section]]),
                    )
                )
            choices = CHOICES.get((section, key))
            if choices is not None and value not in choices:
                wrong = value[:MAX_QUOTED] if isinstance(value, str) else _short(value)
                raise InputError(
                    say(
                        "In {where}, [{section}] {key} cannot be {short}; {did_you_mean}",
                        where=where,
                        section=section,
                        key=key,
                        short=_short(value),
                        did_you_mean=did_you_mean(wrong, choices),
                    )
                )
            if isinstance(value, str) and "\0" in value:
                raise InputError(
                    say(
                        "In {where}, [{section}] {key} contains U+0000, which no path and no "
                        "name can have: remove it.",
                        where=where,
                        section=section,
                        key=key,
                    )
                )
            values[section][key] = value


MAX_QUOTED: Final = 60
"""Maximum number of characters that an error message quotes of a user's text."""


def _short(value: object) -> str:
    short = Repr()
    short.maxstring = short.maxother = short.maxlong = MAX_QUOTED
    try:
        return short.repr(value)
    except ValueError:  # an integer of thousands of digits
        return say("such a number")
