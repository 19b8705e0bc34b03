#!/usr/bin/env python3
"""One attack from many addresses of few networks: network_attacks.py NAME PORT SECONDS SEED.

Speaks through the proxy that the server trusts, which names an address for each request. Prints a
line of JSON once the attack has all that it can get, and goes on until SECONDS are over or its input
ends. At the end it prints what it got."""

import asyncio
import collections
import json
import random
import resource
import secrets
import sys
import time

from client import Connection, head

# The proxy's address.
PROXY = "127.0.0.9"
# The most requests at a time.
AT_ONCE = 48
# One /48, 32 /64 networks of as many /48s, one /56, and four /48s. `SITES` has all of them.
REGISTERING, STREAMING, INVENTING = "2001:db8:ff00", "2001:db8:fe{:02x}", "2001:db8:fd00:ab{:02x}"
HOARDING = "2001:db8:fc{:02x}"
SITES = {"registrations": "2001:db8:ff00::/40", "streams": "2001:db8:fe00::/40",
         "tokens": "2001:db8:fd00::/40", "heroes": "2001:db8:fc00::/40"}
PLAYERS_OF_64 = 20
STREAMS_OF_PLAYER = 8
HEROES = 100


class Rogue:
    """A player of the attack."""

    def __init__(self, client, token):
        self.client, self.token = client, token
        self.hero = self.party = None


