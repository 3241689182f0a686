"""The paths at which settings are stored, below the root of a system. Each path has a name."""

from typing import Final

HOSTNAME: Final = "etc/hostname"
HOSTS: Final = "etc/hosts"
KERNEL_NAME: Final = "proc/sys/kernel/hostname"
"""Path of the kernel's file with the host name until the next start. root may write it without any
capability."""
LOCALTIME: Final = "etc/localtime"
TIMEZONE: Final = "etc/timezone"
"""Path of Debian's file with the name of the time zone, for programs that read it. It is updated
only if it exists."""
ZONES: Final = "usr/share/zoneinfo"
COUNTRIES: Final = "usr/share/zoneinfo/iso3166.tab"
"""Path of the table of country codes, from the package tzdata."""
SETTINGS: Final = "etc/pi-table/settings.toml"
"""Path of the file that the key [paths] settings names in the package's configuration."""
NO_PAGES: Final = "etc/pi-table/no-pages"
"""Path of a file that keeps the units of the web pages from starting."""
BRIDGE: Final = "etc/pi-table/bridge"
"""Path of the folder with the bridge's secrets, for the bridge's unit and configuration."""
STATE: Final = "var/lib/pi-table"
BRIDGE_KEPT: Final = "var/lib/pi-table/bridge.json"
"""Path of a file with the bridge's secrets. The file also survives if the system is in memory."""
USB_RULES: Final = "etc/udev/rules.d/71-pi-table-settings.rules"
"""Path of the rules file for udev. If the file exists, pi-table-usb.service makes udev apply the
rules to the devices again."""
USERS: Final = "etc/passwd"
CONNECTION: Final = "etc/NetworkManager/system-connections/pi-table.nmconnection"
COUNTRY: Final = "etc/modprobe.d/pi-table-wifi.conf"
"""Path of the file with the country of the Wi-Fi. The kernel's Wi-Fi module gets the country when
it is loaded."""
CMDLINE: Final = "cmdline.txt"
"""Name of the file with the kernel's command line on a Raspberry Pi, beside the settings file."""
NETWORK_MANAGER: Final = "usr/sbin/NetworkManager"
NETWORK_MANAGER_STATE: Final = "var/lib/NetworkManager/NetworkManager.state"
RFKILL: Final = "dev/rfkill"
RFKILL_STATES: Final = "sys/class/rfkill"
RFKILL_KEPT: Final = "var/lib/systemd/rfkill"
"""Path of the folder where systemd stores which radios were blocked."""
CLOUD_INIT_SEEDS: Final = ("var/lib/cloud/seed/nocloud", "var/lib/cloud/seed/nocloud-net")
"""Paths of the folders in which cloud-init looks for user-data, besides the boot partition."""
CLOUD_INIT: Final = "etc/cloud"

USER: Final = "pi-table"
"""Name of the user who runs the engine and owns the state folder."""
BRIDGE_USER: Final = "pi-table-bridge"
SAYS: Final = "pi-table-says.txt"
"""Name of the report about the settings. It is beside the settings file, for a person who reads the
card."""

CA: Final = "pi-table-ca.pem"
"""Name of the file with the broker's CA certificate, beside the settings file."""
CERTIFICATE: Final = "pi-table-certificate.pem"
KEY: Final = "pi-table-key.pem"
"""Name of the file with the private key of the table's certificate, beside the settings file. The
key is overwritten with blanks."""
