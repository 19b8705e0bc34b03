"""What is killed: the real server, or a plain SQLite writer that checks the recorder itself."""

import os
import socket
import sqlite3
import subprocess
import sys
import time

import database_checks
import players

START_SECONDS = 30
ADMIN_KEY = "a-key-for-trials-only-0123456789abcdefghij"


class PlainTarget:
    """Pairs of rows: both are there, or neither is."""

    def __init__(self, folder):
        self.folder = folder
        self.database = os.path.join(folder, "plain.db")
        self.acknowledged = set()

    def start(self, environment):
        script = os.path.join(os.path.dirname(__file__), "plain_workload.py")
        self.process = subprocess.Popen(
            [sys.executable, script, self.database], env=environment, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        return self.process

    def begin_writing(self):
        pass

    def end_writing(self):
        lines = self.process.stdout.read().decode().splitlines(keepends=True)
        numbers = {int(line) for line in lines if line.endswith("\n")}
        self.acknowledged |= numbers
        return len(numbers)

    def compare(self):
        try:
            connection = sqlite3.connect(self.database)
            rows = connection.execute(
                "SELECT number, count(*) FROM pairs GROUP BY number").fetchall()
            check = connection.execute("PRAGMA integrity_check").fetchone()[0]
            connection.close()
        except sqlite3.DatabaseError as error:
            return [str(error)], []
        found = dict(rows)
        lost = [f"pair {n}" for n in sorted(self.acknowledged) if n not in found]
        half = [f"pair {n}" for n, count in rows if count != 2]
        return lost, half + ([] if check == "ok" else [check])


class ServerTarget:
    """`rangers serve`, played by eight writers over HTTP."""

    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        self.database = os.path.join(folder, "rangers.db")
        self.players = []
        self._write_credentials()

    def _write_credentials(self):
        key = os.path.join(self.folder, "key.p8")
        certificate = os.path.join(self.folder, "ca.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=trial",
             "-keyout", key, "-out", certificate], check=True, capture_output=True)
        admin = os.path.join(self.folder, "admin.key")
        with open(admin, "w") as stream:
            stream.write(ADMIN_KEY + "\n")
        for path in (key, admin):
            os.chmod(path, 0o600)

    def start(self, environment, options=()):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        file = lambda name: os.path.join(self.folder, name)
        self.log = open(file("server.log"), "ab")
        process = subprocess.Popen(
            [self.program, "serve", "--listen", f"127.0.0.1:{self.port}",
             "--trusted-clients", "127.0.0.1", "--first-heroes", "100", "--data", self.database,
             "--admin-key-file", file("admin.key"),
             # Nobody listens there: these trials push nothing.
             "--apns-host", "localhost", "--apns-port", "9", "--apns-ca", file("ca.pem"),
             "--apns-key", file("key.p8"), "--apns-key-id", "TRIALKEY01",
             "--apns-team-id", "TRIALTEAM1", "--bundle-id", "com.example.rangers", *options],
            env=environment, stdout=self.log, stderr=self.log)
        self._await_ready(process)
        return process

    def _await_ready(self, process):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if players.Server(self.port).call("GET", "/healthz")[0] == 200:
                    return
            except (OSError, ValueError):
                pass
            time.sleep(0.02)
        process.kill()
        with open(self.log.name, errors="replace") as stream:
            raise StartFailure(stream.read()[-2000:])

    def begin_writing(self):
        self.writers = [players.Writer(self.port, n) for n in range(players.WRITERS)]
        for writer in self.writers:
            writer.start()

    def end_writing(self):
        count = 0
        for writer in self.writers:
            writer.join()
            for refusal in writer.refusals:
                print(f"  refused: {refusal}")
            self.players += writer.players
            count += sum(1 + len(p.heroes) + len(p.parties) for p in writer.players)
        return count

    def compare(self):
        try:
            process = self.start(dict(os.environ))
        except StartFailure as failure:
            return [f"the server does not start: {failure}"], []
        lost = players.lost(self.port, self.players)
        process.kill()
        process.wait()
        half = database_checks.half_applied(self.database)
        replay = subprocess.run(
            [self.program, "replay", "--data", self.database, "--all"],
            capture_output=True, text=True)
        if replay.returncode != 0:
            half.append(f"replay differs: {replay.stdout[-500:]}{replay.stderr[-500:]}")
        return lost, half


class StartFailure(Exception):
    pass
