"""One flipped bit in the write-ahead log after a kill (promise PR10): the start must say so.

usage: log_damage.py RANGERS [--trials N] [--seed S]

Each trial kills the server under load, starts it once as it is (the control: nothing may be
refused), kills it again under load, flips one bit before the last transaction, and starts it: this
must be refused. With --accept-loss it must start; or say that only a backup helps, where the kill
interrupted a checkpoint (docs/internals/write-ahead-log.md), which not every trial can have done.
"""

import argparse
import os
import random
import signal
import struct
import sys
import tempfile
import time

import database_checks
from targets import ServerTarget, StartFailure

HEADER, FRAME_HEAD = 32, 24


def load_and_kill(target, dice):
    """Writes for a while, kills the server; the number of acknowledged changes."""
    process = target.start(dict(os.environ))
    target.begin_writing()
    time.sleep(dice.uniform(0.3, 0.8))
    process.send_signal(signal.SIGKILL)
    process.wait()
    return target.end_writing()


def newest_commits(log):
    """Where the commit frames of the newest generation end, by SQLite's documented format."""
    page_bytes, = struct.unpack_from(">I", log, 8)
    salts = log[16:24]
    ends, position = [], HEADER
    while position + FRAME_HEAD + page_bytes <= len(log) and log[position + 8:position + 16] == salts:
        position += FRAME_HEAD + page_bytes
        if struct.unpack_from(">I", log, position - FRAME_HEAD - page_bytes + 4)[0]:
            ends.append(position)
    return ends


def flip(path, dice):
    """Flips one bit before the last transaction; where."""
    with open(path, "rb") as stream:
        log = bytearray(stream.read())
    ends = newest_commits(log)
    if len(ends) < 2:
        sys.exit(f"the log has {len(ends)} transactions: nothing to try")
    # Now and then in the header, or in the frame of the transaction before the last one.
    low, high = dice.choice([(0, HEADER), (HEADER, ends[-2]), (HEADER, ends[-2]),
                             ((ends[-3:-2] or [HEADER])[0], ends[-2])])
    bit = dice.randrange(low * 8, high * 8)
    log[bit // 8] ^= 1 << bit % 8
    with open(path, "wb") as stream:
        stream.write(log)
    return f"bit {bit} of {len(log) * 8}"


def is_refused(target):
    """Whether a start is refused in the words of the operator's guide."""
    try:
        process = target.start(dict(os.environ))
    except StartFailure as failure:
        if "write-ahead log" in str(failure) and "--accept-loss" in str(failure):
            return True
        # Something else keeps it from starting.
        print(f"  {failure}")
        return False
    process.kill()
    process.wait()
    return False


def trial(folder, program, dice):
    """The faults of one trial, in words, and what was acknowledged."""
    target = ServerTarget(folder, program)
    acknowledged = load_and_kill(target, dice)
    if is_refused(target):
        return ["a kill alone was refused"], acknowledged
    acknowledged += load_and_kill(target, dice)
    place = flip(target.database + "-wal", dice)
    if not is_refused(target):
        return [f"{place}: not refused"], acknowledged
    if not is_refused(target):
        return [f"{place}: not refused the second time"], acknowledged
    try:
        process = target.start(dict(os.environ), ["--accept-loss"])
    except StartFailure as failure:
        if "checkpoint was interrupted" in str(failure):
            print(f"  {place}: only a backup helps")
            return [], acknowledged
        return [f"{place}: no start with --accept-loss: {failure}"], acknowledged
    process.kill()
    process.wait()
    if is_refused(target):
        return [f"{place}: refused after --accept-loss"], acknowledged
    return database_checks.half_applied(target.database), acknowledged


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--trials", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    faults, acknowledged = [], 0
    for _ in range(arguments.trials):
        with tempfile.TemporaryDirectory(prefix="log-damage-") as folder:
            found, count = trial(folder, arguments.program, dice)
            faults += found
            acknowledged += count
    print(f"flipped bits in the log: trials {arguments.trials}, acknowledged {acknowledged}, "
          f"not as promised {len(faults)} (seed {arguments.seed})")
    for fault in faults[:10]:
        print(f"  {fault}")
    if faults or not acknowledged:
        sys.exit(1)


main()
