"""Mistakes in the rules: word games and Codex."""

from mutation import Mutation

GAMES = ("tests/games", "tests/rules/test_play.py")
TIMERS = ("tests/rules/word_games/test_timers.py",)
DECIDE = "pi_table/rules/word_games/decide.py"
EVOLVE = "pi_table/rules/word_games/evolve.py"
CODEX = "pi_table/rules/codex/decide.py"
OF_CODEX = ("tests/rules/codex/test_codex_rules.py", "tests/games/test_codex_games.py")

OF_THE_RULES = [
    Mutation(
        "a covered cell can be guessed again",
        DECIDE,
        "    if board.covered[act.cell] is not None:\n        raise Refused(Reason.CELL_COVERED)\n",
        "",
        GAMES,
    ),
    Mutation(
        "the last guess goes on",
        DECIDE,
        "    if board.guesses_left == 1:\n",
        "    if board.guesses_left == 0:\n",
        GAMES,
    ),
    Mutation(
        "a bystander does not end the turn",
        DECIDE,
        "    if found is not layout.quarry(team):\n",
        "    if found is layout.quarry(team.other):\n",
        GAMES,
    ),
    Mutation(
        "the team that touched the assassin wins",
        DECIDE,
        "    return Outcome(None if board.is_group else team.other, (team,), Why.ASSASSIN)\n",
        "    return Outcome(None if board.is_group else team, (team.other,), Why.ASSASSIN)\n",
        GAMES,
    ),
    Mutation(
        "zero is a number wherever it is switched off",
        DECIDE,
        "    elif not settings.zero:\n",
        "    elif settings.zero is None:\n",
        GAMES,
    ),
    Mutation(
        "an upheld challenge ends nobody's turn",
        DECIDE,
        "    ended = events.TurnEnded(now, other, Ended.INVALID_CLUE)\n",
        "    ended = events.TurnEnded(now, other.other, Ended.INVALID_CLUE)\n",
        GAMES,
    ),
    Mutation(
        "a penalty may cover the other team's agent",
        DECIDE,
        "or state.key.identity(act.cell).team is not team:\n",
        "or state.key.identity(act.cell).team is None:\n",
        GAMES,
    ),
    Mutation(
        "a penalty that covers the last agent wins nothing",
        DECIDE,
        "    if board.agents_left(team) > 1:\n",
        "    if board.agents_left(team) > 0:\n",
        GAMES,
    ),
    Mutation(
        "two cards with one word may lie in the grid",
        DECIDE,
        "    if alike(word) in map(alike, (*board.known_words, *of_others)):\n",
        "    if alike(word) in map(alike, of_others):\n",
        ("tests/rules/word_games/test_laying.py", *GAMES),
    ),
    Mutation(
        "a number is corrected after a guess",
        DECIDE,
        "    if board.clue is None or board.guesses:\n",
        "    if board.clue is None:\n",
        GAMES,
    ),
    Mutation(
        "the clock never ends a turn",
        DECIDE,
        "    if ends is None or ends > now:\n        return None\n    return events.TurnEnded",
        "    if ends is None or ends <= now:\n        return None\n    return events.TurnEnded",
        TIMERS,
    ),
    Mutation(
        "a turn that the clock ends is ended a moment too late",
        DECIDE,
        "    return events.TurnEnded(ends, board.next_team, Ended.CLOCK)\n",
        "    return events.TurnEnded(now, board.next_team, Ended.CLOCK)\n",
        TIMERS,
    ),
    Mutation(
        "a correction hides again what was seen",
        EVOLVE,
        "        now if now is not None and then is None else seen\n",
        "        seen\n",
        ("tests/rules/word_games/test_views.py", "tests/games"),
    ),
    Mutation(
        "a covered agent is still to be found",
        EVOLVE,
        "        left=_fewer(board.left, event.identity.team),\n",
        "        left=board.left,\n",
        GAMES,
    ),
    Mutation(
        "the guesses of the last turn count in this one",
        EVOLVE,
        "        clue=None,\n        guesses=0,\n",
        "        clue=None,\n",
        GAMES,
    ),
    Mutation(
        "the clock runs in a pause",
        EVOLVE,
        "    return _stopped(replace(board, paused=True), event.at)\n",
        "    return replace(board, paused=True)\n",
        TIMERS,
    ),
    Mutation(
        "a new key gives the first clue to the team of the old one",
        EVOLVE,
        "        starts=starts,\n        turn=starts,\n        left=_left(board.layout, starts),\n",
        "        starts=starts,\n        left=_left(board.layout, starts),\n",
        GAMES,
    ),
    Mutation(
        "a countdown goes on below nothing",
        "pi_table/rules/countdown.py",
        "max(0.0, self.left - (now - self.since))",
        "self.left - (now - self.since)",
        (*TIMERS, "tests/rules/codex/test_codex_rules.py"),
    ),
    Mutation(
        "an informer's second fact is lost",
        CODEX,
        "    sent = facts if _role(state, agent) is Role.INFORMER else facts[:1]\n",
        "    sent = facts[:1]\n",
        OF_CODEX,
    ),
    Mutation(
        "whoever is no informer tells two facts",
        CODEX,
        "    sent = facts if _role(state, agent) is Role.INFORMER else facts[:1]\n",
        "    sent = facts\n",
        OF_CODEX,
    ),
    Mutation(
        "a hacker names the same agent twice running",
        CODEX,
        "    if earlier and earlier[-1].hack == act.target:\n",
        "    if earlier and earlier[0].hack == act.target:\n",
        OF_CODEX,
    ),
    Mutation(
        "a hacked agent tries a code",
        CODEX,
        "    if is_blocked(state, agent):\n",
        "    if is_blocked(state, agent) and not state.secrets.is_code_of(agent, code):\n",
        OF_CODEX,
    ),
    Mutation(
        "who has no try left tries again",
        CODEX,
        "    elif not dossier.attempt_left:\n",
        "    elif not dossier.attempt_left and not state.secrets.is_code_of(agent, code):\n",
        OF_CODEX,
    ),
    Mutation(
        "the fewest votes go to the truth machine",
        CODEX,
        "        key=lambda agent: (-counts[agent], ",
        "        key=lambda agent: (counts[agent], ",
        OF_CODEX,
    ),
    Mutation(
        "of two with as many votes the later one goes",
        CODEX,
        "len(board.agents[agent].revealed), reached[agent]),\n",
        "len(board.agents[agent].revealed), -reached[agent]),\n",
        OF_CODEX,
    ),
    Mutation(
        "a visit is over though its message is missing",
        CODEX,
        "    if board.phase is SEND and dossier.entered.message is None:\n",
        "    if board.phase is SEND and dossier.entered.message is not None:\n",
        OF_CODEX,
    ),
    Mutation(
        "a fact is revealed twice",
        CODEX,
        "    if board.agents[agent].has_revealed(fact):\n",
        "    if board.agents[agent].has_revealed(Fact.NICKNAME):\n",
        OF_CODEX,
    ),
]
