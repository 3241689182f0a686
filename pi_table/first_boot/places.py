"""Where what the settings say is kept, below the root of a system: one name for each place."""

from typing import Final

HOSTNAME: Final = "etc/hostname"
HOSTS: Final = "etc/hosts"
LOCALTIME: Final = "etc/localtime"
TIMEZONE: Final = "etc/timezone"
"""The time zone's name, for programs that ask there; it is kept where there is such a file."""
ZONES: Final = "usr/share/zoneinfo"
SETTINGS: Final = "etc/pi-table/settings.toml"
"""What [paths] settings names in the configuration of the package."""
NO_PAGES: Final = "etc/pi-table/no-pages"
"""Where this file is, the units of the pages do not start."""
STATE: Final = "var/lib/pi-table"
USERS: Final = "etc/passwd"
CONNECTION: Final = "etc/NetworkManager/system-connections/pi-table.nmconnection"
COUNTRY: Final = "etc/modprobe.d/pi-table-wifi.conf"
"""In which country the Wi-Fi is, as the kernel's module is told when it is loaded."""

USER: Final = "pi-table"
"""The user as whom the engine runs, and whose the state folder is."""
SAYS: Final = "pi-table-says.txt"
"""What came of the settings, for whoever reads the card: beside their file."""
