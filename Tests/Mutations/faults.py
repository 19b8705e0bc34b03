"""The list of deliberate faults: reads it, checks it, and puts the faults into Swift files."""

import os
import re

LIST = os.path.join("Tests", "Mutations", "faults.txt")
COUNT_MIN = 80
KINDS = ("expression", "statement", "text")
KEYWORD = re.compile(r"(guard|let|var|return|throw|if|for|while|switch|defer|func)\b")


class Place:
    """One snippet of one file, and what the fault puts there."""

    def __init__(self, path):
        self.path, self.old, self.new, self.kind = path, None, "", "expression"

    @property
    def module(self):
        return self.path.split("/")[1]


class Fault:
    def __init__(self, name):
        self.name, self.places, self.tests, self.says = name, [], "", ""


def read(text):
    """The faults of the list, in its order."""
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition(":")
        value = value.strip()
        if key == "fault":
            faults.append(Fault(value))
        elif not faults:
            raise ValueError(f"line {number}: a record begins with \"fault:\"")
        elif key == "in":
            faults[-1].places.append(Place("Sources/" + value))
        elif key in ("tests", "says"):
            setattr(faults[-1], key, value)
        elif key in ("old", "new", "as") and faults[-1].places:
            setattr(faults[-1].places[-1], "kind" if key == "as" else key, value)
        else:
            raise ValueError(f"line {number}: \"{key}\" is not known here")
    return faults


def problems(faults, root):
    """What is wrong with the list; nothing: it can be used."""
    found = []
    names = [fault.name for fault in faults]
    found += [f"{name} stands twice" for name in sorted(set(names)) if names.count(name) > 1]
    if len(faults) < COUNT_MIN:
        found.append(f"there are {len(faults)} faults, fewer than {COUNT_MIN}")
    suites = _suites(root)
    for fault in faults:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault.name):
            found.append(f"{fault.name}: an id has small letters, digits and dashes")
        if not fault.places or not fault.says.endswith("."):
            found.append(f"{fault.name}: it needs a place, and a sentence")
        if not fault.tests or not _matches(fault.tests, suites):
            found.append(f"{fault.name}: no suite is called {fault.tests or 'nothing'}")
        for place in fault.places:
            found += [f"{fault.name}: {text}" for text in _problems_of_place(place, root)]
    for path, places in _by_file(faults).items():
        found += _overlaps(path, places, root)
    return found


def _problems_of_place(place, root):
    file = os.path.join(root, place.path)
    if not os.path.isfile(file):
        return [f"there is no file {place.path}"]
    if place.kind not in KINDS or not place.old:
        return [f"\"{place.kind}\" is none of {', '.join(KINDS)}, or \"old\" is empty"]
    if place.kind == "expression" and not _is_expression(place.old):
        return [f"{place.old} is a statement, or a part of one, and no expression"]
    with open(file, encoding="utf-8") as opened:
        count = opened.read().count(place.old)
    return [] if count == 1 else [f"{place.old} occurs {count} times in {place.path}, not once"]


def _is_expression(text):
    """Whether the text can stand in parentheses: no keyword or operator first, no list, no part of
    an SQL statement."""
    if re.search(r"\?\d", text) and not text.startswith('"'):
        return False
    if KEYWORD.match(text) or re.match(r"(static|case|AND|OR|WHERE)\b|[<>=&|+*/]", text):
        return False
    depth = 0
    for character in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0 or depth == 0 and character == ",":
            return False
    return depth == 0 and not re.search(r" \? [^:]*$", text)


def _suites(root):
    """Every "Module.Suite/function", and "Module." for tests without a suite."""
    suites = set()
    for folder, _, files in os.walk(os.path.join(root, "Tests")):
        for file in (name for name in files if name.endswith(".swift")):
            path = os.path.join(folder, file)
            module = os.path.relpath(path, os.path.join(root, "Tests")).split(os.sep)[0]
            suites.add(module + ".")
            with open(path, encoding="utf-8") as opened:
                text = opened.read()
            functions = re.findall(r"\bfunc (\w+)", text)
            for name in re.findall(r"\bstruct (\w+)", text):
                suites.update(f"{module}.{name}/{function}" for function in functions)
    return suites


def _matches(expression, suites):
    """Whether each part of the expression that names a suite finds one."""
    parts = []
    for part in re.split(r"\|(?![^(]*\))", expression):
        group = re.fullmatch(r"(.*)\(([^()]*)\)(.*)", part)
        parts += [group[1] + name + group[3] for name in group[2].split("|")] if group else [part]
    return all(any(re.search(part, suite) for suite in suites) for part in parts)


def _by_file(faults):
    """Each file's snippets, and the faults that each of them has."""
    files = {}
    for fault in faults:
        for place in fault.places:
            files.setdefault(place.path, {}).setdefault(place.old, []).append((fault, place))
    return files


def _overlaps(path, places, root):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as opened:
            text = opened.read()
    except OSError:
        return []
    spans = sorted((text.find(old), text.find(old) + len(old), old) for old in places if old)
    found = [f"{path}: {left[2]} overlaps {right[2]}"
             for left, right in zip(spans, spans[1:]) if right[0] < left[1]]
    return found + [f"{path}: {old} is of two kinds" for old, chosen in places.items()
                    if len({place.kind for _, place in chosen}) > 1]


def mutated(text, places):
    """The file's text with all of its faults, each of them chosen while the program runs."""
    switches, literals = [], {}
    for old, chosen in places.items():
        start = text.index(old)
        if chosen[0][1].kind == "text":
            literals.setdefault(_literal_around(text, start), []).extend(chosen)
        else:
            switches.append((start, start + len(old), _switch(old, chosen)))
    for (start, end), chosen in literals.items():
        switches.append((start, end, _switch_of_literal(text[start:end], chosen)))
    for start, end, switch in sorted(switches, reverse=True):
        text = text[:start] + switch + text[end:]
    return text


def _switch(old, chosen):
    switch = f"({old})" if chosen[0][1].kind == "expression" else old
    for fault, place in chosen:
        condition = f"isFault(\"{fault.name}\")"
        if place.kind == "statement":
            switch = f"if {condition} {{ {place.new} }} else {{ {switch} }}"
        else:
            switch = f"({condition} ? ({place.new}) : {switch})"
    return switch


def _switch_of_literal(literal, chosen):
    """Another literal for each fault: one with an interpolation is no `StaticString`."""
    switch = literal
    for fault, place in chosen:
        other = literal.replace(place.old, place.new)
        switch = f"(isFault(\"{fault.name}\") ? {other} : {switch})"
    return switch


def _literal_around(text, index):
    """Where the string literal around a place begins and ends."""
    quote = '"""' if text.count('"""', 0, index) % 2 else '"'
    return text.rindex(quote, 0, index), text.index(quote, index) + len(quote)


def mutated_files(faults, root):
    """The new text of every file that has a fault."""
    files = {}
    for path, places in _by_file(faults).items():
        with open(os.path.join(root, path), encoding="utf-8") as opened:
            files[path] = mutated(opened.read(), places)
    return files
