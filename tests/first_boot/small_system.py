"""A root of a system as small as it can be, with a boot partition beside it."""

from pathlib import Path

from pi_table import cli

ALL = """\
# The table at the window
hostname = "window"
language = "it"
timezone = "Europe/Rome"
pin = "471102"
pages = false

[wifi]
ssid = "Bar Sport"
password = 'one \\ two'
country = "IT"

[bridge]
broker = "mqtts://broker.lan"
table = "window"
password = "Kgm8-wq2Zr_tB5xN"

[usb]
trust = ["046d:c31c", "0bda:8153:000001"]
controller = ["16c0:0483"]

[house]
volume = 35
quiet_from = "22:30"
rules = { codenames = { timer = "clock" } }
"""


class System:
    """The root, and the boot partition."""

    def __init__(self, folder: Path) -> None:
        self.top = folder / "machine"
        self.root = self.top / "root"
        self.boot = self.top / "boot"
        self.file = self.boot / "pi-table.toml"
        self.says_file = self.boot / "pi-table-says.txt"
        for name in ("etc/pi-table", "usr/share/zoneinfo/Europe", "var/lib", "etc/modprobe.d"):
            (self.root / name).mkdir(parents=True)
        for name in ("etc/NetworkManager/system-connections", "etc/udev"):
            (self.root / name).mkdir(parents=True)
        self.boot.mkdir()
        for zone in ("Europe/Rome", "Europe/Paris", "UTC"):
            (self.root / "usr/share/zoneinfo" / zone).write_bytes(b"TZif2" + zone.encode())
        for name in ("usr/sbin", "var/lib/NetworkManager", "var/lib/systemd/rfkill"):
            (self.root / name).mkdir(parents=True)
        # The Wi-Fi is off, as on a fresh Raspberry Pi OS.
        self.write("usr/sbin/NetworkManager", "")
        self.write("var/lib/NetworkManager/NetworkManager.state", "[main]\nWirelessEnabled=false\n")
        self.write("var/lib/systemd/rfkill/platform-fe300000.mmcnr:wlan", "1\n")
        self.write("var/lib/systemd/rfkill/platform-soc:bluetooth", "1\n")
        self.write(
            "usr/share/zoneinfo/iso3166.tab",
            "# a table\n#code\tname\nGB\tBritain (UK)\nGR\tGreece\nIT\tItaly\n",
        )
        self.write("etc/hostname", "old\n")
        self.write("etc/hosts", "127.0.0.1\tlocalhost\n127.0.1.1\told\n::1\tip6-localhost\n")
        self.write("etc/timezone", "Etc/UTC\n")
        self.write(
            "etc/passwd",
            "root:x:0:0::/root:/bin/sh\npi-table:x:990:980::/:/bin/false\n"
            "pi-table-bridge:x:991:981::/:/bin/false\n",
        )
        (self.root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")

    def apply(self, text: str) -> int:
        """Start with these settings on the boot partition; answers with the exit status."""
        self.file.write_text(text)
        return self.again()

    def again(self) -> int:
        """Start once more, with the settings that are there."""
        return cli.main(["settings", "apply", str(self.file), "--root", str(self.root)])

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def text(self, name: str) -> str:
        return (self.root / name).read_text()

    def beside(self, name: str) -> Path:
        """A file on the boot partition, beside the settings."""
        return self.boot / name

    def says(self) -> str:
        return self.says_file.read_bytes().decode()

    def all(self) -> dict[str, bytes]:
        """Every file and link of the root, with what it holds."""
        return {
            str(each.relative_to(self.root)): (
                str(each.readlink()).encode() if each.is_symlink() else each.read_bytes()
            )
            for each in self.root.rglob("*")
            if each.is_symlink() or each.is_file()
        }
