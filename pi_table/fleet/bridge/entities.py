"""Descriptions of the Home Assistant entities that every table has."""

from typing import Any, Final

import msgspec

from pi_table.common.config import Command
from pi_table.common.house_settings import MIN_BRIGHTNESS
from pi_table.games.announcer.announcement import What
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.team import Team

ON, OFF = "ON", "OFF"
DIAGNOSTIC: Final = {"entity_category": "diagnostic"}
"""Home Assistant's category for a table's health. Its entities show nothing about a game."""
CONFIG: Final = {"entity_category": "config"}
"""Home Assistant's category for entities that change the venue's settings."""
NOBODY: Final = "nobody"
"""Value of the entity ``winner`` after a game without a winner."""


class Entity(msgspec.Struct, frozen=True):
    """The properties of a Home Assistant entity that are the same at every table."""

    key: str
    """Id of the entity, unique at its table."""
    platform: str
    """Home Assistant's kind of entity, such as ``sensor``."""
    name: str
    icon: str
    tells: str | None = None
    """Name of the table's topic that the entity reads; None if the entity reads no topic."""
    value: str | None = None
    """Expression of a Home Assistant template that reads the value in the payload. If its result is
    "None", the value is unknown."""
    attributes: str | None = None
    """Expression of a template that makes a JSON object of further values in the payload."""
    does: Command | None = None
    """Name of the command that the entity sends; None if the entity only shows a value."""
    more: dict[str, Any] = {}
    """Further options of this kind of entity, in Home Assistant's format."""


def _sensor(
    key: str,
    name: str,
    icon: str,
    tells: str,
    value: str,
    attributes: str | None = None,
    **more: Any,
) -> Entity:
    return Entity(key, "sensor", name, icon, tells, value, attributes, more=more)


def _binary_sensor(key: str, name: str, icon: str, tells: str, value: str, **more: Any) -> Entity:
    """Return a binary sensor. ``value`` is a condition on the payload of the sensor's topic."""
    return Entity(key, "binary_sensor", name, icon, tells, _on(value), more=more)


def _switch(key: str, name: str, icon: str, setting: str, does: Command, says: str) -> Entity:
    """Return a switch. ``says`` is the name of the true/false field in the command's payload."""
    more = {
        "payload_on": f'{{"{says}": true}}',
        "payload_off": f'{{"{says}": false}}',
        "state_on": ON,
        "state_off": OFF,
        **CONFIG,
    }
    value = _on(f"value_json.{setting}")
    return Entity(key, "switch", name, icon, "settings", value, does=does, more=more)


def _percent(key: str, name: str, icon: str, does: Command, least: int = 0) -> Entity:
    more = {
        "command_template": '{"percent": {{ value | int }}}',
        "min": least,
        "max": 100,
        "step": 1,
        "mode": "slider",
        "unit_of_measurement": "%",
        **CONFIG,
    }
    return Entity(key, "number", name, icon, "settings", f"value_json.{key}", does=does, more=more)


def _on(condition: str) -> str:
    return f"'{ON}' if {condition} else '{OFF}'"


_TIME: Final = "([01][0-9]|2[0-3]):[0-5][0-9]"
_QUIET: Final = Entity(
    "quiet",
    "text",
    "Quiet hours",
    "power-sleep",
    "settings",
    "value_json.quiet_from ~ '-' ~ value_json.quiet_until",
    does="quiet",
    more={
        "command_template": '{"from": "{{ value[:5] }}", "until": "{{ value[-5:] }}"}',
        "pattern": f"^{_TIME}-{_TIME}$",
        "min": 11,
        "max": 11,
        **CONFIG,
    },
)
"""The entity for the quiet hours: a text such as ``23:00-09:00``, because one command sets both
hours. Home Assistant has time-of-day entities since 2026; older versions refuse a discovery message
that contains such an entity."""

_WON: Final = "value_json.outcome.winner or '" + NOBODY + "'"
_THERE: Final = "value_json.presence != 'idle'"
_UNDER_WAY: Final = f"{_THERE} and value_json.phase and value_json.phase != 'over'"
_CLOSED: Final = "value_json.out_of_service or value_json.service or value_json.kept_free"
_GAMES: Final = {profile.id: profile.title for profile in PROFILES.values()}
_STATUS: Final = {
    "out of order": "value_json.out_of_order",
    "played": _UNDER_WAY,
    "out of service": _CLOSED,
    "somebody there": _THERE,
    "free": "true",
}
"""Words for the state of a table, each with its condition. The first true condition counts."""

