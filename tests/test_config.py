"""The configuration: the defaults, a file over them, and what is wrong with a file."""

import os
import tomllib
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from pi_table.common.config import CHOICES, Config, load
from pi_table.common.errors import InputError
from pi_table.devices.hal.console_registry import INPUTS
from pi_table.devices.hal.registry import LIGHTS, PANEL, SOUND, TOUCH
from pi_table.table.engine.dealing import CARDS
from pi_table.table.engine.touches.intents import MODES


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def default_values() -> dict[str, dict[str, object]]:
    return tomllib.loads(files("pi_table").joinpath("default.toml").read_text("utf-8"))


def test_the_defaults_are_those_of_the_file_that_documents_them() -> None:
    config = load()
    assert msgspec.json.decode(msgspec.json.encode(config)) == default_values()
    assert config.touch.driver in TOUCH.modules
    assert config.lights.driver in LIGHTS.modules
    assert config.sound.driver in SOUND.modules
    assert config.panel.driver in PANEL.modules
    assert config.console.inputs in INPUTS.modules
    assert (config.table.cards, config.touch.intent, config.touch.hold_ms) == ("own", "hold", 400)


def test_every_key_is_explained_in_the_defaults() -> None:
    text = files("pi_table").joinpath("default.toml").read_text("utf-8")
    explained = False
    for line in text.splitlines():
        if line.startswith("#"):
            explained = True
        elif not line or line.startswith("["):
            explained = False
        else:
            assert explained, line


def test_a_file_needs_only_what_differs(file: Path) -> None:
    file.write_text('[touch]\nintent = "tap-twice"\n[paths]\nstate = "/srv/table"\n')
    config = load(file)
    assert config.touch.intent == "tap-twice"
    assert config.touch.hold_ms == load().touch.hold_ms
    assert config.paths.journal == Path("/srv/table/journal.sqlite")
    assert config.paths.runtime == load().paths.runtime


@pytest.mark.parametrize("section", ["table", "house"])
def test_the_spelling_is_understood_beside_the_packs_and_in_the_house(
    file: Path, section: str
) -> None:
    file.write_text(f'[{section}]\nspelling = "american"\n')
    assert load().house.spelling == "british"
    assert load(file).house.spelling == "american"
    file.write_text(f'[{section}]\nspelling = "scottish"\n')
    with pytest.raises(InputError, match="scottish"):
        load(file)


def test_an_empty_file_changes_nothing(file: Path) -> None:
    file.write_text("")
    assert load(file) == load()


def test_changes_of_a_program_go_over_the_file(file: Path) -> None:
    file.write_text('[table]\ncards = "dealt"\n[touch]\nhold_ms = 300\n')
    config = load(file, {"touch": {"hold_ms": 200}})
    assert (config.table.cards, config.touch.hold_ms) == ("dealt", 200)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tuch]\n", "there is no section [tuch]; did you mean 'touch'?"),
        ("[zebra]\n", "there is no section [zebra]; choose one of: table, touch, lights, "),
        ("hold_ms = 400\n", "there is no section [hold_ms]"),
        ("touch = 5\n", "[touch] is a section, not a value."),
        ("[[touch]]\ndriver = 'x'\n", "[touch] is a section, not a value."),
        ("[touch]\nhold = 400\n", "[touch] has no key 'hold'; did you mean 'hold_ms'?"),
        ("[touch]\ncards = 'own'\n", "[touch] has no key 'cards'; choose one of: driver, "),
        ("[touch]\nintent = 'tab'\n", "[touch] intent cannot be 'tab'; did you mean 'tap'?"),
        ("[touch]\nintent = 5\n", "[touch] intent cannot be 5; choose one of: hold, "),
        ("[touch]\nintent = ['hold']\n", "[touch] intent cannot be ['hold']"),
        ("[table]\ncards = 'mine'\n", "[table] cards cannot be 'mine'; choose one of: own, dealt."),
        ("[touch]\nhold_ms = 99\n", "a value is not valid: "),
        ("[touch]\nhold_ms = 3001\n", "touch.hold_ms"),
        ("[touch]\nhold_ms = '400'\n", "touch.hold_ms"),
        ("[touch]\nhold_ms = true\n", "touch.hold_ms"),
        ("[touch]\nhold_ms = 400.5\n", "touch.hold_ms"),
        ("[console]\npeek = 28\n", "console.peek"),
        ("[panel]\nswitch_off = 28\n", "panel.switch_off"),
        ("[panel]\nhold_seconds = 0\n", "panel.hold_seconds"),
        ("[gpio]\nchip = '/dev/gpiochip0'\n", "gpio.chip"),
        ("[paths]\nstate = 5\n", "paths.state"),
        ("[sound]\nvolume = 50\n", "[sound] has no key 'volume'"),
        ("[house]\nvolume = 101\n", "house.volume"),
        ("[house]\nvolume = -1\n", "house.volume"),
        ("[house]\nspeech = 'de'\n", "house.speech"),
        ("[house]\nquiet_from = '9:00'\n", "house.quiet_from"),
        ("[house]\nquiet_until = '24:00'\n", "house.quiet_until"),
        ("[house]\nquiet_until = '２２:００'\n", "house.quiet_until"),
        ("[sound]\nvoice = 'say \"hello'\n", "[sound] voice cannot be read as a command"),
        ('[sound]\ndevice = "a\\u0000b"\n', "[sound] device"),
        ("[touch\n", "is not TOML"),
        ("[touch]\n[touch]\n", "is not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_the_way_out(
    file: Path, text: str, says: str
) -> None:
    file.write_text(text)
    with pytest.raises(InputError) as error:
        load(file)
    assert says in str(error.value)
    assert str(file) in str(error.value)


