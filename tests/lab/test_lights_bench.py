"""The benchmark of the lights: it composes the scenes that it names."""

from test_table_bench import told_as

from pi_table.devices.lights.picture import Picture
from pi_table.lab.bench import lights
from pi_table.lab.clips import CLIPS


def in_the_middle_of(name: str) -> Picture:
    (clip,) = (clip for clip in CLIPS if clip.name == name)
    return lights._picture(clip)


def test_the_pictures_are_those_of_the_scenes() -> None:
    assert in_the_middle_of("attract").standing.sleeps
    assert in_the_middle_of("still-playing").standing.asks
    assert in_the_middle_of("hurry").standing.hurry
    assert in_the_middle_of("wipe-me").attention.blocked


def test_every_scene_is_measured() -> None:
    usual, core, more = lights.measure(frames=20)
    assert usual["scenes"] == len(CLIPS)
    assert all(told_as(each) for each in (usual, core, more))
    assert float(str(more["value"])) > float(str(core["value"]))
