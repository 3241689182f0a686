"""Mistakes in what is heard: when, how long, by whom, and what is left behind."""

from mutation import Mutation

VOICE = "pi_table/devices/sound/voice.py"
ALSA = "pi_table/devices/hal/alsa.py"
WHEN = ("tests/sound/test_voice.py",)
DEVICE = ("tests/hal/test_alsa.py", "tests/hal/test_contract_sounder.py")

OF_THE_SOUND = [
    Mutation(
        "the assassin sounds a little longer",
        "pi_table/devices/sound/scores.py",
        "    Sound.ASSASSIN: _score(\n        REVEAL_SECONDS,\n",
        "    Sound.ASSASSIN: _score(\n        REVEAL_SECONDS + 0.0001,\n",
        ("tests/sound/test_sounds.py", "tests/sound/test_loudspeaker.py"),
    ),
    Mutation(
        "an announcement is heard however late",
        VOICE,
        "turn.due <= now < turn.stale_at]",
        "turn.due <= now]",
        WHEN,
    ),
    Mutation(
        "what is important is cut short by what is not",
        VOICE,
        "each.important >= turn.important for each in later",
        "True for each in later",
        WHEN,
    ),
    Mutation(
        "a clip that was cut short says that the device is broken",
        ALSA,
        "        if not self._is_judged:\n",
        "        if True:\n",
        DEVICE,
    ),
    Mutation(
        "a file is left open for each clip",
        ALSA,
        "        os.close(self._exit)\n",
        "        pass\n",
        DEVICE,
    ),
    Mutation(
        "guests' words may be phonemes",
        "pi_table/devices/sound/speech.py",
        'PHONEMES.sub(" ", text[: 4 * LONGEST_TEXT])',
        "text[: 4 * LONGEST_TEXT]",
        ("tests/sound/test_speech.py",),
    ),
    Mutation(
        "what a voice has started lives on",
        "pi_table/common/bounded_process.py",
        "os.killpg(self._process.pid, signal.SIGKILL)",
        "self._process.kill()",
        ("tests/sound/test_speech.py",),
    ),
    Mutation(
        "a voice that hangs holds sounds up",
        "pi_table/devices/sound/studio.py",
        "thread = self._sounds if isinstance(part, Sound) else self._lines",
        "thread = self._lines",
        ("tests/sound/test_loudspeaker.py",),
    ),
]
