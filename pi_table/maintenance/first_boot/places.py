"""The paths at which settings are stored, relative to the root of a system."""

from typing import Final

HOSTNAME: Final = "etc/hostname"
HOSTS: Final = "etc/hosts"
KERNEL_NAME: Final = "proc/sys/kernel/hostname"
"""Path of the running kernel's host name. The user root needs no capability to write it."""
LOCALTIME: Final = "etc/localtime"
TIMEZONE: Final = "etc/timezone"
"""Path of Debian's file with the name of the time zone. It is updated only if it exists."""
ZONES: Final = "usr/share/zoneinfo"
COUNTRIES: Final = "usr/share/zoneinfo/iso3166.tab"
"""Path of the table of country codes, from the package tzdata."""
SETTINGS: Final = "etc/pi-table/settings.toml"
"""Path of the file that overrides the configuration. The package's configuration names this path in
[paths] settings."""
NO_PAGES: Final = "etc/pi-table/no-pages"
"""Path of a file. While it exists, the web pages do not start."""
BRIDGE: Final = "etc/pi-table/bridge"
"""Path of the folder with the bridge's secrets. The bridge's unit and configuration use it."""
STATE: Final = "var/lib/pi-table"
BRIDGE_KEPT: Final = "var/lib/pi-table/bridge.json"
"""Path of the file in which the bridge's secrets are stored. It survives a restart even if the
system runs in memory."""
USB_RULES: Final = "etc/udev/rules.d/71-pi-table-settings.rules"
"""Path of the rules file for udev. If the file exists, pi-table-usb.service makes udev apply the
rules to the devices again."""
USERS: Final = "etc/passwd"
CONNECTION: Final = "etc/NetworkManager/system-connections/pi-table.nmconnection"
COUNTRY: Final = "etc/modprobe.d/pi-table-wifi.conf"
"""Path of the file with the Wi-Fi's country. The kernel's Wi-Fi module reads the file when the
module is loaded."""
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
"""Name of the report beside the settings file, for a person who reads the card."""
DESK: Final = "pi-table-desk.svg"
"""Name of the picture beside the settings file with the QR code of the operator's desk."""

CA: Final = "pi-table-ca.pem"
"""Name of the file with the broker's CA certificate, beside the settings file."""
CERTIFICATE: Final = "pi-table-certificate.pem"
KEY: Final = "pi-table-key.pem"
"""Name of the file with the table's private key. Once the key is stored, blanks overwrite it in
that file."""
