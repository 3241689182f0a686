"""A scenario played on the whole table in virtual time, for programs and for tests."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import msgspec

from pi_table.errors import InputError
from pi_table.hal.contracts import LightFrame
from pi_table.hal.simulated import of_cells, written
from pi_table.language import for_reader
from pi_table.simulator import scenario
from pi_table.simulator.stage import Device, Stage


def run(
    lines: Iterable[str], out: Path, note: TextIO | None = None, device: Device | None = None
) -> None:
    """Play a scenario; write ``public.jsonl``, ``lights.jsonl`` and its pictures into ``out``.
    ``device`` is the table's, None: one that feels and shows at once.

    Acts that the table refuses are told to ``note``, and the scenario goes on. Raises InputError
    for a line that cannot be played, with its number, and for a folder that cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            public, lights = (
                stack.enter_context(open(out / name, "w", encoding="utf-8"))
                for name in ("public.jsonl", "lights.jsonl")
            )
            stage = stack.enter_context(Stage(device=device))

            def showed(frame: LightFrame) -> None:
                shown = {"cells": of_cells(frame), "leds": written(frame)}
                lights.write(_line({"at": _seconds(stage.now), **shown}))

            stage.device.on_show = showed
            showed(stage.device.shown)
            for step in scenario.read_scenario(lines):
                with scenario.blaming(step.line):
                    _play(stage, step, out, note)
                for at, view in stage.take_published():
                    public.write(_line({"at": _seconds(at), "view": view}))
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}.") from None


def _play(stage: Stage, step: scenario.Step, out: Path, note: TextIO | None) -> None:
    stage.advance(step.at)
    if isinstance(step.what, scenario.Picture):
        from pi_table.simulator.picture import write_picture

        write_picture(stage, step.what.of, out / step.what.name)
    else:
        refusal = stage.perform(step.what)
        if refusal is not None and note is not None:
            print(for_reader(f"Line {step.line}: the table refused: {refusal}"), file=note)


def _seconds(at: float) -> float:
    return round(at, 6)


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"
