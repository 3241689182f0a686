"""Plays a scenario on a whole table in virtual time. Programs and tests use it."""

from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, TextIO

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import for_reader, say, system_says, to_json
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.simulated import of_cells, to_hex
from pi_table.simulator import scenario
from pi_table.simulator.stage import Device, Stage

if TYPE_CHECKING:
    from pi_table.simulator.picture import Film


class Written(msgspec.Struct):
    views: int = 0
    frames: int = 0
    """Number of light frames that were written."""
    pictures: int = 0


def run(
    lines: Iterable[str],
    out: Path,
    note: TextIO | None = None,
    device: Device | None = None,
    source: str | None = None,
) -> Written:
    """Play a scenario. Write ``public.jsonl``, ``lights.jsonl`` and the scenario's pictures to the
    folder ``out``.

    ``device`` is by default a table without delays. ``source`` is the name of the scenario's file,
    for errors. If the table refuses an act, the refusal is written to ``note``, and the scenario
    goes on.

    Raises InputError for a folder that cannot be written to, and for a line that cannot be played
    (with the line's number). If the first line cannot be played, no folder is made.
    """
    steps = scenario.read_scenario(lines, source)
    first = [*islice(steps, 1)]
    is_new = not out.exists()
    count = Written()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            public, lights = (
                stack.enter_context(open(out / name, "w", encoding="utf-8"))
                for name in ("public.jsonl", "lights.jsonl")
            )
            stage = stack.enter_context(Stage(device=device))

            def write_frame(frame: LightFrame) -> None:
                shown = {"cells": of_cells(frame), "leds": to_hex(frame)}
                lights.write(_line({"at": round(stage.now, 6), **shown}))
                count.frames += 1

            def write_views() -> None:
                for at, view in stage.take_published():
                    public.write(_line({"at": round(at, 6), "view": view}))
                    count.views += 1

            stage.device.on_show = write_frame
            write_frame(stage.device.shown)
            player = _Player(stage, out, note)
            for step in chain(first, steps):
                try:
                    with scenario.blaming(step.line, source):
                        player.play(step)
                except InputError:
                    if is_new and step in first:
                        rmtree(out)
                    raise
                count.pictures += isinstance(step.what, scenario.Picture)
                write_views()
            player.finish_films()
            write_views()
    except OSError as error:
        raise InputError(
            say(
                "{out} cannot be written: {strerror}. Name another folder.",
                out=out,
                strerror=system_says(error) if error.strerror else error,
            )
        ) from None
    return count


class _Player:
    def __init__(self, stage: Stage, out: Path, note: TextIO | None) -> None:
        self._stage = stage
        self._out = out
        self._note = note
        self._fingers: set[int] = set()
        """The numbers of the places on which a finger is."""
        self._films: list[Film] = []

    def play(self, step: scenario.Step) -> None:
        self._advance(step.at)
        match step.what:
            case scenario.Picture(name, of, seconds):
                self._take_picture(name, of, seconds)
                return
            case scenario.Touch(place):
                self._fingers.add(place)
            case scenario.Release(place):
                self._fingers.discard(place)
        refusal = self._stage.perform(step.what)
        if refusal is not None and self._note is not None:
            said = say("Line {line}: the table refused: {refusal}", line=step.line, refusal=refusal)
            print(for_reader(said), file=self._note)

    def finish_films(self) -> None:
        while self._films:
            self._advance(self._films[0].end)

    def _advance(self, to: float) -> None:
        """Let time pass until ``to``. Add frames to the moving pictures when they are due."""
        while self._films:
            film = min(self._films, key=lambda film: film.next_at)
            if film.next_at > to:
                break
            self._stage.advance(film.next_at)
            if film.next_at < film.end:
                film.take(self._stage, self._fingers)
            else:
                film.write()
                self._films.remove(film)
        self._stage.advance(to)

    def _take_picture(self, name: str, of: str, seconds: float) -> None:
        from pi_table.simulator.picture import Film, write_picture

        path = self._out / name
        if seconds:
            self._films.append(Film(of, path, self._stage.now, seconds))
        else:
            write_picture(self._stage, of, path)


def _line(value: object) -> str:
    return to_json(value).decode() + "\n"
