"""The folder of root's on the partition of the games, whose own folder is the engine's."""

import os
import re
from pathlib import Path

import held_folder
import pytest
from needs_root import needs_root
from unit_files import FOLDER

pytestmark = needs_root("be led astray")

USER = 1234


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The partition's folder."""
    games = tmp_path / "games"
    games.mkdir()
    os.chown(games, USER, USER)
    monkeypatch.setattr(held_folder, "GAMES", games)
    monkeypatch.setattr(held_folder, "IMAGE", games / "image")
    return games


def secrets(games: Path) -> Path:
    """A folder of root's elsewhere, that everybody may look into."""
    folder = games.with_name("etc")
    folder.mkdir(mode=0o755)
    return folder


def link(games: Path, name: str) -> None:
    (games / name).symlink_to(secrets(games))
    os.chown(games / name, USER, USER, follow_symlinks=False)


def folder_of_the_engine(games: Path, name: str) -> None:
    (games / name).mkdir()
    os.chown(games / name, USER, USER)


def folder_for_all(games: Path, name: str) -> None:
    (games / name).mkdir()
    (games / name).chmod(0o777)


def test_it_is_made_once_and_what_is_remembered_there_is_read_again(games: Path) -> None:
    (held_folder.image_folder() / "why-not").write_text("It was damaged.")
    assert (games / "image").stat().st_mode & 0o777 == 0o700
    assert (held_folder.image_folder() / "why-not").read_text() == "It was damaged."


def test_it_stays_the_same_when_another_one_has_its_name(games: Path) -> None:
    held = held_folder.image_folder()
    (held / "hawkbit.toml").write_text("ours")
    (games / "image").rename(games / "moved")
    folder_of_the_engine(games, "image")
    (games / "image" / "hawkbit.toml").write_text("theirs")
    assert (held / "hawkbit.toml").read_text() == "ours"


@pytest.mark.parametrize("put", [link, folder_of_the_engine, folder_for_all])
def test_nothing_that_the_engine_may_have_put_there_is_used(games: Path, put: object) -> None:
    assert callable(put)
    put(games, "image")
    with pytest.raises(OSError, match=r"Not a directory|another user's folder|symbolic"):
        held_folder.image_folder()


@pytest.mark.parametrize("put", [link, folder_for_all])
def test_no_folder_is_given_away_that_was_not_made_for_that(
    games: Path, put: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(put)
    put(games, "bridge")
    before = {each: each.stat().st_uid for each in games.parent.iterdir()}
    assert held_folder.main("bridge", "nobody", "nogroup") == 1
    assert "cannot be used" in capsys.readouterr().err
    assert {each: each.stat().st_uid for each in games.parent.iterdir()} == before


def test_a_folder_is_made_for_its_user_and_stays_its_own(games: Path) -> None:
    for _ in range(2):
        assert held_folder.main("bridge", "nobody", "nogroup") == 0
    assert (games / "bridge").stat().st_uid != 0
    assert (games / "bridge").stat().st_mode & 0o777 == 0o700
    assert held_folder.main("bridge", "no-such-user") == 1


def test_a_unit_may_make_the_folder_that_it_binds() -> None:
    """systemd binds it before each command of the unit, even before the one that makes it. Without
    "-" that command would fail, and with it the unit on every new card."""
    drop_ins = (FOLDER / "image/files/etc/systemd/system").glob("*.d/*.conf")
    binding = [text for each in drop_ins if "\nBindPaths=" in (text := each.read_text("utf-8"))]
    assert len(binding) == 2
    for text in binding:
        (name,) = re.findall(r"held_folder\.py (\S+)", text)
        assert re.findall("^BindPaths=(.*):", text, re.M) == [f"-/var/lib/pi-table/{name}"]
