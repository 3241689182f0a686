"""Tools for developers. They are only in a checkout of the source, not in any package. Except for
the command line, no other code refers to them. The option ``--help`` explains each command:

- ``pi-table gallery`` draws every light scene as a moving picture, and all scenes on one sheet.
- ``pi-table walk`` draws the screens of every game in both languages.
- ``pi-table colours`` prints which two identities look most alike, for each palette and each kind
  of colour vision. It also compares each team's lights with the other team's.
- ``pi-table legibility`` prints the height of texts on each surface in minutes of arc. Its exit
  status is 1 if a text that must be read is below 16. The command needs the browser of
  ``.ci/setup.sh pages``.
- ``pi-table eyes`` shows a picture as colour-blind people see it, and as it looks in a dim bar.
- ``pi-table bench`` makes seven groups of measurements in five minutes. ``pi-table bench rules``
  makes only the group ``rules``, but measures longer. Each result is a JSON object with unit, goal,
  machine and versions. ``bench/contents.py`` explains all measurements. Eight more groups run only
  if you name them: ``stalls``, ``packs``, ``journal``, ``collector`` (PostgreSQL, if it is
  installed), ``bridge`` (needs Debian's mosquitto), ``small`` (needs ``.ci/setup.sh small``),
  ``siege`` and ``wear`` (both need root).

The program in the folder ``reckoning`` makes the referee's tables of related words.
"""
