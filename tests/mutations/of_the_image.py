"""Mistakes in what brings an image up to date: its slots, the judge of a new version, and what a
table tells its server."""

from mutation import Mutation

PROGRAMS = "systemd/image/files/usr/lib/pi-table-image"
SLOTS = ("tests/systemd/test_slots.py",)
JUDGE = ("tests/systemd/test_check_slot.py",)
SERVER = ("tests/systemd/test_hawkbit.py",)
RECIPE = ("tests/systemd/test_card_recipe.py",)

OF_THE_IMAGE = [
    Mutation(
        "the slot to which a table goes back may be installed over",
        f"{PROGRAMS}/slots",
        'if [ "$2" = bad ] && [ "$1" = "$(get_default)" ]',
        "if false",
        SLOTS,
    ),
    Mutation(
        "those who write to the card at once do not wait for each other",
        f"{PROGRAMS}/slots",
        'exec 9<"$card" && flock 9',
        ":",
        SLOTS,
    ),
    Mutation(
        "a slot is the default one while it is still being tried",
        f"{PROGRAMS}/slots",
        '    set_word "$next" tried\n',
        '    set_word "$next" tried\n    make_default "$next"\n',
        SLOTS,
    ),
    Mutation(
        "a slot is tried again and again",
        f"{PROGRAMS}/slots",
        '    set_word "$next" tried\n    echo',
        "    echo",
        SLOTS,
    ),
    Mutation(
        "a slot that runs unasked is on trial",
        f"{PROGRAMS}/slots",
        ' && [ "$(get_word "$(get_current)")" = tried ]',
        "",
        JUDGE,
    ),
    Mutation(
        "a card that is full gathers scraps",
        f"{PROGRAMS}/slots",
        '        rm -f "$new"\n',
        "",
        SLOTS,
    ),
    Mutation(
        "a judge that hangs is waited for",
        f"{PROGRAMS}/keep-or-go-back",
        "timeout --kill-after=10 480 ",
        "",
        JUDGE,
    ),
    Mutation(
        "an engine without a journal is good enough",
        f"{PROGRAMS}/check_slot.py",
        'if name == "can_store" or name not in standing.was_wrong():',
        'if name != "can_store" and name not in standing.was_wrong():',
        JUDGE,
    ),
    Mutation(
        "a version that does not know the controller is good enough",
        f"{PROGRAMS}/standing.py",
        '    "link": (False,',
        '    "link": (None,',
        JUDGE,
    ),
    Mutation(
        "what ailed the table before is the new version's fault",
        f"{PROGRAMS}/standing.py",
        "        wrong = here.wrong\n",
        "        wrong = []\n",
        JUDGE,
    ),
    Mutation(
        "while a version is judged games begin",
        f"{PROGRAMS}/check_slot.py",
        "            engine.keep_free(standing.FREE_SECONDS)\n",
        "            engine.keep_free(0)\n",
        JUDGE,
    ),
    Mutation(
        "an engine that falls over at once is good enough",
        f"{PROGRAMS}/check_slot.py",
        "if not engine.stays(STEADY):",
        "if False:",
        JUDGE,
    ),
    Mutation(
        "a hidden screen that does not run is good enough",
        f"{PROGRAMS}/check_slot.py",
        "if _has_display() and",
        "if not _has_display() and",
        JUDGE,
    ),
    Mutation(
        "a slot whose reason cannot be written down is not given up",
        f"{PROGRAMS}/slots.py",
        '    ask("set-state", slot, "bad")\n    try:\n',
        '    try:\n        ask("set-state", slot, "bad") if WHY.parent.is_dir() else None\n',
        JUDGE,
    ),
    Mutation(
        "the token goes wherever the server sends the table",
        f"{PROGRAMS}/ddi.py",
        "request.add_unredirected_header(",
        "request.add_header(",
        SERVER,
    ),
    Mutation(
        "what is said is lost where the server sends it on",
        f"{PROGRAMS}/ddi.py",
        "return None if req.data is not None else super()",
        "return super()",
        SERVER,
    ),
    Mutation(
        "a file without an end fills the card",
        f"{PROGRAMS}/ddi.py",
        "artifact.size - there, AT_A_STRETCH",
        "1 << 60, AT_A_STRETCH",
        SERVER,
    ),
    Mutation(
        "a file is installed whatever its sum is",
        f"{PROGRAMS}/ddi.py",
        "if (there, _digest(path)) != (artifact.size, artifact.sha256):",
        "if there != artifact.size:",
        SERVER,
    ),
    Mutation(
        "an action that the server has closed keeps the table from the next",
        f"{PROGRAMS}/hawkbit.py",
        "with suppress(Gone):  # it was closed there meanwhile",
        "if True:",
        SERVER,
    ),
    Mutation(
        "a server that is overloaded has an update fail",
        f"{PROGRAMS}/hawkbit.py",
        "except Unfit as unfit:",
        "except Trouble as unfit:",
        SERVER,
    ),
    Mutation(
        "an update goes over the only other slot while one is judged",
        f"{PROGRAMS}/hawkbit.py",
        'if self._slots.ask("get-current") != default:',
        "if False:",
        SERVER,
    ),
    Mutation(
        "what was installed by hand is taken for the server's",
        f"{PROGRAMS}/hawkbit.py",
        'self._slots.ask("set-state", slot, "bad")  # what is there',
        "pass  # what is there",
        SERVER,
    ),
    Mutation(
        "what came of an update is forgotten before the server has heard it",
        f"{PROGRAMS}/hawkbit.py",
        "        with suppress(Gone):  # it was closed there meanwhile\n",
        "        self._forget()\n        with suppress(Gone):\n",
        SERVER,
    ),
    Mutation(
        "a bundle is taken that is not checked as it is read",
        "systemd/image/files/etc/rauc/system.conf",
        "bundle-formats=verity\n",
        "",
        RECIPE,
    ),
    Mutation(
        "a signature has run out on a table whose clock is wrong",
        "systemd/image/files/etc/rauc/system.conf",
        "use-bundle-signing-time=true\n",
        "",
        RECIPE,
    ),
    Mutation(
        "a version that panics on a Pi waits for somebody to pull the plug",
        "systemd/image/raspberry-pi/bdebstrap/customize10-pi-table",
        " panic=5",
        "",
        RECIPE,
    ),
]
