"""How long those who meet at a broker may be away without a loss."""

from typing import Final

COLLECTOR_AWAY_DAYS: Final = 14
"""Days for which the broker keeps what tables tell a collector that is away. The collector asks for
a session of this length, and `pi-table provision` sizes the broker's queue by it."""