def test_the_command_that_speaks_is_read(file: Path) -> None:
    assert load().sound.voice_command == ()
    file.write_text("[sound]\nvoice = \"piper -m '/srv/my voices/{lang}.onnx' -f -\"\n")
    assert load(file).sound.voice_command == (
        *("piper", "-m", "/srv/my voices/{lang}.onnx", "-f", "-"),
    )


def test_a_file_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        load(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load(tmp_path)


@pytest.mark.parametrize(
    "path", [Path("/dev/zero"), Path("/dev/fd"), Path("/"), Path("a\0b")], ids=repr
)
def test_what_is_no_file_is_no_configuration(path: Path) -> None:
    with pytest.raises(InputError, match=r"^The configuration .* cannot be read: .*rights\.$"):
        load(path)


def test_a_pipe_is_no_configuration_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="It is a pipe, a socket or a device, not a file"):
        load(tmp_path / "pipe")


def test_a_file_of_a_gigabyte_is_no_configuration(file: Path) -> None:
    with file.open("wb") as written:
        written.truncate(1 << 30)
    with pytest.raises(InputError, match="has more than 32,768 bytes"):
        load(file)


@pytest.mark.parametrize(
    "text",
    [
        "[touch]\nhold_ms = " + "[" * 5_000,
        "[touch]\nhold_ms = " + "[" * 5_000 + "]" * 5_000,
        "[touch]\nintent = " + "{a=" * 5_000 + "1" + "}" * 5_000,
        "[touch]\nintent." + "a." * 2_000 + "a = 1",
        "[touch]\nhold_ms." + "a." * 2_000 + "a = 1",
        "[touch.hold_ms." + "a." * 2_000 + "a]",
        "[" + "a." * 2_000 + "a]",
        "[touch]\nintent = 0x" + "f" * 20_000,
        "[touch]\nhold_ms = 0x" + "f" * 20_000,
        "[touch]\nhold_ms = " + "9" * 20_000,
        "[touch]\n" + "k" * 20_000 + " = 1",
        "[" + "k" * 20_000 + "]",
        "[touch]\nintent = '" + "t" * 20_000 + "'",
    ],
    ids=lambda text: f"{text[:20]} {text[-1]}",
)
def test_what_is_deep_or_long_is_told_in_a_few_words(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError) as error:
        load(file)
    assert str(file) in str(error.value)
    assert len(str(error.value)) < len(str(file)) + 250


@pytest.mark.parametrize("key", ["state", "runtime"])
def test_a_path_with_u_0000_in_it_is_told(file: Path, key: str) -> None:
    file.write_text(f'[paths]\n{key} = "/srv/ta\\u0000ble"\n')
    with pytest.raises(InputError, match=rf"\[paths\] {key} contains U\+0000"):
        load(file)


def test_a_control_character_in_the_name_of_a_section_does_not_reach_the_terminal(
    file: Path,
) -> None:
    file.write_text('["tou\\u001b[2J"]\n')
    with pytest.raises(InputError) as error:
        load(file)
    assert str(error.value).isprintable()


def test_bytes_that_are_no_text_are_no_configuration(file: Path) -> None:
    file.write_bytes(b"[touch]\nintent = '\xff'\n")
    with pytest.raises(InputError, match=r"table.toml, line 2: this is not UTF-8 text, but"):
        load(file)


def test_a_mistake_of_a_program_is_told_as_such() -> None:
    with pytest.raises(InputError, match=r"In the program, there is no section \[tuch\]"):
        load(changes={"tuch": {}})


def test_the_choices_are_those_of_the_parts_that_they_are_for() -> None:
    assert CHOICES["table", "cards"] == CARDS
    assert CHOICES["touch", "intent"] == MODES


def test_every_choice_can_be_chosen() -> None:
    for (section, key), values in CHOICES.items():
        for value in values:
            config: Config = load(changes={section: {key: value}})
            assert getattr(getattr(config, section), key) == value


def test_a_file_of_settings_is_laid_over_the_file_that_names_it(file: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    file.write_text(f'[console]\nlanguage = "en"\ninches = 9\n[paths]\nsettings = "{settings}"\n')
    assert load(file).console.language == "en"  # there is none yet
    settings.write_text('[console]\nlanguage = "it"\n')
    config = load(file)
    assert (config.console.language, config.console.inches) == ("it", 9)
    assert load(file, {"console": {"language": "en"}}).console.language == "en"


@pytest.mark.parametrize(
    ("text", "said"),
    [("[consol]", "did you mean 'console'"), ("x = ", "not TOML"), ("[touch]\nhold_ms = 1", "1")],
)
def test_a_file_of_settings_that_is_wrong_is_named(
    file: Path, tmp_path: Path, text: str, said: str
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(text)
    file.write_text(f'[paths]\nsettings = "{settings}"\n')
    with pytest.raises(InputError, match=said) as raised:
        load(file)
    assert str(settings) in str(raised.value)
