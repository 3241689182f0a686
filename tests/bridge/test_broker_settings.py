"""The broker's settings in the configuration, and the sentences about a missing connection."""

import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import MqttCodeError, MqttError
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from pi_table.common import config
from pi_table.common.errors import InputError
from pi_table.fleet.bridge.broker import Broker, broker
from pi_table.fleet.bridge.mqtt_errors import sentence
from pi_table.fleet.collector.settings import Settings

BROKER = Broker("broker.lan", 8883, True, "near-door")


def of(where: str, **more: Any) -> Broker:
    changes = {"bridge": {"broker": where, "table": "near-door", **more}}
    return broker(config.load(changes=changes).bridge)


@pytest.mark.parametrize(
    ("where", "host", "port", "uses_tls"),
    [
        ("mqtts://broker.lan", "broker.lan", 8883, True),
        ("mqtt://broker.lan", "broker.lan", 1883, False),
        ("mqtts://192.168.1.2:18883", "192.168.1.2", 18883, True),
        ("mqtts://[fd00::1]", "fd00::1", 8883, True),
        ("mqtt://[fd00::1]:11883", "fd00::1", 11883, False),
    ],
)
def test_a_broker_has_a_place(where: str, host: str, port: int, uses_tls: bool) -> None:
    found = of(where)
    assert (found.host, found.port, found.uses_tls) == (host, port, uses_tls)


@pytest.mark.parametrize(
    ("where", "more", "what"),
    [
        ("", {}, "names no broker"),
        ("mqtts://broker.lan:0", {}, "cannot be"),
        ("mqtts://broker.lan:65536", {}, "cannot be"),
        ("mqtts://:8883", {}, "cannot be"),
        ("mqtts://fd00::1", {}, "brackets"),
        ("mqtts://[fd00::1]:port", {}, "brackets"),
        ("mqtts://[fd00::1]8883", {}, "brackets"),
        ("mqtts://broker.lan", {"table": "all"}, "all tables"),
        ("mqtt://broker.lan", {"certificate": "/c.pem"}, "mqtts://"),
    ],
)
def test_what_cannot_be_used_is_refused(where: str, more: dict[str, str], what: str) -> None:
    with pytest.raises(InputError, match=what):
        of(where, **more)


@pytest.mark.parametrize(
    ("name", "table"),
    [("Near-Door.local", "near-door"), ("all", None), ("naïve", None), ("", None), ("a b", None)],
)
def test_a_table_without_a_name_has_the_machines(
    name: str, table: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    if table is None:
        with pytest.raises(InputError):
            of("mqtts://broker.lan", table="")
    else:
        assert of("mqtts://broker.lan", table="").table == table


def test_a_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    assert of("mqtt://b").password() is None
    with pytest.raises(InputError, match="cannot be read"):
        of("mqtt://b", password_file=str(file)).password()
    file.write_text("secret\nmore\n")
    assert of("mqtt://b", password_file=str(file)).password() == "secret"
    for text in (b"", b"\nsecret"):
        file.write_bytes(text)
        with pytest.raises(InputError, match="no password on its first line"):
            of("mqtt://b", password_file=str(file)).password()


@pytest.mark.parametrize("key", ["ca", "certificate"])
def test_files_of_pem_that_cannot_be_used_are_told_of(tmp_path: Path, key: str) -> None:
    file = tmp_path / "file.pem"
    for text in (None, "no PEM"):
        if text is not None:
            file.write_text(text)
        with pytest.raises(InputError, match=rf"\[bridge\] {key}, .*cannot be used"):
            of("mqtts://b", **{key: str(file)}).tls_context()


@pytest.mark.parametrize("key", ["ca", "certificate"])
@pytest.mark.parametrize(
    ("encoding", "why"), [("utf-8-sig", "a byte order mark"), ("utf-16", "UTF-16 text")]
)
def test_pem_that_notepad_saved_is_told_with_what_to_do(
    tmp_path: Path, key: str, encoding: str, why: str
) -> None:
    file = tmp_path / "file.pem"
    file.write_bytes("-----BEGIN CERTIFICATE-----\n".encode(encoding))
    with pytest.raises(InputError, match=rf"cannot be used: it .*{why}; save it as UTF-8"):
        of("mqtts://b", **{key: str(file)}).tls_context()
    collector = Settings("mqtts://b", "sqlite:///var/x", **{key: str(file)})
    with pytest.raises(InputError, match=rf"cannot be used: it .*{why}; save it as UTF-8"):
        collector.tls_context()


def wrapped(error: OSError) -> BaseException:
    """As the library raises it."""
    try:
        try:
            raise error
        except OSError as cause:
            raise MqttError(str(cause)) from None
    except MqttError as found:
        return found


def wrong_certificate(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, "said OpenSSL"
    return error


def test_a_broker_that_falls_silent_does_not_answer() -> None:
    silent = ReasonCode(PacketTypes.DISCONNECT, "Keep alive timeout")
    error = MqttCodeError(silent, "Unexpected disconnection")
    assert sentence(error, BROKER, at=0.0).endswith("does not answer.")


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (socket.gaierror(-2, "Name or service not known"), "'broker.lan'"),
        (ConnectionRefusedError(111, "refused"), "Nobody listens at the broker broker.lan"),
        (TimeoutError("timed out"), "does not answer"),
        (OSError(101, "Network is unreachable"), "is there a network?"),
        (ssl.SSLError(1, "wrong version number"), "agree on how to seal"),
        (
            wrong_certificate(9),
            "not valid yet, by the clock of this machine, which says 1970-01-01",
        ),
        (wrong_certificate(10), "out of date"),
        (wrong_certificate(62), "another name"),
        (wrong_certificate(64), "another name"),
        (wrong_certificate(19), r"nobody whom the table trusts (said OpenSSL)"),
        (OSError(5, "Input/output error"), "no connection to the broker"),
    ],
)
def test_each_trouble_has_its_sentence(error: OSError, what: str) -> None:
    told = sentence(wrapped(error), BROKER, at=86_000.0)
    assert what in told
    assert told.endswith((".", "?"))
