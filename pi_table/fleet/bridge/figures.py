"""A table's metrics, as text that Prometheus' node exporter reads from a file.

The functions are pure: values in, values out. The README of ``files/monitoring`` says how the file
gets to Prometheus.
"""

from collections.abc import Iterator

from pi_table.fleet import prometheus_text
from pi_table.fleet.bridge.facts import Facts, MachineHealth
from pi_table.fleet.prometheus_text import Figure, one
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage, Presence


def text(table: str, facts: Facts) -> str:
    """Return a table's metrics as text, each labelled with the table's name. Unknown values are
    left out. While the table is away, only ``pi_table_up`` and the metrics of machine and bridge
    are written."""
    return prometheus_text.text(_figures(facts), {"table": table})


def _figures(facts: Facts) -> Iterator[Figure]:
    up = facts.public is not None and facts.house is not None
    yield one("up", "Does the table answer its bridge?", up)
    if facts.house is not None:
        yield from _of_the_house(facts.house)
        yield one("games_total", "Finished games in the table's journal.", facts.games)
    if facts.public is not None:
        yield from _of_the_game(facts.public)
    yield from _of_the_machine(facts.machine)
    yield from _of_the_bridge(facts)


def _of_the_house(house: HouseMessage) -> Iterator[Figure]:
    yield Figure("info", "The version of the table's program.", (({"version": house.version}, 1),))
    yield one("out_of_order", "Can the table not be played at?", house.out_of_order)
    yield one("faults", "Things that are wrong with the table.", len(house.faults))
    yield one("link_up", "Does the device that feels touches answer?", house.link)
    yield one("deaf_places", "Places that cannot feel a finger.", len(house.deaf))
    yield one("wet", "Is the table wet, or does something lie on its rim?", house.wet)
    yield one("can_store", "Is there a journal to store games in?", house.can_store)
    yield one("out_of_service", "Does the house want no game?", house.settings.out_of_service)
    yield one("kept_free", "Is the table kept free, to be worked on?", house.kept_free)
    yield Figure(
        "counts_total",
        "How often each thing went wrong since the table's program was started.",
        tuple(({"what": what}, count) for what, count in sorted(house.counts.items())),
    )


def _of_the_game(public: AnyPublicMessage) -> Iterator[Figure]:
    there = public.idle is not Presence.IDLE
    view = public.view
    under_way = view is not None and view.phase.value != "over"
    yield one("occupied", "Was the table touched not long ago?", there)
    yield one("playing", "Is a game being played?", there and under_way)
    if view is not None and there and under_way:
        yield Figure("game_info", "What is played.", (({"profile": view.profile}, 1),))
    yield one("in_service", "Are the parts of the table being tried?", public.service)
    yield one(
        "announcements_total",
        "What was announced at the table since its program was started.",
        public.said[-1].number if public.said else 0,
    )


def _of_the_machine(machine: MachineHealth) -> Iterator[Figure]:
    yield one("uptime_seconds", "Since the machine was switched on.", machine.uptime)
    yield one("temperature_celsius", "Of the processor.", machine.temperature)
    yield one("throttled", "Is the machine slowed down, by heat or power?", machine.throttled)
    yield one("disk_free_bytes", "Free on the table's disk.", machine.disk_free)
    wear = None if machine.disk_wear is None else 10 * machine.disk_wear
    yield one("wear_percent", "Of the life of the card, at most, that is used up.", wear)


def _of_the_bridge(facts: Facts) -> Iterator[Figure]:
    yield one("broker_connected", "Is the bridge connected to its broker?", facts.connected)
    yield one(
        "connections_taken_over_total",
        "Connections that another bridge of the table's name ended, or seems to have ended.",
        facts.link.taken_over,
    )
    yield one(
        "broker_certificate_expiry_timestamp_seconds",
        "When the certificate of the broker, or of who signed it, ends.",
        facts.link.certificate_ends,
    )
    yield one(
        "client_certificate_expiry_timestamp_seconds",
        "When the own certificate of the bridge or collector ends.",
        facts.link.own_certificate_ends,
    )
    yield one("queue_length", "Messages that wait for the broker.", facts.queued)
    yield one("published_total", "Messages that the broker took.", facts.published)
    yield one("dropped_total", "Messages that were given up: too many, or refused.", facts.dropped)
    yield one("commands_heard_total", "Commands that came from the broker.", facts.heard)
    yield one("commands_refused_total", "Commands that were not done.", facts.refused)
    yield one("written_timestamp_seconds", "When these figures were written.", facts.at)
