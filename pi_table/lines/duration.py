"""A length of time as it is read."""


def duration(seconds: int) -> str:
    """``1:30`` for 90 seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"
