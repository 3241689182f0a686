"""Mistakes in what makes a table one among many: its secrets, and what its broker is given."""

from mutation import Mutation

SETTINGS = ("tests/first_boot/test_bridge_settings.py",)
PROVISION = ("tests/provisioning/test_provision.py",)
FIGURES = ("tests/collector/test_reported_figures.py",)
SECRETS = "pi_table/maintenance/first_boot/bridge_secrets.py"
PROVISIONING = "pi_table/fleet/provisioning/provision.py"
REPOSITORY = "systemd/package/repository.py"
SIGNING = "systemd/package/signing.py"
SIGNED = ("tests/systemd/test_signing_of_the_repository.py",)

OF_MANY_TABLES = [
    Mutation(
        "the password of the Wi-Fi is blanked like the bridge's",
        "pi_table/maintenance/first_boot/once.py",
        'kind.pattern.finditer(text, section.start("lines"), section.end("lines"))',
        "kind.pattern.finditer(text)",
        SETTINGS,
    ),
    Mutation(
        "what is secret of a table among many stays on its card",
        "pi_table/maintenance/first_boot/applying.py",
        "once.blank(each, *kinds)",
        "once.blank(each, once.PIN)",
        SETTINGS,
    ),
    Mutation(
        "everybody reads the folder of the bridge's secrets",
        SECRETS,
        "make_folder(folder, owner, 0o750)",
        "make_folder(folder, owner, 0o755)",
        SETTINGS,
    ),
    Mutation(
        "everybody reads the bridge's secrets",
        SECRETS,
        "write(folder / FILES[name], text, 0o640, owner)",
        "write(folder / FILES[name], text, 0o644, owner)",
        SETTINGS,
    ),
    Mutation(
        "the bridge's secrets belong to root's group",
        SECRETS,
        "owner = Owner(0, user_of(root, places.BRIDGE_USER).group)",
        "owner = Owner(0, 0)",
        SETTINGS,
    ),
    Mutation(
        "the engine reads what a table shows to its broker",
        SECRETS,
        "owner=Owner(0, 0))",
        "owner=owner_of_state(root))",
        SETTINGS,
    ),
    Mutation(
        "secrets that were kept are lost where one is given anew",
        SECRETS,
        "secrets = bridge.given.over(_kept(root) or Secrets())",
        "secrets = bridge.given",
        SETTINGS,
    ),
    Mutation(
        "a certificate is shown to a broker that seals nothing",
        SECRETS,
        'kept.key and bridge.broker.startswith("mqtts:")',
        "kept.key",
        SETTINGS,
    ),
    Mutation(
        "what was laid out by hand for the bridge is taken away",
        SECRETS,
        "(bridge is None and not (root / places.BRIDGE_KEPT).exists())",
        "False",
        SETTINGS,
    ),
    Mutation(
        "a table that is alone keeps what it showed to its broker",
        SECRETS,
        "            remove(file)\n",
        "            pass\n",
        SETTINGS,
    ),
    Mutation(
        "a key that is not the certificate's is taken over",
        "pi_table/maintenance/first_boot/bridge_settings.py",
        "and not belong_together(certificate, key)",
        "and belong_together(certificate, certificate)",
        SETTINGS,
    ),
    Mutation(
        "a table may be called like a user that is no table",
        "pi_table/fleet/provisioning/users.py",
        "if name in RESERVED:",
        "if name == EVERYBODY:",
        PROVISION,
    ),
    Mutation(
        "a table's name may end in a line feed",
        "pi_table/fleet/provisioning/users.py",
        "return text.isprintable()",
        "return True",
        PROVISION,
    ),
    Mutation(
        "a table that was revoked gets its old password again",
        PROVISIONING,
        "files.kept_password(name, user) if name not in wanted.revoked else None",
        "files.kept_password(name, user)",
        PROVISION,
    ),
    Mutation(
        "a table that is revoked keeps its file until the broker's is written",
        PROVISIONING,
        "    for name in wanted.revoked:  # first of all: what is left is never taken up again\n"
        "        files.forget(name)\n"
        "    security = msgspec.structs.replace(before, accounts=staying)\n"
        "    if wanted.revoked:\n"
        "        files.write_secret(files.accounts, dynamic_security.write(security))\n",
        "    security = msgspec.structs.replace(before, accounts=staying)\n"
        "    if wanted.revoked:\n"
        "        files.write_secret(files.accounts, dynamic_security.write(security))\n"
        "    for name in wanted.revoked:\n        files.forget(name)\n",
        PROVISION,
    ),
    Mutation(
        "the broker is told of a password before its file is written",
        PROVISIONING,
        "        files.write_secret(\n"
        "            files.secret(name, users[name]), "
        "_secret_text(name, users[name], password, wanted)\n"
        "        )\n",
        "",
        PROVISION,
    ),
    Mutation(
        "everybody reads the passwords that were provisioned",
        PROVISIONING,
        "self._write(path, text, 0o600)",
        "self._write(path, text, 0o644)",
        PROVISION,
    ),
    Mutation(
        "rights that were changed by hand are overwritten",
        PROVISIONING,
        "if not wanted.replace and files.text(path)",
        "if wanted.replace and files.text(path)",
        PROVISION,
    ),
    Mutation(
        "all users have the same salt",
        "pi_table/fleet/provisioning/passwords.py",
        "secrets.token_bytes(SALT_BYTES)",
        "bytes(SALT_BYTES)",
        PROVISION,
    ),
    Mutation(
        "passwords are reckoned with another hash than Mosquitto's",
        "pi_table/fleet/provisioning/passwords.py",
        '"sha512"',
        '"sha256"',
        PROVISION,
    ),
    Mutation(
        "a broker's user may subscribe where no right says so",
        "pi_table/fleet/provisioning/dynamic_security.py",
        '"subscribe": False,',
        '"subscribe": True,',
        PROVISION,
    ),
    Mutation(
        "a Home Assistant of one bar hears all bars",
        "pi_table/fleet/provisioning/rights.py",
        'yield Right(RECEIVE, f"{bar.top}/#")\n    if',
        'yield Right(RECEIVE, f"{bar.prefix}/#")\n    if',
        PROVISION,
    ),
    Mutation(
        "a bar may have the name of a table",
        PROVISIONING,
        "taken=_TAKEN) for bar in sorted(bars)",
        "taken=_TAKEN) for bar in ()",
        PROVISION,
    ),
    Mutation(
        "tables of an old folder get other passwords",
        PROVISIONING,
        "return Security(self.old_accounts(wanted), wanted",
        "return Security({}, wanted",
        PROVISION,
    ),
    Mutation(
        "a certificate of another key than the one that was taken over is laid out",
        SECRETS,
        "if certificate and key and not belong_together(certificate, key):",
        "if False:",
        SETTINGS,
    ),
    Mutation(
        "what a power cut left of a file of secrets outlives the file",
        "pi_table/common/files.py",
        "for each in (path, hidden_beside(path)):",
        "for each in (path,):",
        PROVISION,
    ),
    Mutation(
        "of three games one says how long one in ten is",
        "pi_table/fleet/collector/sheets.py",
        "FEWEST: Final = 10",
        "FEWEST: Final = 2",
        FIGURES,
    ),
    Mutation(
        "faults of a table that is gone go on for ever",
        "pi_table/fleet/collector/record.py",
        "read_texts(_FAULTS, payload) if payload else NOTHING_WRONG",
        "read_texts(_FAULTS, payload)",
        ("tests/collector/test_record.py",),
    ),
    Mutation(
        "a word of a card is translated in a report",
        "pi_table/fleet/collector/sheet.py",
        "return written(cell, lang)",
        "from pi_table.common.language import Say; return written(Say(cell), lang)",
        FIGURES,
    ),
    Mutation(
        "a repository is signed with a key that its tables do not trust",
        SIGNING,
        "if served and not {*served} & {*keys}:",
        "if not keys:",
        SIGNED,
    ),
    Mutation(
        "a throw-away key lies where a web server finds it",
        SIGNING,
        'kept = STATE / "throw-away-key"',
        'kept = folder.parent / "throw-away-key"',
        SIGNED,
    ),
    Mutation(
        "a repository changes before it is signed",
        REPOSITORY,
        "new = Path(scratch)",
        "new = self.folder",
        SIGNED,
    ),
    Mutation(
        "the days of a signature are forgotten",
        REPOSITORY,
        "int(self._read(DAYS) or VALID_DAYS) if valid_days is None",
        "VALID_DAYS if valid_days is None",
        SIGNED,
    ),
    Mutation(
        "signatures are those of today",
        SIGNING,
        'if signed := os.environ.get("SOURCE_DATE_EPOCH"):',
        'if signed := "":',
        SIGNED,
    ),
]
