"""Mutated requests: no response may be a 5xx but a 503 with Retry-After, the 501 for an unknown
method and the 505 for another HTTP, and nothing may change (PR14)."""

import asyncio
import json
import random

from client import Connection, Player, head

# Many wait for the server to give up on a request without an end.
CONNECTIONS = 200
PATIENCE = 3


class Mutations:
    """Requests of a stranger against somebody else's party, each with a few mistakes."""

    def __init__(self, stranger, victim, seed):
        self.random = random.Random(seed)
        party, card = f"/v1/parties/{victim.party}", "/v1/activities/victims-card"
        hero = {"hero": victim.hero}
        requests = [
            ("GET", party, None), ("GET", party + "?after=1", None), ("GET", card, None),
            ("POST", party + "/adventure", None), ("DELETE", party, None),
            ("POST", party + "/actions", {**hero, "action": "leave"}),
            ("POST", f"{party}/members/{victim.hero}/kick", None),
            ("PUT", party + "/leader", hero), ("POST", party + "/code", None),
            ("PUT", card, {**hero, "pushToken": "ab" * 32, "environment": "sandbox",
                           "frequentPushesEnabled": True, "language": "en", "osVersion": "18.1"}),
            ("DELETE", card, None), ("POST", card + "/state", {"state": "ended"}),
            ("POST", f"/v1/admin{party[3:]}/end", None), ("GET", "/v1/me", None),
        ]
        self.requests = []
        for method, path, body in requests:
            data = b"" if body is None else json.dumps(body).encode()
            self.requests.append(head(method, path, len(data), stranger.token) + data)

    def next(self):
        """Returns a request with one to four mistakes. Its end may be gone."""
        request = bytearray(self.random.choice(self.requests))
        for _ in range(self.random.randint(1, 4)):
            place = self.random.randrange(len(request))
            kind = self.random.randrange(5)
            if kind == 0:
                request[place] = self.random.randrange(256)
            elif kind == 1:
                request[place] ^= 1 << self.random.randrange(8)
            elif kind == 2:
                del request[place:place + self.random.randint(1, 8)]
            elif kind == 3:
                request[place:place] = self.random.randbytes(self.random.randint(1, 8))
            else:
                request[place:place] = request[place:place + 16]
            if not request:
                break
        return bytes(request)


async def response(port, request, number):
    """Sends a request on a connection of its own. Returns the status and the head of the response;
    an empty one when the server closes without."""
    # Each address has a port for every connection, also while the last one of it rests.
    source = f"127.1.{number // 250 % 250}.{number % 250 + 1}"
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    except OSError:
        return "cut", b""
    try:
        writer.write(request)
        writer.write_eof()
        received = await asyncio.wait_for(reader.read(-1), PATIENCE)
    except (OSError, asyncio.TimeoutError):
        return "cut", b""
    finally:
        writer.close()
    return received[9:12].decode("latin-1") or "none", received


async def send_mutations(server, count, seed):
    """Sends `count` mutated requests, each on its own connection. Returns what is wrong."""
    victim = Player(Connection(server.port))
    stranger = Player(Connection(server.port))
    if await victim.register("Victim") or await victim.found() or await stranger.register("Odd"):
        raise SystemExit("siege: no players for the mutations")
    if await victim.watch("victims-card", "cd" * 32) != 204:
        raise SystemExit("siege: no card for the mutations")
    async def state():
        paths = [f"/v1/parties/{victim.party}", "/v1/activities/victims-card", "/v1/me"]
        return [(await victim.call("GET", path))[2] for path in paths]
    before = await state()
    mutations = Mutations(stranger, victim, seed)
    statuses, left = {}, count
    faults = []

    async def one():
        nonlocal left
        while left > 0 and len(faults) < 5:
            left -= 1
            status, text = await response(server.port, mutations.next(), left)
            statuses[status] = statuses.get(status, 0) + 1
            allowed = status in ("501", "505") or status == "503" and b"etry-" in text
            if status.startswith("5") and not allowed:
                faults.append(f"a mutated request got {status}")

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    if await state() != before:
        faults.append("a mutated request changed a stranger's party")
    if not server.is_ready():
        faults.append("the server is not ready after mutated requests")
    print(f"{count} mutated requests: " + ", ".join(
        f"{number}×{status}" for status, number in sorted(statuses.items())))
    return faults
