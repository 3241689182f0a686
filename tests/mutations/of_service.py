"""Mistakes in service: what staff try, what it may not touch, and what is counted."""

from mutation import Mutation

MACHINE = "pi_table/table/engine/machine.py"
SERVICE = "pi_table/table/engine/service.py"
SCREEN = "pi_table/table/engine/hidden_screen.py"
REQUESTS = "pi_table/table/engine/requests/console.py"
COUNTS = "pi_table/devices/wire/counts.py"
MEASURING = "pi_table/devices/hal/measuring.py"
PAGES = "pi_table/screens/console/service/pages.py"
DRAWN = "pi_table/screens/console/service/drawn.py"
UPDATE = "pi_table/screens/console/update.py"
TABLE = ("tests/engine/test_service.py",)
CONSOLE = ("tests/console/test_service_pages.py",)
WIRE = ("tests/wire/test_counts.py", "tests/wire/test_link.py")

OF_SERVICE = [
    Mutation(
        "service begins while a game is paused",
        REQUESTS,
        "    if situation.played is not None:\n        raise Unable",
        "    if situation.played is not None and not situation.played.paused:\n"
        "        raise Unable",
        TABLE,
    ),
    Mutation(
        "a finger that came in service means something after it",
        MACHINE,
        "self._fingers.felt(frame, now, wakes or in_service)",
        "self._fingers.felt(frame, now, wakes)",
        TABLE,
    ),
    Mutation(
        "the next screen is in service",
        SCREEN,
        "lock=left(self.lock), peek=None, service=None, number",
        "lock=left(self.lock), peek=None, number",
        TABLE,
    ),
    Mutation(
        "service outlives the operator's page",
        SCREEN,
        "service=self.service if lock.is_open else None",
        "service=self.service",
        TABLE,
    ),
    Mutation(
        "service needs no PIN",
        "pi_table/table/engine/acts.py",
        "console.Serve),\n        needs=PIN,\n",
        "console.Serve),\n",
        TABLE,
    ),
    Mutation(
        "a game begins in service",
        REQUESTS,
        "    check_that_nobody_services(situation.service)\n",
        "",
        TABLE,
    ),
    Mutation(
        "service goes on although a game is played",
        MACHINE,
        "        if self._course.played is not None and self._service is not None:\n"
        "            self._screen = self._screen.unserved()\n",
        "",
        TABLE,
    ),
    Mutation(
        "the grid goes on measuring",
        MACHINE,
        "        measures = Measure(on=False) if service is None else service.measures\n",
        "        measures = self._measures if service is None else service.measures\n",
        TABLE,
    ),
    Mutation(
        "the house dims what is tried",
        "pi_table/devices/lights/light.py",
        "        service.paint(canvas, picture.tried)\n"
        "        return Lighting(canvas.frame(), None)\n",
        "        service.paint(canvas, picture.tried)\n"
        "        return Lighting(_toned(canvas, picture), None)\n",
        (*TABLE, "tests/lights/test_service_lights.py"),
    ),
    Mutation(
        "the walk stops at the last light",
        SERVICE,
        "light=(service.lit.light + steps) % LED_COUNT)",
        "light=min(service.lit.light + steps, LED_COUNT - 1))",
        TABLE,
    ),
    Mutation(
        "the most is forgotten with each reading",
        SERVICE,
        "    most = service.most or readings.deltas\n",
        "    most = readings.deltas\n",
        TABLE,
    ),
    Mutation(
        "lights are numbered as LEDs, not as the strip has them",
        SERVICE,
        "            return Tried(frozenset({STRIP[light]}), COLOURS[colour])\n",
        "            return Tried(frozenset({light}), COLOURS[colour])\n",
        TABLE,
    ),
    Mutation(
        "what a controller counts does not wrap",
        COUNTS,
        "(state.dropped - before.dropped) % BYTE",
        "state.dropped - before.dropped",
        WIRE,
    ),
    Mutation(
        "a controller's first start counts",
        COUNTS,
        "        if self._boot is not None:\n",
        "        if hello.boot:\n",
        WIRE,
    ),
    Mutation(
        "what went wrong is forgotten when the port is opened again",
        "pi_table/devices/wire/link.py",
        "        self._damaged += self.dropped\n",
        "",
        WIRE,
    ),
    Mutation(
        "counts are asked for although nobody wants them",
        MEASURING,
        "        if self._pads and self._link.is_up:\n",
        "        if self._link.is_up:\n",
        ("tests/hal/test_measuring.py",),
    ),
    Mutation(
        "the knob steps over lights that were not answered yet",
        PAGES,
        "        return self.asked\n",
        "        return service.lit\n",
        CONSOLE,
    ),
    Mutation(
        "one BACK leaves the page of knobs",
        PAGES,
        "        if given is Input.BACK and self.seen[-1:] == (Input.BACK,):\n",
        "        if given is Input.BACK:\n",
        CONSOLE,
    ),
    Mutation(
        "the table is not told that service was left",
        UPDATE,
        '        after, request = _asking(after, by_operator("leave-service"))\n'
        "        return after, (*requests, request)\n",
        "        return after, requests\n",
        CONSOLE,
    ),
    Mutation(
        "PEEK asks for the key in service",
        PAGES,
        "    hides_key: ClassVar[bool] = True\n",
        "",
        CONSOLE,
    ),
    Mutation(
        "what is masked is called deaf",
        DRAWN,
        '        return say("deaf") if pads.deltas[pad] is None else say("masked")\n',
        '        return say("deaf")\n',
        CONSOLE,
    ),
    Mutation(
        "the small table is not turned round",
        DRAWN,
        "        row, column = divmod(across(cell), SIDE)\n",
        "        row, column = divmod(cell, SIDE)\n",
        CONSOLE,
    ),
]
