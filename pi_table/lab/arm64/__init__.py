"""Runs pi-table's programs as on a Raspberry Pi, and counts their instructions.

``make_root.sh`` makes the folder ``build/arm64``; ``.ci/setup.sh small`` calls it. The plugin
``instructions.c`` counts. Only QEMU 7.2 of Debian 12 has been tried.
"""
