"""Attacks at a broker with a table's own credentials: to read or write other tables' topics, or to
pose as another table. Each attempt is a value: the attack of a thief, and the user who has the
right to do it."""

from itertools import count
from typing import Final, NamedTuple

from member import Member, Refused
from provisioned import Provisioned

THIEF: Final = "door"
VICTIM: Final = "window"
HOUSE: Final = "home-assistant"
STAFF: Final = "operator"
P: Final = "pi-table"
_numbers = count()


class Read(NamedTuple):
    """Somebody listens to ``topics`` while ``teller`` tells something in ``topic``."""

    topics: str
    topic: str
    teller: str = VICTIM
    rightful: str | None = HOUSE
    """The user who may; None: nobody, by these topics."""
    kept: bool = False
    """True if it was published before, and the broker kept it."""

    def __str__(self) -> str:
        return f"hear {self.topic} by {self.topics}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if this user receives it."""
        secret = new_payload()
        with fleet.member(self.teller) as teller:
            if self.kept:
                assert teller.write(self.topic, secret, kept=True) in TAKEN
            with fleet.member(who) as reader:
                reader.subscribe(self.topics)
                if not self.kept:
                    assert teller.write(self.topic, secret) in TAKEN
                heard_all(fleet, reader, who)
                heard = reader.has_heard(secret)
            if self.kept:
                teller.write(self.topic, b"", kept=True)
        return heard


class ReadBroker(NamedTuple):
    """Somebody listens to what the broker tells of itself."""

    topics: str
    rightful: None = None

    def __str__(self) -> str:
        return f"hear {self.topics}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if they receive a message of the broker."""
        with fleet.member(who) as reader:
            reader.subscribe(self.topics)
            heard_all(fleet, reader, who)
            return any(topic.startswith("$SYS") for topic, _ in reader.heard)


class Write(NamedTuple):
    """Somebody writes into ``topic``, to which ``hearer`` listens."""

    topic: str
    rightful: str | None = VICTIM
    """The user who may; None: nobody."""
    hearer: str = HOUSE
    kept: bool = False
    qos: int = 1
    old: bool = False
    """True for MQTT 3.1.1, which gives no reason."""

    def __str__(self) -> str:
        how = f", QoS {self.qos}{', kept' * self.kept}{', by MQTT 3.1.1' * self.old}"
        return f"write {self.topic} to {self.hearer}{how}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if this user's message is received or retained."""
        secret = new_payload()
        with fleet.member(self.hearer) as hearer:
            hearer.subscribe(self.topic)
            with fleet.member(who, old=self.old) as writer:
                answer = writer.write(self.topic, secret, kept=self.kept, qos=self.qos)
            heard_all(fleet, hearer, self.hearer)
            heard = hearer.has_heard(secret)
        if self.kept and heard:
            with fleet.member(who) as writer:
                writer.write(self.topic, b"", kept=True)
        if self.qos == 1 and not self.old:  # it is told
            assert (answer in TAKEN) == heard, answer
        return heard


class Clear(NamedTuple):
    """Somebody takes away what the broker keeps of ``topic``."""

    topic: str
    rightful: str = VICTIM

    def __str__(self) -> str:
        return f"clear {self.topic}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if it is gone."""
        secret = new_payload()
        with fleet.member(VICTIM) as teller:
            assert teller.write(self.topic, secret, kept=True) in TAKEN
        with fleet.member(who) as writer:
            writer.write(self.topic, b"", kept=True)
        with fleet.member(HOUSE) as reader:
            reader.subscribe(self.topic)
            heard_all(fleet, reader, HOUSE)
            gone = not reader.has_heard(secret)
        with fleet.member(VICTIM) as teller:
            teller.write(self.topic, b"", kept=True)
        return gone


class Will(NamedTuple):
    """Somebody has the broker say something in ``topic`` once they are lost."""

    topic: str
    rightful: str = VICTIM
    hearer: str = HOUSE

    def __str__(self) -> str:
        return f"last will in {self.topic}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if the broker tells it."""
        with fleet.member(self.hearer) as hearer:
            hearer.subscribe(self.topic)
            fleet.member(who, will=self.topic).is_cut_off()
            fleet.member(who).close()  # in its place; by now the first one's will is done
            heard_all(fleet, hearer, self.hearer)
            return hearer.has_heard(b"will")


class TakeOver(NamedTuple):
    """Somebody calls themselves as the victim does, to throw it out or to have what waits for
    it."""

    resumes: bool
    rightful: str = VICTIM

    def __str__(self) -> str:
        return f"take over a connection{' and what waits for it' * self.resumes}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if the victim is disconnected, or this user has its session."""
        name = f"pi-table-{VICTIM}"
        fleet.member(who).close()  # nothing waits for it now
        with fleet.member(VICTIM, calling_itself=name, resumes=True) as victim:
            victim.subscribe(f"{P}/{VICTIM}/do/#")
            with fleet.member(who, calling_itself=name, resumes=self.resumes) as thief:
                if victim.lost.is_set() or (self.resumes and thief.had_session):
                    return True
                payload = new_payload()
                with fleet.member(STAFF) as staff:
                    staff.write(f"{P}/{VICTIM}/do/locate", payload)
                return not victim.hears_or_is_lost(payload)


