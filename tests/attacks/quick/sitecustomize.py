"""For a table that is started with this folder in its PYTHONPATH: beats come five times as often.

Whoever attacks at the sealed socket waits for beats most of the time. Nothing else is another than
it is, and where the process of the pages runs, beats are as they are.
"""

import pi_table.protocols.ipc.sealed

pi_table.protocols.ipc.sealed.BEAT_SECONDS = 0.05  # type: ignore[misc]
