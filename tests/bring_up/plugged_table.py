"""A table that a command is pointed at by its configuration."""

import socket
from pathlib import Path


class Plugged:
    """A table as a program: a configuration that names its port, and its world."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "port"
        self.control = folder / "control"
        self.config = folder / "table.toml"
        self.config.write_text(
            f'[touch]\ndriver = "controller"\n[lights]\ndriver = "controller"\n'
            f'[controller]\nport = "{self.port}"\n'
            f'[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        )

    def tell(self, line: str) -> str:
        """Tell the world one line; what it answers."""
        with socket.socket(socket.AF_UNIX) as world:
            world.connect(str(self.control))
            world.sendall(f"{line}\n".encode())
            with world.makefile("r") as answers:
                answer = answers.readline()
        assert answer.startswith("ok"), answer
        return answer
