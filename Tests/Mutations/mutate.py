"""Proves that the tests catch deliberate faults. Scripts/mutate has the usage."""

import argparse
import os
import re
import shutil
import sys

import faults as fault_list
import operators
import selftest
from run import Run, output_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = {".build", ".git", ".swiftpm", ".venv", "data", "__pycache__"}
SWITCH = "GeneratedFault.swift"
SWITCH_TEXT = """import Glibc

/// The fault that this run has; `nil`: none.
private let chosenFault = getenv("RANGERS_FAULT").map { String(cString: $0) }

func isFault(_ name: String) -> Bool { chosenFault == name }
"""


def main():
    arguments = parsed_arguments()
    selftest.run()
    sources = fault_list.Sources(fault_list.texts(ROOT, "Sources"))
    records = fault_list.read(text_of(fault_list.LIST))
    picked, dropped = fault_list.placed(records, sources, fault_list.tests(ROOT))
    for reason in dropped:
        print(f"dropped: {reason}")
    print(f"{len(picked)} faults of the list have their places, {len(dropped)} are dropped")
    if len(picked) < fault_list.FOUND_MIN:
        raise SystemExit(f"Scripts/mutate: fewer than {fault_list.FOUND_MIN} have their places")
    drawn = draw(sources, picked, arguments) if arguments.draw else []
    names = {name for fault in picked + drawn for name in (fault.name, fault.group)}
    unknown = set(arguments.only) - names
    if unknown:
        raise SystemExit(f"Scripts/mutate: no fault is called {', '.join(sorted(unknown))}")
    tried = [fault for fault in picked + drawn if not arguments.only
             or fault.name in arguments.only or fault.group in arguments.only]
    if arguments.list:
        for fault in tried:
            print(f"{fault.name}, {fault.place}: {fault.says}")
    if arguments.list or arguments.check:
        return 0
    return try_all(tried, picked + drawn, arguments)


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="Scripts/mutate")
    parser.add_argument("--draw", type=int, metavar="N", help="try N drawn faults as well")
    parser.add_argument("--seed", type=int, default=1, help="which faults are drawn; default: 1")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID",
                        help="try these alone; drawn: all drawn ones; picked: all of the list")
    parser.add_argument("--list", action="store_true", help="print the faults, build nothing")
    parser.add_argument("--check", action="store_true", help="find the places, build nothing")
    parser.add_argument("--jobs", type=int, help="of the build")
    parser.add_argument("--timeout", type=int, default=150, help="seconds for one fault")
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "mutate"),
                        help="the folder of the copy; default: .build/mutate")
    return parser.parse_args()


def draw(sources, picked, arguments):
    """Drawn faults, none of them where another fault is."""
    faults = list(picked)

    def add(change):
        fault = fault_list.of_change(change, len(faults) - len(picked) + 1)
        is_free = not fault_list.is_taken(faults, fault.source, fault.edits)
        faults.extend([fault] if is_free else [])
        return is_free

    modules = set(re.findall(r'\btests\(\s*"(\w+)Tests"', text_of("Package.swift")))
    operators.draw(sources.of_modules(modules), arguments.draw, arguments.seed, add)
    return faults[len(picked):]


def try_all(tried, faults, arguments):
    scratch = os.path.abspath(arguments.scratch)
    print(f"{len(faults)} faults go into a copy of the repository", flush=True)
    built = build(scratch, faults, arguments.jobs)
    tried = [fault for fault in tried if fault in built]
    seconds = control(scratch, tried)
    judged = [fault for fault in tried if seconds.keys() >= set(fault.tests)]
    survivors = []
    for fault in judged:
        for tests in fault.tests:
            run = Run(scratch, tests, fault.name, max(arguments.timeout, 2 * seconds[tests] + 60))
            if run.failure:
                print(f"caught    {fault.name} ({run.seconds:.0f} s) {run.failure}", flush=True)
                break
        else:
            survivors.append(fault)
            print(f"SURVIVED  {fault.name}", flush=True)
    print(f"{len(judged) - len(survivors)} caught, {len(survivors)} survived, "
          f"{len(tried) - len(judged)} have tests that fail without a fault")
    for fault in survivors:
        print(f"survivor: {fault.name}, {fault.place}: {fault.says} Tests: {' '.join(fault.tests)}")
    has_failed = judged != tried or any(fault.group == "picked" for fault in survivors)
    return 1 if has_failed else 0


