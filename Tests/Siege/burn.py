#!/usr/bin/env python3
"""Takes so many cores for some seconds, on two processes: the load of an attack without it."""

import os
import sys
import time

PROCESSES = 2
share, ends = min(1.0, float(sys.argv[1]) / PROCESSES), time.monotonic() + float(sys.argv[2])
PERIOD = 0.01
children = [os.fork() for _ in range(PROCESSES - 1)] if PROCESSES > 1 else []
while (now := time.monotonic()) < ends:
    while time.monotonic() < now + PERIOD * share:
        pass
    time.sleep(max(0.0, PERIOD * (1 - share)))
for child in children:
    if child:
        os.waitpid(child, 0)
