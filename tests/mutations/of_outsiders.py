"""Mistakes in what prose promises: bounds, orders, and what is forgotten again."""

from mutation import Mutation

ENGINE = "pi_table/table/engine"
CONSOLE = "pi_table/screens/console"
WEB = "pi_table/screens/web"
BRIDGE = "pi_table/fleet/bridge"
COLLECTOR = "pi_table/fleet/collector"
UPDATING = "pi_table/fleet/updating"
KEEPING = "pi_table/table/keeping"
BOOT = "pi_table/maintenance/first_boot"
PROVISIONING = "pi_table/fleet/provisioning"
LIGHTS = "pi_table/devices/lights"
SOUND = "pi_table/devices/sound"
REFEREE = "pi_table/games/referee"
PAGES = "pi_table/screens/web/pages"
CORE = "firmware/core"
PACING = ("tests/test_pacing.py",)

OF_OUTSIDERS = [
    # The engine
    Mutation(
        "another PIN is tried while one is being looked at",
        f"{ENGINE}/lock.py",
        "    if lock.judged is not None:\n"
        '        raise Unable("wait", say("A PIN is being looked at: wait for the answer."))\n',
        "",
        ("tests/engine/test_pin.py",),
    ),
    Mutation(
        "a restore does not wait for what is being read",
        f"{ENGINE}/storage/workers.py",
        "first = self._threads[Thread.READER].submit(_nothing) if order.is_alone else None",
        "first = None",
        ("tests/engine/test_workers.py",),
    ),
    Mutation(
        "time passes after one round of the loop",
        f"{ENGINE}/daemon.py",
        "LOOKS_FIRST: Final = 2\n",
        "LOOKS_FIRST: Final = 1\n",
        ("tests/engine/test_stalls.py",),
    ),
    Mutation(
        "a desk that is used stays open for ever",
        f"{ENGINE}/desk/session.py",
        "return min(self.used + IDLE_SECONDS, self.opened + LONGEST_SECONDS)",
        "return self.used + IDLE_SECONDS",
        ("tests/engine/test_desk.py",),
    ),
    Mutation(
        "a desk fills the disk to the last byte",
        f"{ENGINE}/storage/transfer.py",
        "f_bavail * found.f_frsize < SPARE:",
        "f_bavail * found.f_frsize < 1:",
        ("tests/engine/test_desk.py",),
    ),
    Mutation(
        "letters in another encoding are left out without a word",
        "pi_table/common/decoding.py",
        'data.decode("utf-8-sig"))',
        'data.decode("utf-8-sig", "ignore"))',
        ("tests/test_decoding.py", "tests/words/test_pack.py"),
    ),
    Mutation(
        "a text whose letters were lost is read",
        "pi_table/common/decoding.py",
        "    if LOST in text:\n",
        "    if not data:\n",
        ("tests/test_decoding.py",),
    ),
    Mutation(
        "of several encodings only the likeliest is told",
        "pi_table/common/decoding.py",
        "    return tuple(each for each in ranked if _unlikeliness(each.text)[0] == strange)\n",
        "    return tuple(ranked[: strange + 1])\n",
        ("tests/test_decoding.py",),
    ),
    Mutation(
        "a desk chooses the encoding of a list by itself",
        f"{ENGINE}/storage/packs.py",
        "        if chosen is None and possible[0].is_certain():\n",
        "        if chosen is None:\n",
        ("tests/engine/test_desk_lists.py",),
    ),
    Mutation(
        "a command chooses the encoding of a list by itself",
        "pi_table/games/words/command.py",
        "    if possible[0].is_certain() and encoding in (None, possible[0].encoding):\n",
        "    if encoding in (None, possible[0].encoding):\n",
        ("tests/words/test_import.py",),
    ),
    Mutation(
        "a pack that is made of a list replaces another",
        "pi_table/games/words/command.py",
        "    if path.exists():\n",
        "    if not text:\n",
        ("tests/words/test_import.py",),
    ),
    Mutation(
        "what is left out of a list is not told",
        "pi_table/games/words/plain_list.py",
        "            left_out.append((cell.line, faults[0]))\n",
        "",
        ("tests/words/test_plain_list.py",),
    ),
    Mutation(
        "a file that is no pack for its name is passed over",
        "pi_table/games/words/pack.py",
        "            faults += [_misnamed(file.name) for file in other_files(folder)]\n",
        "",
        ("tests/words/test_packs.py",),
    ),
    Mutation(
        "the first evenings are told, and not the latest",
        f"{ENGINE}/storage/statistics.py",
        "sorted(total.evenings.items())[-MOST_EVENINGS:]",
        "sorted(total.evenings.items())[:MOST_EVENINGS]",
        ("tests/engine/test_statistics.py",),
    ),
    Mutation(
        "an evening is over six hours after its first game",
        f"{ENGINE}/storage/records.py",
        "        later = game.begun\n",
        "",
        ("tests/engine/test_tally.py",),
    ),
    # The hidden screen
    Mutation(
        "a second press asks for the same again",
        f"{CONSOLE}/update.py",
        "if any(each.do == do.as_json() for each in model.unanswered):",
        "if model.unanswered and model.stopped:",
        ("tests/console/test_phones_on_screen.py",),
    ),
    Mutation(
        "a peek is renewed after whatever else the press does",
        f"{CONSOLE}/update.py",
        "(request, *requests)\n",
        "(*requests, request)\n",
        ("tests/console/test_hidden_key.py",),
    ),
    Mutation(
        "every press renews a peek, however often",
        f"{CONSOLE}/update.py",
        "if model.peek_asked is not None or now - model.kept < KEPT_SECONDS:",
        "if model.peek_asked is not None:",
        ("tests/console/test_hidden_key.py",),
    ),
    Mutation(
        "a screen in use is as dark as the house wants it",
        f"{CONSOLE}/scene.py",
        "max(LEAST_IN_USE, brightness(model.table.house, at))",
        "brightness(model.table.house, at)",
        ("tests/console/test_dimming.py",),
    ),
    Mutation(
        "a press is in haste though somebody has turned before it",
        f"{CONSOLE}/haste.py",
        '            self._pressed = float("-inf")  # who turns or types has looked\n',
        "",
        ("tests/console/test_haste.py",),
    ),
    Mutation(
        "the digits of a PIN stay after it was tried",
        f"{CONSOLE}/pin_entry.py",
        'return replace(self, digits="", selected=0)',
        "return replace(self, selected=0)",
        ("tests/console/test_operator_page.py",),
    ),
    Mutation(
        "what somebody read hides a game that was set apart",
        f"{CONSOLE}/model.py",
        "return self.screen.is_read and not apart and now",
        "return self.screen.is_read and now",
        ("tests/console/test_how_to_play.py", "tests/console/test_invitation.py"),
    ),
    Mutation(
        "a tap counts as a finger and as a mouse",
        f"{CONSOLE}/display.py",
        'event.button != pygame.BUTTON_LEFT or getattr(event, "touch", False)',
        "event.button != pygame.BUTTON_LEFT",
        ("tests/console/test_app.py",),
    ),
    # The web server
    Mutation(
        "an unread answer is never cut off",
        f"{WEB}/connections.py",
        "        self._unread.start(UNREAD_SECONDS, self._transport.abort)\n",
        "",
        ("tests/web/test_http_connections.py",),
    ),
    Mutation(
        "any number of devices at desks are remembered",
        f"{WEB}/desk.py",
        "if device not in self._limits and len(self._limits) >= MOST_DEVICES:",
        "if device not in self._limits and not device:",
        ("tests/web/test_way_of_the_desk.py",),
    ),
    Mutation(
        "a device that has asked too much is forgotten first",
        f"{WEB}/desk.py",
        "if not each.is_full(now)",
        "if each.is_full(now)",
        ("tests/web/test_way_of_the_desk.py",),
    ),
    Mutation(
        "one more desk asks than may at a time",
        f"{WEB}/table_link.py",
        "if self._asking >= MOST_AT_DESKS:",
        "if self._asking > MOST_AT_DESKS:",
        ("tests/web/test_way_of_the_desk.py",),
    ),
    Mutation(
        "who comes late is shown first what was shown before the last answer",
        f"{WEB}/events.py",
        "if self._awaited is not None and self._clock() < self._awaited.until:",
        "if self._awaited is not None:",
        ("tests/web/test_viewers.py",),
    ),
    Mutation(
        "pages for this machine alone are served to all",
        f"{WEB}/listeners.py",
        "    if _is_for_this_machine(listen):\n",
        "    if not listen:\n",
        ("tests/web/test_process.py",),
    ),
    Mutation(
        "people are told an address of the internet before one of the house",
        f"{WEB}/address.py",
        "            not address.is_private,\n",
        "            address.is_private,\n",
        ("tests/web/test_places.py",),
    ),
    Mutation(
        "people are told an address that nobody gave",
        f"{WEB}/address.py",
        "            address.is_link_local,\n            not own",
        "            not own",
        ("tests/web/test_places.py",),
    ),
    Mutation(
        "people are told the address of a container",
        f"{WEB}/address.py",
        "            not own.is_of_the_house,\n",
        "",
        ("tests/web/test_places.py",),
    ),
    Mutation(
        "a domain of the router is not known",
        f"{WEB}/guard.py",
        " or domain in self._given_domains())",
        ")",
        ("tests/web/test_site.py",),
    ),
    Mutation(
        "wrong PINs at the screen are counted for the desk, too",
        f"{ENGINE}/storage/house_files.py",
        'name = "wrong_at_desk" if at_desk else "wrong"',
        'name = "wrong_at_desk"',
        ("tests/engine/test_pin.py", "tests/engine/test_desk.py"),
    ),
    Mutation(
        "the right PIN at the desk leaves the screen waiting",
        f"{ENGINE}/lock.py",
        "wrong=0, judged=None, free_at=0.0)",
        "wrong=0, judged=None)",
        ("tests/engine/test_desk.py",),
    ),
    Mutation(
        "a restart ends the wait after wrong PINs",
        f"{ENGINE}/lock.py",
        "now + min(wait_after(wrong), LONGEST_WAIT_AFTER_START)",
        "now",
        ("tests/engine/test_pin.py",),
    ),
    Mutation(
        "a table takes over another table's game",
        "pi_table/fleet/collector/keeping.py",
        " AND games.table_name = excluded.table_name",
        "",
        ("tests/collector/test_keeping.py",),
    ),
    Mutation(
        "letters of another encoding are lost in silence",
        "pi_table/common/decoding.py",
        'data.decode("utf-8-sig")',
        'data.decode("utf-8-sig", "replace")',
        ("tests/test_edited_text.py",),
    ),
    Mutation(
        "a key that Notepad saved stays on the card",
        "pi_table/maintenance/first_boot/once.py",
        'rb"^(?:\\xef\\xbb\\xbf)?(?P<mark>[-#])----BEGIN',
        'rb"^(?P<mark>[-#])----BEGIN',
        ("tests/first_boot/test_bridge_settings.py",),
    ),
    Mutation(
        "a file that Windows named is not found",
        "pi_table/maintenance/first_boot/reading.py",
        "[file] if os.path.exists(file) else namesakes(file)",
        "[file]",
        ("tests/first_boot/test_boot_settings.py",),
    ),
    # The bridge
    Mutation(
        "a broker that has forgotten all is not told the latest health",
        f"{BRIDGE}/outbox.py",
        "if self._latest_sample is not None and not self._samples:",
        "if self._latest_sample is not None and self._samples:",
        ("tests/bridge/test_outbox.py",),
    ),
    Mutation(
        "what happened goes before samples of health",
        f"{BRIDGE}/outbox.py",
        "(self._samples or self._events).popleft()",
        "(self._events or self._samples).popleft()",
        ("tests/bridge/test_outbox.py",),
    ),
    Mutation(
        "who was silent for long may say more at once",
        "pi_table/common/pacing.py",
        "self._left = min(self._burst, self._left + (now - self._at) * self._per_second)",
        "self._left = self._left + (now - self._at) * self._per_second",
        PACING,
    ),
    Mutation(
        "of two commands that wait the older one is done",
        f"{BRIDGE}/pace.py",
        "{**before, **now}",
        "{**now, **before}",
        ("tests/bridge/test_pace.py",),
    ),
    Mutation(
        "the bridge tells a newer message before an older one",
        f"{BRIDGE}/in_time.py",
        "self._messages.append((max(now + waits, before), message))",
        "self._messages.append((now + waits, message))",
        ("tests/bridge/test_in_time.py",),
    ),
    Mutation(
        "a game that is told again has to settle anew",
        f"{BRIDGE}/records.py",
        "self._fresh.setdefault(self.latest, now)",
        "self._fresh[self.latest] = now",
        ("tests/bridge/test_told_records.py",),
    ),
    Mutation(
        "the time of connections before this one does not count",
        f"{BRIDGE}/record_teller.py",
        "            self._connected = self._now()\n",
        "            self._connected = 0.0\n",
        ("tests/bridge/test_told_records.py",),
    ),
    Mutation(
        "a command of any length is read",
        f"{BRIDGE}/commands.py",
        "    if len(payload) > MOST_BYTES:\n",
        "    if not payload and kept:\n",
        ("tests/bridge/test_commands.py",),
    ),
    # The collector
    Mutation(
        "the oldest rejects are kept, and not the newest",
        f"{COLLECTOR}/keeping.py",
        "SELECT key FROM rejects ORDER BY key DESC LIMIT ?",
        "SELECT key FROM rejects ORDER BY key LIMIT ?",
        ("tests/collector/test_keeping.py",),
    ),
    Mutation(
        "a fault that comes back at once is another one",
        f"{COLLECTOR}/keeping.py",
        "lately = as_text(at - timedelta(seconds=THE_SAME_SECONDS))",
        "lately = as_text(at + timedelta(seconds=THE_SAME_SECONDS))",
        ("tests/collector/test_keeping.py",),
    ),
    Mutation(
        "what went wrong before is never logged again",
        "pi_table/common/pacing.py",
        "        self._said.clear()\n",
        "",
        PACING,
    ),
    Mutation(
        "the waits between tries grow for ever",
        "pi_table/common/pacing.py",
        "self._wait = min(2 * self._wait, self._longest)",
        "self._wait = 2 * self._wait",
        PACING,
    ),
    Mutation(
        "a clock that was never set is believed",
        f"{COLLECTOR}/record.py",
        "return begun < CLOCKS_FROM or begun > received + AHEAD",
        "return begun > received + AHEAD",
        ("tests/collector/test_record.py", "tests/collector/test_keeping.py"),
    ),
    Mutation(
        "messages that nobody acknowledges wait in any number",
        f"{COLLECTOR}/subscription.py",
        "        if number is None and self.full:\n            return\n",
        "",
        ("tests/collector/test_subscription.py",),
    ),
    Mutation(
        "two faults at a time count twice",
        f"{COLLECTOR}/figures.py",
        "since = fault.since if reached is None else max(fault.since, reached)",
        "since = fault.since",
        ("tests/collector/test_reported_figures.py",),
    ),
    Mutation(
        "a game after midnight is of the next weekday",
        f"{COLLECTOR}/figures.py",
        "self.hours[evening.weekday(), local.hour]",
        "self.hours[local.weekday(), local.hour]",
        ("tests/collector/test_reported_figures.py",),
    ),
    # Updates
    Mutation(
        "a house without quiet hours is never updated at night",
        f"{UPDATING}/hours.py",
        "if house is None or house.quiet_from == house.quiet_until:",
        "if house is None:",
        ("tests/updating/test_hours.py",),
    ),
    Mutation(
        "a table that falls over and comes back was there all the while",
        f"{UPDATING}/asking.py",
        "                if why is not None:\n                    since = None\n",
        "                if why is not None:\n                    pass\n",
        ("tests/updating/test_asking.py",),
    ),
    Mutation(
        "a table that was out of order before gets no new version",
        f"{UPDATING}/asking.py",
        "if now.out_of_order and not self.out_of_order:",
        "if now.out_of_order:",
        ("tests/updating/test_asking.py",),
    ),
    Mutation(
        "a kept package that the card has damaged is a way back",
        f"{UPDATING}/packages.py",
        "    if not all(_can_be_unpacked(path) for path in files):\n        return False\n",
        "",
        ("tests/updating/test_packages.py",),
    ),
    Mutation(
        "a bad version may be installed again",
        f"{UPDATING}/packages.py",
        "Pin-Priority: -1",
        "Pin-Priority: 1",
        ("tests/updating/test_packages.py",),
    ),
    Mutation(
        "a version is put back while the machine is switched off",
        f"{UPDATING}/update.py",
        "        if self._stopped():\n            return Status.FAILED\n"
        "        if before is None or now",
        "        if before is None or now",
        ("tests/updating/test_update.py",),
    ),
    Mutation(
        "a table is kept free after its update",
        f"{UPDATING}/update.py",
        "                keep_free(socket, 0, self._patience)\n",
        "                pass\n",
        ("tests/updating/test_update.py", "tests/updating/test_a_real_table.py"),
    ),
    Mutation(
        "a version that somebody holds is replaced",
        f"{UPDATING}/packages.py",
        '        if {*NAMES} & {*_told(["apt-mark", *SPARING, "showhold"]).split()}:\n'
        "            return None\n",
        "",
        ("tests/updating/test_packages.py",),
    ),
    Mutation(
        "each question for updates writes an index of all packages",
        f"{UPDATING}/packages.py",
        'return _done("apt-get", *SPARING, "-qq"',
        'return _done("apt-get", "-qq"',
        ("tests/updating/test_packages.py",),
    ),
    Mutation(
        "a loose cable fills the log",
        "pi_table/common/log.py",
        "return self._written[sentence] <= MOST_A_DAY",
        "return True",
        ("tests/test_log.py",),
    ),
    Mutation(
        "a journal that found no room waits for somebody",
        "pi_table/table/engine/course.py",
        "now + REOPEN_SECONDS if is_full else None",
        "None",
        ("tests/engine/test_faults.py",),
    ),
    # Backups
    Mutation(
        "a restore begins without room for what it makes ready",
        f"{KEEPING}/restore.py",
        "(needed := 2 * new + old + SPARE)",
        "(needed := new + old + SPARE)",
        ("tests/keeping/test_restore.py",),
    ),
    Mutation(
        "a restore replaces a link",
        f"{KEEPING}/restore.py",
        "    if not _is_there(target) and os.path.lexists(target):\n",
        "    if not os.path.lexists(target.parent):\n",
        ("tests/keeping/test_restore.py",),
    ),
    Mutation(
        "a second restore in a second has no folder for what was there",
        f"{KEEPING}/restore.py",
        "    while os.path.lexists(state / free):\n",
        "    while not name:\n",
        ("tests/keeping/test_restore.py",),
    ),
    Mutation(
        "a backup may say that it holds more than any has",
        f"{KEEPING}/archive.py",
        "if any(size < 0 for size in sizes) or sum(sizes) > MOST_BYTES:",
        "if any(size < 0 for size in sizes):",
        ("tests/keeping/test_restore.py", "tests/keeping/test_backup.py"),
    ),
    Mutation(
        "two packs whose names differ by a capital are in one backup",
        f"{KEEPING}/archive.py",
        "len({name.casefold() for name in names})",
        "len({*names})",
        ("tests/keeping/test_restore.py", "tests/keeping/test_backup.py"),
    ),
    Mutation(
        "where nobody can look a restore counts as done",
        f"{KEEPING}/finishing.py",
        "        except OSError:\n            pass\n        return True\n",
        "        except OSError:\n            continue\n        return True\n",
        ("tests/engine/test_desk_restore.py",),
    ),
    Mutation(
        "the desk learns only in the restore that there is no room",
        f"{KEEPING}/for_desk.py",
        "                refuse_no_room(backup.manifest, Places(self._config, None))\n",
        "",
        ("tests/keeping/test_for_desk.py",),
    ),
    Mutation(
        "what belongs to the old journal goes after the new one has come",
        f"{KEEPING}/restore.py",
        "        _refuse_unwritable(Path(step.target))\n    return steps\n",
        "        _refuse_unwritable(Path(step.target))\n    return steps[::-1]\n",
        ("tests/keeping",),
    ),
    # The first boot
    Mutation(
        "a secret is blanked before it is kept",
        f"{BOOT}/applying.py",
        "    if bridge is not None:\n"
        "        bridge_secrets.keep(bridge, secrets, root)\n"
        "    # What a power cut has left of an earlier secret goes, too.\n"
        "    for each, kinds in _secret_in(file).items():\n"
        "        if each.exists() and once.may_be_blanked(each):\n"
        "            once.blank(each, *kinds)\n",
        "    for each, kinds in _secret_in(file).items():\n"
        "        if each.exists() and once.may_be_blanked(each):\n"
        "            once.blank(each, *kinds)\n"
        "    if bridge is not None:\n"
        "        bridge_secrets.keep(bridge, secrets, root)\n",
        ("tests/first_boot/test_power_cut_of_settings.py",),
    ),
    Mutation(
        "the password of the Wi-Fi is blanked, too",
        f"{BOOT}/once.py",
        'finditer(text, section.start("lines"), section.end("lines"))',
        'finditer(text, section.start("lines"))',
        ("tests/first_boot/test_bridge_settings.py",),
    ),
    Mutation(
        "a secret loses its letters before it is a comment",
        f"{BOOT}/once.py",
        "                if _is_set(each):\n"
        '                    _write(descriptor, b"#", each.start("mark"))\n'
        '                if each["secret"].strip():\n'
        '                    _write(descriptor, b" " * len(each["secret"]), each.start("secret"))'
        "\n",
        '                if each["secret"].strip():\n'
        '                    _write(descriptor, b" " * len(each["secret"]), each.start("secret"))'
        "\n"
        "                if _is_set(each):\n"
        '                    _write(descriptor, b"#", each.start("mark"))\n',
        ("tests/first_boot/test_power_cut_of_settings.py",),
    ),
    Mutation(
        "the name of a network is counted in letters",
        f"{BOOT}/settings.py",
        "if 1 <= len(ssid.encode()) <= 32",
        "if 1 <= len(ssid) <= 32",
        ("tests/first_boot/test_boot_settings.py",),
    ),
    Mutation(
        "everybody can read the password of the Wi-Fi",
        f"{BOOT}/applying.py",
        "wifi.connection(settings.wifi), 0o600)",
        "wifi.connection(settings.wifi), 0o644)",
        ("tests/first_boot/test_boot_settings.py",),
    ),
    Mutation(
        "a secret that the table has no more stays laid out",
        f"{BOOT}/bridge_secrets.py",
        "        if text is None:\n            remove(folder / FILES[name])\n",
        "        if text is None:\n            continue\n",
        ("tests/first_boot/test_bridge_settings.py",),
    ),
    Mutation(
        "a complaint names the line of another section",
        f"{BOOT}/reading.py",
        'if written.match(line) and section in ("", now):',
        "if written.match(line):",
        ("tests/first_boot",),
    ),
    # Provisioning
    Mutation(
        "a table is taken from the broker before its password is gone",
        f"{PROVISIONING}/provision.py",
        "    for name in wanted.revoked:  # first of all: what is left is never taken up again\n"
        "        files.forget(name)\n"
        "    security = msgspec.structs.replace(before, accounts=staying)\n"
        "    if wanted.revoked:\n"
        "        files.write_secret(files.accounts, dynamic_security.write(security))\n",
        "    security = msgspec.structs.replace(before, accounts=staying)\n"
        "    if wanted.revoked:\n"
        "        files.write_secret(files.accounts, dynamic_security.write(security))\n"
        "    for name in wanted.revoked:\n"
        "        files.forget(name)\n",
        ("tests/provisioning",),
    ),
    Mutation(
        "passwords may go to the broker in the open",
        f"{PROVISIONING}/provision.py",
        'elif not wanted.broker.startswith("mqtts://"):',
        'elif not wanted.broker.startswith("mqtt"):',
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "everybody can read the passwords that were made",
        f"{PROVISIONING}/provision.py",
        "self._write(path, text, 0o600)",
        "self._write(path, text, 0o644)",
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "whoever commands tables may make games up",
        f"{PROVISIONING}/rights.py",
        'for what in ("do/#", *KEPT):',
        'for what in ("do/#", *TOLD):',
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "all passwords of a run have one salt",
        f"{PROVISIONING}/provision.py",
        "    added = {\n"
        "        name: Account(users[name], passwords.hash_of(made[name], passwords.new_salt()))",
        "    salt = passwords.new_salt()\n"
        "    added = {\n"
        "        name: Account(users[name], passwords.hash_of(made[name], salt))",
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "a table may have the name of another user",
        f"{PROVISIONING}/users.py",
        "if name in RESERVED:",
        "if name == EVERYBODY:",
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "a table that is revoked and added keeps its password",
        f"{PROVISIONING}/provision.py",
        "name: files.kept_password(name, user) if name not in wanted.revoked else None\n",
        "name: files.kept_password(name, user)\n",
        ("tests/provisioning/test_provision.py",),
    ),
    Mutation(
        "a broker has any number of tables",
        f"{PROVISIONING}/provision.py",
        "if len({*wanted.tables}) > MOST_TABLES:",
        "if not MOST_TABLES:",
        ("tests/provisioning/test_provision.py",),
    ),
    # Lights
    Mutation(
        "the bar that asks for a cloth jumps back",
        f"{LIGHTS}/light.py",
        "return min(step, 2 * SIDE - 2 - step)",
        "return step % SIDE",
        ("tests/lights",),
    ),
    Mutation(
        "a held place fills one light too late",
        f"{LIGHTS}/light.py",
        "done * len(leds) - number))",
        "done * len(leds) - number - 1))",
        ("tests/lights/test_hands.py",),
    ),
    Mutation(
        "a table that is looked for hides the game in play",
        f"{LIGHTS}/light.py",
        "for cell in CORNERS if is_played else CELLS:",
        "for cell in CELLS if is_played else CORNERS:",
        ("tests/engine/test_house_orders.py",),
    ),
    Mutation(
        "of two scenes over all cells the older one is played",
        f"{LIGHTS}/light.py",
        "            whole = each\n",
        "            whole = whole or each\n",
        ("tests/lights/test_scenes.py",),
    ),
    Mutation(
        "a finger is lit while a guess is about to be answered",
        f"{LIGHTS}/light.py",
        "    if hushed:\n"
        "        return  # whether a finger is felt now would tell whether the turn goes on\n",
        "",
        ("tests/lights", "tests/worlds/test_two_worlds_tension.py"),
    ),
    Mutation(
        "the sign of a peek glints before the operatives",
        f"{LIGHTS}/light.py",
        "if cell < SIDE]",
        "if cell >= CELL_COUNT - SIDE]",
        ("tests/lights",),
    ),
    Mutation(
        "the bar that asks for a cloth stands still",
        f"{LIGHTS}/light.py",
        "    if picture.attention.blocked:\n        due.append(",
        "    if picture.attention.blocked and picture.standing.hurry:\n        due.append(",
        ("tests/lights", "tests/engine/test_light_player.py"),
    ),
    Mutation(
        "a beat that is due is not reached for a hair",
        f"{LIGHTS}/light.py",
        "return math.floor(now / FRAME_SECONDS + A_HAIR) * FRAME_SECONDS",
        "return math.floor(now / FRAME_SECONDS) * FRAME_SECONDS",
        ("tests/lights", "tests/engine/test_light_player.py"),
    ),
    # Sound
    Mutation(
        "what is important is out of date sooner than the rest",
        f"{SOUND}/voice.py",
        "(IMPORTANT_STALE_SECONDS if self.important else STALE_SECONDS)",
        "(STALE_SECONDS if self.important else IMPORTANT_STALE_SECONDS)",
        ("tests/sound/test_voice.py",),
    ),
    Mutation(
        "of too many sounds the newest goes",
        f"{SOUND}/voice.py",
        "next((turn for turn in due if not turn.important), due[0])",
        "next((turn for turn in reversed(due) if not turn.important), due[0])",
        ("tests/sound/test_voice.py",),
    ),
    Mutation(
        "a house is silent for a minute more",
        f"{SOUND}/settings.py",
        "return minute >= begins or minute < ends",
        "return minute >= begins or minute <= ends",
        ("tests/sound/test_settings.py",),
    ),
    Mutation(
        "the clip that was used most lately may be forgotten first",
        f"{SOUND}/studio.py",
        "        self._kept.move_to_end((part, volume))\n",
        "",
        ("tests/sound",),
    ),
    Mutation(
        "any number of sounds wait to be made",
        f"{SOUND}/studio.py",
        "for late in self._orders[:-MOST_WAITING]:",
        "for late in self._orders[: -len(SCORES)]:",
        ("tests/sound",),
    ),
    Mutation(
        "a text of any length is spoken",
        f"{SOUND}/speech.py",
        "return _seen(letters)[:LONGEST_TEXT].rstrip()",
        "return _seen(letters).rstrip()",
        ("tests/sound/test_speech.py",),
    ),
    Mutation(
        "half the volume is louder than it was",
        f"{SOUND}/loudness.py",
        "gain = (volume / 100) ** 3",
        "gain = (volume / 100) ** 2",
        ("tests/sound/test_sounds.py",),
    ),
    Mutation(
        "what is heard goes on when the house wants silence",
        f"{SOUND}/loudspeaker.py",
        "        if not self._closed and settings.is_silent(self._minute()):\n"
        "            self._do(self._voice.hush())\n",
        "",
        ("tests/sound/test_loudspeaker.py", "tests/sound/test_loudspeaker_told.py"),
    ),
    # The referee
    Mutation(
        "a clue of five letters in which a word ends is fine",
        f"{REFEREE}/kinship.py",
        "if len(clue.text) >= LEAST_ENDING and",
        "if len(clue.text) > LEAST_ENDING and",
        ("tests/referee/test_opinion.py",),
    ),
    Mutation(
        "two words share five letters to be of one family",
        f"{REFEREE}/kinship.py",
        "LEAST_STEM = 4\n",
        "LEAST_STEM = 5\n",
        ("tests/referee",),
    ),
    Mutation(
        "a reckoned kinship has to be nearly certain",
        f"{REFEREE}/kinship.py",
        "LIKELY = 60\n",
        "LIKELY = 95\n",
        ("tests/referee/test_opinion.py",),
    ),
    Mutation(
        "a clue cannot be for all 25 cells",
        f"{REFEREE}/opinion.py",
        "0 <= int(str(number)) <= HIGHEST_NUMBER",
        "0 <= int(str(number)) < HIGHEST_NUMBER",
        ("tests/referee/test_opinion.py",),
    ),
    Mutation(
        "a clue of any length is judged",
        f"{REFEREE}/opinion.py",
        "    if len(written) > LONGEST_CLUE:\n",
        "    if not written:\n",
        ("tests/referee",),
    ),
    Mutation(
        "a covered word frees all that are like it",
        f"{REFEREE}/opinion.py",
        "            gone[same(word)] -= 1\n",
        "            pass\n",
        ("tests/referee/test_opinion.py",),
    ),
    Mutation(
        "of words that are equally bad the last one is named",
        f"{REFEREE}/opinion.py",
        "return max(found, key=lambda one: one.verdict, default=FINE)",
        "return max(reversed(found), key=lambda one: one.verdict, default=FINE)",
        ("tests/referee/test_opinion.py", "tests/referee/test_reasons.py"),
    ),
    # The pages
    Mutation(
        "a desk takes the answer to another question",
        f"{PAGES}/desk-line.js",
        "(read) => read.n === n && ",
        "(read) => ",
        ("tests/pages/test_a_desks_conversation.py",),
    ),
    Mutation(
        "a page takes an answer to another hello",
        f"{PAGES}/handshake.js",
        "return read.h === this.#hello;",
        "return true;",
        ("tests/pages/test_a_desks_conversation.py",),
    ),
    Mutation(
        "a page takes what another session of the engine says",
        f"{PAGES}/handshake.js",
        " && (this.session ?? read.s) === read.s;",
        ";",
        ("tests/pages/test_a_phones_conversation.py",),
    ),
    Mutation(
        "what the referee said stays beside another word",
        f"{PAGES}/phone-clue.js",
        "return this.#judged === this.#word() ? this.#opinion : null;",
        "return this.#opinion;",
        ("tests/pages/test_phone_with_a_seat.py",),
    ),
    Mutation(
        "a board does not notice that its server is silent",
        f"{PAGES}/live.js",
        "    if (isTold && source !== null && seconds() - heardAt > SILENCE) lost();\n",
        "",
        ("tests/pages/test_lines_that_fall_silent.py",),
    ),
    Mutation(
        "a board waits for the last of what is said with an answer",
        f"{PAGES}/screen.js",
        "at + Math.min(...waits, Infinity)",
        "at + Math.max(...waits, 0)",
        ("tests/pages/test_board.py",),
    ),
    Mutation(
        "beats of old wait for a network that is gone",
        f"{PAGES}/phone-line.js",
        "this.#socket.bufferedAmount > MOST_UNSENT || now()",
        "now()",
        ("tests/pages/test_lines_that_fall_silent.py",),
    ),
    Mutation(
        "a phone remembers the key when the finger is lifted",
        f"{PAGES}/sealed.js",
        "    this.#told = veiled(this.#told);\n",
        "",
        ("tests/pages/test_a_phones_conversation.py",),
    ),
    Mutation(
        "a page that nobody sees goes on holding",
        f"{PAGES}/phone-hold.js",
        '  document.addEventListener("visibilitychange", () => document.hidden && letGo());\n',
        "",
        (
            "tests/pages/test_phones_that_come_and_go.py::"
            "test_the_key_is_nowhere_on_a_page_whose_finger_is_called_away",
        ),
    ),
    Mutation(
        "that a table is in service hides that it is out of order",
        f"{PAGES}/describe.js",
        "  if (latest.out_of_order)\n"
        '    return { kind: "fault", title: t("out-of-order"), more: t("out-of-order-more") };\n'
        "  if (latest.service)\n"
        '    return { kind: "service", title: t("in-service"), more: t("in-service-more") };\n',
        "  if (latest.service)\n"
        '    return { kind: "service", title: t("in-service"), more: t("in-service-more") };\n'
        "  if (latest.out_of_order)\n"
        '    return { kind: "fault", title: t("out-of-order"), more: t("out-of-order-more") };\n',
        (
            "tests/pages/test_board.py::"
            "test_of_several_things_that_keep_people_from_playing_the_worst_is_said",
        ),
    ),
    # The firmware
    Mutation(
        "a glass counts again at once when it is lifted",
        f"{CORE}/touch.c",
        "#define UNHELD_MOST 10 ",
        "#define UNHELD_MOST 1 ",
        ("make:run/test_touch",),
    ),
    Mutation(
        "four places at once are no water",
        f"{CORE}/touch.c",
        "#define WATER_PLACES 3 ",
        "#define WATER_PLACES 4 ",
        ("make:run/test_touch",),
    ),
    Mutation(
        "a chip is calibrated while there is noise",
        f"{CORE}/touch.c",
        "else if (chip->ready && !(chip->noisy & ~touch->masked[i]) &&",
        "else if (chip->ready &&",
        ("make:run/test_touch", "make:run/test_touch_noise", "make:run/test_touch_faults"),
    ),
    Mutation(
        "what the strip takes by itself is not counted",
        f"{CORE}/lights.c",
        "uint16_t left_ma = most_ma > idle_ma ? (uint16_t)(most_ma - idle_ma) : 0;",
        "uint16_t left_ma = most_ma;",
        ("make:run/test_lights",),
    ),
    Mutation(
        "answers keep the state from being told",
        f"{CORE}/controller.c",
        "    controller->states_turn = count > 0;\n",
        "    controller->states_turn = false;\n",
        ("make:run/test_controller", "make:run/test_reports"),
    ),
    Mutation(
        "a single reading says that an electrode is out of range",
        f"{CORE}/mpr121_reading.c",
        "#define RANGE_READINGS 8 ",
        "#define RANGE_READINGS 0 ",
        ("make:run/test_mpr121", "make:run/test_touch", "make:run/test_touch_faults"),
    ),
    Mutation(
        "each boot is noted over the one before",
        f"{CORE}/kept.c",
        "            kept->record = (uint8_t)((record + 1) % KEPT_RECORDS);\n",
        "            kept->record = record;\n",
        ("make:run/test_kept",),
    ),
    Mutation(
        "a chip that is missing is looked for less and less often",
        f"{CORE}/mpr121.c",
        "chip->wait_ms = chip->wait_ms > WAIT_MOST_MS / 2 ? WAIT_MOST_MS"
        " : (uint16_t)(2 * chip->wait_ms);",
        "chip->wait_ms = (uint16_t)(2 * chip->wait_ms);",
        ("make:run/test_mpr121", "make:run/test_touch_faults"),
    ),
]
