"""A full disk, a busy file and stops under load, against the real server (promises PR9, PR11, PR13).

usage: faults.py full-disk|busy-file|stop RANGERS [--cycles N]

full-disk needs the right to mount a small tmpfs; without it, it says so and tries nothing. All print
what they counted and fail when something acknowledged was lost, when a read failed, when the service
did not come back, or when a stop was not clean.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

import players
from targets import ServerTarget

DISK_MEGABYTES = 32
RESUME_SECONDS = 5
SECONDS_FULL = 3
REFUSED_MAX = 2
STOP_SECONDS = 10
# In every so many cycles the server also starts on the full disk.
RESTART_EVERY = 4
BALLAST = ["--ballast-mib", "4"]
SECONDS_LOCKED = 2
SECONDS_FREE = 3
HERO = {"name": "Power Panda", "avatar": "🐼", "heroType": "Forest Dweller"}


class Session:
    """One player, who keeps count of what was acknowledged."""

    def __init__(self, port):
        self.server = players.Server(port)
        self.known = []
        self.retries = 0

    def register(self):
        """A new player with one hero; the status of the first refusal, or 201."""
        status, player = self.server.call("POST", "/v1/players", {})
        if status != 201:
            return status
        known = players.Acknowledged(player["token"])
        self.known.append(known)
        status, hero = self.server.call("POST", "/v1/heroes", HERO, known.token)
        if status == 201:
            known.heroes[hero["id"]] = HERO["name"]
        return status


def full_disk(target, cycles):
    process = target.start(dict(os.environ), BALLAST)
    session = Session(target.port)
    slowest = 0
    for cycle in range(1, cycles + 1):
        ballast = os.path.join(target.folder, "others")
        fill(ballast)
        while (status := session.register()) == 201:
            pass
        if status != 503:
            sys.exit(f"a full disk was answered with {status}, not 503")
        if session.known and players.lost(target.port, session.known[-1:]):
            sys.exit("a read failed while the disk was full")
        believe_readiness(session)
        os.unlink(ballast)
        slowest = max(slowest, until_writes_resume(session))
        until_ready(session)
        if cycle % RESTART_EVERY == 0:
            process = restart_on_full_disk(target, session, process, ballast)
    lost = players.lost(target.port, session.known)
    process.kill()
    process.wait()
    print(f"full disk: cycles {cycles}, players {len(session.known)}, "
          f"slowest return {slowest:.2f} s, lost {len(lost)}")
    return lost


def restart_on_full_disk(target, session, process, others):
    """Stops the server, cleanly or not, and starts it on a full disk: it serves reads, refuses
    writes, and comes back by itself."""
    is_clean = len(session.known) % 2 == 0
    process.terminate() if is_clean else process.kill()
    process.wait()
    fill(others)
    process = target.start(dict(os.environ), BALLAST)
    session.server = players.Server(target.port)
    if players.lost(target.port, session.known[-1:]):
        sys.exit("a read failed after a start on a full disk")
    while (status := session.register()) == 201:
        pass
    if status != 503:
        sys.exit(f"after a start on a full disk a write was answered with {status}, not 503")
    os.unlink(others)
    until_writes_resume(session)
    return process


def believe_readiness(session):
    """Registers players when the server says that it can write. A page may fit where a player does
    not. The last room may go just then, so a few refusals are allowed."""
    refused = 0
    for _ in range(SECONDS_FULL * 10):
        if session.server.call("GET", "/readyz")[0] == 200 and session.register() != 201:
            refused += 1
        time.sleep(0.1)
    if refused > REFUSED_MAX:
        sys.exit(f"/readyz responded with 200 before {refused} changes that were refused")


def until_ready(session):
    """Waits until the server says that it can write."""
    freed = time.monotonic()
    while session.server.call("GET", "/readyz")[0] != 200:
        if time.monotonic() - freed > RESUME_SECONDS:
            sys.exit(f"/readyz did not respond with 200 within {RESUME_SECONDS} s")
        time.sleep(0.05)


def until_writes_resume(session):
    """Registers players until one is accepted; returns the seconds that took."""
    freed = time.monotonic()
    while session.register() != 201:
        if time.monotonic() - freed > RESUME_SECONDS:
            sys.exit(f"no write within {RESUME_SECONDS} s after the disk was freed")
        time.sleep(0.05)
    return time.monotonic() - freed


def fill(path):
    """Takes all of the disk."""
    with open(path, "wb", buffering=0) as stream:
        try:
            while True:
                stream.write(bytes(1 << 16))
        except OSError:
            pass
        try:
            while True:
                stream.write(bytes(512))
        except OSError:
            pass


def busy_file(target, cycles):
    process = target.start(dict(os.environ))
    writers = [players.Writer(target.port, number) for number in range(players.WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(cycles):
        time.sleep(SECONDS_FREE)
        other = sqlite3.connect(target.database, isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(SECONDS_LOCKED)
        other.execute("ROLLBACK")
        other.close()
    lost = players.lost(target.port, [p for w in writers for p in list(w.players)[:-1]])
    process.kill()
    process.wait()
    refusals = [refusal for writer in writers for refusal in writer.refusals]
    count = sum(len(p.heroes) + len(p.parties) for w in writers for p in w.players)
    print(f"busy file: cycles {cycles}, acknowledged {count}, refused {len(refusals)}, "
          f"lost {len(lost)}")
    return lost + refusals


def stop(target, cycles):
    """Stops the server with SIGTERM while players write, and starts it again."""
    faults, slowest, acknowledged, repeated = [], 0, 0, 0
    for cycle in range(cycles):
        process = target.start(dict(os.environ))
        target.begin_writing()
        time.sleep(0.2 + 0.05 * (cycle % 8))
        began = time.monotonic()
        process.terminate()
        try:
            code = process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            sys.exit(f"the server did not stop within {STOP_SECONDS} s")
        slowest = max(slowest, time.monotonic() - began)
        if code != 0:
            faults.append(f"a stop ended with {code}")
        acknowledged += target.end_writing()
        process = target.start(dict(os.environ))
        repeated += sum(writer.repeat(target.port) for writer in target.writers)
        # A server that stops says so with a 503.
        faults += [refusal for writer in target.writers for refusal in writer.refusals
                   if not refusal.startswith("503")]
        process.kill()
        process.wait()
    process = target.start(dict(os.environ))
    lost = players.lost(target.port, target.players)
    doubled = players.doubled(target.port, target.players)
    process.kill()
    process.wait()
    print(f"stops: cycles {cycles}, acknowledged {acknowledged}, slowest stop {slowest:.2f} s, "
          f"requests sent again {repeated}, lost {len(lost)}, doubled {len(doubled)}")
    if not acknowledged or not repeated and cycles > 10:
        faults.append("nothing was acknowledged or sent again, so nothing was tried")
    return faults + lost + doubled


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fault", choices=["full-disk", "busy-file", "stop"])
    parser.add_argument("program")
    parser.add_argument("--cycles", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        if arguments.fault == "busy-file":
            faults = busy_file(ServerTarget(folder, arguments.program), arguments.cycles)
        elif arguments.fault == "stop":
            faults = stop(ServerTarget(folder, arguments.program), arguments.cycles)
        else:
            mounted = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", folder],
                stderr=subprocess.DEVNULL)
            if mounted.returncode != 0:
                print("full disk: skipped, because this user cannot mount a tmpfs")
                return
            try:
                faults = full_disk(ServerTarget(folder, arguments.program), arguments.cycles)
            finally:
                subprocess.run(["umount", "-l", folder], check=True)
    for fault in faults[:10]:
        print(f"  {fault}")
    if faults:
        sys.exit(1)


main()
