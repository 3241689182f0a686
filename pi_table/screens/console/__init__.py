"""The process of the hidden screen. It knows only what it receives from its socket.

1. A press, a message or an answer becomes an event (`app.happening_of`, `inbox`).
2. `update` applies the event to the model. A choice opens or closes a screen, or becomes a request.
3. `scene` makes shapes, `look.convert_scene` gives them size and colour, `painter` paints them.

The table sends secrets only during a peek. `update` requests a peek while a screen shows a secret.
"""

import os
import sys

os.environ.setdefault(
    "PYGAME_HIDE_SUPPORT_PROMPT", "1"
)  # otherwise pygame prints a greeting on standard output
# Debian's pygame would import this module, a quarter of the console's start. It is not needed.
sys.modules["pkg_resources"] = None  # type: ignore[assignment]
