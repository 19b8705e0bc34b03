"""Eight writers who play against the server, each with their own names; they remember every
change that the server acknowledged with a 2xx, and can ask for all of it again."""

import http.client
import json
import threading

WRITERS = 8
HEROES_EACH = 60


class Server:
    """One connection to the API."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def call(self, method, path, body=None, token=None, key=None):
        """The status and the JSON (or else the bytes) of an answer that has come in whole."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        text = None if body is None else json.dumps(body)
        self.connection.request(method, path, text, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return answer.status, json.loads(content) if is_json else content


class Acknowledged:
    """What the server has promised, of one player."""

    def __init__(self, token):
        self.token = token
        self.heroes = {}
        self.parties = {}


class Writer(threading.Thread):
    """Registers players, creates heroes and parties, until the server dies."""

    def __init__(self, port, number):
        super().__init__(daemon=True)
        self.server, self.number = Server(port), number
        self.players = []
        self.refusals = []
        # The hero whose creation has no response yet: its player, its request and its key.
        self.unanswered = None

    def run(self):
        try:
            while True:
                self.play_one_player()
        except (OSError, http.client.HTTPException, ValueError):
            pass  # killed in the middle: what has no answer is not acknowledged

    def play_one_player(self):
        status, player = self.server.call("POST", "/v1/players", {})
        if status != 201:
            return self.refused(status, player)
        known = Acknowledged(player["token"])
        self.players.append(known)
        for count in range(HEROES_EACH):
            name = f"Hero {self.number}.{count}"
            hero = {"name": name, "avatar": "🐼", "heroType": "Forest Dweller"}
            self.unanswered = (known, hero, f"key-{self.number}-{count}")
            status, answer = self.server.call(
                "POST", "/v1/heroes", hero, known.token, self.unanswered[2])
            self.unanswered = None
            if status != 201:
                return self.refused(status, answer)
            known.heroes[answer["id"]] = name
            if count % 16 == 0:
                self.found_party(known, answer["id"])

    def repeat(self, port):
        """Sends the request that has no response again, as an app does. Returns whether it did."""
        if self.unanswered is None:
            return False
        known, hero, key = self.unanswered
        status, answer = Server(port).call("POST", "/v1/heroes", hero, known.token, key)
        if status == 201:
            known.heroes[answer["id"]] = hero["name"]
        else:
            self.refused(status, answer)
        return True

    def found_party(self, known, hero):
        status, party = self.server.call("POST", "/v1/parties", {"hero": hero}, known.token)
        if status != 201:
            return self.refused(status, party)
        known.parties[party["id"]] = hero

    def refused(self, status, answer):
        self.refusals.append(f"{status}: {answer}")


def lost(port, players):
    """Every acknowledged thing that the server does not know any more, in words."""
    server = Server(port)
    losses = []
    for known in players:
        status, answer = server.call("GET", "/v1/heroes", token=known.token)
        if status != 200:
            losses.append(f"a player ({status}) with {len(known.heroes)} heroes")
            continue
        heroes = {hero["id"]: hero["name"] for hero in answer["heroes"]}
        losses += [f"hero {id}" for id, name in known.heroes.items() if heroes.get(id) != name]
        for party, hero in known.parties.items():
            status, answer = server.call("GET", f"/v1/parties/{party}", token=known.token)
            if status != 200 or hero not in json.dumps(answer):
                losses.append(f"party {party} ({status})")
    return losses


def doubled(port, players):
    """Every hero that a player created once and the server has twice, in words."""
    server = Server(port)
    found = []
    for known in players:
        names = [hero["name"] for hero in server.call("GET", "/v1/heroes", token=known.token)[1]
                 ["heroes"]]
        found += [f"{name} twice" for name in set(names) if names.count(name) > 1]
    return found
