"""Runs a command, or some tests with one fault."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time

FAILED = re.compile(r'✘ Test (?:case .*? to )?(?:"(.*?)"|(\S+\(.*?\)))')
CLEANING_SECONDS = 10


def output_of(command, folder):
    """The status and the output of a command, which is printed as well."""
    output = []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        for line in process.stdout:
            output.append(line)
            print(line, end="", flush=True)
    return process.returncode, "".join(output)


class Run:
    """One run of some tests with one fault, or with none. With a fault it ends with the first
    failure; `failure` says what it was, `None`: all tests passed."""

    def __init__(self, scratch, tests, fault, timeout):
        # Not by SwiftPM, which starts it in a group of its own: a test that hangs would go on.
        command = [".build/debug/EmojiRangersPackageTests.xctest", "--testing-library",
                   "swift-testing", "--no-parallel", "--filter", tests]
        environment = os.environ | {"NO_COLOR": "1", "RANGERS_FAULT": fault or ""}
        lines, self.failure, began = [], None, time.monotonic()
        with tempfile.TemporaryDirectory(
                prefix="mutate-", ignore_cleanup_errors=True) as folder, subprocess.Popen(
                command, cwd=scratch, env=environment | {"TMPDIR": folder}, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                start_new_session=True) as process:
            timer = threading.Timer(timeout, self._stop, [process, "hung"])
            timer.start()
            for line in process.stdout:
                lines.append(line)
                failed = FAILED.match(line)
                if fault and failed:
                    self._stop(process, f"failed: {failed[1] or failed[2]}")
            timer.cancel()
        if process.returncode != 0 and not self.failure:
            self.failure = "crashed"
        self.output, self.seconds = "".join(lines), time.monotonic() - began
        self.count = max(map(int, re.findall(r"Test run with (\d+) test", self.output)), default=0)

    def _stop(self, process, failure):
        """Kills the tests, and later what they started and what does not end by itself."""
        if self.failure:
            return
        self.failure = failure
        os.kill(process.pid, signal.SIGKILL)
        timer = threading.Timer(CLEANING_SECONDS, self._kill_all, [process])
        timer.daemon = True
        timer.start()

    @staticmethod
    def _kill_all(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
