"""The word packs that come with the table, each read once: reading one takes 20 ms."""

import functools

from pi_table.games.words.pack import pack_named

shipped_pack = functools.cache(pack_named)
