"""The spymasters' screen: model (pure) → scene (pure) → painter (pygame)."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet on standard output
