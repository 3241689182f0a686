"""Mistakes about phones: who is heard, what they are shown, how long they have a seat."""

from mutation import Mutation

PHONES = "pi_table/engine/phones/phones.py"
LINKS = "pi_table/engine/phones/links.py"
KEPT = "pi_table/engine/phones/kept.py"
REQUESTS = "pi_table/engine/phone_requests.py"
SWITCHBOARD = "pi_table/engine/switchboard.py"
MACHINE = "pi_table/engine/machine.py"
SEALED_END = "pi_table/engine/sealed_end.py"
FRAMES = ("tests/engine/test_phone_frames.py",)
SEATS = ("tests/engine/test_phones.py",)
SOCKET = ("tests/engine/test_sealed_socket.py",)
SEALING = ("tests/sealing/test_seal.py", "tests/sealing/test_frames.py")

OF_THE_PHONES = [
    Mutation(
        "what a phone said is heard again",
        PHONES,
        "            or said.n <= phone.count\n",
        "            or said.n < phone.count\n",
        FRAMES,
    ),
    Mutation(
        "what was held back on its way is done whenever it comes",
        PHONES,
        "            or not self._is_fresh(said.b, now)\n",
        "",
        FRAMES,
    ),
    Mutation(
        "what was held back while there were no beats is done",
        PHONES,
        " and now <= self.beats[-1 - back] + FRESH_SECONDS\n",
        "\n",
        FRAMES,
    ),
    Mutation(
        "a phone may name a frame that it has yet to be sent",
        PHONES,
        "        return 0 <= back < len(self.beats)",
        "        return back < len(self.beats)",
        FRAMES,
    ),
    Mutation(
        "a finger that holds shows in when the table asks whether anybody plays",
        MACHINE,
        "        if self._switchboard.phones.is_heard(now):\n",
        "        if any(each and each.holds for each in self._switchboard.phones.phones):\n",
        SEATS,
    ),
    Mutation(
        "what was said in an earlier session is heard",
        PHONES,
        "            or from_text(said.s, SESSION_BYTES) != self.session\n",
        "",
        FRAMES,
    ),
    Mutation(
        "what was said before the page was loaded anew is heard",
        PHONES,
        "            or from_text(said.h, HELLO_BYTES) != phone.hello\n",
        "",
        FRAMES,
    ),
    Mutation(
        "a knock is heard again",
        PHONES,
        "        if hello in phone.hellos or len(phone.hellos) >= MOST_HELLOS:\n",
        "        if len(phone.hellos) >= MOST_HELLOS:\n",
        FRAMES,
    ),
    Mutation(
        "every hello is remembered",
        PHONES,
        "        if hello in phone.hellos or len(phone.hellos) >= MOST_HELLOS:\n",
        "        if hello in phone.hellos:\n",
        FRAMES,
    ),
    Mutation(
        "an act is done each time that it is said",
        PHONES,
        "said.id > new.asked and may_ask:",
        "may_ask:",
        FRAMES,
    ),
    Mutation(
        "a phone asks for many things at a time",
        PHONES,
        "        may_ask = not was_asking and said.b > phone.asked_at\n",
        "        may_ask = said.b > phone.asked_at\n",
        FRAMES,
    ),
    Mutation(
        "a phone asks for many things between two beats",
        PHONES,
        "        may_ask = not was_asking and said.b > phone.asked_at\n",
        "        may_ask = not was_asking\n",
        FRAMES,
    ),
    Mutation(
        "whoever knocks last has the seat",
        PHONES,
        "        if phone.link.device != device:\n",
        "        if False:\n",
        (*FRAMES, *SEATS),
    ),
    Mutation(
        "who comes second owns the link",
        LINKS,
        "        if link is None or link.link_key != key or link.device is not None:\n",
        "        if link is None or link.link_key != key:\n",
        FRAMES,
    ),
    Mutation(
        "an answer goes to the page that was loaded since",
        PHONES,
        "phone.link.device != to.device or phone.hello != to.hello:",
        "phone.link.device != to.device:",
        FRAMES,
    ),
    Mutation(
        "a phone that is silent holds for ever",
        PHONES,
        "        return self.holds and self.heard is not None and now < ",
        "        return self.holds and self.heard is not None and 0 * now < ",
        SEATS,
    ),
    Mutation(
        "the key is shown to whoever does not hold",
        REQUESTS,
        "        holds = phone.is_holding(now) and situation.idle.presence is Presence.PLAYING\n",
        "        holds = True\n",
        SEATS,
    ),
    Mutation(
        "operatives who hold see the key",
        "pi_table/engine/word_games/messages.py",
        "    if not holds or seat.role is not Role.SPYMASTER:\n",
        "    if not holds:\n",
        SEATS,
        survives="Who may look at the key is asked twice: sight.py refuses operatives, too.",
    ),
    Mutation(
        "an agent is shown everything before the code of their own",
        "pi_table/engine/codex/messages.py",
        "    except Refused:\n        holds = False\n",
        "    except Refused:\n        pass\n",
        SEATS,
    ),
    Mutation(
        "a phone can ask for anything",
        REQUESTS,
        "    if act not in ACTS[seat.role]:\n",
        "    if False:\n",
        SEATS,
    ),
    Mutation(
        "a phone can name a seat",
        REQUESTS,
        '    do = {**asked.do, "seat": seat.value}\n',
        '    do = {"seat": seat.value, **asked.do}\n',
        SEATS,
    ),
    Mutation(
        "the open page of the operator is open to phones",
        REQUESTS,
        "    return replace(lock, open_until=None)\n",
        "    return lock\n",
        SEATS,
    ),
    Mutation(
        "a phone that was let go of is still asked for what it wanted",
        REQUESTS,
        "    if not situation.phones.has(asked.to):\n",
        "    if False:\n",
        ("tests/engine/test_phones_that_wait.py",),
    ),
    Mutation(
        "other guests have the links of those before them",
        SWITCHBOARD,
        "        if not same_guests:\n",
        "        if False:\n",
        SEATS,
    ),
    Mutation(
        "links hold for whatever game the journal has",
        SWITCHBOARD,
        "        if game is None or self._links.game != game.number:\n",
        "        if game is None:\n",
        SEATS,
    ),
    Mutation(
        "a game that nobody came back to ends no link",
        MACHINE,
        "                self._out += self._switchboard.end()\n",
        "",
        SEATS,
    ),
    Mutation(
        "a link that could not be ended on the disk goes on",
        KEPT,
        "        finally:\n            self.links = links\n",
        "        finally:\n            pass\n",
        SEATS,
    ),
    Mutation(
        "a relay is answered later",
        SEALED_END,
        "        viewer.answer(sealed.line(sealed.Heard(said.id)))\n",
        "        self._loop.call_later(0.01, viewer.answer, sealed.line(sealed.Heard(said.id)))\n",
        SOCKET,
    ),
    Mutation(
        "a relay that floods is heard at once",
        SEALED_END,
        "        if self._loop.time() < soonest:\n",
        "        if False:\n",
        SOCKET,
    ),
    Mutation(
        "beats go on without a relay",
        PHONES,
        "        return self.relayed and any(self.phones)\n",
        "        return any(self.phones)\n",
        SOCKET,
    ),
    Mutation(
        "whatever follows the JSON in a frame is passed over",
        "pi_table/sealing/frames.py",
        "    return not any(plain[start:])\n",
        "    return True\n",
        SEALING,
    ),
    Mutation(
        "a key may be written in several ways",
        "pi_table/sealing/frames.py",
        "    return found if len(found) == length and as_text(found) == text else None\n",
        "    return found if len(found) == length else None\n",
        SEALING,
    ),
]
