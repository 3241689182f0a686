"""Tools for developers, which only a checkout of the source has. No package contains them. Of the
other code, only the command line refers to them. The option ``--help`` explains each command:

- ``pi-table gallery`` draws every light scene as a moving picture, and all scenes on one sheet.
- ``pi-table walk`` draws the screens of every game in both languages.
- ``pi-table colours`` prints the two identities that look most alike, for each palette and kind of
  colour vision. It also compares each team's lights with the other team's.
- ``pi-table legibility`` prints the height of texts on each surface in minutes of arc. It ends
  with 1 if a text that must be read is below 16. It needs the browser of ``.ci/setup.sh pages``.
- ``pi-table eyes`` shows a picture as colour-blind people see it, and in a dim bar.
- ``pi-table bench`` makes seven groups of measurements in five minutes. ``pi-table bench rules``
  makes one of these groups, but measures longer. Each result is a JSON object with unit, goal,
  machine and versions. ``bench/contents.py`` explains all measurements. Four more groups run only
  if you name them: ``stalls``, ``bridge`` (needs Debian's mosquitto), ``siege`` and ``wear`` (both
  need root).

The program in the folder ``reckoning`` makes the referee's tables of related words.
"""
