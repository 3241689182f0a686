"""Joins the controller outside to a gadget's serial port inside the booted machine: what comes from
the one goes to the other. It needs Python alone."""

import os
import select
import tty

PORTS = ("/dev/virtio-ports/pi-table.joint", "/dev/ttyGS0")

one, other = (os.open(path, os.O_RDWR | os.O_NOCTTY) for path in PORTS)
tty.setraw(other)
there = {one: other, other: one}
while True:
    for port in select.select(there, [], [])[0]:
        data = os.read(port, 4096)
        while data:
            data = data[os.write(there[port], data) :]
