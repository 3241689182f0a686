"""Mistakes in what people see and what they say: screens, words, the referee."""

from mutation import Mutation

STANDS = ("tests/console/test_how_the_game_stands.py",)
DECK = ("tests/words/test_deck.py",)
KIN = ("tests/words/test_deck_kin.py",)
WORDS = ("tests/words/test_word.py", "tests/words/test_pack.py")
OPINION = ("tests/referee/test_opinion.py", "tests/referee/test_reasons.py")

OF_THE_SCREENS = [
    Mutation(
        "red's and blue's counts are swapped on the hidden screen",
        "pi_table/console/word_games/panel.py",
        "str(public.left.of(team))",
        "str(public.left.of(team.other))",
        STANDS,
    ),
    Mutation(
        "the countdown bar is never drawn",
        "pi_table/console/word_games/headline.py",
        "        shapes.append(Rect(box.x + 8, box.y + box.h - 4, w, 3, style.INK))\n",
        "        pass\n",
        STANDS,
    ),
    Mutation(
        "the bar always stands at its whole length",
        "pi_table/console/word_games/headline.py",
        "        share = min(1.0, left / _whole(public, settings))\n",
        "        share = 1.0\n",
        STANDS,
    ),
    Mutation(
        "the reason of a penalty is not told on the hidden screen",
        "pi_table/console/word_games/headline.py",
        'return Headline(team, title, say("The clue was invalid"))',
        "return Headline(team, title)",
        STANDS,
    ),
    Mutation(
        "the penalty's status line is that of a clue",
        "pi_table/announcer/status.py",
        'say("{team} may cover a cell", team=team)',
        'say("{team} waits for its clue", team=team)',
        ("tests/simulator/test_status_line.py",),
    ),
    Mutation(
        "the key stays on the screen when a new one is drawn",
        "pi_table/console/word_games/family.py",
        "    return _new_keys(old) == _new_keys(table)\n",
        "    return True\n",
        ("tests/console/test_hidden_key.py", "tests/console/test_turns.py"),
    ),
    Mutation(
        "the key is sent while somebody reads how the game is played",
        "pi_table/console/model.py",
        "        if self.screen.hides_key or self.screen.made_up:\n",
        "        if self.screen.made_up:\n",
        ("tests/console/test_how_to_play.py",),
    ),
    Mutation(
        "in the practice lap the table is asked for what is hidden",
        "pi_table/console/model.py",
        "        if self.screen.hides_key or self.screen.made_up:\n",
        "        if self.screen.hides_key:\n",
        ("tests/console/test_codex_practice.py",),
    ),
    Mutation(
        "the key stays on the screen in the next game",
        "pi_table/console/update.py",
        "        and may_peek\n        and same_game\n",
        "        and may_peek\n",
        ("tests/console/test_hidden_key.py", "tests/console/test_turns.py"),
    ),
    Mutation(
        "a cell that was covered and seen shows no sign any more",
        "pi_table/console/word_games/grid.py",
        "    shown = identity or disclosed\n",
        "    shown = identity\n",
        ("tests/console/test_turns.py", "tests/console/test_seen.py"),
    ),
    Mutation(
        "the grid is not turned round for the spymasters",
        "pi_table/console/layout.py",
        "        row, column = divmod(across(cell), SIDE)\n",
        "        row, column = divmod(cell, SIDE)\n",
        ("tests/console/test_scene.py", "tests/golden"),
    ),
    Mutation(
        "words come again before all others were dealt",
        "pi_table/words/deck.py",
        "    unused = [word for word in free if not _is_in(word, gone, pack)]\n",
        "    unused = [*free]\n",
        DECK,
    ),
    Mutation(
        "a word used in one spelling comes again in the other",
        "pi_table/words/deck.py",
        "    return word in others or pack.twins.get(word) in others\n",
        "    return word in others\n",
        KIN,
    ),
    Mutation(
        "kin lie together",
        "pi_table/words/drawing.py",
        "        return any(not there.isdisjoint(self._kin.get(word, ())) for word in words)\n",
        "        return False\n",
        KIN,
    ),
    Mutation(
        "kin are left for the last deal of a round",
        "pi_table/words/drawing.py",
        "        if deals < 2 or not (tied := self._tied(coming)):\n",
        "        if deals or not (tied := self._tied(coming)):\n",
        KIN,
    ),
    Mutation(
        "the last deals of a round lack words of several senses",
        "pi_table/words/drawing.py",
        "            if least <= self._count(drawn) <= most and not (",
        "            if least <= self._count(drawn) and not (",
        KIN,
    ),
    Mutation(
        "cards with a word in common are no kin",
        "pi_table/words/kinship.py",
        "    return [] if members == [text] else [word for word in members if word not in small]\n",
        "    return []\n",
        ("tests/words/test_kinship.py",),
    ),
    Mutation(
        "a round never ends",
        "pi_table/words/deck.py",
        "        elif dealt.round != current:\n            break\n",
        "",
        DECK,
    ),
    Mutation(
        "guests' words lie first in the grid",
        "pi_table/words/deck.py",
        "    chooser.shuffle(words)\n",
        "",
        DECK,
    ),
    Mutation(
        "a word that is too long for a cell is taken",
        "pi_table/words/word.py",
        "    if len(word) > LONGEST_WORD:\n",
        "    if len(word) > LONGEST_WORD + 1:\n",
        WORDS,
    ),
    Mutation(
        "two words are not alike that differ in their accents",
        "pi_table/words/word.py",
        '    return "".join(letter for letter in letters if not unicodedata.combining(letter))\n',
        "    return letters\n",
        WORDS,
    ),
    Mutation(
        "a word and its plural are two words",
        "pi_table/words/word.py",
        "        return self._by_letters[min(many)] if many else None\n",
        "        return None\n",
        ("tests/words/test_number.py", *WORDS),
    ),
    Mutation(
        "a plural in -ies is not known",
        "pi_table/words/number.py",
        '        yield word[:-1] + "ies"\n',
        '        yield word + "es"\n',
        ("tests/words/test_number.py",),
    ),
    Mutation(
        "an operator's pack takes the name of a shipped one",
        "pi_table/words/pack.py",
        "    return sorted(name for name in own if name.casefold() in folded)\n",
        "    return []\n",
        ("tests/words/test_packs.py", "tests/words/test_pack.py"),
    ),
    Mutation(
        "a covered word still binds the clue",
        "pi_table/referee/opinion.py",
        "        if gone[_alike(word)]:\n            gone[_alike(word)] -= 1\n        else:\n"
        "            yield tidy(word).casefold()\n",
        "        yield tidy(word).casefold()\n",
        OPINION,
    ),
    Mutation(
        "the mildest of all that there is to say is said",
        "pi_table/referee/opinion.py",
        "    return max(found, key=lambda one: one.verdict, default=FINE)\n",
        "    return min(found, key=lambda one: one.verdict, default=FINE)\n",
        OPINION,
    ),
    Mutation(
        "in Alias 24 a doubtful clue is invalid",
        "pi_table/referee/opinion.py",
        "            verdict = Verdict.DOUBTFUL\n",
        "            verdict = Verdict.INVALID\n",
        OPINION,
    ),
]
