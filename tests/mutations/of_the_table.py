"""Mistakes in the table: fingers, what follows from them, lights."""

from mutation import Mutation

MACHINE = "pi_table/table/engine/machine.py"
COURSE = "pi_table/table/engine/course.py"
INTENTS = "pi_table/table/engine/intents.py"
TOUCHES = (
    "tests/engine/test_touches.py",
    "tests/engine/test_time.py",
    "tests/engine/test_durable.py",
)
FINGERS = ("tests/engine/test_intents.py",)
HANDS = ("tests/lights/test_hands.py",)
STANDING = ("tests/lights/test_standing.py",)

MARKS = ("tests/engine/test_marks.py",)

OF_THE_TABLE = [
    Mutation(
        "marks outlive their turn",
        MACHINE,
        "        self._marks = marks_passed(self._marks, self._course.game)\n",
        "",
        MARKS,
    ),
    Mutation(
        "a covered cell stays marked",
        "pi_table/table/engine/marks.py",
        "    return replace(marks, cells=marks.cells - {*_covered(game)})\n",
        "    return marks\n",
        MARKS,
    ),
    Mutation(
        "a mark is lit while a guess is answered",
        "pi_table/devices/lights/light.py",
        "    if not hushed:\n        _remind(canvas, picture, now)\n",
        "    _remind(canvas, picture, now)\n",
        STANDING,
    ),
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
        "what is touched where noise is counts",
        INTENTS,
        "        touched=frame.touched - noisy,\n",
        "",
        FINGERS,
    ),
    Mutation(
        "noise that ends has not hidden anything",
        INTENTS,
        "        deaf=frame.deaf | noisy,\n",
        "",
        FINGERS,
    ),
    Mutation(
        "noise under a finger is no disturbance",
        INTENTS,
        "taken or chips_changed or bool(touched & noisy)",
        "taken or chips_changed",
        FINGERS,
    ),
    Mutation(
        "a grid with noise in it is dry",
        INTENTS,
        "blocked=frame.blocked or len(noisy)",
        "blocked=len(noisy)",
        FINGERS,
    ),
    Mutation(
        "what was left behind is taken away by noise",
        INTENTS,
        "before.touched - frame.touched - frame.deaf",
        "before.touched - frame.touched - gone_deaf",
        FINGERS,
    ),
    Mutation(
        "two places at once are no disturbance",
        INTENTS,
        "frame.heavy or len(self.touched) > 1 or unclear:\n",
        "frame.heavy or unclear:\n",
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
        "what lay under noise when its place went deaf is forgotten",
        INTENTS,
        "        self._doubted |= (before.touched | told.heavy) & gone_deaf\n",
        "        self._doubted |= before.touched & gone_deaf\n",
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
        COURSE,
        "        self._waits_for = _Storing(move, job, first, then)\n",
        "        self._waits_for = _Storing(move, job, first, then)\n"
        "        if move.begins is None:\n            self._moved(move, 0)\n",
        TOUCHES,
    ),
    Mutation(
        "a peek that had to wait is for the next screen, too",
        "pi_table/table/engine/hidden_screen.py",
        "        return replace(self, peek=peek) if screen == self.number else self\n",
        "        return replace(self, peek=peek) if screen <= self.number else self\n",
        ("tests/engine/test_peek.py",),
    ),
    Mutation(
        "what could not be stored has happened all the same",
        COURSE,
        "            case _Storing(job=job), NotStored(why=why, closed=closed):\n",
        "            case _Storing(job=job, move=move), NotStored(why=why, closed=closed):\n"
        "                self._moved(move, 1)\n",
        ("tests/engine/test_faults.py", "tests/engine/test_durable.py"),
    ),
    Mutation(
        "the table goes on where its journal is closed",
        "pi_table/table/engine/door.py",
        "    if isinstance(outcome, Move | Deal):\n",
        "    if isinstance(outcome, Deal):\n",
        ("tests/engine/test_who_may.py",),
    ),
    Mutation(
        "while its journal is closed the table says what the rules would refuse",
        "pi_table/table/engine/requests/game.py",
        "    check_that_it_can_be_stored(situation.closed, situation.fault)\n    act",
        "    act",
        ("tests/engine/test_machine.py",),
    ),
    Mutation(
        "a fault stays when it is over",
        COURSE,
        "        self._waits_for, self.fault = None, None\n",
        "        self._waits_for = None\n",
        ("tests/engine/test_faults.py",),
    ),
    Mutation(
        "what time brought about is not tried again",
        COURSE,
        "                self._retry_at = now + RETRY_SECONDS\n",
        "                self._retry_at = now + 1e9\n",
        ("tests/engine/test_faults.py", "tests/engine/test_time.py"),
    ),
    Mutation(
        "a hold that began in time comes too late",
        "pi_table/table/engine/fingers.py",
        "        return until if hold is None or hold.ends is None else min(until, hold.begun)\n",
        "        return until\n",
        ("tests/engine/test_time.py",),
    ),
    Mutation(
        "a touch that means nothing is held to its end",
        MACHINE,
        "            self._fingers.withdraw(hold, refusal, now)\n",
        "            pass\n",
        TOUCHES,
    ),
    Mutation(
        "the public is told of nothing new",
        "pi_table/table/engine/appearance.py",
        "        if self._is_new(Audience.PUBLIC, board, *seen, standing.marks):\n",
        "        if self._is_new(Audience.PUBLIC, None):\n",
        ("tests/engine/test_word_games.py", "tests/engine/test_touches.py"),
    ),
    Mutation(
        "places that cannot feel a finger are not named",
        "pi_table/table/engine/situation.py",
        "        if self.touch.deaf and not self.touch.trouble:  #",
        "        if self.touch.deaf and self.touch.trouble:  #",
        ("tests/engine/test_faults.py", "tests/engine/test_touches.py"),
    ),
    Mutation(
        "a held cell does not fill",
        "pi_table/devices/lights/light.py",
        "        canvas.leds[led] = dim(hand, FELT + (1.0 - FELT) * share)\n",
        "        canvas.leds[led] = dim(hand, FELT)\n",
        HANDS,
    ),
    Mutation(
        "a cell that is deaf is lit as if it felt a finger",
        "pi_table/devices/lights/light.py",
        "            canvas.place(place, OFF)\n",
        "            pass\n",
        HANDS,
    ),
    Mutation(
        "the answer of a guess shows in whose turn it is before it is told",
        "pi_table/devices/lights/light.py",
        "    return any(playing.said.what is What.REVEALING for playing in active)\n",
        "    return False\n",
        ("tests/lights/test_scenes.py",),
    ),
    Mutation(
        "the pad that ends the turn is lit before the first guess",
        "pi_table/devices/lights/word_games.py",
        "    may_stop = view.phase is Phase.GUESS and view.guesses > 0 and view.turn is not None\n",
        "    may_stop = view.phase is Phase.GUESS and view.turn is not None\n",
        STANDING,
    ),
    Mutation(
        "the lights of a pause are as bright as ever",
        "pi_table/devices/lights/light.py",
        "        canvas.dim(PAUSED)\n",
        "        pass\n",
        STANDING,
    ),
    Mutation(
        "the assassin is answered later than the others",
        "pi_table/games/announcer/word_games.py",
        "    yield Announcement(what, words, TENSION, cell, old.turn, identity)\n",
        "    late = TENSION + (identity is Identity.ASSASSIN)\n"
        "    yield Announcement(what, words, late, cell, old.turn, identity)\n",
        ("tests/lights/test_scenes.py", "tests/games", "tests/engine/test_time.py"),
    ),
    Mutation(
        "a refused touch is not announced",
        "pi_table/games/announcer/announcer.py",
        "    if new.refused is not None and new.refused != old.refused:\n",
        "    if False and new.refused is not None:\n",
        TOUCHES,
    ),
    Mutation(
        "the world's lifted finger is read after the hold",
        "pi_table/devices/hal/simulated_link.py",
        "            self._world.read()\n        super().read()\n",
        "            pass\n        super().read()\n",
        ("tests/hal/test_stalls_of_the_link.py", "tests/hal/test_simulated_link.py"),
    ),
    Mutation(
        "the world's finger stays when it is gone",
        "pi_table/devices/hal/simulated_link.py",
        "        self._world = None\n        self.release()\n",
        "        self._world = None\n",
        ("tests/hal/test_simulated_link.py",),
    ),
]
