"""The texts that ``pi-table backup`` and ``pi-table restore`` print when they succeed."""

from pathlib import Path

from pi_table.common.language import join_texts, say
from pi_table.table.backups import archive
from pi_table.table.backups.archive import Manifest
from pi_table.table.backups.restore import Restored


def backup_text(file: Path, made: Manifest) -> str:
    return say(
        "{file} keeps {inside}. Whoever reads it learns the key of the game in play: keep it "
        "where no guest can.",
        file=file,
        inside=inside(made),
    )


def restore_text(file: Path, done: Restored) -> str:
    lines = [
        say(
            "Restored from {file}, of {made}: {inside}.",
            file=file,
            made=done.manifest.made,
            inside=inside(done.manifest),
        )
    ]
    if done.config_left:
        lines.append(say("The configuration in it was left out: this table's is as it was."))
    if done.kept is not None:
        lines.append(say("What was there before is kept in {kept}.", kept=done.kept))
    lines.append(say("The table may be started now."))
    return join_texts("\n", lines)


def inside(manifest: Manifest) -> str:
    """Return a list of a backup's contents, such as "3 games and the configuration"."""
    names = {member.name for member in manifest.members}
    games = manifest.games
    things = [say("1 game") if games == 1 else say("{games} games", games=games)]
    packs = sum(name.startswith(archive.PACKS) for name in names)
    if packs:
        things.append(say("1 word pack") if packs == 1 else say("{packs} word packs", packs=packs))
    if archive.HOUSE in names:
        things.append(say("the house's settings"))
    if archive.PIN in names:
        things.append(say("the PIN's hash"))
    if archive.CONFIG in names:
        things.append(say("the configuration"))
    return (
        things[0]
        if len(things) == 1
        else join_texts(" and ", (join_texts(", ", things[:-1]), things[-1]))
    )
