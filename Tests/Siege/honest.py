"""The honest parties: 200 players, each with a party, a Live Activity and an adventure."""

import asyncio
import time

from client import Connection, Player

PARTIES = 200
CONNECTIONS = 20
# Requests of all of them together in a second.
RATE = 150


def push_token(number):
    """Returns the device's token, which APNs knows."""
    return f"{number:064x}"


def card(number, player):
    """Returns the id of the player's Live Activity: a new one for each adventure."""
    return f"honest-{number}-{player.adventures}"


class HonestParties:
    def __init__(self, port):
        self.port = port
        self.players = [None] * PARTIES
        # (seconds taken, status), in order.
        self.taken = []
        self.failures = []
        self.refused = 0
        self.acknowledged = 0
        self.stopping = False

    async def begin(self):
        """Registers all of them and begins their adventures."""
        connections = [Connection(self.port) for _ in range(CONNECTIONS)]
        async def some(first):
            for number in range(first, PARTIES, CONNECTIONS):
                player = Player(connections[first])
                if await player.register(f"Panda {number}") or await player.found():
                    raise SystemExit("siege: the honest players cannot register")
                if await player.watch(card(number, player), push_token(number)) != 204:
                    raise SystemExit("siege: the honest players cannot register their cards")
                await player.call("POST", f"/v1/parties/{player.party}/adventure")
                self.players[number] = player
        await asyncio.gather(*(some(first) for first in range(CONNECTIONS)))

    @staticmethod
    async def accounts(port, count):
        """Registers players for the attacker, each with a party and a spare hero."""
        accounts = []
        for number in range(count):
            player = Player(Connection(port))
            if await player.register(f"Rogue {number}") or await player.found():
                raise SystemExit("siege: the attacker's players cannot register")
            hero, player.hero = player.hero, None
            _, _, spare = await player.call(
                "POST", "/v1/heroes", {"name": "Spare", "avatar": "🦊", "heroType": "Fox"})
            accounts.append({"token": player.token, "hero": hero, "spare": spare["id"],
                             "party": player.party, "code": player.code})
            player.connection.close()
        return accounts

    async def play(self):
        """Reads, potions and registrations at a steady rate, until `stop`."""
        async def some(first):
            number = first
            while not self.stopping:
                await self.turn(number)
                number += CONNECTIONS
                await asyncio.sleep(CONNECTIONS / RATE)
        await asyncio.gather(*(some(first) for first in range(CONNECTIONS)))

    async def turn(self, number):
        place = number % PARTIES
        player = self.players[place]
        began = time.monotonic()
        try:
            status, headers, _ = await self.request(player, number // PARTIES, place)
        except OSError as error:
            self.failures.append(f"no response: {error}")
            return
        self.taken.append((time.monotonic() - began, status))
        if status == 503 and "retry-after" in headers or status == 429:
            self.refused += 1
        elif status >= 500:
            self.failures.append(f"status {status}")
        elif status < 300:
            self.acknowledged += 1

    @staticmethod
    async def request(player, round_, place):
        party = f"/v1/parties/{player.party}"
        kind = (round_ + place) % 4
        if kind == 0:
            # Repeats the adventure when it is over; a running one refuses.
            begun = await player.call("POST", party + "/adventure")
            if begun[0] == 201:
                player.adventures += 1
                await player.watch(card(place, player), push_token(place))
            return begun
        if kind == 1:
            return await player.call("POST", party + "/actions", {
                "hero": player.hero, "action": "usePotion", "target": player.hero})
        return await player.call("GET", party)

    def window(self):
        """Returns the latencies since the last call, sorted."""
        taken, self.taken = self.taken, []
        return sorted(seconds for seconds, _ in taken)

    async def lost(self):
        """Returns what the server has forgotten of what it has acknowledged."""
        lost = []
        connection = Connection(self.port)
        for number, player in enumerate(self.players):
            player.connection = connection
            status, _, me = await player.call("GET", "/v1/me")
            if status != 200 or [hero["id"] for hero in me["heroes"]] != [player.hero]:
                lost.append(f"hero of player {number}")
            status, _, _ = await player.call("GET", f"/v1/activities/{card(number, player)}")
            party = await player.call("GET", f"/v1/parties/{player.party}")
            # A card that has received its end is forgotten.
            if status != 200 and party[2]["adventure"]["phase"] != "over":
                lost.append(f"card of player {number}")
            sequences, after = [], 0
            while True:
                path = f"/v1/parties/{player.party}?after={after}"
                status, _, answer = await player.call("GET", path)
                if status != 200 or not answer["events"]:
                    break
                sequences += [event["sequence"] for event in answer["events"]]
                after = sequences[-1]
            if status != 200 or sequences != list(range(1, len(sequences) + 1)):
                lost.append(f"events of party {number}")
        return lost
