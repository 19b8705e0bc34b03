"""Event streams over kills of the server: clients that resume have every event once and in order.

A party plays at the real server, which is killed (SIGKILL) and started again on its file; four
members follow with a stream each, and resume with the id of the last whole message. With --control
they resume one event too early, and the check must find the doubles.

usage: python3 resume.py PROGRAM [--kills N] [--seed S] [--control]
"""

import argparse
import http.client
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time

MEMBERS = 4
# Nothing waits longer, in seconds.
TIMEOUT = 60


class Server:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-out", f"{folder}/apns.p8"], check=True, capture_output=True)
        key = os.open(f"{folder}/admin.key", os.O_CREAT | os.O_WRONLY, 0o600)
        with open(key, "w") as file:
            file.write(secrets.token_hex(24))
        self.start()

    def start(self):
        # Nobody listens at the address of APNs.
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0",
             "--trusted-clients", "127.0.0.1", "--data",
             f"{self.folder}/rangers.db", "--admin-key-file", f"{self.folder}/admin.key",
             "--apns-host", "localhost", "--apns-port", "9", "--apns-key",
             f"{self.folder}/apns.p8", "--apns-key-id", "ABC123DEFG", "--apns-team-id",
             "DEF123GHIJ", "--bundle-id", "com.example.rangers", "--speed", "600"],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            ready = json.loads(line)
            if "listen" in ready:
                host, port = ready["listen"].rsplit(":", 1)
                self.address = (host, int(port))
                # Nothing may fill the pipe.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        sys.exit("resume.py: the server did not start")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def call(self, method, path, body=None, token=None):
        """Returns the status and the JSON."""
        connection = http.client.HTTPConnection(*self.address, timeout=TIMEOUT)
        headers = {"authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, json.loads(data) if data else None

    def must(self, method, path, body=None, token=None):
        status, data = self.call(method, path, body, token)
        if status >= 400:
            sys.exit(f"resume.py: {method} {path} returned {status}: {data}")
        return data


class Follower(threading.Thread):
    """A member's client: follows the party's stream, and resumes it whenever it ends."""

    def __init__(self, server, party, token, overlap):
        super().__init__(daemon=True)
        self.server, self.party, self.token, self.overlap = server, party, token, overlap
        self.last, self.events, self.resumed, self.faults = None, 0, 0, []
        self.is_stopping = False

    def run(self):
        while not self.is_stopping:
            try:
                self.follow()
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.02)

    def follow(self):
        connection = http.client.HTTPConnection(*self.server.address, timeout=TIMEOUT)
        headers = {"authorization": f"Bearer {self.token}"}
        if self.last is not None:
            headers["last-event-id"] = str(max(self.last - self.overlap, 0))
        connection.request("GET", f"/v1/parties/{self.party}/stream", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            # Not ready yet, or the server has not noticed yet that the old stream ended.
            if response.status not in (429, 503):
                self.faults.append(f"status {response.status}")
            return connection.close()
        if self.last is not None:
            self.resumed += 1
        message = {}
        while not self.is_stopping:
            line = response.readline()
            if not line.endswith(b"\n"):
                return connection.close()
            line = line.decode().rstrip("\r\n")
            if line:
                field, _, value = line.partition(":")
                message[field] = value.strip()
            elif message:
                self.take(message)
                message = {}
        connection.close()

    def take(self, message):
        if "id" not in message:
            return
        number = int(message["id"])
        if message.get("event") == "party":
            if self.last is not None:
                self.faults.append(f"a new beginning at {number} after {self.last}")
        elif number != self.last + 1:
            self.faults.append(f"{number} after {self.last}")
        else:
            self.events += 1
        self.last = number


def until(condition, what):
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"resume.py: after {TIMEOUT} s: {what}")
        time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(os.path.abspath(options.program), folder)
        try:
            followers, newest = play(server, options, dice)
        finally:
            server.kill()
    report(followers, newest, options)


def play(server, options, dice):
    tokens = []
    for number in range(MEMBERS):
        token = server.must("POST", "/v1/players", {})["token"]
        hero = server.must(
            "POST", "/v1/heroes",
            {"name": f"Panda {number}", "avatar": "\U0001f43c", "heroType": "Bear"}, token)["id"]
        if number == 0:
            party = server.must("POST", "/v1/parties", {"hero": hero}, token)
        else:
            join = {"hero": hero, "inviteCode": party["inviteCode"]}
            server.must("POST", "/v1/parties/join", join, token)
        tokens.append(token)
    path = f"/v1/parties/{party['id']}"
    overlap = 1 if options.control else 0
    followers = [Follower(server, party["id"], token, overlap) for token in tokens]
    for follower in followers:
        follower.start()
    until(lambda: all(follower.last is not None for follower in followers), "no streams")
    for _ in range(options.kills):
        # An adventure that is over is followed by another.
        server.call("POST", f"{path}/adventure", {}, tokens[0])
        before = [(follower.events, follower.resumed) for follower in followers]
        time.sleep(dice.uniform(0.05, 0.8))
        server.kill()
        server.start()
        until(
            lambda: all(
                follower.resumed > resumed for follower, (_, resumed) in zip(followers, before)),
            "a stream did not resume")
    # Whatever still runs comes to its end.
    until(
        lambda: server.must("GET", path, token=tokens[0])["adventure"]["phase"] == "over",
        "the adventure goes on")
    newest = server.must("GET", path, token=tokens[0])["events"][-1]["sequence"]
    until(lambda: all(follower.last >= newest for follower in followers), "events are missing")
    for follower in followers:
        follower.is_stopping = True
    return followers, newest


def report(followers, newest, options):
    faults = [fault for follower in followers for fault in follower.faults]
    events = sum(follower.events for follower in followers)
    resumed = sum(follower.resumed for follower in followers)
    text = (f"{options.kills} kills, {resumed} resumed streams, {events} events of {newest}: "
            f"{len(faults)} gaps or doubles (seed {options.seed})")
    if options.control:
        if not faults:
            sys.exit(f"control: nothing was found. {text}")
        print(f"control: found. {text}")
    elif faults or events == 0 or resumed < options.kills * MEMBERS:
        sys.exit(f"{text}\n" + "\n".join(faults[:20]))
    else:
        print(text)


main()