class Enter(NamedTuple):
    """Somebody who is not asked in connects: ``user`` with ``password``, None for none; ``own``
    stands for the thief's."""

    user: str | None
    password: str | None = "own"
    rightful: str | None = None

    def __str__(self) -> str:
        return f"enter as {self.user!r} with {self.password!r}"

    def succeeds(self, fleet: Provisioned, who: str) -> bool:
        """True if they may log in."""
        password = fleet.password(THIEF) if self.password == "own" else self.password
        try:
            Member(fleet.broker.port, self.user, password).close()
        except Refused:
            return False
        return True


Attempt = Read | ReadBroker | Write | Clear | Will | TakeOver | Enter

TAKEN: Final = ("Success", "No matching subscribers")
TOLD: Final = ("availability", "state", "settings", "faults", "health", "event", "record", "done")
ATTEMPTS: Final[tuple[Attempt, ...]] = (
    *(Read(topics, f"{P}/{VICTIM}/state") for topics in ("#", "+/+/+", f"{P}/#", f"{P}/+/state")),
    *(Read(f"{P}/{VICTIM}/#", f"{P}/{VICTIM}/{what}") for what in TOLD),
    *(Read(f"{P}/{VICTIM}/{what}", f"{P}/{VICTIM}/{what}", kept=True) for what in TOLD[:5]),
    Read("#", f"{P}/{VICTIM}/health", kept=True),
    Read(f"{P}/+/record", f"{P}/{VICTIM}/record", rightful="collector"),
    Read(f"{P}/+/faults", f"{P}/{VICTIM}/faults", rightful="collector", kept=True),
    Read(f"$share/thieves/{P}/{VICTIM}/#", f"{P}/{VICTIM}/state", rightful=None),
    Read("$share/thieves/#", f"{P}/{VICTIM}/record", rightful=None),
    *(
        Read(topics, f"{P}/{VICTIM}/do/volume", STAFF, VICTIM)
        for topics in (f"{P}/{VICTIM}/do/#", f"{P}/{VICTIM}/do/volume")
    ),
    *(
        Read(topics, f"{P}/{VICTIM}/do/volume", STAFF, None)
        for topics in (f"{P}/+/do/+", "#", f"{P}/{VICTIM}/#")
    ),
    Read(f"{P}/{VICTIM}/do/#", f"{P}/{VICTIM}/do/volume", HOUSE, VICTIM),
    Read("homeassistant/#", f"homeassistant/device/{VICTIM}/config"),
    Read("homeassistant/device/+/config", f"homeassistant/device/{VICTIM}/config", kept=True),
    *(ReadBroker(topics) for topics in ("$SYS/#", "$SYS/broker/version")),
    *(Write(f"{P}/{VICTIM}/{what}") for what in TOLD),
    *(Write(f"{P}/{VICTIM}/{what}", kept=True) for what in TOLD[:5]),
    *(Write(f"{P}/{VICTIM}/state", qos=qos) for qos in (0, 2)),
    *(Write(f"{P}/{VICTIM}/availability", qos=qos, old=True) for qos in (0, 1, 2)),
    Write(f"{P}/{VICTIM}/do/volume", STAFF, VICTIM),
    Write(f"{P}/{VICTIM}/do/volume", HOUSE, VICTIM),
    Write(f"{P}/all/do/closing", STAFF, VICTIM),
    Write(f"{P}/all/do/closing", HOUSE, VICTIM, old=True),
    Write(f"{P}/{THIEF}/do/volume", STAFF),
    Write(f"homeassistant/device/{VICTIM}/config"),
    Write(f"homeassistant/device/{VICTIM}/config", kept=True),
    *(
        Write(topic, None)
        for topic in (
            *(f"{P}/{THIEF}/other", f"{P}/{THIEF}/state/deeper", f"{P}/{THIEF}", P, f"{P}//state"),
            *(f"{P}/all/state", f"{P}/Window/state", f"{P}/{VICTIM}/", "homeassistant/status"),
            *(f"{P}/{THIEF}/do", "$CONTROL/dynamic-security/v1"),
            *("homeassistant/switch/door/config", "homeassistant/device/door/config/deeper"),
        )
    ),
    *(Clear(f"{P}/{VICTIM}/{what}") for what in TOLD[:5]),
    Clear(f"homeassistant/device/{VICTIM}/config"),
    Will(f"{P}/{VICTIM}/availability"),
    Will(f"{P}/all/do/closing", STAFF, VICTIM),
    *(TakeOver(resumes) for resumes in (False, True)),
    *(Enter(user) for user in (VICTIM, STAFF, HOUSE, "collector", "probe", "all", "nobody")),
    *(Enter(user) for user in ("#", "+", "")),
    *(Enter(THIEF, password) for password in ("", "wrong", None)),
    Enter(None, None),
)
"""Attempts of a table at a broker; each may succeed only for the rightful table."""


def getting_through(fleet: Provisioned) -> list[str]:
    """The attempts that the thief is not stopped at."""
    return [str(attempt) for attempt in ATTEMPTS if attempt.succeeds(fleet, THIEF)]


def heard_all(fleet: Provisioned, member: Member, user: str) -> None:
    """Wait until a user has heard all that the broker has taken up to now: what comes last is
    something that it may hear."""
    mark = new_payload()
    teller = HOUSE if user == STAFF else STAFF  # nobody is connected twice
    topic = f"{P}/{user if user in (THIEF, VICTIM) else THIEF}/do/mark"
    if user == "collector":
        teller, topic = THIEF, f"{P}/{THIEF}/faults"
    member.subscribe(topic)
    with fleet.member(teller) as told:
        assert told.write(topic, mark) in TAKEN
    assert member.hears(mark)


def new_payload() -> bytes:
    """A payload that no other is like."""
    return b"payload %d" % next(_numbers)
