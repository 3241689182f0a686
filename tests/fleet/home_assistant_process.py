"""A real Home Assistant, run by the interpreter of ``.venv-home``; no test imports this file.

``judge``: reads a JSON list of device messages, each the ``topic`` and the ``payload`` that a
broker would hand over, and writes what Home Assistant's own parser and schemas have against each.
``serve``: is a whole Home Assistant, with the configuration of a folder, and the broker at a port
with a user and a password, where it asks for them.
It reads a request a line, and answers each with a line.
"""

import asyncio
import importlib
import json
import logging
import socket
import sys
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import voluptuous
from homeassistant import bootstrap, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.components.automation.config import (
    AUTOMATION_BLUEPRINT_SCHEMA,
    async_validate_config_item,
)
from homeassistant.components.blueprint.models import Blueprint, BlueprintInputs
from homeassistant.components.mqtt import discovery
from homeassistant.config import async_hass_config_yaml
from homeassistant.config_entries import ConfigEntries, ConfigEntry
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.template import Template
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml

EXPECTED = ("aiohttp_fast_zlib", "homeassistant.helpers.frame", "homeassistant.components.http")
"""Loggers of warnings that no table can prevent."""
OF_A_BUSY_MACHINE = (" is taking over ", "No ACK from MQTT server in ")
"""Parts of warnings that only say how slow the machine is."""


class Complaints(logging.Handler):
    """Keeps whatever Home Assistant warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        is_slow = any(part in said for part in OF_A_BUSY_MACHINE)
        if not is_slow and not record.name.startswith(EXPECTED):
            self.heard.append(f"{record.name}: {said}")

    def taken(self) -> list[str]:
        """Return the messages received since the last call."""
        heard, self.heard = self.heard, []
        return heard


async def judge(complaints: Complaints) -> None:
    hass = HomeAssistant("")
    found = []
    for each in json.load(sys.stdin):
        for said in _against(hass, each["topic"], each["payload"]):
            complaints.heard.append(said)
        found.append(complaints.taken())
    print(json.dumps({"version": __version__, "complaints": found}))
    await hass.async_stop(force=True)


def _against(hass: HomeAssistant, topic: str, payload: str) -> list[str]:
    """Return a schema's complaints about the message, parsed as the integration does it."""
    match = discovery.TOPIC_MATCHER.match(topic.removeprefix("homeassistant/"))
    if match is None or match["component"] != "device":
        return [f"no topic of a device: {topic}"]
    parsed = discovery._parse_device_payload(hass, payload, match["object_id"], match["node_id"])
    if not parsed:
        return []  # why, the log says
    against = []
    for key, component in parsed["components"].items():
        config = discovery.MQTTDiscoveryPayload(component)
        platform = config.pop("platform")
        config |= {"device": parsed["device"], "origin": parsed["origin"]}
        discovery._merge_common_device_options(config, parsed)
        module = importlib.import_module(f"homeassistant.components.mqtt.{platform}")
        # The first is what is applied to such a message, and drops what it does not know; the
        # second, which is for configurations, does not.
        for schema in (module.DISCOVERY_SCHEMA, module.PLATFORM_SCHEMA_MODERN):
            try:
                schema(dict(config))
            except voluptuous.Invalid as error:
                against.append(f"{key}: {error}")
    return against


def _load_platforms() -> None:
    """Import the platforms of MQTT before anything is read by their schemas.

    Home Assistant imports each in a thread when a message first needs it. voluptuous empties a
    shared validator while it is compiled once more, so a message that is read in that moment loses
    the defaults of its device, and with them an entity (KeyError: 'connections').
    """
    for platform in discovery.SUPPORTED_COMPONENTS:
        with suppress(ImportError):  # some need packages for what no table has, such as pictures
            importlib.import_module(f"homeassistant.components.mqtt.{platform}")


async def serve(complaints: Complaints, folder: str, port: int, *credentials: str) -> None:
    _load_platforms()
    hass = HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth_manager_from_config(hass, [], [])
    config = await async_hass_config_yaml(hass)
    # Its own pages, which nobody opens here, and nobody else can.
    config["http"] = {"server_host": "127.0.0.1", "server_port": _free_port()}
    for domain in ("homeassistant", "http", "scene"):
        assert await async_setup_component(hass, domain, config), f"{domain} cannot be set up"
    await hass.config_entries.async_add(_broker(port, *credentials))
    assert await async_setup_component(hass, "automation", config), "no automation is possible"
    await hass.async_start()
    reader = asyncio.StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    print(json.dumps({"version": __version__}), flush=True)
    while line := await reader.readline():
        answer = await _answer(hass, complaints, json.loads(line))
        print(json.dumps(answer, default=str), flush=True)
    await hass.async_stop(force=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _broker(port: int, user: str = "", password: str = "") -> ConfigEntry:
    told: dict[str, Any] = {"broker": "127.0.0.1", "port": port, "protocol": "5"}
    if user:
        told |= {"username": user, "password": password}
    return ConfigEntry(
        domain="mqtt",
        title="The broker",
        data=told,
        options={},
        source="user",
        unique_id=None,
        version=1,
        minor_version=2,
        discovery_keys=MappingProxyType({}),
        subentries_data=(),
    )


async def _answer(hass: HomeAssistant, complaints: Complaints, asked: dict[str, Any]) -> Any:
    match asked:
        case {"ask": "states"}:
            return {each.entity_id: _told(each) for each in hass.states.async_all()}
        case {"ask": "call", "service": service, "data": data}:
            try:
                await hass.services.async_call(*service.split(".", 1), data, blocking=True)
            except (HomeAssistantError, ValueError, voluptuous.Invalid) as error:
                return str(error) or repr(error)
            return None
        case {"ask": "automation", "blueprint": text, "inputs": inputs}:
            return await _against_automation(hass, text, inputs)
        case {"ask": "read", "text": text}:
            return parse_yaml(text)
        case {"ask": "render", "template": template}:
            return Template(template, hass).async_render(parse_result=False)
        case {"ask": "complaints"}:
            return complaints.taken()
    raise ValueError(asked)


async def _against_automation(hass: HomeAssistant, text: str, inputs: Any) -> str | None:
    """Return Home Assistant's complaint about a blueprint or the automation made from it."""
    try:
        blueprint = Blueprint(
            parse_yaml(text), expected_domain="automation", schema=AUTOMATION_BLUEPRINT_SCHEMA
        )
        given = {"use_blueprint": {"path": "winner.yaml", "input": inputs}}
        filled = BlueprintInputs(blueprint, given)
        filled.validate()
        made = {**filled.async_substitute(), "id": "tried", "alias": "Tried"}
        await async_validate_config_item(hass, "tried", made)
    except (HomeAssistantError, voluptuous.Invalid) as error:
        return str(error)
    return None


def _told(state: State) -> dict[str, Any]:
    return {"state": state.state, "attributes": dict(state.attributes)}


def main(what: str, *arguments: str) -> None:
    complaints = Complaints()
    logging.basicConfig(handlers=[complaints])
    with suppress(KeyboardInterrupt):
        if what == "judge":
            asyncio.run(judge(complaints))
        else:
            asyncio.run(serve(complaints, arguments[0], int(arguments[1]), *arguments[2:]))


if __name__ == "__main__":
    main(*sys.argv[1:])
