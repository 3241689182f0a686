"""The number of days for which a client of a broker may be away without losing messages."""

from typing import Final

COLLECTOR_AWAY_DAYS: Final = 14
"""Days for which the broker stores the tables' messages while a collector is away. The collector
asks for a session of this length, and `pi-table provision` sizes the broker's queue for it."""
