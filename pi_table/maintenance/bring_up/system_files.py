"""Reads small text files of the system, such as those in /proc and /sys."""

from pathlib import Path


def text_in(path: Path) -> str:
    """Return the text of a file, without blanks at both ends; "" if the file cannot be read."""
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
