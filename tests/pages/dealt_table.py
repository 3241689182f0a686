"""A running table whose games are dealt as a test says: words and a key, or the six identikits.

Run as a program, this is `pi-table` with such a dealer; all else about it is the real one's.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final
from unittest import mock

from table_with_pages import TableWithPages

from pi_table import cli
from pi_table.games.rules.games import Opening
from pi_table.table.engine.dealing import Dealer, WordSource

FILE: Final = "deal.json"


class DealtTable(TableWithPages):
    """A running table that deals what it was told last."""

    program = (__file__,)

    def begin(self, profile: str, options: dict[str, Any], **dealt: Any) -> None:
        """Begin a game, in the place of one that may be played, with this deal."""
        self.console.ask("abandon")
        (self.folder / FILE).write_text(json.dumps(dealt))
        self.console.do("start", profile=profile, options=options)


def main() -> int:
    """Run `pi-table`; the deal lies beside the configuration, which the last argument names."""
    path = Path(sys.argv[-1]).with_name(FILE)
    original = Dealer.deal

    def deal(dealer: Dealer, game: Any, source: WordSource) -> Opening:
        return original(dealer, {**game, **json.loads(path.read_text())}, source)

    with mock.patch.object(Dealer, "deal", deal):
        return cli.main()


if __name__ == "__main__":
    raise SystemExit(main())
