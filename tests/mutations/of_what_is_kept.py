"""Mistakes in what is kept and what is sent: journal, serial link, sockets."""

from mutation import Mutation

CHAIN = ("tests/store/test_chain.py", "tests/store/test_released.py", "tests/store/test_journal.py")
JOURNAL = "pi_table/store/journal.py"
STORE = (
    "tests/store/test_journal.py",
    "tests/store/test_journal_faults.py",
    "tests/store/test_journal_damage.py",
    "tests/store/test_mark.py",
)
LINK = "pi_table/wire/link.py"
WIRE = ("tests/wire/test_link.py", "tests/wire/test_codec.py", "tests/wire/test_link_said.py")
STALLS = ("tests/wire/test_link_stalls.py",)
SERVER = ("tests/ipc/test_server.py", "tests/ipc/test_newcomers.py")

OF_WHAT_IS_KEPT = [
    Mutation(
        "a deal is stored in as many bytes as it has",
        "pi_table/engine/keeper.py",
        "max(LEAST_BYTES, 1 << (len(body) - 1).bit_length())",
        "LEAST_BYTES",
        ("tests/engine/test_keeper.py",),
    ),
    Mutation(
        "the chain is made without the event's number",
        "pi_table/store/chain.py",
        "_FRAME.pack(len(self.last), self.count, at, len(wall), len(body))",
        "_FRAME.pack(len(self.last), 0, at, len(wall), len(body))",
        CHAIN,
    ),
    Mutation(
        "the chain is made without the time",
        "pi_table/store/chain.py",
        "_FRAME.pack(len(self.last), self.count, at, len(wall), len(body))",
        "_FRAME.pack(len(self.last), self.count, 0.0, len(wall), len(body))",
        CHAIN,
    ),
    Mutation(
        "the chain is made without the wall clock",
        "pi_table/store/chain.py",
        "sha256(frame + self.last + wall + body)",
        "sha256(frame + self.last + body)",
        CHAIN,
    ),
    Mutation(
        "a link does not seal the one before",
        "pi_table/store/chain.py",
        "sha256(frame + self.last + wall + body)",
        "sha256(frame + wall + body)",
        CHAIN,
    ),
    Mutation(
        "a mark that does not fit its seal is believed",
        "pi_table/store/mark.py",
        "        if sha256(sealed).digest() == seal:\n",
        "        if any(seal):\n",
        STORE,
    ),
    Mutation(
        "of two marks the older one is believed",
        "pi_table/store/mark.py",
        "    newest = max(marks, key=lambda mark: mark.serial)\n",
        "    newest = min(marks, key=lambda mark: mark.serial)\n",
        STORE,
    ),
    Mutation(
        "a mark has one page and not two",
        "pi_table/store/mark.py",
        '    return b"".join(sectors).ljust(PAGE, b"\\0") * 2\n',
        '    return b"".join(sectors).ljust(REGION, b"\\0")\n',
        STORE,
    ),
    Mutation(
        "a mark is written over the one before",
        "pi_table/store/mark.py",
        "    return mark.serial % 2 * REGION\n",
        "    return REGION\n",
        STORE,
    ),
    Mutation(
        "a newer mark that is damaged is taken for one that was not written",
        "pi_table/store/mark.py",
        "    if any(mark is not newest and damaged > 1 for mark, damaged in found):\n",
        "    if False:\n",
        STORE,
    ),
    Mutation(
        "an act of the mark is never entered when the journal is opened",
        JOURNAL,
        "                    self._contents.enter(mark)\n                self._compare(mark)\n",
        "                    pass\n                self._compare(mark)\n",
        STORE,
    ),
    Mutation(
        "the next act is stored before the one before is entered",
        JOURNAL,
        "        self._refuse_gone()\n        self.settle()\n",
        "        self._refuse_gone()\n",
        STORE,
    ),
    Mutation(
        "who only reads is not shown the act of the mark",
        JOURNAL,
        "                        self._contents.show(mark)\n",
        "                        pass\n",
        STORE,
    ),
    Mutation(
        "what was stored is entered before it was shown",
        "pi_table/engine/table.py",
        "isinstance(output, Store | Settle) and isinstance(given, Stored)",
        "isinstance(output, Store) and isinstance(given, Stored)",
        ("tests/engine",),
    ),
    Mutation(
        "the journal is not compared with its mark",
        JOURNAL,
        "        if mark is not None:\n            self._contents.compare(mark)\n",
        "        if mark is not None:\n            pass\n",
        ("tests/store/test_mark.py", "tests/store/test_damage.py"),
    ),
    Mutation(
        "an earlier game takes more events",
        JOURNAL,
        "            if not game or game != mark.game:\n",
        "            if not game or game > mark.game:\n",
        STORE,
    ),
    Mutation(
        "files that were taken away under a running table are not missed",
        JOURNAL,
        "            if stands is None or not stood.is_followed_by(stands):\n",
        "            if stands is not None and not stood.is_followed_by(stands):\n",
        ("tests/store/test_journal_gone.py",),
    ),
    Mutation(
        "any checksum of a frame will do",
        "pi_table/wire/codec.py",
        "    return message if zlib.crc32(message) == crc else None\n",
        "    return message if crc else None\n",
        WIRE,
    ),
    Mutation(
        "a run that goes beyond its frame is cut",
        "pi_table/wire/codec.py",
        "        if end > len(frame):\n            return None\n",
        "",
        WIRE,
    ),
    Mutation(
        "what lies in the way of a frame is kept without end",
        "pi_table/wire/codec.py",
        "(self._begun + rest)[: LONGEST_FRAME + 1]  #",
        "(self._begun + rest)  #",
        WIRE,
    ),
    Mutation(
        "a state from before the greeting is believed",
        LINK,
        "            if not self._outbox.is_said or state.applied != self._outbox.number:\n",
        "            if not self._outbox.is_said:\n",
        WIRE,
    ),
    Mutation(
        "an older state is taken for a newer one",
        LINK,
        "self._state.sequence) % SEQUENCES < SEQUENCES // 2:\n",
        "self._state.sequence) % SEQUENCES:\n",
        WIRE,
    ),
    Mutation(
        "a controller that has started again is taken for the one before",
        LINK,
        "        if state.boot != self._hello.boot:\n",
        "        if state.boot == 0:\n",
        WIRE,
    ),
    Mutation(
        "silence is never noticed",
        LINK,
        "        silent = now >= self._heard_at + LOST_AFTER\n",
        "        silent = now >= self._heard_at + 1e9\n",
        WIRE,
    ),
    Mutation(
        "a finger counts though no state comes",
        LINK,
        "        return [unread(self._state)] if self._state.touched else []\n",
        "        return []\n",
        WIRE,
    ),
    Mutation(
        "what lay at the port is taken for new",
        LINK,
        "        return self._late or self.is_behind\n",
        "        return self._late\n",
        STALLS,
    ),
    Mutation(
        "what answers something said before a stall is taken for new",
        "pi_table/wire/outbox.py",
        "        self._number_before, self._begun_at = self.number, now\n",
        "        self._begun_at = now\n",
        STALLS,
    ),
    Mutation(
        "a stall is taken for a silence of the controller",
        LINK,
        "            self._heard_at = now\n            self._outbox.stood_still(now)\n",
        "            self._outbox.stood_still(now)\n",
        STALLS,
    ),
    Mutation(
        "states that are missing from what lay at the port are not missed",
        LINK,
        "        missing = 0.0 if self._state is None else _missing(self._state, state)\n",
        "        missing = 0.0\n",
        STALLS,
    ),
    Mutation(
        "time is judged before what lies at the port was read",
        "pi_table/hal/controller.py",
        "        else:\n            self._read(self._serial)\n",
        "        else:\n            self._heard(self._link.tick(self._loop.time()))\n",
        ("tests/hal/test_stalls_of_the_link.py",),
    ),
    Mutation(
        "somebody may speak where nothing is heard",
        "pi_table/ipc/viewer.py",
        "        if self._server.hear is None:\n            self.cut_off()\n            return\n",
        "        if self._server.hear is None:\n            return\n",
        SERVER,
    ),
    Mutation(
        "a line without an end is read on and on",
        "pi_table/ipc/viewer.py",
        "        elif (end if end >= 0 else len(self._heard)) > LONGEST_LINE:\n",
        "        elif end > LONGEST_LINE:\n",
        SERVER,
    ),
    Mutation(
        "a viewer's lines do not wait for the answer",
        "pi_table/ipc/viewer.py",
        "or self._waiting or self._with_table or end < 0:\n",
        "or self._waiting or end < 0:\n",
        (*SERVER, "tests/ipc/test_client.py"),
        survives=(
            "`_go_on` puts nobody on the list of those who ask while a line of theirs is with the "
            "table. The check stands for whoever changes that."
        ),
    ),
    Mutation(
        "a second console is taken in",
        "pi_table/ipc/server.py",
        "        self._most = most or (MOST_VIEWERS if hear is None else 1)\n",
        "        self._most = most or MOST_VIEWERS\n",
        (*SERVER, "tests/engine/test_daemon_viewers.py"),
    ),
    Mutation(
        "a newcomer is told nothing until something happens",
        "pi_table/ipc/server.py",
        "        self._viewers[viewer] = None\n        self.owe(viewer)\n",
        "        self._viewers[viewer] = None\n",
        SERVER,
    ),
]
