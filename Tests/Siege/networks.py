"""Whether newcomers get in while a network attacks: 40 of them register, follow their party and get
their first push, from networks of their own (promise PR22). Each attack runs again as a control,
without the limit that stops it: then it must succeed."""

import asyncio
import json
import os
import sys
import time

from client import Connection, Player, head
from honest import push_token
from network_attacks import NAMES, PROXY, SITES
from server import Server

HERE = os.path.dirname(os.path.abspath(__file__))
NEWCOMERS = 40
# How long one may take, from the first request to the first push, in seconds.
SECONDS_MAX = 2
# How long an attack may take to get what it wants, and how long it lasts, in seconds.
ATTACK_SECONDS = 60
PATIENCE = 10
# Heroes of an account before its first adventure.
FIRST_HEROES = 3
# The server's own rate of new players: few, so that an attack without its limit is over soon.
RATE = "--limit=players=20/s:4000"


class Pushes:
    """When each token got its first push, as the simulator tells it."""

    def __init__(self, port):
        self.port, self.next, self.at = port, 0, {}
        self.is_over = False

    async def watch(self):
        connection = Connection(self.port)
        while not self.is_over:
            status, _, answer = await connection.request("GET", f"/pushes?after={self.next}")
            if status != 200:
                raise SystemExit(f"siege: the simulator responds {status}")
            for one in answer["pushes"]:
                if one["push"].get("status") == 200:
                    self.at.setdefault(one["push"]["token"][-4:], time.monotonic())
            if answer["next"] == self.next:
                await asyncio.sleep(0.02)
            self.next = answer["next"]


class Newcomer:
    """An honest player on a phone of their own, in a network of their own."""

    def __init__(self, server, number, token):
        client = (f"198.51.{number}.1" if number % 2 else f"2001:db8:{number + 1:x}::1")
        self.player = Player(Connection(server.port, PROXY, timeout=PATIENCE, client=client))
        self.number, self.token = number, push_token(token)
        self.writer = None

    async def arrive(self, pushes):
        """Returns what was refused or late; None: nothing was."""
        began = time.monotonic()
        try:
            fault = await asyncio.wait_for(self.steps(pushes), PATIENCE)
        except (OSError, asyncio.TimeoutError) as error:
            fault = f"no response: {error!r}"
        finally:
            self.player.connection.close()
        seconds = time.monotonic() - began
        if not fault and seconds > SECONDS_MAX:
            fault = f"the first push after {seconds:.1f} s"
        return fault

    async def steps(self, pushes):
        status = await self.player.register(f"Newcomer {self.number}") or await self.player.found()
        if status:
            return f"registration: {status}"
        status = await self.follow()
        if status != 200:
            return f"stream: {status}"
        status = await self.player.watch(f"newcomer-{self.token[-4:]}", self.token)
        if status != 204:
            return f"push token: {status}"
        status, _, _ = await self.player.call(
            "POST", f"/v1/parties/{self.player.party}/adventure")
        if status != 201:
            return f"adventure: {status}"
        while self.token[-4:] not in pushes.at:
            await asyncio.sleep(0.01)
        return None

    async def follow(self):
        reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.player.connection.port, local_addr=(PROXY, 0))
        self.writer.write(head(
            "GET", f"/v1/parties/{self.player.party}/stream", 0, self.player.token,
            self.player.connection.client))
        line = await reader.readline()
        return int(line.split(b" ")[1])


async def attack(server, pushes, name, seed, accounts, first_token):
    """Attacks, and lets newcomers arrive once the attack has all that it can get. Returns what they
    were refused, and what the attack got."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "network_attacks.py", name, str(server.port), str(ATTACK_SECONDS),
        str(seed), str(accounts), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        cwd=HERE)
    got = json.loads(await process.stdout.readline() or "{}").get("got")
    if not got:
        raise SystemExit(f"siege: the attack {name} did nothing")
    newcomers = [Newcomer(server, number, first_token + number) for number in range(NEWCOMERS)]
    faults = await asyncio.gather(*(one.arrive(pushes) for one in newcomers))
    process.stdin.close()
    report = json.loads((await process.stdout.read()).splitlines()[-1])
    for one in newcomers:
        if one.writer:
            one.writer.close()
    if await process.wait() != 0:
        raise SystemExit(f"siege: the attack {name} failed")
    return [fault for fault in faults if fault], got, report["statuses"]


async def besiege(server, arguments, names):
    """Runs these attacks; returns for each whether it was stopped, and prints what happened."""
    pushes = Pushes(server.control_port)
    watching = asyncio.create_task(pushes.watch())
    stopped = {}
    for place, name in enumerate(names):
        # Of several attacks each has networks and newcomers' phones of its own.
        faults, got, statuses = await attack(
            server, pushes, name, arguments.seed + place, arguments.accounts, place * NEWCOMERS)
        hoards = name == "heroes" and got > FIRST_HEROES * arguments.accounts
        stopped[name] = not faults and not hoards
        most = ", ".join(f"{count}×{status}" for status, count in sorted(
            statuses.items(), key=lambda item: -item[1])[:4])
        print(f"{name:14}{NEWCOMERS - len(faults)} of {NEWCOMERS} newcomers within {SECONDS_MAX} s; "
              f"the attack got {got} ({most})"
              + (f"; {faults[0]}" if faults else ""), flush=True)
        await asyncio.sleep(1)
    pushes.is_over = True
    await watching
    return stopped


def run(program, folder, arguments):
    """Returns what is wrong."""
    faults = []
    proxy = [f"--behind-proxy={PROXY}", RATE]
    # For a trusted network no limit of networks holds. It takes none of the server's own rate, so
    # the attack on that one has its limits off instead.
    off = ["--share-of-48=65536", "--share-of-56=65536", "--first-heroes=100"]
    off += [f"--trusted-clients={site}" for name, site in SITES.items() if name != "registrations"]
    # The last attack leaves nothing for others.
    for what, more, names in (
            ("Newcomers while a network attacks", [], NAMES),
            ("The same with its limits off: a control", off, NAMES[1:] + NAMES[:1])):
        print(what, flush=True)
        place = os.path.join(folder, f"networks-{len(more)}")
        os.mkdir(place)
        server = Server(program, place, proxy + more, watched=True)
        try:
            stopped = asyncio.run(besiege(server, arguments, names))
        finally:
            server.abandon()
        if more:
            faults += [f"{name}: a server without this limit stops the attack"
                       for name in names if stopped[name]]
        else:
            faults += [f"{name}: the attack keeps newcomers out, or gets too much"
                       for name in names if not stopped[name]]
    return faults