ENTITIES: Final = (
    # The game, as everyone may see it.
    _sensor(
        *("status", "Status", "table-furniture", "state"),
        " else ".join(f"'{word}' if {so}" for word, so in _STATUS.items()),
        device_class="enum",
        options=[*_STATUS],
    ),
    _binary_sensor("playing", "Played", "cards-playing", "state", _UNDER_WAY),
    _binary_sensor(
        *("occupied", "Somebody there", "account-group", "state"), _THERE, device_class="occupancy"
    ),
    _sensor(
        *("game", "Game", "cards-playing-outline", "state"),
        f"{_GAMES}.get(value_json.profile)",
        "{'profile': value_json.profile}",
    ),
    _sensor("phase", "Phase", "progress-clock", "state", "value_json.phase"),
    _sensor("turn", "Turn", "account-arrow-right", "state", "value_json.turn"),
    _sensor(
        *("clue", "Clue", "message-text", "state"),
        "(value_json.clue.word or '(spoken)') if value_json.clue else None",
    ),
    _sensor(
        *("number", "Clue number", "numeric", "state"),
        "value_json.clue.number if value_json.clue else None",
    ),
    _sensor("guesses_left", "Guesses left", "gesture-tap", "state", "value_json.guesses_left"),
    *(
        _sensor(
            *(f"left_{team}", f"{team.capitalize()} left", "account-multiple", "state"),
            f"value_json.left.{team} if value_json.left else None",
            state_class="measurement",
        )
        for team in ("red", "blue")
    ),
    _sensor(
        *("winner", "Winner", "trophy", "state"),
        f"({_WON}) if value_json.outcome else None",
        "value_json.outcome or {}",
        device_class="enum",
        options=[*(team.value for team in Team), NOBODY],
    ),
    _sensor(
        *("games", "Games", "counter", "health", "value_json.games"), state_class="total_increasing"
    ),
    Entity(
        *("event", "event", "Announcement", "bullhorn", "event"),
        more={"event_types": [what.value for what in What]},
    ),
    # The health of the table.
    _binary_sensor(
        *("out_of_order", "Out of order", "alert-octagon", "state", "value_json.out_of_order"),
        device_class="problem",
    ),
    _sensor(
        *("faults", "Faults", "alert", "faults", "value_json.count"),
        "{'faults': value_json.faults}",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _binary_sensor(
        *("link", "Touch link", "connection", "health", "value_json.link"),
        device_class="connectivity",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("deaf", "Deaf places", "hand-back-left-off", "health", "value_json.deaf | count"),
        "{'places': value_json.deaf}",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _binary_sensor(
        *("wet", "Wet", "water-alert", "health", "value_json.wet"),
        device_class="moisture",
        **DIAGNOSTIC,
    ),
    _binary_sensor(
        "can_store",
        "Stores games",
        "database-check",
        "health",
        "value_json.can_store",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("went_wrong", "Went wrong", "alert-circle-outline", "health"),
        "value_json.counts.values() | sum",
        "value_json.counts",
        state_class="total_increasing",
        **DIAGNOSTIC,
    ),
    _binary_sensor(
        "service", "Service mode", "wrench", "state", "value_json.service", **DIAGNOSTIC
    ),
    _binary_sensor(
        "kept_free", "Kept free", "calendar-lock", "state", "value_json.kept_free", **DIAGNOSTIC
    ),
    _sensor("version", "Version", "tag", "health", "value_json.version", **DIAGNOSTIC),
    _sensor(
        *("temperature", "Temperature", "thermometer", "health", "value_json.temperature"),
        device_class="temperature",
        unit_of_measurement="°C",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    Entity(
        *("throttled", "binary_sensor", "Slowed down", "speedometer-slow", "health"),
        f"({_on('value_json.throttled')}) if value_json.throttled is not none else None",
        more={"device_class": "problem", **DIAGNOSTIC},
    ),
    _sensor(
        *("disk_free", "Disk free", "harddisk", "health"),
        "(value_json.disk_free / 1e9) | round(2) if value_json.disk_free is not none else None",
        device_class="data_size",
        unit_of_measurement="GB",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("disk_wear", "Disk worn", "chart-donut", "health"),
        "value_json.disk_wear * 10 if value_json.disk_wear else None",
        unit_of_measurement="%",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("uptime", "Uptime", "clock-start", "health"),
        "(value_json.uptime / 3600) | round(1) if value_json.uptime is not none else None",
        device_class="duration",
        unit_of_measurement="h",
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("queued", "Messages waiting", "tray-full", "health", "value_json.queued"),
        state_class="measurement",
        **DIAGNOSTIC,
    ),
    _sensor(
        *("dropped", "Messages given up", "tray-remove", "health", "value_json.dropped"),
        state_class="total_increasing",
        **DIAGNOSTIC,
    ),
    # Commands of a venue.
    _percent("brightness", "Brightness", "brightness-6", "brightness", MIN_BRIGHTNESS),
    _percent("volume", "Volume", "volume-high", "volume"),
    _switch("muted", "Muted", "volume-off", "muted", "volume", "muted"),
    _QUIET,
    _switch("idle_lights", "Idle lights", "led-strip-variant", "idle_lights", "idle-lights", "on"),
    _switch(
        *("out_of_service", "Out of service", "sign-caution", "out_of_service"),
        *("out-of-service", "on"),
    ),
    Entity(
        *("locate", "button", "Locate", "crosshairs-gps"),
        does="locate",
        more={"payload_press": '{"seconds": 20}', "device_class": "identify", **CONFIG},
    ),
    Entity(
        *("closing", "button", "Closing in ten minutes", "door-closed-lock"),
        does="closing",
        more={"payload_press": '{"minutes": 10}'},
    ),
)
