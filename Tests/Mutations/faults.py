"""Deliberate faults: reads the hand-picked ones, finds their places, and writes the files in which
RANGERS_FAULT chooses one."""

import glob
import os
import re

from operators import ASK
from source import Source, tokens

LIST = os.path.join("Tests", "Mutations", "faults.txt")
RECORD = re.compile(
    r"(?P<name>[a-z0-9-]+):\s+(?P<says>.+\.)\n"
    r" +in (?P<place>[\w.]+)(, (?P<kind>statement|text))?:\s+(?P<old>.+)\n"
    r"( +-> (?P<new>.+)\n)? +by (?P<tests>.+)")
FOUND_MIN = 40
DECLARING = r"\b(?:struct|class|enum|actor|protocol|extension|func|let|var)"
# What judges a drawn fault of a module, beside the module's own tests: how the server plays, pushes
# and answers.
STORIES = (r"^RangersServerTests\.(GarbageTests|PlayerAPITests|PushContentTests|PushOutcomeTests|"
           r"ReplayTests|WatchingTests)/")
SERVED = {"GameLogic", "PushPolicy", "Content", "PartyStore", "JSONReader", "JSONWriter"}


class Fault:
    """One fault and its edits: (start, end, text) in one file, where the text has ASK for the
    question whether this fault is chosen."""

    def __init__(self, name, group, source, index, edits, tests, says):
        self.name, self.group, self.source, self.edits = name, group, source, edits
        self.tests, self.says = tests, says
        self.place = f"{source.path}:{source.line(index)}"


class Sources:
    """The Swift files below Sources, parsed when they are needed."""

    def __init__(self, texts):
        self._texts, self._parsed = texts, {}

    def source(self, path):
        if path not in self._parsed:
            self._parsed[path] = Source(path, self._texts[path])
        return self._parsed[path]

    def declaring(self, path):
        """The members with that path: its last part is the member, those before are its types."""
        declaration = re.compile(rf"{DECLARING} (?:\w+\.)*{re.escape(path[0])}\b")
        for file, text in self._texts.items():
            if all(part in text for part in path) and declaration.search(text):
                source = self.source(file)
                for member in source.members:
                    if member.path[-len(path):] == path:
                        yield source, member

    def of_modules(self, modules):
        return [self.source(path) for path in self._texts if path.split("/")[1] in modules]


def read(text):
    """The records of the list by id; raises ValueError where one is wrong."""
    records = {}
    for paragraph in re.split(r"\n\s*\n", text):
        lines = "\n".join(line for line in paragraph.splitlines() if not line.startswith("#"))
        if not lines:
            continue
        match = RECORD.fullmatch(lines.strip())
        if not match or match["name"] in records:
            raise ValueError(f"no fault, or one of a known id:\n{lines}")
        record = records[match["name"]] = match.groupdict()
        record["kind"] = record["kind"] or "expression"
        record["new"] = record["new"] or ("true" if record["kind"] == "expression" else "")
    return records


def placed(records, sources, known):
    """The faults whose places are found, and why the others are dropped."""
    faults, dropped = [], []
    for name, record in records.items():
        found = _spans(record, sources)
        unknown = [word for word in re.findall(r"\w+", record["tests"]) if word not in known]
        if len(found) != 1:
            dropped.append(f"{name}: {record['old']} occurs {len(found) or 'no'} times "
                           f"in {record['place']}")
        elif unknown:
            dropped.append(f"{name}: no test is called {', '.join(unknown)}")
        else:
            source, start, end = found[0]
            old = source.slice(start, end)
            edits = _edits(source, start, end, _switch(record, old))
            fault = Fault(name, "picked", source, start, edits, [record["tests"]],
                          record["says"])
            if is_taken(faults, source, edits):
                dropped.append(f"{name}: another fault has its place")
            else:
                faults.append(fault)
    return faults, dropped


def _spans(record, sources):
    """Every place of the old expression, as a source, its first token and the one behind."""
    old, found = [_folded(token.text) for token in tokens(record["old"])], []
    for source, member in sources.declaring(tuple(record["place"].split("."))):
        words = [_folded(token.text) for token in source.tokens[member.start:member.end]]
        for index, word in enumerate(words):
            start = member.start + index
            if record["kind"] == "text":
                if source.tokens[start].kind == "string":
                    found += [(source, start, start + 1)] * len(_pattern(record).findall(word))
            elif words[index:index + len(old)] == old:
                found.append((source, start, start + len(old)))
    return found


def _folded(text):
    return " ".join(text.split())


def _pattern(record):
    return re.compile(r"\s+".join(map(re.escape, record["old"].split())))


def _switch(record, old):
    kind, new = record["kind"], record["new"]
    if kind == "statement":
        return f"if {ASK} {{ {new} }} else {{ {old} }}"
    if kind == "text":
        return f"({ASK} ? {_pattern(record).sub(lambda _: new, old)} : {old})"
    return f"({ASK} ? ({new}) : ({old}))"


def _edits(source, start, end, text):
    return [(source.tokens[start].start, source.tokens[end - 1].end, text)]


def is_taken(faults, source, edits):
    """Whether an edit lies where one of the faults has one."""
    return any(edit[0] < other[1] and other[0] < edit[1] for fault in faults
               if fault.source is source for other in fault.edits for edit in edits)


def of_change(change, number):
    """The fault of a drawn change."""
    source, module = change.source, change.source.module
    edits = [edit for start, end, text in change.edits for edit in _edits(source, start, end, text)]
    tests = [rf"^{module}Tests\."] + ([STORIES] if module in SERVED else [])
    return Fault(f"drawn-{number}", "drawn", source, change.index, edits, tests, change.says)


def texts(root, folder):
    """Every Swift file below a folder, in the order of the paths."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/**/*.swift", root_dir=root, recursive=True)):
        with open(os.path.join(root, path), encoding="utf-8") as opened:
            found[path] = opened.read()
    return found


def tests(root):
    """The names of test modules, suites and test functions."""
    names = set(os.listdir(os.path.join(root, "Tests")))
    for text in texts(root, "Tests").values():
        names.update(re.findall(r"\b(?:struct|func) (\w+)", text))
    return names


def mutated(faults):
    """The new text of each file, and the lines of it that each fault has there."""
    texts, lines = {}, {}
    for source in {fault.source for fault in faults}:
        edits = sorted((start, end, text.replace(ASK, f'isFault("{fault.name}")'), fault)
                       for fault in faults if fault.source is source
                       for start, end, text in fault.edits)
        text, behind = "", 0
        for start, end, new, fault in edits:
            text += source.text[behind:start]
            first = text.count("\n") + 1
            text, behind = text + new, end
            lines.setdefault(source.path, []).append((first, text.count("\n") + 1, fault))
        texts[source.path] = text + source.text[behind:]
    return texts, lines
