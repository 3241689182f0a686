"""What is said of a backup that was made, and of one that was restored."""

from pathlib import Path

from pi_table.table.keeping import archive
from pi_table.table.keeping.archive import Manifest
from pi_table.table.keeping.restore import Restored


def told_of_backup(file: Path, made: Manifest) -> str:
    """What the command says."""
    return (
        f"{file} keeps {inside(made)}. Whoever reads it learns the key of the game in play: keep "
        "it where no guest can."
    )


def told_of_restore(file: Path, done: Restored) -> str:
    """What the command says."""
    lines = [f"Restored from {file}, of {done.manifest.made}: {inside(done.manifest)}."]
    if done.config_left:
        lines.append("The configuration in it was left out: this table's is as it was.")
    if done.kept is not None:
        lines.append(f"What was there before is kept in {done.kept}.")
    lines.append("The table may be started now.")
    return "\n".join(lines)


def inside(manifest: Manifest) -> str:
    """What a backup holds, as the end of a sentence."""
    names = {member.name for member in manifest.members}
    games = manifest.games
    things = ["1 game" if games == 1 else f"{games} games"]
    packs = sum(name.startswith(archive.PACKS) for name in names)
    if packs:
        things.append("1 word pack" if packs == 1 else f"{packs} word packs")
    if archive.HOUSE in names:
        things.append("the house's settings")
    if archive.PIN in names:
        things.append("the PIN's hash")
    if archive.CONFIG in names:
        things.append("the configuration")
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
