"""Mistakes in the table: fingers, what follows from them, lights."""

from mutation import Mutation

MACHINE = "pi_table/engine/machine.py"
INTENTS = "pi_table/engine/intents.py"
TOUCHES = (
    "tests/engine/test_touches.py",
    "tests/engine/test_time.py",
    "tests/engine/test_durable.py",
)
FINGERS = ("tests/engine/test_intents.py",)
LIGHTS = ("tests/engine/test_lighting.py",)

OF_THE_TABLE = [
    Mutation(
        "a lifted finger is a guess",
        INTENTS,
        "            self._see(Sign.LIFTED)\n            self.hold = self._tapped\n",
        "            self._see(Sign.LIFTED)\n",
        FINGERS,
    ),
    Mutation(
        "a hold is completed on evidence of any age",
        INTENTS,
        "        self._awaited = now > self._felt_at + EVIDENCE_SECONDS - HEARTBEAT\n",
        "        self._awaited = False\n",
        (*FINGERS, "tests/hal/test_stalls_of_the_link.py"),
    ),
    Mutation(
        "a hold is completed on a frame that is late",
        INTENTS,
        "        if frame.late:\n",
        "        if frame.blocked:\n",
        FINGERS,
    ),
    Mutation(
        "heavy no longer resets left-behind",
        INTENTS,
        "        if self.touched != touched or frame.heavy or frame.blocked:\n",
        "        if self.touched != touched or frame.blocked:\n",
        FINGERS,
    ),
    Mutation(
        "two places at once are no disturbance",
        INTENTS,
        "frame.heavy or len(self.touched) > 1 or taken or chips_changed:\n",
        "frame.heavy or taken or chips_changed:\n",
        FINGERS,
    ),
    Mutation(
        "what is wet is touched",
        INTENTS,
        "        if frame.blocked or frame.heavy or len(self.touched) > 1 or",
        "        if frame.heavy or len(self.touched) > 1 or",
        FINGERS,
    ),
    Mutation(
        "nothing has to settle",
        INTENTS,
        "            self._must_settle, self._settles_at = False, now + SETTLING_SECONDS\n",
        "            self._must_settle, self._settles_at = False, now\n",
        FINGERS,
    ),
    Mutation(
        "a movement over the cells means the last of them",
        INTENTS,
        "        if moving or doubtful or self.hands is not Hands.AWAY:\n",
        "        if doubtful or self.hands is not Hands.AWAY:\n",
        FINGERS,
    ),
    Mutation(
        "a second tap may come at any time",
        INTENTS,
        "            if now >= hold.begun + SECOND_TAP_WITHIN:\n                self._forget()\n",
        "",
        FINGERS,
    ),
    Mutation(
        "what is left behind counts for ever",
        INTENTS,
        "            self._behind |= dict.fromkeys(self.touched, self._must_settle)\n",
        "",
        FINGERS,
    ),
    Mutation(
        "what follows is seen before it is stored",
        MACHINE,
        "        self._waits_for = _Storing(move, job, first)\n",
        "        self._waits_for = _Storing(move, job, first)\n"
        "        if move.begins is None:\n            self._moved(move, 0)\n",
        TOUCHES,
    ),
    Mutation(
        "a peek that had to wait is for the next screen, too",
        MACHINE,
        "                if job.screen == self._screen:",
        "                if job.screen <= self._screen:",
        ("tests/engine/test_peek.py",),
    ),
    Mutation(
        "what could not be stored has happened all the same",
        MACHINE,
        "                self._waits_for, self._fault = None, str(why)\n",
        "                self._waits_for, self._fault = None, str(why)\n"
        "                self._moved(storing.move, 1)\n",
        ("tests/engine/test_faults.py", "tests/engine/test_durable.py"),
    ),
    Mutation(
        "the table goes on where its journal is closed",
        MACHINE,
        "        if isinstance(work, Move | Deal):\n",
        "        if isinstance(work, Deal):\n",
        ("tests/engine/test_faults.py",),
    ),
    Mutation(
        "while its journal is closed the table says what the rules would refuse",
        "pi_table/engine/requests.py",
        "    check_that_it_can_be_stored(situation.closed, situation.fault)\n    act",
        "    act",
        ("tests/engine/test_machine.py",),
    ),
    Mutation(
        "a fault stays when it is over",
        MACHINE,
        "                self._waits_for, self._fault = None, None\n                self._moved",
        "                self._waits_for = None\n                self._moved",
        ("tests/engine/test_faults.py",),
    ),
    Mutation(
        "what time brought about is not tried again",
        MACHINE,
        "                    self._retry_at = now + RETRY_SECONDS\n",
        "                    self._retry_at = now + 1e9\n",
        ("tests/engine/test_faults.py", "tests/engine/test_time.py"),
    ),
    Mutation(
        "a hold that began in time comes too late",
        MACHINE,
        "        return until if hold is None or hold.ends is None else min(until, hold.begun)\n",
        "        return until\n",
        ("tests/engine/test_time.py",),
    ),
    Mutation(
        "a touch that means nothing is held to its end",
        MACHINE,
        "            self._intents.withdraw()\n            self._refuse(hold.place, now)\n",
        "            pass\n",
        TOUCHES,
    ),
    Mutation(
        "the public is told of nothing new",
        "pi_table/engine/appearance.py",
        "        if self._is_new(Audience.PUBLIC, board, situation.out_of_order, urging):\n",
        "        if self._is_new(Audience.PUBLIC, None, situation.out_of_order, urging):\n",
        ("tests/engine/test_word_games.py", "tests/engine/test_touches.py"),
    ),
    Mutation(
        "places that cannot feel a finger are not named",
        "pi_table/engine/situation.py",
        "        if self.touch.deaf and not self.touch.trouble:  #",
        "        if self.touch.deaf and self.touch.trouble:  #",
        ("tests/engine/test_faults.py", "tests/engine/test_touches.py"),
    ),
    Mutation(
        "a held cell does not fill",
        "pi_table/engine/lighting.py",
        "    return dim(_bright(board), 0.3 + 0.7 * min(1.0, max(0.0, done)))\n",
        "    return dim(_bright(board), 0.3)\n",
        LIGHTS,
    ),
    Mutation(
        "a cell that is deaf is lit as if it felt a finger",
        "pi_table/engine/lighting.py",
        "        if _can_be_touched(board, place):\n            frame[place] = OFF\n",
        "        pass\n",
        LIGHTS,
    ),
    Mutation(
        "the pad that ends the turn is lit before the first guess",
        "pi_table/engine/word_games/lights.py",
        "    may_stop = board.phase is Phase.GUESS and board.guesses > 0\n",
        "    may_stop = board.phase is Phase.GUESS\n",
        LIGHTS,
    ),
    Mutation(
        "the lights of a pause are as bright as ever",
        "pi_table/engine/word_games/lights.py",
        "    return [dim(colour, PAUSED) for colour in frame] if board.paused else frame\n",
        "    return frame\n",
        LIGHTS,
    ),
    Mutation(
        "the world's lifted finger is read after the hold",
        "pi_table/hal/simulated_link.py",
        "            self._world.read()\n        super().read()\n",
        "            pass\n        super().read()\n",
        ("tests/hal/test_stalls_of_the_link.py", "tests/hal/test_simulated_link.py"),
    ),
    Mutation(
        "the world's finger stays when it is gone",
        "pi_table/hal/simulated_link.py",
        "        self._world = None\n        self.release()\n",
        "        self._world = None\n",
        ("tests/hal/test_simulated_link.py",),
    ),
]
