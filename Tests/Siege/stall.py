#!/usr/bin/env python3
"""The control of a siege: a server that stands still again and again, which honest players must
notice. stall.py PROCESS SECONDS"""

import json
import os
import signal
import sys
import time

process, ends = int(sys.argv[1]), time.monotonic() + float(sys.argv[2])
stalls = 0
while time.monotonic() < ends:
    os.kill(process, signal.SIGSTOP)
    time.sleep(0.4)
    os.kill(process, signal.SIGCONT)
    time.sleep(0.2)
    stalls += 1
print(json.dumps({"statuses": {"stalls": stalls}, "broken": [], "cpu": 0}))
