#!/usr/bin/env python3
"""Attacks the real server while 200 honest parties play, one attack after the other, and compares
what the honest parties notice with the same CPU load without the attack (promise PR22); before it,
lets newcomers arrive while a network attacks."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile

import networks
from attacks import NAMES
from honest import HonestParties
from mutations import send_mutations
from server import Server, quantile

HERE = os.path.dirname(os.path.abspath(__file__))
# At most this much slower than under the same load without the attack …
RATIO_MAX = 1.5
# … or below these values, in seconds, which nobody notices and a busy machine exceeds.
UNNOTICED = {"ticks": 0.05, "pushes": 0.1, "API": 0.05}
# What one attack may add to file and memory, in bytes.
FILE_GROWTH_MAX = 64 << 20
MEMORY_GROWTH_MAX = 64 << 20
# The attacker's players.
ATTACKERS = 16
HISTOGRAMS = {"ticks": "rangers_tick_lateness_seconds",
              "pushes": "rangers_push_latency_seconds"}


async def measure(server, honest, seconds):
    """Returns the honest parties' 99th percentiles in this window."""
    before = await asyncio.to_thread(server.metrics)
    cpu = server.cpu_seconds
    honest.window()
    await asyncio.sleep(seconds)
    latencies = honest.window()
    cpu = server.cpu_seconds - cpu
    after = await asyncio.to_thread(server.metrics)
    found = {name: quantile(before, after, metric, 0.99) for name, metric in HISTOGRAMS.items()}
    found["API"] = latencies[int(len(latencies) * 0.99)] if latencies else None
    found["cores"] = cpu / seconds
    return found


