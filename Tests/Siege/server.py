"""The real server and a simulator of APNs, started for a siege."""

import os
import re
import secrets
import signal
import socket
import subprocess
import time
import urllib.request

from honest import PARTIES, push_token

# Game seconds in a second: enough ticks for a 99th percentile in seconds, and adventures that last.
SPEED = 20


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until(condition, what):
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit(f"siege: {what} does not start")


class Server:
    def __init__(self, program, folder, more=(), watched=False):
        """Starts both, the server with more arguments, and the simulator with a control interface if
        it is watched."""
        self.program, self.folder = program, folder
        self.port, self.apns_port, self.control_port = free_port(), free_port(), free_port()
        self.file = os.path.join(folder, "siege.db")
        self.accounts = os.path.join(folder, "accounts.json")
        self.log = open(os.path.join(folder, "server.log"), "wb")
        tools = os.path.join(os.path.dirname(program), "rangers-tools")
        tokens = os.path.join(folder, "tokens")
        with open(tokens, "w", encoding="utf-8") as file:
            file.write("".join(push_token(number) + "\n" for number in range(PARTIES)))
        apns = os.path.join(folder, "apns")
        self.simulator = subprocess.Popen(
            [tools, "apns-simulator", "--listen", f"127.0.0.1:{self.apns_port}", "--data", apns,
             "--strict-tokens", "--token-file", tokens,
             *(["--control-listen", f"127.0.0.1:{self.control_port}"] if watched else ["--quiet"])],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(os.path.join(apns, "ca.pem")), "the simulator")
        key = os.path.join(folder, "admin.key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(secrets.token_hex(24))
        settings = {
            "listen": f"127.0.0.1:{self.port}", "data": self.file, "admin-key-file": key,
            "apns-host": "localhost", "apns-port": self.apns_port,
            "apns-ca": os.path.join(apns, "ca.pem"), "apns-key-id": "SIMULATOR1",
            "apns-key": os.path.join(apns, "AuthKey_SIMULATOR1.p8"),
            "apns-team-id": "RANGERTEAM", "speed": SPEED, "log-level": "error",
            "bundle-id": "com.example.apple-samplecode.Emoji-Rangers",
        }
        options = subprocess.run(
            [program, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        trusted = []
        if "--trusted-clients" in options:
            # The honest players share an address, mutated requests have many; attackers have others.
            trusted = ["127.0.0.1", "127.1.0.0/16"]
        self.arguments = [f"--{name}={value}" for name, value in settings.items()]
        self.arguments += [f"--trusted-clients={address}" for address in trusted]
        self.arguments += more
        self.process = subprocess.Popen(
            [program, "serve", *self.arguments], stderr=self.log, stdout=self.log)
        wait_until(self.is_ready, "the server")

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5):
                return True
        except OSError:
            return False

    def metrics(self):
        """Returns every sample by its name with labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as page:
            text = page.read().decode()
        return {name: float(value) for name, value in re.findall(r"(?m)^([a-z][^ \n]*) (\S+)$", text)}

    @property
    def memory(self):
        """The resident memory, in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) * 1024

    @property
    def cpu_seconds(self):
        """The CPU time that the server has taken."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def file_bytes(self):
        paths = [self.file, self.file + "-wal"]
        return sum(os.path.getsize(path) for path in paths if os.path.exists(path))

    def stop(self):
        """Drains. Returns the exit code, and what `rangers replay` prints."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        replay = subprocess.run(
            [self.program, "replay", "--data", self.file], capture_output=True, text=True,
            check=False)
        return code, replay.returncode, replay.stdout.strip()

    def abandon(self):
        for process in (self.process, self.simulator):
            if process.poll() is None:
                process.kill()
                process.wait()
        self.log.close()


def quantile(before, after, metric, share):
    """Returns a quantile of a histogram between two readings, in seconds, linear in a bucket."""
    buckets = {}
    for name in after:
        match = re.match(re.escape(metric) + r'_bucket\{.*le="([^"]+)"\}', name)
        if match:
            # Of all labels.
            bound = float(match.group(1).replace("+Inf", "inf"))
            buckets[bound] = buckets.get(bound, 0) + after[name] - before.get(name, 0)
    if not buckets or buckets[float("inf")] == 0:
        return None
    wanted, low, below = share * buckets[float("inf")], 0.0, 0.0
    for bound, count in sorted(buckets.items()):
        if count >= wanted:
            if bound == float("inf"):
                return low
            return low + (bound - low) * (wanted - below) / max(count - below, 1)
        low, below = bound, count
    return low
