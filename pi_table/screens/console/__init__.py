"""The spymasters' screen: model (pure) → scene (pure) → painter (pygame)."""

import os

os.environ.setdefault(
    "PYGAME_HIDE_SUPPORT_PROMPT", "1"
)  # or it prints a greeting on standard output