def build(scratch, faults, jobs):
    """Builds the copy without the faults that do not compile, and returns the others."""
    while True:
        texts, lines = fault_list.mutated(faults)
        copy_repository(scratch, texts, faults)
        command = ["swift", "build", "--product", "EmojiRangersPackageTests"]
        status, output = output_of(command + (["--jobs", str(jobs)] if jobs else []), scratch)
        if status == 0:
            return faults
        errors = re.findall(r"^(/\S+?\.swift):(\d+):\d+: error:", output, re.MULTILINE)
        wrong = {fault for path, line in errors
                 for first, last, fault in lines.get(os.path.relpath(path, scratch), [])
                 if first <= int(line) <= last}
        if not wrong:
            raise SystemExit("Scripts/mutate: the copy cannot be built")
        for fault in wrong:
            print(f"dropped: {fault.name} does not compile, {fault.place}: {fault.says}")
        faults = [fault for fault in faults if fault not in wrong]


def control(scratch, tried):
    """How long each choice of tests takes that passes without a fault."""
    seconds = {}
    for tests in sorted({tests for fault in tried for tests in fault.tests}):
        run = Run(scratch, tests, None, 1800)
        if run.failure or run.count == 0:
            print("".join(line for line in run.output.splitlines(True) if "✘" in line))
            what = "fails" if run.failure else "runs no test"
            print(f"without a fault, {tests} {what}", flush=True)
        else:
            seconds[tests] = run.seconds
    print(f"control: {sum(seconds.values()):.0f} s without a fault", flush=True)
    return seconds


def copy_repository(scratch, texts, faults):
    """Brings the copy up to date; what has not changed keeps its date, so the build is short."""
    texts = texts | {"Package.swift": manifest(faults)} | {
        f"Sources/{fault.source.module}/{SWITCH}": SWITCH_TEXT for fault in faults}
    kept = set(texts)

    def copy(source, target):
        path = os.path.relpath(source, ROOT)
        kept.add(path)
        if path not in texts:
            with open(source, "rb") as opened:
                write_if_new(target, opened.read())
            shutil.copymode(source, target)

    shutil.copytree(ROOT, scratch, copy_function=copy, dirs_exist_ok=True,
                    ignore=lambda folder, names: SKIPPED.intersection(names))
    for path, text in texts.items():
        write_if_new(os.path.join(scratch, path), text.encode())
    for folder, folders, files in os.walk(scratch):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for path in (os.path.join(folder, name) for name in files):
            if os.path.relpath(path, scratch) not in kept:
                os.unlink(path)


def manifest(faults):
    """The package with those tests alone that a fault names: the rest need not be built."""
    # A switch may make a line a warning; the repository itself is built without any.
    text = text_of("Package.swift").replace(".treatAllWarnings(as: .error),", "")
    named = {word for fault in faults for tests in fault.tests
             for word in re.findall(r"\w+Tests\b", tests)}
    return re.sub(
        r' {8}tests\(\s*"(\w+)".*?\n(?= {8}tests\(| {4}\],)',
        lambda block: block[0] if block[1] in named else "", text, flags=re.DOTALL)


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as opened:
        return opened.read()


def write_if_new(target, content):
    try:
        with open(target, "rb") as opened:
            if opened.read() == content:
                return
    except OSError:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as opened:
        opened.write(content)


if __name__ == "__main__":
    sys.exit(main())