class Crowd:
    def __init__(self, port, seconds, seed, accounts):
        self.port = port
        self.accounts = accounts
        self.ends = time.monotonic() + seconds
        self.random = random.Random(seed)
        self.statuses = collections.Counter()
        self.got = 0
        # The proxy's connections, each for whichever client comes next.
        self.connections = asyncio.Queue()
        for _ in range(AT_ONCE):
            self.connections.put_nowait(Connection(port, PROXY, timeout=10))

    @property
    def goes_on(self):
        return time.monotonic() < self.ends

    async def once(self, client, method, path, body=None, token=None):
        """Sends a request; returns its status, headers and JSON."""
        connection = await self.connections.get()
        connection.client = client
        try:
            status, headers, answer = await connection.request(method, path, body, token)
        except OSError:
            status, headers, answer = "cut", {}, None
        finally:
            self.connections.put_nowait(connection)
        self.statuses[status] += 1
        return status, headers, answer

    async def call(self, client, method, path, body=None, token=None):
        """Sends a request until it is no longer too early. Returns its status and JSON."""
        while self.goes_on:
            status, headers, answer = await self.once(client, method, path, body, token)
            # What takes longer is refused for good, as far as an attack is concerned.
            wait = int(headers.get("retry-after", 99))
            if status not in (429, 503) or wait > 2:
                return status, answer
            await asyncio.sleep(wait)
        return 0, None

    async def register(self, client):
        """Returns a new player; None: it is refused."""
        status, answer = await self.call(client, "POST", "/v1/players")
        return Rogue(client, answer["token"]) if status == 201 else None

    async def create_hero(self, rogue):
        """Returns the id of a new hero; None: it is refused."""
        status, answer = await self.call(
            rogue.client, "POST", "/v1/heroes",
            {"name": "Rogue", "avatar": "🦊", "heroType": "Fox"}, rogue.token)
        return answer["id"] if status == 201 else None

    async def leader(self, client):
        """Returns a new player who leads a party; None: something is refused."""
        rogue = await self.register(client)
        if not rogue:
            return None
        rogue.hero = await self.create_hero(rogue)
        status, answer = await self.call(
            client, "POST", "/v1/parties", {"hero": rogue.hero}, rogue.token)
        if status != 201:
            return None
        rogue.party = answer["id"]
        return rogue

    def ready(self):
        print(json.dumps({"got": self.got}), flush=True)

    async def until_end(self):
        while self.goes_on:
            await asyncio.sleep(0.1)

    # What is tried

    async def registrations(self):
        """New players from random /64 networks of one /48, until none is registered any more; and
        on."""
        refused = 0
        async def one():
            nonlocal refused
            while self.goes_on:
                client = f"{REGISTERING}:{self.random.randrange(1 << 16):x}::1"
                status, _, _ = await self.once(client, "POST", "/v1/players")
                self.got += status == 201
                refused = 0 if status == 201 else refused + 1
        working = asyncio.gather(*(one() for _ in range(AT_ONCE)))
        while self.goes_on and refused < 500:
            await asyncio.sleep(0.05)
        self.ready()
        await working

    async def streams(self):
        """As many event streams as 32 /64 networks get. One that is cut is opened again."""
        tried = 0
        async def hold(rogue):
            nonlocal tried
            is_first = True
            while self.goes_on:
                status, reader, writer = await self.open_stream(rogue)
                self.statuses[status] += 1
                tried += is_first
                is_first = False
                if status == 200:
                    self.got += 1
                    while await reader.read(1 << 16):
                        pass
                    self.got -= 1
                if writer:
                    writer.close()
                await asyncio.sleep(1)
        async def one(client):
            rogue = await self.leader(client)
            if rogue:
                await asyncio.gather(*(hold(rogue) for _ in range(STREAMS_OF_PLAYER)))
        clients = [f"{STREAMING.format(network)}::{number + 1:x}"
                   for network in range(32) for number in range(PLAYERS_OF_64)]
        working = asyncio.gather(*(one(client) for client in clients))
        wanted, patience = len(clients) * STREAMS_OF_PLAYER, time.monotonic() + 30
        while time.monotonic() < patience and tried < wanted:
            await asyncio.sleep(0.05)
        self.ready()
        await working

    async def open_stream(self, rogue):
        # As few at a time as other requests.
        place = await self.connections.get()
        writer = None
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(PROXY, 0))
            writer.write(head(
                "GET", f"/v1/parties/{rogue.party}/stream", 0, rogue.token, rogue.client))
            line = await asyncio.wait_for(reader.readline(), 10)
            return int(line.split(b" ")[1]), reader, writer
        except (OSError, IndexError, ValueError, asyncio.TimeoutError):
            return "cut", None, writer
        finally:
            self.connections.put_nowait(place)

    async def tokens(self):
        """Invented push tokens of all players whom one /56 can register, on adventures."""
        async def one(network):
            client = f"{INVENTING.format(network)}::1"
            while self.goes_on and (rogue := await self.leader(client)):
                for number in range(4):
                    await self.invent(rogue, number)
                await self.call(
                    client, "POST", f"/v1/parties/{rogue.party}/adventure", token=rogue.token)
                self.got += 1
        working = [asyncio.create_task(one(network)) for network in range(16)]
        # Without a limit it goes on for ever. The first outcomes take a moment.
        await asyncio.wait(working, timeout=6)
        await asyncio.sleep(1)
        self.ready()
        await asyncio.gather(*working, self.until_end())

    async def invent(self, rogue, number):
        await self.call(
            rogue.client, "PUT", f"/v1/activities/{rogue.party}-{number}",
            {"hero": rogue.hero, "pushToken": secrets.token_hex(32), "environment": "sandbox",
             "frequentPushesEnabled": True, "language": "en", "osVersion": "18.1"}, rogue.token)

    async def heroes(self):
        """Accounts from four /48s, and for each as many heroes as it gets."""
        async def one(number):
            rogue = await self.register(f"{HOARDING.format(number % 4)}:{number:x}::1")
            for _ in range(HEROES if rogue else 0):
                if not await self.create_hero(rogue):
                    break
                self.got += 1
        await asyncio.gather(*(one(number) for number in range(self.accounts)))
        self.ready()
        await self.until_end()


NAMES = list(SITES)


async def run(crowd, name):
    """Attacks until the end, or until whoever watches has seen enough."""
    attack = asyncio.create_task(getattr(crowd, name)())
    watched = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await asyncio.wait([attack, watched], return_when=asyncio.FIRST_COMPLETED)
    crowd.ends = 0
    attack.cancel()
    result = await asyncio.gather(attack, return_exceptions=True)
    if isinstance(result[0], Exception):
        raise result[0]


def main():
    name, port, seconds, seed, accounts = sys.argv[1], *map(int, sys.argv[2:6])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    async def attack():
        crowd = Crowd(port, seconds, seed, accounts)
        await run(crowd, name)
        print(json.dumps({
            "got": crowd.got,
            "statuses": {str(key): count for key, count in crowd.statuses.items()}}))
    asyncio.run(attack())


if __name__ == "__main__":
    main()