async def run_beside(server, honest, seconds, *command):
    """Measures while another program runs. Returns the figures and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE, cwd=HERE)
    await asyncio.sleep(0.4)
    found = await measure(server, honest, seconds)
    printed, _ = await process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"siege: {command[0]} ended with {process.returncode}")
    return found, printed


class Trial:
    """One attack, with its control."""

    def __init__(self, name):
        self.name = name
        self.rounds = []
        self.report = {}
        self.growth = (0, 0)

    async def run(self, server, honest, seconds, command, calm):
        """Attacks, then burns as much CPU time as the attacker took and the server took more."""
        grown = (server.file_bytes, server.memory)
        attacked, printed = await run_beside(server, honest, seconds, *command)
        self.report = json.loads(printed)
        self.growth = (server.file_bytes - grown[0], server.memory - grown[1])
        cores = self.report["cpu"] / (seconds + 1) + max(0, attacked["cores"] - calm["cores"])
        control, _ = await run_beside(
            server, honest, seconds, "burn.py", f"{cores:.2f}", str(seconds + 0.6))
        self.rounds.append((attacked, control))

    @staticmethod
    def is_harm(figure, attacked, control):
        if attacked is None:
            # Nothing happened at all, or nothing happens in such a short time anyway.
            return control is not None
        return attacked > max(UNNOTICED[figure], RATIO_MAX * (control or 0))

    def harms(self):
        """Figures that were worse in most rounds."""
        return [figure for figure in UNNOTICED
                if sum(self.is_harm(figure, attacked[figure], control[figure])
                       for attacked, control in self.rounds) * 2 > len(self.rounds)]

    def faults(self):
        faults = [f"{self.name}: the honest parties' {figure} are too slow"
                  for figure in self.harms()]
        if self.report["broken"]:
            faults.append(f"{self.name}: the server responded {self.report['broken']}")
        if not self.report["statuses"]:
            faults.append(f"{self.name}: the attack did nothing")
        for what, grown, most in zip(
                ("the file", "memory"), self.growth, (FILE_GROWTH_MAX, MEMORY_GROWTH_MAX)):
            if grown > most:
                faults.append(f"{self.name}: {what} grew by {grown >> 20} MiB")
        return faults

    def line(self):
        def column(figure):
            def spread(which):
                values = [pair[which][figure] for pair in self.rounds]
                values = sorted(value * 1000 for value in values if value is not None)
                if not values:
                    return "-"
                text = f"{values[len(values) // 2]:.1f}"
                return text if len(values) == 1 else f"{text} ({values[0]:.1f}–{values[-1]:.1f})"
            return f"{figure} {spread(0)} / {spread(1)}"
        statuses = ", ".join(f"{count}×{status}" for status, count in sorted(
            self.report["statuses"].items(), key=lambda item: -item[1])[:4])
        return (f"{self.name:14}" + "  ".join(f"{column(figure):24}" for figure in UNNOTICED)
                + f"  file +{max(0, self.growth[0]) >> 10} KiB"
                + f", memory +{max(0, self.growth[1]) >> 10} KiB; {statuses}")


async def besiege(server, arguments):
    """Runs all attacks. Returns what is wrong."""
    honest = HonestParties(server.port)
    await honest.begin()
    with open(server.accounts, "w", encoding="utf-8") as file:
        json.dump(await honest.accounts(server.port, ATTACKERS), file)
    playing = asyncio.create_task(honest.play())
    calm = await measure(server, honest, arguments.seconds)
    print("p99 in milliseconds, under attack / under the same CPU load without it; calm: "
          + ", ".join(f"{figure} {calm[figure] * 1000:.1f}" for figure in UNNOTICED
                      if calm[figure] is not None), flush=True)
    faults = []
    for name in arguments.attacks:
        trial = Trial(name)
        while len(trial.rounds) < arguments.rounds or (
                trial.harms() and len(trial.rounds) < arguments.rounds + 2):
            # One window of a busy machine proves nothing: two more decide.
            command = ["attacks.py", name, str(server.port), str(arguments.seconds + 1),
                       str(arguments.seed + len(trial.rounds)), server.accounts]
            await trial.run(server, honest, arguments.seconds, command, calm)
        print(trial.line(), flush=True)
        faults += trial.faults()
    control = Trial("control")
    await control.run(server, honest, arguments.seconds,
                      ["stall.py", str(server.process.pid), str(arguments.seconds + 1)], calm)
    print(control.line(), flush=True)
    if not control.harms():
        faults.append("control: nobody noticed a server that stands still")
    honest.stopping = True
    await playing
    faults += honest.failures[:5]
    faults += await finish(server, honest, arguments)
    return faults


async def finish(server, honest, arguments):
    """Sends mutated requests, then looks for what was lost."""
    faults = []
    if arguments.mutations:
        faults += await send_mutations(server, arguments.mutations, arguments.seed)
    lost = await honest.lost()
    frozen = (await asyncio.to_thread(server.metrics))["rangers_parties_frozen"]
    if frozen:
        faults.append(f"{frozen:.0f} parties are frozen")
    code, replayed, words = await asyncio.to_thread(server.stop)
    print(f"lost: {len(lost)}; {honest.acknowledged} honest requests done, {honest.refused} asked "
          f"to come back, {len(honest.failures)} failed; replay: {words}")
    faults += lost[:5]
    if honest.refused > honest.acknowledged / 50:
        faults.append(f"{honest.refused} honest requests were refused for load")
    if code != 0 or replayed != 0:
        faults.append(f"the server ended with {code}, replay with {replayed}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--mutations", type=int, default=1_000_000)
    parser.add_argument("--attacks", nargs="*", default=NAMES, choices=NAMES)
    parser.add_argument("--accounts", type=int, default=1000)
    parser.add_argument("--networks", choices=["on", "off", "only"], default="on")
    arguments = parser.parse_args()
    program, faults = os.path.abspath(arguments.program), []
    with tempfile.TemporaryDirectory(prefix="siege.") as folder:
        if arguments.networks != "off":
            faults += networks.run(program, folder, arguments)
        if arguments.networks != "only":
            server = Server(program, folder)
            try:
                faults += asyncio.run(besiege(server, arguments))
            finally:
                server.abandon()
    for fault in faults:
        print(f"FAULT {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
