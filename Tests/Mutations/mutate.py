"""Mutation tests: proves that the tests catch deliberate faults.

usage: mutate.py [--only ID ...] [--list] [--check] [--scratch FOLDER] [--jobs N] [--timeout S]

All faults of faults.txt go into one copy of the repository, where RANGERS_FAULT=<id> chooses one
of them: one build serves all. A fault is caught when its suites fail, crash or hang. A control
without a fault must pass first. Exits with 1 when a fault survives.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import faults as fault_list

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = {".build", ".git", ".swiftpm", ".venv", "data", "__pycache__"}
SWITCH = "GeneratedFault.swift"
SWITCH_TEXT = """import Glibc

/// The fault that this run has; `nil`: none.
private let chosenFault = getenv("RANGERS_FAULT").map { String(cString: $0) }

func isFault(_ name: String) -> Bool { chosenFault == name }
"""


def copy_repository(scratch, faults):
    """Brings the copy up to date; what has not changed keeps its date, so the build is short."""
    texts = fault_list.mutated_files(faults, ROOT)
    for place in (place for fault in faults for place in fault.places):
        texts[f"Sources/{place.module}/{SWITCH}"] = SWITCH_TEXT
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as opened:
        texts["Package.swift"] = manifest(opened.read(), faults)
    kept = {os.path.join(scratch, path) for path in texts}
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            source = os.path.join(folder, name)
            path = os.path.relpath(source, ROOT)
            target = os.path.join(scratch, path)
            kept.add(target)
            if path not in texts:
                copy_file(source, target)
    for path, text in texts.items():
        write_if_new(os.path.join(scratch, path), text.encode())
    remove_others(scratch, kept)


def manifest(text, faults):
    """The package with those tests alone that a fault names: the rest need not be built."""
    # A switch may make a line a warning; the repository itself is built without any.
    text = text.replace(".treatAllWarnings(as: .error),", "")
    named = {module for fault in faults for module in re.findall(r"\b\w+Tests\b", fault.tests)}
    return re.sub(
        r' {8}tests\(\s*"(\w+)".*?\n(?= {8}tests\(| {4}\],)',
        lambda block: block[0] if block[1] in named else "", text, flags=re.DOTALL)


def copy_file(source, target):
    if os.path.islink(source):
        if not os.path.islink(target) or os.readlink(target) != os.readlink(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.lexists(target):
                os.unlink(target)
            os.symlink(os.readlink(source), target)
        return
    with open(source, "rb") as opened:
        write_if_new(target, opened.read())
    shutil.copymode(source, target)


def write_if_new(target, content):
    try:
        with open(target, "rb") as opened:
            if opened.read() == content:
                return
    except OSError:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as opened:
        opened.write(content)


def remove_others(scratch, kept):
    for folder, folders, files in os.walk(scratch):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            if os.path.join(folder, name) not in kept:
                os.unlink(os.path.join(folder, name))


class Run:
    """One run of some suites with one fault, or with none."""

    def __init__(self, scratch, filters, fault, timeout):
        # Not by SwiftPM, which starts it in a group of its own: a test that hangs would go on.
        command = [
            ".build/debug/EmojiRangersPackageTests.xctest", "--testing-library", "swift-testing",
            "--no-parallel"]
        for expression in filters:
            command += ["--filter", expression]
        environment = dict(os.environ)
        environment.pop("RANGERS_FAULT", None)
        if fault:
            environment["RANGERS_FAULT"] = fault
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            environment["TMPDIR"] = folder
            process = subprocess.Popen(
                command, cwd=scratch, env=environment, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
            try:
                self.output, _ = process.communicate(timeout=timeout)
                self.status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                self.output, _ = process.communicate()
                self.status = None
        self.seconds = time.monotonic() - began

    @property
    def count(self):
        """How many tests ran."""
        counts = re.findall(r"Test run with (\d+) test", self.output)
        return max(map(int, counts), default=0)

    @property
    def has_passed(self):
        return self.status == 0

    @property
    def how(self):
        if self.status is None:
            return "hung"
        failed = re.findall(r'Test (?:"(.*?)"|(\S+\(.*?\))) (?:.* )?failed', self.output)
        return f"failed: {failed[0][0] or failed[0][1]}" if failed else "crashed"


def main():
    arguments = parsed_arguments()
    with open(os.path.join(ROOT, fault_list.LIST), encoding="utf-8") as opened:
        faults = fault_list.read(opened.read())
    problems = fault_list.problems(faults, ROOT)
    for problem in problems:
        print(f"{fault_list.LIST}: {problem}", file=sys.stderr)
    if problems:
        return 1
    if arguments.check:
        print(f"{len(faults)} faults, each at its place")
        return 0
    unknown = set(arguments.only) - {fault.name for fault in faults}
    if unknown:
        print(f"Scripts/mutate: no fault is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 64
    chosen = [fault for fault in faults if not arguments.only or fault.name in arguments.only]
    if arguments.list:
        for fault in chosen:
            print(f"{fault.name} ({fault.places[0].path}): {fault.says}")
        return 0
    return try_all(chosen, faults, arguments)


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="Scripts/mutate")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="these faults alone")
    parser.add_argument("--list", action="store_true", help="print the faults")
    parser.add_argument("--check", action="store_true", help="check the list, build nothing")
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "mutate"))
    parser.add_argument("--jobs", type=int, help="of the build")
    parser.add_argument("--timeout", type=int, default=150, help="seconds for one fault")
    return parser.parse_args()


def try_all(chosen, faults, arguments):
    scratch = os.path.abspath(arguments.scratch)
    print(f"{len(faults)} faults go into a copy of the repository")
    copy_repository(scratch, faults)
    build = ["swift", "build", "--product", "EmojiRangersPackageTests"]
    if arguments.jobs:
        build += ["--jobs", str(arguments.jobs)]
    if subprocess.run(build, cwd=scratch, check=False).returncode != 0:
        print("the copy cannot be built: look at the faults in the files named", file=sys.stderr)
        return 1
    suites = sorted({fault.tests for fault in chosen})
    control = Run(scratch, suites, None, max(1800, arguments.timeout))
    if not control.has_passed or control.count == 0:
        print(control.output[-4000:])
        print("the control fails: without a fault the suites must pass", file=sys.stderr)
        return 1
    print(f"control: {control.count} tests pass without a fault ({control.seconds:.0f} s)")
    survivors = []
    for fault in chosen:
        run = Run(scratch, [fault.tests], fault.name, arguments.timeout)
        if not run.has_passed:
            print(f"caught    {fault.name} ({run.seconds:.0f} s) {run.how}", flush=True)
            continue
        survivors.append(fault)
        print(f"SURVIVED  {fault.name} ({run.count} tests): {fault.says}", flush=True)
    print(f"{len(chosen) - len(survivors)} caught, {len(survivors)} survived")
    for fault in survivors:
        print(f"survivor: {fault.name}, not caught by {fault.tests}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
