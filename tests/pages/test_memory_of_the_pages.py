"""ALL-1 inside the process of the pages: after a game its memory has nothing that is secret."""

from contextlib import ExitStack
from typing import Any

from memory_of import memory_of
from needs_root import looks_inside
from scripted_phone import ScriptedPhone
from table_with_pages import TableWithPages, until

from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.sealing.frames import as_text

TYPED = "marmalade"
"""The word of a clue that is typed at a phone, and thought better of."""


def found_in(memory: bytes, secrets: dict[str, bytes]) -> list[str]:
    return [name for name, secret in secrets.items() if secret in memory]


def keys_of(phone: ScriptedPhone, seat: str) -> dict[str, bytes]:
    link, device = phone.phone.key, phone.phone.device
    return {
        f"{seat}: the link's key": link,
        f"{seat}: the link's key in a link": as_text(link).encode(),
        f"{seat}: the phone's key": device,
        f"{seat}: the phone's key in a knock": as_text(device).encode(),
        f"{seat}: what it was sent": f'{{"seat":"{seat}","family"'.encode(),
    }


@looks_inside
def test_after_a_game_with_phones_no_key_is_in_it_nor_what_they_said(table: TableWithPages) -> None:
    table.console.do("start", profile="codenames", cards="dealt")
    secrets: dict[str, bytes] = {}
    with ExitStack() as stack:
        phones = {}
        for seat in ("red-spymaster", "blue-spymaster"):
            phone = phones[seat] = stack.enter_context(ScriptedPhone(table, seat))
            phone.phone.hold = True
            key = phone.shows("key")
            phone.phone.hold = False
            secrets |= keys_of(phone, seat)
        assert len(key) == 25
        secrets["the key"] = key.encode()
        view = table.public()["view"]
        turn, cells = view["turn"], view["cells"]
        team = phones[f"{turn}-spymaster"]
        team.ask("judge", word=TYPED, number=2)
        secrets["a word that was typed"] = TYPED.encode()
        assert team.ask("clue", word="overture", number=1)["ok"]
        right = next(name for name, its in zip(cells, key, strict=True) if its == turn[0])
        table.guess(right)
        memory = memory_of(table.pid("web"))
        assert found_in(memory, secrets) == []
        # What is public is there: whoever looks sees.
        assert b'"word":"overture"' in memory
        # So would be what a phone said in the clear.
        secrets["said in the clear"] = b"gooseberry"

        def found_what_is_said() -> list[str]:
            team.send(b'{"act":"clue","word":"gooseberry"}')
            return found_in(memory_of(table.pid("web")), secrets)

        assert until(found_what_is_said) == ["said in the clear"]
    # All of it is in the memory of the engine, which is where it belongs.
    assert "the key" in found_in(memory_of(table.pid("run")), secrets)


@looks_inside
def test_after_visits_on_phones_no_identikit_is_in_it(table: TableWithPages) -> None:
    options = {"screens": "phones", "visit_seconds": 60, "visit_starts": "ready"}
    table.console.do("start", profile="codex", options=options)
    secrets: dict[str, bytes] = {}
    with ExitStack() as stack:
        phones = [stack.enter_context(ScriptedPhone(table, seat.value)) for seat in AGENTS]
        table.console.shows(lambda message: len(message["public"].get("phones", ())) == len(AGENTS))
        for phone in phones:
            assert phone.ask("ready")["ok"]
        for number, (seat, phone) in enumerate(zip(AGENTS, phones, strict=True)):
            code = f"{7301 + 113 * number}"
            assert phone.ask("choose-code", code=code)["ok"]
            phone.phone.hold = True
            agent: dict[str, Any] = phone.shows("agent")
            phone.phone.hold = False
            identikit = agent["identikit"]
            told = f'"role":"{identikit["role"]}","position":{identikit["position"]}'
            to = AGENTS[(number + 1) % len(AGENTS)].value
            assert phone.ask("send", to=to, facts=["role"])["ok"]
            secrets |= keys_of(phone, seat.value)
            secrets |= {
                f"{seat.value}: an identikit": told.encode(),
                f"{seat.value}: a fragment": f'"fragment":"{identikit["fragment"]}"'.encode(),
                f"{seat.value}: a code": f'"code":"{code}"'.encode(),
                f"{seat.value}: a message": f'"to":"{to}"'.encode(),
            }
        memory = memory_of(table.pid("web"))
        assert found_in(memory, secrets) == []
        assert b'"profile":"codex"' in memory
