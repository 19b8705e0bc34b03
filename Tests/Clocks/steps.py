"""Steps of the wall clock, at the real server: every Live Activity is right within a minute.

Parties play at a server whose wall clock a preloaded library shifts. For each step the clock is
stepped while the server runs and back, the server is killed and started with the wrong clock, the
clock is set right while it runs, and the server is killed and started again. After each of these
every phone must show what the server says that it should, by a push that came since. A phone keeps
a push only if its timestamp is larger than the last one's. With --control the time since the boot is
shifted too, and phones must be wrong.

usage: python3 steps.py SHIFT.so PROGRAM [--parties N] [--control] [--steps SECONDS...]
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import secrets
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

DAY = 24 * 3600
STEPS = [-2 * DAY, -3600, 3600, 2 * DAY]
# An adventure lasts for some minutes, and every party has an event every few seconds.
SPEED = 8
# All phones must be right within this time, in seconds.
PATIENCE = 60
# In the control phones stay wrong, which shows earlier.
CONTROL_PATIENCE = 15
START_SECONDS = 60


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Simulator:
    """APNs, and the phones behind it."""

    def __init__(self, tools, folder):
        self.folder = os.path.join(folder, "apns")
        self.port, self.control = free_port(), free_port()
        self.process = subprocess.Popen(
            [tools, "apns-simulator", "--listen", f"127.0.0.1:{self.port}", "--control-listen",
             f"127.0.0.1:{self.control}", "--data", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.lock = threading.Lock()
        # By the last characters of the token: [timestamp, content state, pushes, is ended].
        self.phones = {}
        self.dropped = 0
        self.refused = {}
        self.next = 0
        began = time.monotonic()
        while not self.read():
            if time.monotonic() - began > START_SECONDS:
                raise SystemExit("steps.py: the simulator does not start")
            time.sleep(0.1)
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        while self.process.poll() is None:
            self.read()
            time.sleep(0.05)

    def read(self):
        """Takes the next requests. Returns whether the simulator has responded."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.control, timeout=5)
            connection.request("GET", f"/pushes?after={self.next}&limit=100")
            page = json.loads(connection.getresponse().read())
            connection.close()
        except OSError:
            return False
        with self.lock:
            for record in page["pushes"]:
                self.take(record["push"])
        self.next = page["next"]
        return True

    def take(self, record):
        if record.get("status") != 200:
            reason = record.get("reason", "?")
            self.refused[reason] = self.refused.get(reason, 0) + 1
            return
        aps = record["payload"]["aps"]
        phone = self.phones.setdefault(record["token"][-4:], [0, None, 0, False])
        if aps["timestamp"] <= phone[0]:
            self.dropped += 1
            return
        phone[0], phone[1] = aps["timestamp"], aps["content-state"]
        phone[2] += 1
        phone[3] = aps["event"] == "end"

    def phone(self, token):
        with self.lock:
            return list(self.phones.get(token[-4:], [0, None, 0, False]))


