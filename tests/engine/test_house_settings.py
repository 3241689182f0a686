"""The house's settings: changed on the console, kept over a restart, and told when damaged."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from shipped_packs import shipped_pack
from virtual_table import VirtualTable

from pi_table.common.house_settings import House
from pi_table.common.palettes import Palette
from pi_table.table.engine.dealing import Shelf

MakeTable = Callable[..., VirtualTable]


def file_of(table: VirtualTable) -> Path:
    return table.path.with_name("house.json")


def test_what_the_operator_changes_is_shown_and_lasts_over_a_restart(
    make_table: MakeTable,
) -> None:
    table = make_table(house=House(volume=30, idle_minutes=0))
    table.do("house", set={"brightness": 40, "palette": "red-green"})
    expected = House(volume=30, brightness=40, palette=Palette.RED_GREEN, idle_minutes=0)
    assert table.message.house == expected
    table.switch_off()
    assert make_table(house=House(volume=30, idle_minutes=0)).message.house == expected


def test_what_the_operator_never_changed_follows_the_configuration(make_table: MakeTable) -> None:
    table = make_table(house=House(volume=30, idle_minutes=0))
    table.do("house", set={"brightness": 40})
    table.switch_off()
    assert make_table(house=House(volume=70)).message.house == House(volume=70, brightness=40)


def test_a_refused_change_changes_nothing(make_table: MakeTable) -> None:
    table = make_table()
    for wrong in ({"brightness": 101}, {"light": 3}, "dark", None):
        verdict = table.ask("house", set=wrong)
        assert (verdict.ok, verdict.reason) == (False, "unusable"), wrong
    assert table.ask("house", "red-spymaster", set={"brightness": 1}).reason == "wrong-seat"
    assert table.message.house == House(idle_minutes=0)
    assert not file_of(table).exists()


def test_what_holds_already_is_not_written_again(make_table: MakeTable) -> None:
    table = make_table()
    table.do("house", set={"muted": True})
    written = file_of(table).stat()
    table.do("house", set={"muted": True})
    assert file_of(table).stat().st_ino == written.st_ino
    table.do("house", set={"muted": False})
    assert file_of(table).stat().st_ino != written.st_ino


def test_the_file_is_its_owners_alone(make_table: MakeTable) -> None:
    table = make_table()
    table.do("house", set={"muted": True})
    assert file_of(table).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in table.path.parent.glob("*.new")] == []


def test_a_damaged_file_is_told_and_the_table_goes_by_its_configuration(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.do("house", set={"brightness": 40})
    table.switch_off()
    file_of(table).write_bytes(file_of(table).read_bytes().replace(b"40", b"90"))
    other = make_table()
    (fault,) = other.message.faults
    assert "house.json is damaged" in fault
    assert other.message.house == House(idle_minutes=0)
    assert not other.table.public_message().out_of_order
    other.do("house", set={"brightness": 41})
    assert other.message.faults == ()
    other.switch_off()
    assert make_table().message.house == House(brightness=41, idle_minutes=0)


def test_a_setting_of_a_later_version_is_told(make_table: MakeTable) -> None:
    from pi_table.table.store.sealed_file import write_sealed

    table = make_table()
    table.switch_off()
    write_sealed(file_of(table), b'{"perfume":7}')
    (fault,) = make_table().message.faults
    assert "does not know" in fault


def test_a_change_that_cannot_be_kept_is_refused_and_changes_nothing(
    make_table: MakeTable,
) -> None:
    table = make_table()
    file_of(table).mkdir()
    verdict = table.ask("house", set={"brightness": 40})
    assert (verdict.ok, verdict.reason) == (False, "cannot-store")
    assert table.message.house == House(idle_minutes=0)


def test_a_pack_that_is_left_out_is_neither_offered_nor_dealt_from(make_table: MakeTable) -> None:
    shelf = Shelf((shipped_pack("english"), shipped_pack("italiano")))
    table = make_table(cards="dealt", shelf=shelf)
    table.do("house", set={"packs_left_out": ["english"]})
    assert [pack.name for pack in table.message.packs] == ["italiano"]
    assert [pack.name for pack in table.ask("packs").told] == ["english", "italiano"]
    assert not table.ask("start", profile="codenames", pack="english").ok


def test_words_are_dealt_as_the_house_spells_them(make_table: MakeTable) -> None:
    """The spelling is changed in the middle of a round: each word comes once all the same."""
    lines = (f"W{number}" for number in range(50))
    english = replace(shipped_pack("english"), words=tuple(lines))
    shelf = Shelf((replace(english, twins={word: f"X{word}" for word in english.words}),))
    table = make_table(cards="dealt", shelf=shelf)
    table.do("start", profile="codenames")
    british = {cell.word for cell in table.view.cells.values()}
    assert british <= {*english.words}
    table.do("house", set={"spelling": "american"})
    table.do("abandon")
    table.do("start", profile="codenames")
    american = {str(cell.word) for cell in table.view.cells.values()}
    assert {word[1:] for word in american} == {*english.words} - british
    assert not table.ask("house", set={"spelling": "scottish"}).ok


def test_the_hidden_screen_is_told_of_a_change(make_table: MakeTable) -> None:
    table = make_table()
    told = table.told
    table.do("house", set={"text_size": "large"})
    assert table.told == told + 1
