"""Reads small text files of the system, such as the kernel's in /proc and /sys."""

from pathlib import Path


def text_in(path: Path) -> str:
    """Return the text of a file without leading and trailing blanks; "" if it is unreadable."""
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
