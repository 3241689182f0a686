"""The README of the sockets is true: its messages, requests and limits are the program's."""

import json
import re
import socket
from importlib import import_module
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from likeness import LEFT_OUT, is_like
from msgspec.structs import replace
from test_messages import AT_SCREEN, CODEX_VIEW, TABLE, VIEW

import pi_table.protocols.ipc
from pi_table.devices.hal.contracts import Counts
from pi_table.games.rules.seat import Seat
from pi_table.lab.running_table import RunningTable
from pi_table.protocols.ipc.house import HouseMessage, Order
from pi_table.protocols.ipc.messages import (
    Answer,
    AnyPublicMessage,
    Busy,
    CodexPublicMessage,
    Peeking,
    PublicMessage,
    Said,
    ToConsole,
    line,
)
from pi_table.protocols.ipc.sealed import FromRelay, ToRelay, read_from_relay, read_to_relay
from pi_table.protocols.ipc.sealed import line as sealed_line
from pi_table.protocols.ipc.service import PAD_COUNT, InService
from pi_table.table.engine.counting import NO_FAULTS

README = (Path(next(iter(pi_table.protocols.ipc.__path__))) / "README.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


ORDERS = README.split("## What the house is told")[1].split("\n## ")[0]
EXAMPLES = {
    example["kind"]: example
    for text in blocks("json")
    for example in map(json.loads, text.splitlines())
}
SAME_AS = {"public-codex": "public", "codex": "table"}
SAID = Said(7, "turn", {"en": "Red’s turn.", "it": "Tocca al Rosso."}, 1.9, spoken=True)
REAL: dict[str, AnyPublicMessage | ToConsole] = {
    "public": PublicMessage(VIEW, out_of_order=False, said=(SAID,), seated=(Seat.RED_SPYMASTER,)),
    "public-codex": CodexPublicMessage(CODEX_VIEW, out_of_order=False),
    "table": replace(TABLE, peek=Peeking(Seat.RED_SPYMASTER, 180.0)),
    "codex": replace(AT_SCREEN, peek=Peeking(Seat.AGENT_1, None)),
    "busy": Busy(),
}


def test_every_kind_of_message_has_an_example() -> None:
    kinds = {
        kind.__struct_config__.tag for kind in get_args(ToConsole) + get_args(AnyPublicMessage)
    }
    assert {*EXAMPLES} | {Answer.__struct_config__.tag} == kinds


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_example_is_what_the_table_sends(kind: str) -> None:
    """Those of Codex may omit what the word games' message has, too."""
    real = json.loads(line(REAL[kind]))
    shown = EXAMPLES[kind].keys() | EXAMPLES[SAME_AS.get(kind, kind)].keys()
    assert real.keys() <= shown
    assert (LEFT_OUT in EXAMPLES[kind]) == (kind in SAME_AS)
    assert is_like(EXAMPLES[kind], real), real


SESSIONS = [
    *(("console.sock", session) for session in blocks("requests")),
    *(("house.sock", session) for session in blocks("house-requests")),
]


@pytest.mark.parametrize(("name", "session"), SESSIONS)
def test_the_requests_are_answered_as_it_says(name: str, session: str, tmp_path: Path) -> None:
    asked = [text for text in session.splitlines() if text.startswith("> ")]
    answered = [json.loads(text[2:]) for text in session.splitlines() if text.startswith("< ")]
    assert len(asked) == len(answered) > 3
    with RunningTable(tmp_path) as table:
        table.wait()
        with socket.socket(socket.AF_UNIX) as tool:
            tool.settimeout(20.0)
            tool.connect(str(tmp_path / "run" / name))
            tool.sendall("".join(text[2:] + "\n" for text in asked).encode())
            tool.shutdown(socket.SHUT_WR)
            said = b"".join(iter(lambda: tool.recv(65536), b"")).splitlines()
        assert table.stop() == 0
    answers = [told for told in map(json.loads, said) if told["kind"] == "answer"]
    for example, answer in zip(answered, answers, strict=True):
        assert is_like(example, answer), answer


def test_the_house_is_told_what_it_says(tmp_path: Path) -> None:
    (example,) = map(json.loads, blocks("house"))
    assert example["counts"].pop(LEFT_OUT) == 0
    assert example["counts"].keys() < {*NO_FAULTS}
    read = msgspec.convert(example, HouseMessage)
    assert json.loads(msgspec.json.encode(read)) == example
    assert {each.value for each in Order} == {*re.findall(r"^\| `([a-z-]+)` \|", ORDERS, re.M)}


def test_a_table_in_service_tells_what_it_says() -> None:
    """Its lists are of 31 pads: those of the README begin like them."""
    (example,) = map(json.loads, blocks("service"))
    names = {*Counts.__struct_fields__, *NO_FAULTS}
    assert example["counts"].pop(LEFT_OUT) == 0
    assert example["counts"].keys() < names
    pads = example["pads"]
    for name in ("deltas", "most", "thresholds"):
        assert pads[name].pop() == LEFT_OUT
        pads[name] += pads[name][:1] * (PAD_COUNT - len(pads[name]))
    read = msgspec.convert(example, InService)
    assert json.loads(msgspec.json.encode(read)) == example


def test_what_is_relayed_reads_as_it_says() -> None:
    (session,) = blocks("relayed")
    kinds = set()
    for text in session.splitlines():
        frame = "AAAA"  # any base64
        read = read_from_relay if text.startswith("> ") else read_to_relay
        said = read(text[2:].replace(LEFT_OUT, frame).encode())
        again = json.loads(sealed_line(said))
        assert again == json.loads(text[2:].replace(LEFT_OUT, frame))
        kinds.add(type(said))
    assert kinds == {*get_args(ToRelay), *get_args(FromRelay)}


def test_the_limits_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| .* \| ([\d.,]+)(?: \w+)? \| `(\w+)\.(\w+)` \|$", README, re.MULTILINE)
    assert len(rows) == 5
    for number, module, name in rows:
        limit = getattr(import_module(f"pi_table.protocols.ipc.{module}"), name)
        assert float(number.replace(",", "")) == limit, name
