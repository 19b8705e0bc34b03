"""Power-loss trials: kill the server, take unsynced writes back, start it again, compare.

usage: trial.py RECORDER.so RANGERS|plain [--trials N] [--lie] [--seed S]

Prints what was tried and counted. Without --lie it fails when anything was lost or half applied;
with --lie (syncs do nothing) it fails when nothing was lost: then the check checks nothing.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import recording
from targets import PlainTarget, ServerTarget

# More would spend the time on asking for what is known from earlier trials.
TRIALS_A_FILE = 20


def recorded(recorder, database, log, lie):
    """The environment of a process whose writes are recorded."""
    environment = dict(
        os.environ, LD_PRELOAD=recorder, RECORDER_DATABASE=database, RECORDER_LOG=log)
    if lie:
        environment["RECORDER_LIE"] = "1"
    return environment


class Tally:
    def __init__(self):
        self.acknowledged = self.taken_back = self.unsynced = 0
        self.lost, self.half_applied = [], []

    def __str__(self):
        return (f"acknowledged {self.acknowledged}, unsynced writes {self.unsynced}, "
                f"taken back {self.taken_back}, lost {len(self.lost)}, "
                f"half applied {len(self.half_applied)}")


def run_trial(target, arguments, dice, tally):
    log = os.path.join(target.folder, "recorder.log")
    if os.path.exists(log):
        os.unlink(log)
    environment = recorded(arguments.recorder, target.database, log, arguments.lie)
    process = target.start(environment)
    target.begin_writing()
    time.sleep(dice.uniform(0.05, 0.5))
    process.send_signal(signal.SIGKILL)
    process.wait()
    tally.acknowledged += target.end_writing()
    taken_back, unsynced = recording.fail_power(target.database, log, dice)
    tally.taken_back += taken_back
    tally.unsynced += unsynced
    lost, half_applied = target.compare()
    tally.lost += lost
    tally.half_applied += half_applied


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recorder")
    parser.add_argument("program")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lie", action="store_true")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    tally = Tally()
    done = 0
    with tempfile.TemporaryDirectory(prefix="power-loss-") as root:
        target = None
        for done in range(1, arguments.trials + 1):
            # A file lives through several failures. The control breaks files: always a new one.
            if target is None or arguments.lie or done % TRIALS_A_FILE == 1:
                folder = tempfile.mkdtemp(dir=root)
                target = (PlainTarget(folder) if arguments.program == "plain"
                          else ServerTarget(folder, arguments.program))
            run_trial(target, arguments, dice, tally)
            if bool(tally.lost or tally.half_applied):
                break
    kind = "control without syncs" if arguments.lie else "power losses"
    print(f"{kind}: trials {done}, {tally} (seed {arguments.seed})")
    for fault in (tally.lost + tally.half_applied)[:10]:
        print(f"  {fault}")
    broken = bool(tally.lost or tally.half_applied)
    if broken != arguments.lie:
        sys.exit("the control found no loss: the check checks nothing" if arguments.lie
                 else "acknowledged changes were lost or half applied")
    if not tally.acknowledged:
        sys.exit("nothing was acknowledged: the trials tried nothing")


main()
