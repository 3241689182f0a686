"""What keeps guests of the network off the pages, taken away piece by piece; attacks notice."""

from mutation import Mutation

GUARD = "pi_table/screens/web/guard.py"
SITE = "pi_table/screens/web/site.py"
PROCESS = "pi_table/screens/web/process.py"
CONNECTIONS = "pi_table/screens/web/connections.py"
TURNS = ("tests/web/test_fair_turns.py",)
PHONES = "pi_table/screens/web/phones.py"
REQUESTS = ("tests/attacks/test_broken_requests.py",)
OTHERS = ("tests/attacks/test_other_sites.py",)
CROWDS = ("tests/attacks/test_crowds.py",)
SOCKETS = ("tests/attacks/test_odd_sockets.py",)
SEATS = ("tests/attacks/test_forged_seats.py",)
DESK = "pi_table/table/engine/desk/"
AT_DESK = ("tests/engine/test_desk.py",)
TAKEN_OVER = ("tests/attacks/test_taken_over.py",)

JUDGE = "pi_table/table/engine/backup_contents.py"
FILES = "pi_table/common/files.py"
HOSTILE = ("tests/keeping/test_hostile_backups.py",)
LED_ASTRAY = ("tests/test_files.py", "tests/keeping/test_led_astray.py")

OF_THE_DEFENCES = [
    # Backups that somebody made with bad intent
    Mutation(
        "a hostile journal may hold what it likes",
        "pi_table/table/store/schema.py",
        "    _refuse_another_schema(found, SCHEMA_OF[version], path)\n",
        "",
        HOSTILE,
    ),
    Mutation(
        "a hostile journal may lack a table",
        "pi_table/table/store/schema.py",
        "    for _, name, _, _ in sorted(missing):\n",
        "    for _, name, _, _ in ():\n",
        HOSTILE,
    ),
    Mutation(
        "a hostile backup has a PIN that is none",
        JUDGE,
        "(_check_settings, _check_pin, _check_packs)",
        "(_check_settings, _check_packs)",
        HOSTILE,
    ),
    Mutation(
        "a hostile backup counts a million wrong PINs",
        JUDGE,
        "kept is not None and kept.wrong > MOST_WRONG",
        "kept is None",
        HOSTILE,
    ),
    Mutation(
        "a hostile backup has packs that nobody can read",
        JUDGE,
        "(fault := pack.fault_of_file(file)) is not None",
        "(fault := None) is not None",
        HOSTILE,
    ),
    Mutation(
        "a hostile backup may take all memory",
        JUDGE,
        "        resource.RLIMIT_AS: MOST_MEMORY,\n",
        "",
        HOSTILE,
    ),
    Mutation(
        "another backup than the one that was looked through is restored",
        "pi_table/table/keeping/restore.py",
        "if checked not in (None, backup.digest):",
        "if checked == file:",
        HOSTILE,
    ),
    Mutation(
        "the first settings in a hostile backup are not read",
        "pi_table/table/keeping/restore.py",
        "            settings=new / archive.SETTINGS,\n",
        "",
        HOSTILE,
    ),
    # Root in folders of other users
    Mutation(
        "root is led astray by any link",
        FILES,
        "    if os.geteuid() == 0 and not is_roots_alone(os.fstat(folder), found):\n",
        "    if os.geteuid() != os.geteuid():\n",
        LED_ASTRAY,
    ),
    Mutation(
        "root is led astray in a folder for all",
        FILES,
        "        return bool(folder.st_mode & stat.S_ISVTX) and entry.st_uid == 0\n",
        "        return True\n",
        LED_ASTRAY,
    ),
    Mutation(
        "root hands on what it was led astray to",
        "pi_table/common/files.py",
        ", to_hand_on=True)",
        ")",
        LED_ASTRAY,
    ),
    Mutation(
        "root is led astray by a plan that changes places",
        "pi_table/table/keeping/finishing.py",
        "os.fstat(held_ready).st_uid == os.geteuid()",
        "ready.lstat().st_uid == os.geteuid()",
        LED_ASTRAY,
    ),
    Mutation(
        "root gives a folder away before what is in it",
        "pi_table/table/keeping/finishing.py",
        'os.fwalk(".", topdown=False, dir_fd=folder)',
        'os.fwalk(".", dir_fd=folder)',
        LED_ASTRAY,
    ),
    Mutation(
        "root gives away a folder that it did not make",
        FILES,
        "            if os.fstat(made).st_uid != os.geteuid():\n",
        "            if made < 0:\n",
        LED_ASTRAY,
    ),
    Mutation(
        "links with keys of any length are kept",
        "pi_table/table/engine/phones/links.py",
        "msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)",
        "msgspec.Meta(min_length=0)",
        ("tests/engine/test_phones.py",),
    ),
    # Pages
    Mutation(
        "names of the internet are answered",
        GUARD,
        "        return own == self._name and (",
        "        return (",
        OTHERS,
    ),
    Mutation(
        "what ends in the table's name is the table's name",
        GUARD,
        "        found = _HOST.fullmatch(host)\n",
        "        found = _HOST.match(host)\n",
        OTHERS,
    ),
    Mutation(
        "pages of other sites may send",
        GUARD,
        "        if sends and not all(",
        "        if not sends and not all(",
        OTHERS,
    ),
    Mutation(
        "an origin need only begin like ours",
        GUARD,
        "rest.lower() == host.decode().lower()",
        "rest.lower().startswith(host.decode().lower())",
        OTHERS,
    ),
    Mutation(
        "a request has two lengths",
        GUARD,
        '        if names >= {b"content-length", b"transfer-encoding"}:\n',
        "        if not names:\n",
        REQUESTS,
    ),
    Mutation(
        "browsers guess what an answer is",
        GUARD,
        '    (b"x-content-type-options", b"nosniff"),\n',
        "",
        REQUESTS,
    ),
    Mutation(
        "other pages may frame ours",
        GUARD,
        "        \"frame-ancestors 'none'\",\n",
        "",
        REQUESTS,
    ),
    Mutation(
        "answers may be kept",
        SITE,
        "                headers.append(NO_STORE)\n",
        "                pass\n",
        REQUESTS,
    ),
    Mutation(
        "a path that is nearly one leads there",
        SITE,
        "        app.router.redirect_slashes = False\n",
        "        app.router.redirect_slashes = True\n",
        REQUESTS,
    ),
    Mutation(
        "what is refused is read on to its end",
        SITE,
        '            if self._sends and message["status"] >= 400 and CLOSE not in headers:\n',
        "            if False:\n",
        CROWDS,
    ),
    Mutation(
        "the server says what it is made of",
        PROCESS,
        "        server_header=False,\n",
        "        server_header=True,\n",
        REQUESTS,
    ),
    Mutation(
        "what phones send may be inflated",
        PROCESS,
        "        ws_per_message_deflate=False,\n",
        "        ws_per_message_deflate=True,\n",
        SOCKETS,
    ),
    Mutation(
        "a request may take for ever to come",
        CONNECTIONS,
        "REQUEST_SECONDS: Final = 10.0\n",
        "REQUEST_SECONDS: Final = 1000.0\n",
        CROWDS,
    ),
    Mutation(
        "one device takes all places",
        CONNECTIONS,
        "MOST_A_DEVICE: Final = 256\n",
        "MOST_A_DEVICE: Final = 25600\n",
        CROWDS,
    ),
    Mutation(
        "frames of any length are relayed",
        PHONES,
        "            if frame is None or len(frame) != UP_BYTES:\n",
        "            if frame is None:\n",
        SOCKETS,
    ),
    Mutation(
        "a phone sends as many frames as it likes",
        PHONES,
        "            if not limit.spend(1, loop.time()):\n",
        "            if not limit:\n",
        SOCKETS,
    ),
    Mutation(
        "the desk waits for what is no file",
        "pi_table/table/engine/storage/packs.py",
        "read_small_file(own[name], MOST_BYTES)",
        "own[name].read_bytes()",
        ("tests/attacks/test_packs_that_are_none.py",),
    ),
    Mutation(
        "the relay's address is shown, whatever it is",
        "pi_table/protocols/ipc/sealed.py",
        "    return _ADDRESS.fullmatch(text) is not None\n",
        "    return bool(text)\n",
        TAKEN_OVER,
    ),
    Mutation(
        "phones do whatever their seat may do at the table",
        "pi_table/table/engine/requests/phone.py",
        "    if seat.role not in right.phones:\n",
        "    if not act:\n",
        SEATS,
    ),
    Mutation(
        "a phone names its seat",
        "pi_table/table/engine/requests/phone.py",
        '    do = {**request.do, "seat": seat.value}\n',
        '    do = {"seat": seat.value, **request.do}\n',
        SEATS,
    ),
    Mutation(
        "whoever has the link is told which acts a desk has",
        "pi_table/table/engine/requests/desk.py",
        "        check_that_it_is_open(situation.desk)  # strangers are told no acts\n",
        "        pass\n",
        AT_DESK,
    ),
    Mutation(
        "a restore is over when anything has failed",
        "pi_table/table/engine/reception.py",
        " and self.desk.restoring == to:\n",
        ":\n",
        AT_DESK,
    ),
    Mutation(
        "a desk that locks itself takes away the backup that is being restored",
        "pi_table/table/engine/reception.py",
        " and desk.restoring is None:\n",
        ":\n",
        AT_DESK,
    ),
    Mutation(
        "another link lets everything be asked for while a backup is being restored",
        "pi_table/table/engine/reception.py",
        "Desk(self.line.number, restoring=self.desk.restoring)",
        "Desk(self.line.number)",
        AT_DESK,
    ),
    Mutation(
        "the word that the table has begun anew names no question",
        DESK + "line.py",
        "DeskAnswer(as_text(self.session), as_text(hello), said.n, anew=True)",
        'DeskAnswer(as_text(self.session), "", said.n, anew=True)',
        AT_DESK,
    ),
    Mutation(
        "lines without number are recognised",
        "pi_table/common/language.py",
        "MOST_LINES: Final = 100\n",
        "MOST_LINES: Final = 100_000\n",
        ("tests/test_language.py",),
    ),
    Mutation(
        "a blank before a pack's name hides its line",
        "pi_table/table/engine/storage/packs.py",
        "(each.lstrip() for each in",
        "(each for each in",
        ("tests/engine/test_desk_packs.py",),
    ),
    Mutation(
        "whoever comes from afar is served",
        "pi_table/screens/web/places.py",
        "        return ip_address(device).is_private\n",
        "        return True\n",
        ("tests/web/test_places.py",),
    ),
    Mutation(
        "the pages draw a QR code for each who asks",
        SITE,
        "@lru_cache(maxsize=4)\n",
        "@lru_cache(maxsize=0)\n",
        ("tests/web/test_site.py",),
    ),
    Mutation(
        "the pages answer whoever asks most before all others",
        "pi_table/screens/web/turns.py",
        "                self._waiting[device] = waiting  # behind all others\n",
        "                self._waiting = {device: waiting, **self._waiting}\n",
        TURNS,
    ),
    Mutation(
        "the pages answer everybody before anything else is due",
        "pi_table/screens/web/turns.py",
        "        while self._waiting and not is_given:\n",
        "        while self._waiting:\n",
        TURNS,
    ),
    Mutation(
        "the pages make everything for whoever has hung up",
        "pi_table/screens/web/door.py",
        "        if _has_hung_up(connection):\n",
        "        if False:\n",
        ("tests/web/test_door.py",),
    ),
    Mutation(
        "the pages keep what gave way while it waited",
        "pi_table/screens/web/door.py",
        "        place.when_wanted(turn_away)\n",
        "",
        ("tests/web/test_door.py", "tests/attacks/test_crowds.py"),
    ),
    Mutation(
        "the pages let a zombie keep its place",
        "pi_table/screens/web/listeners.py",
        "        if each.family != socket.AF_UNIX:\n",
        "        if False:\n",
        ("tests/web/test_door.py",),
    ),
    Mutation(
        "the pages throw out a board that is open",
        "pi_table/screens/web/events.py",
        "do_nothing, Gives.TO_OTHERS)\n",
        "do_nothing, Gives.TO_ALL)\n",
        ("tests/web/test_viewers.py",),
    ),
    Mutation(
        "the pages cut off the connection of a board for a newcomer",
        "pi_table/screens/web/asgi.py",
        "    place.give(Gives.TO_NOBODY)\n",
        "    pass\n",
        ("tests/web/test_door.py",),
    ),
    Mutation(
        "the pages throw out a phone with a seat",
        PHONES,
        "        self._stay(Gives.TO_NOBODY, KNOWN_SECONDS)\n",
        "        self._stay(Gives.TO_ALL, KNOWN_SECONDS)\n",
        ("tests/web/test_relay.py",),
    ),
    Mutation(
        "the pages let strangers speak before a phone with a seat",
        PHONES,
        "sorted(self._said, key=lambda each: not self._is_known(each))[:most]",
        "list(self._said)[:most]",
        ("tests/web/test_relay.py",),
    ),
    Mutation(
        "the pages share places by who came first alone",
        "pi_table/screens/web/places.py",
        "if largest.count > mine.count + 1 else None",
        "if False else None",
        ("tests/web/test_places.py",),
    ),
    Mutation(
        "any frame is said to be of a phone with a seat",
        "pi_table/table/engine/sealed_end.py",
        "        if self._table.heard_of_phones != before:\n",
        "        if before or not before:\n",
        ("tests/engine/test_sealed_socket.py",),
    ),
    Mutation(
        "a packet may be as large as its sender says",
        "pi_table/fleet/packet_limit.py",
        "        if bufsize > most:\n",
        "        if False:\n",
        ("tests/bridge/test_line.py", "tests/collector/test_subscription.py"),
    ),
    Mutation(
        "the pages take as many pings as bytes allow",
        CONNECTIONS,
        "        if self._frames.spend(len(self.conn.events), self.loop.time()):\n",
        "        if self._frames:\n",
        ("tests/web/test_relay.py",),
    ),
    Mutation(
        "the pages read a thousand chunks in one pass",
        CONNECTIONS,
        "PIECE_BYTES: Final = 1024\n",
        "PIECE_BYTES: Final = 1024 * 1024\n",
        ("tests/web/test_way_of_the_desk.py",),
    ),
]
