#!/usr/bin/env python3
"""One attack on a server, as long as it may last: attacks.py NAME PORT SECONDS SEED ACCOUNTS.

ACCOUNTS is a file with players whom the attacker has, each with a party.
Speaks from addresses that no server trusts, as fast as it can, and prints as JSON how often each
status came back, and the CPU time that it took."""

import asyncio
import collections
import json
import random
import resource
import secrets
import socket
import sys
import time

from client import Connection, Player, head

CONNECTIONS = 16


class Attack:
    def __init__(self, port, seconds, seed, accounts):
        self.port = port
        self.accounts = accounts
        self.ends = time.monotonic() + seconds
        self.random = random.Random(seed)
        self.statuses = collections.Counter()
        self.broken = []

    @property
    def goes_on(self):
        return time.monotonic() < self.ends

    def connection(self, number):
        return Connection(self.port, f"127.0.0.{2 + number % 8}", timeout=10)

    def note(self, status, headers=None):
        self.statuses[status] += 1
        if status >= 500 and not (status == 503 and "retry-after" in (headers or {})):
            self.broken.append(status)

    def player(self, number):
        """One of the attacker's players, from an address that no server trusts."""
        player = Player(self.connection(number))
        for name, value in self.accounts[number % len(self.accounts)].items():
            setattr(player, name, value)
        return player

    async def try_to(self, work):
        """Repeats `work` until the end; a cut connection is what an attacker expects."""
        while self.goes_on:
            try:
                status, headers, _ = await work()
                self.note(status, headers)
            except OSError:
                self.statuses["cut"] += 1
                await asyncio.sleep(0.01)

    async def by_players(self, work, count=CONNECTIONS):
        players = [self.player(number) for number in range(count)]
        await asyncio.gather(*(self.try_to(lambda one=one: work(one)) for one in players))

    # What is tried

    async def registrations(self):
        """New players, as fast as they come."""
        async def one(number):
            connection = self.connection(number)
            await self.try_to(lambda: connection.request("POST", "/v1/players"))
        await asyncio.gather(*(one(number) for number in range(CONNECTIONS)))

    async def cards(self):
        """New Live Activities of one hero, each with a token of its own."""
        await self.by_players(lambda player: player.call(
            "PUT", f"/v1/activities/{secrets.token_hex(8)}", self.card(player)))

    async def ended(self):
        """Live Activities that are registered and ended at once, thousands in one party."""
        async def work(player):
            activity = secrets.token_hex(8)
            await player.call("PUT", f"/v1/activities/{activity}", self.card(player))
            return await player.call(
                "POST", f"/v1/activities/{activity}/state", {"state": "ended"})
        await self.by_players(work)

    async def tokens(self):
        """Invented push tokens in running adventures: Apple knows none of them."""
        async def work(player):
            if not getattr(player, "plays", False):
                player.plays = True
                await player.call("POST", f"/v1/parties/{player.party}/adventure")
            return await player.call("PUT", "/v1/activities/" + player.hero, self.card(player))
        await self.by_players(work)

    async def joins(self):
        """One party that a hero joins and leaves again and again."""
        leader = self.player(0)
        async def work(player):
            joined = await player.call(
                "POST", "/v1/parties/join", {"inviteCode": leader.code, "hero": player.spare})
            await player.call("POST", f"/v1/parties/{leader.party}/actions",
                              {"hero": player.spare, "action": "leave"})
            return joined
        await self.by_players(work)

    async def guesses(self):
        """Invite codes, 16 at a time."""
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        await self.by_players(lambda player: player.call("POST", "/v1/parties/join", {
            "inviteCode": "".join(self.random.choices(letters, k=8)), "hero": player.spare}))

    async def streams(self):
        """Event streams, opened and dropped."""
        async def work(player):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(player.connection.source, 0))
            writer.write(head("GET", f"/v1/parties/{player.party}/stream", 0, player.token))
            try:
                line = await asyncio.wait_for(reader.readline(), 10)
                return int(line.split(b" ")[1]), {"retry-after": ""}, None
            except (IndexError, asyncio.TimeoutError) as error:
                raise OSError(str(error)) from error
            finally:
                writer.close()
        await self.by_players(work)

    async def slow_readers(self):
        """Connections that send a byte now and then, or read nothing of what they asked for."""
        player = self.player(0)
        request = head("GET", f"/v1/parties/{player.party}", 0, player.token)
        sockets = [self.socket(number) for number in range(300)]
        for number, one in enumerate(sockets):
            try:
                one.send(request if number % 2 else request[:20])
            except OSError:
                self.statuses["cut"] += 1
        while self.goes_on:
            for number, one in enumerate(sockets):
                try:
                    one.send(request if number % 2 else b"x")
                    self.statuses["sent"] += 1
                except OSError:
                    self.statuses["cut"] += 1
                    one.close()
                    sockets[number] = self.socket(number)
            await asyncio.sleep(0.05)

    async def slow_change(self):
        """One party that 64 of its player's requests change at the same time."""
        player = self.player(0)
        async def one(number):
            connection = self.connection(number)
            body = {"hero": player.hero, "action": "usePotion", "target": player.hero}
            await self.try_to(lambda: connection.request(
                "POST", f"/v1/parties/{player.party}/actions", body, player.token))
        await player.call("POST", f"/v1/parties/{player.party}/adventure")
        await asyncio.gather(*(one(number) for number in range(64)))

    async def bodies(self):
        """Bodies that no parser likes."""
        hostile = [
            b"[" * 16_000, b'{"a":' * 3_000 + b"1" + b"}" * 3_000, b'{"hero":"' + b"\xff" * 9_000,
            b'{"hero":' + b"9" * 10_000 + b"}", b'{"hero":"x","hero":"y"}', b"\x00" * 16_000,
            b'{"inviteCode":"' + b"\\u0000" * 2_000 + b'","hero":"x"}', b"{" + b" " * 16_000 + b"}",
            b"x" * 200_000,
        ]
        async def one(number):
            connection = self.connection(number)
            async def work():
                body = self.random.choice(hostile)
                path = self.random.choice(["/v1/players", "/v1/parties/join", "/v1/heroes"])
                return await connection.exchange(head("POST", path, len(body), "no-token") + body)
            await self.try_to(work)
        await asyncio.gather(*(one(number) for number in range(CONNECTIONS)))

    async def pipelining(self):
        """Requests without end on connections that are never read."""
        burst = head("GET", "/metrics") * 50
        sockets = [self.socket(number) for number in range(64)]
        while self.goes_on:
            for number, one in enumerate(sockets):
                try:
                    one.send(burst)
                    self.statuses["sent"] += 1
                except BlockingIOError:
                    pass
                except OSError:
                    self.statuses["cut"] += 1
                    one.close()
                    sockets[number] = self.socket(number)
            await asyncio.sleep(0.01)

    # Parts of attacks

    def socket(self, number):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.bind((f"127.0.0.{2 + number % 8}", 0))
        try:
            one.connect(("127.0.0.1", self.port))
        except OSError:
            self.statuses["cut"] += 1
        one.setblocking(False)
        return one

    @staticmethod
    def card(player):
        return {"hero": player.hero, "pushToken": secrets.token_hex(32), "environment": "sandbox",
                "frequentPushesEnabled": True, "language": "en", "osVersion": "18.1"}


NAMES = ["registrations", "cards", "ended", "tokens", "joins", "guesses", "streams",
         "slow_readers", "slow_change", "bodies", "pipelining"]


def main():
    name, port, seconds, seed = sys.argv[1], *map(int, sys.argv[2:5])
    with open(sys.argv[5], encoding="utf-8") as file:
        attack = Attack(port, seconds, seed, json.load(file))
    asyncio.run(getattr(attack, name)())
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "statuses": {str(key): count for key, count in attack.statuses.items()},
        "broken": attack.broken[:5], "cpu": usage.ru_utime + usage.ru_stime}))


if __name__ == "__main__":
    main()