class Server:
    def __init__(self, options, folder, simulator):
        self.options, self.folder, self.simulator = options, folder, simulator
        self.shift = os.path.join(folder, "shift")
        self.set_clock(0)
        key = os.open(os.path.join(folder, "admin.key"), os.O_CREAT | os.O_WRONLY, 0o600)
        with open(key, "w") as file:
            file.write(secrets.token_hex(24))
        self.process = None

    def set_clock(self, seconds):
        # In place: the server has the file mapped.
        descriptor = os.open(self.shift, os.O_CREAT | os.O_WRONLY, 0o600)
        os.pwrite(descriptor, struct.pack("=q", seconds), 0)
        os.close(descriptor)

    def start(self):
        environment = dict(
            os.environ, LD_PRELOAD=self.options.shift, SHIFT_FILE=self.shift,
            SHIFT_BOOT="1" if self.options.control else "0")
        apns = self.simulator.folder
        self.process = subprocess.Popen(
            [self.options.program, "serve", "--listen", "127.0.0.1:0", "--trusted-clients",
             "127.0.0.1", "--data", f"{self.folder}/rangers.db", "--admin-key-file",
             f"{self.folder}/admin.key", "--apns-host", "localhost", "--apns-port",
             str(self.simulator.port), "--apns-ca", f"{apns}/ca.pem", "--apns-key",
             f"{apns}/AuthKey_SIMULATOR1.p8", "--apns-key-id", "SIMULATOR1", "--apns-team-id",
             "RANGERTEAM", "--bundle-id", "com.example.apple-samplecode.Emoji-Rangers", "--speed",
             str(SPEED)],
            stderr=subprocess.PIPE, text=True, env=environment)
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if '"listen"' in line:
                self.port = int(json.loads(line)["listen"].rsplit(":", 1)[1])
                # Nothing may fill the pipe.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise SystemExit("steps.py: the server does not start: " + "".join(lines[-5:]))

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def call(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        if response.status >= 400:
            raise SystemExit(f"steps.py: {method} {path} returned {response.status}: {data}")
        return json.loads(data) if data else None


class Party:
    """A player's party, followed by a phone."""

    def __init__(self, server, number):
        self.server, self.simulator = server, server.simulator
        self.token = server.call("POST", "/v1/players", {})["token"]
        hero = server.call(
            "POST", "/v1/heroes",
            {"name": f"Panda {number}", "avatar": "\U0001f43c", "heroType": "Bear"}, self.token)
        self.hero = hero["id"]
        party = server.call("POST", "/v1/parties", {"hero": self.hero}, self.token)
        self.id = party["id"]
        self.rounds = 0
        self.push_token = ""
        self.seen = 0
        self.number = number

    def play(self):
        """Begins an adventure with a new Live Activity, if none is under way."""
        state = self.server.call("GET", f"/v1/parties/{self.id}", token=self.token)
        if state["adventure"] is not None and state["adventure"]["phase"] != "over":
            return
        self.rounds += 1
        self.push_token = f"{0xab00 + self.rounds:060x}{self.number * 64 + self.rounds:04x}"
        self.server.call("POST", f"/v1/parties/{self.id}/adventure", token=self.token)
        self.server.call(
            "PUT", f"/v1/activities/trial-{self.number}-{self.rounds}",
            {"hero": self.hero, "pushToken": self.push_token, "environment": "sandbox",
             "language": "en", "frequentPushesEnabled": False, "osVersion": "18.0"},
            self.token)

    def mark(self):
        """Forgets what came before now."""
        self.seen = self.simulator.phone(self.push_token)[2]

    def is_right(self):
        """Whether the phone shows what it should, by a push that came since `mark`."""
        state = self.server.call("GET", f"/v1/parties/{self.id}", token=self.token)
        card = state["heroes"][0]["card"]
        is_over = state["adventure"]["phase"] == "over"
        _, shown, pushes, is_ended = self.simulator.phone(self.push_token)
        return pushes > self.seen and shown == card and is_ended == is_over


def settle(parties, what, results, step, patience=PATIENCE):
    """Waits until every phone is right; notes how long it took, or how many were wrong."""
    began = time.monotonic()
    waiting = list(parties)
    while waiting and time.monotonic() - began < patience:
        waiting = [party for party in waiting if not party.is_right()]
        time.sleep(0.1)
    results.append((step, what, len(parties), len(waiting), time.monotonic() - began))
    return not waiting


def trial(options, step):
    """Tries one step. Returns a row for each moment, and what the simulator refused."""
    results = []
    with tempfile.TemporaryDirectory(prefix="clock-steps-") as folder:
        simulator = Simulator(options.tools, folder)
        server = Server(options, folder, simulator)

        def then(what, change):
            for party in parties:
                party.play()
                party.mark()
            change()
            patience = CONTROL_PATIENCE if options.control else PATIENCE
            return settle(parties, what, results, step, patience)

        def restart(shift):
            server.kill()
            server.set_clock(shift)
            server.start()

        try:
            server.start()
            parties = [Party(server, number) for number in range(options.parties)]
            moments = [
                ("before", lambda: None),
                ("stepped while running", lambda: server.set_clock(step)),
                ("stepped back while running", lambda: server.set_clock(0)),
                ("started with the wrong clock", lambda: restart(step)),
                ("set right while running", lambda: server.set_clock(0)),
                ("started with the right clock", lambda: restart(0)),
            ]
            for what, change in moments:
                # The control has shown what it can show.
                if not then(what, change) and options.control:
                    break
        finally:
            server.kill()
            simulator.process.kill()
    return results, simulator.dropped, simulator.refused


def first_start(options, step):
    """A new file with a wrong clock, which Apple may refuse; set right while it runs."""
    results = []
    with tempfile.TemporaryDirectory(prefix="clock-steps-") as folder:
        simulator = Simulator(options.tools, folder)
        server = Server(options, folder, simulator)
        try:
            server.set_clock(step)
            server.start()
            parties = [Party(server, number) for number in range(options.parties)]
            for party in parties:
                party.play()
            time.sleep(3)
            for party in parties:
                party.mark()
            server.set_clock(0)
            settle(parties, "first start wrong, set right", results, step)
        finally:
            server.kill()
            simulator.process.kill()
    return results, simulator.dropped, simulator.refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("shift")
    parser.add_argument("program")
    parser.add_argument("--parties", type=int, default=10)
    parser.add_argument("--control", action="store_true")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS)
    options = parser.parse_args()
    options.shift = os.path.abspath(options.shift)
    options.program = os.path.abspath(options.program)
    options.tools = os.path.join(os.path.dirname(options.program), "rangers-tools")
    tried, wrong, dropped = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(2 * len(options.steps)) as pool:
        runs = [pool.submit(trial, options, step) for step in options.steps]
        if not options.control:
            runs += [pool.submit(first_start, options, step) for step in options.steps]
        for run in runs:
            results, late, refused = run.result()
            dropped += late
            for step, what, parties, failed, seconds in results:
                tried += parties
                wrong += failed
                print(f"  {step:+8} s, {what}: {parties - failed} right, {failed} wrong, "
                      f"after {seconds:.1f} s")
            if refused:
                print(f"  {results[0][0]:+8} s: APNs refused {refused}")
    kind = "control, the time since the boot is shifted too" if options.control else "clock steps"
    text = (f"{kind}: {len(options.steps)} steps, {tried} times a phone was looked at, "
            f"{tried - wrong} right, {wrong} wrong, {dropped} pushes dropped by phones")
    print(text)
    if options.control and wrong == 0:
        sys.exit("the control found nothing wrong: the check checks nothing")
    if not options.control and (wrong or dropped or not tried):
        sys.exit("Live Activities were wrong after a step of the wall clock")


main()
