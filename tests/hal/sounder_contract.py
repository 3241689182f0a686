"""The contract of `Sounder`: one suite that every driver must pass.

A driver joins by a class in `test_contract_sounder.py` whose fixture ``rig`` gives a `SounderRig`:
the loudspeaker, and an ear on its other end. Nothing here knows which driver it has.
"""

from array import array
from collections.abc import Callable
from typing import Protocol

from pi_table.devices.hal.contracts import SILENCE, Clip, Sounder

MANY = 30
"""Clips of ten seconds, together more than anything between the table and the ear can hold."""


class SounderRig(Protocol):
    """A loudspeaker on the bench. The ear is not the driver's: it is on its other end."""

    sounder: Sounder
    is_heard: bool
    """True if the loudspeaker makes any sound."""

    def heard(self) -> list[Clip]:
        """Every clip that the ear heard any of, as far as it heard it, the newest last."""

    def listen(self, yes: bool) -> None:
        """Let the ear receive, or not. Until it does, the device takes no more than it can hold."""

    def until(self, condition: Callable[[], bool]) -> None:
        """Serve the device until the condition holds; fail if it never does."""

    def serve(self) -> None:
        """Serve the device a while."""


def tone(number: int, length: int = 3000) -> Clip:
    """A clip that can be told from every other of these, for numbers from 1 to 30000; its first
    sample and its last are its number."""
    return Clip(array("h", [number, *(-number, number) * (length // 2), number]).tobytes())


class SounderContract:
    """The contract of every loudspeaker."""

    def switched_on(self, rig: SounderRig) -> list[str | None]:
        """Switch it on; the answer is what it says of itself, and grows."""
        said: list[str | None] = []
        rig.sounder.switch_on(said.append)
        rig.until(lambda: bool(said))
        return said

    def hear(self, rig: SounderRig, *clips: Clip) -> None:
        """Wait for the newest clips that were heard to be these."""
        if rig.is_heard:
            rig.until(lambda: [*rig.heard()[-len(clips) :]] == [*clips])
        else:
            rig.serve()
            assert rig.heard() == []

    def test_it_says_at_once_that_nothing_is_wrong(self, rig: SounderRig) -> None:
        assert self.switched_on(rig) == [None]

    def test_a_clip_is_heard_whole(self, rig: SounderRig) -> None:
        said = self.switched_on(rig)
        rig.sounder.play(tone(1))
        self.hear(rig, tone(1))
        assert said == [None]

    def test_a_clip_of_one_sample_is_heard(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        clip = Clip(b"\7\7")
        rig.sounder.play(clip)
        self.hear(rig, clip)

    def test_a_clip_of_half_a_minute_is_heard_whole(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        rig.sounder.play(tone(1, 30 * 22050))
        self.hear(rig, tone(1, 30 * 22050))

    def test_clips_one_after_another_are_heard_in_order(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        clips = [tone(number) for number in range(1, 6)]
        for number, clip in enumerate(clips, start=1):
            rig.sounder.play(clip)
            self.hear(rig, *clips[:number])

    def test_the_same_clip_can_be_played_again(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        for times in (1, 2):
            rig.sounder.play(tone(1))
            self.hear(rig, *[tone(1)] * times)

    def test_of_many_clips_at_once_the_newest_is_heard(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        for number in range(1, MANY):
            rig.sounder.play(tone(number))
        self.hear(rig, tone(MANY - 1))

    def test_playing_waits_for_nobody_and_the_newest_is_not_lost(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        rig.listen(False)
        for number in range(1, MANY):
            rig.sounder.play(tone(number, 10 * 22050))
            rig.serve()
        rig.listen(True)
        rig.sounder.play(tone(MANY))
        self.hear(rig, tone(MANY))

    def test_silence_ends_what_is_being_played(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        rig.listen(False)
        rig.sounder.play(tone(1, 10 * 22050))
        rig.serve()
        rig.sounder.play(SILENCE)
        rig.listen(True)
        rig.serve()
        rig.sounder.play(tone(2))
        self.hear(rig, tone(2))
        assert tone(1, 10 * 22050) not in rig.heard()

    def test_nothing_is_heard_before_it_is_switched_on(self, rig: SounderRig) -> None:
        rig.sounder.play(tone(1))
        rig.serve()
        self.switched_on(rig)
        rig.serve()
        assert rig.heard() == []

    def test_nothing_is_heard_or_said_after_closing(self, rig: SounderRig) -> None:
        said = self.switched_on(rig)
        rig.sounder.close()
        rig.sounder.play(tone(1))
        rig.serve()
        assert rig.heard() == []
        assert said == [None]

    def test_closing_in_the_middle_of_a_clip_ends_it(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        rig.listen(False)
        rig.sounder.play(tone(1, 10 * 22050))
        rig.serve()
        rig.sounder.close()
        rig.listen(True)
        rig.serve()

    def test_closing_twice_is_closing_once(self, rig: SounderRig) -> None:
        self.switched_on(rig)
        rig.sounder.close()
        rig.sounder.close()

    def test_a_sounder_that_was_never_switched_on_can_be_closed(self, rig: SounderRig) -> None:
        rig.sounder.close()
        rig.sounder.close()
