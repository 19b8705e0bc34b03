"""Faults that are drawn: operators make them of the code, and a seed chooses among them."""

import random
import textwrap

from source import CLOSERS, STOPS

ASK = "\0"
SAYS_MAX = 200
FLIPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
BINDINGS = {"let", "var", "case", "#available"}
EXITS = {"return", "throw", "continue", "break"}


class Change:
    """One fault that an operator could make: its edits, as (first token, token behind the last,
    text with ASK where the question for the fault belongs)."""

    def __init__(self, kind, source, index, edits, says):
        self.kind, self.source, self.index, self.edits = kind, source, index, edits
        self.says = textwrap.shorten(says, SAYS_MAX, placeholder=" ...")


def changes(source):
    """All that the operators could do to a file, in its order."""
    # Code that goes into other modules cannot ask for a fault.
    if "@inlinable" in source.text:
        return
    for member in source.members:
        if member.keyword not in ("case", "typealias"):
            yield from _changes_of_member(source, member)


def _changes_of_member(source, member):
    is_value = False
    for index in range(member.start, member.end):
        text, is_in_body = source.word(index), _is_in_body(source, index, member)
        is_value |= text == "=" and not is_in_body and member.keyword in ("let", "var")
        if is_in_body and source.is_binary(index) and text in FLIPS:
            yield from _flipped(source, index)
        elif is_in_body and source.is_binary(index) and text in LOGIC:
            yield from _swapped(source, index)
        elif is_in_body and text == "guard" and source.is_break(index):
            yield from _without_guard(source, index)
        elif is_in_body and text == "try" and source.is_break(index):
            yield from _tried_later(source, index)
        elif (is_in_body or is_value) and source.tokens[index].kind == "number":
            yield from _off_by_one(source, index)


def _is_in_body(source, index, member):
    index = source.around[index]
    while index >= member.start and source.word(index) != "{":
        index = source.around[index]
    return index >= member.start


def _flipped(source, index):
    start, end = source.operands(index, STOPS | set(LOGIC))
    operators = [other for other in range(start, end) if source.word(other) in FLIPS
                 and source.around[other] == source.around[index] and source.is_binary(other)]
    if operators == [index]:
        yield _exchanged("comparison", source, index, start, end, FLIPS)


def _swapped(source, index):
    start, end = source.operands(index, STOPS)
    yield _exchanged("logic", source, index, start, end, LOGIC)


def _exchanged(kind, source, index, start, end, others):
    """An expression with another operator."""
    old, other = source.slice(start, end), others[source.word(index)]
    new = f"{source.slice(start, index)} {other} {source.slice(index + 1, end)}"
    return Change(kind, source, index, [(start, end, f"({ASK} ? ({new}) : ({old}))")],
                  f"{old} became {new}")


def _off_by_one(source, index):
    """A literal that is one larger; not in a pattern, where no expression with a choice stands."""
    text = source.word(index)
    if not text.isdigit() or source.word(index - 1) == "." or _is_in_pattern(source, index):
        return
    yield Change("constant", source, index,
                 [(index, index + 1, f"({ASK} ? {int(text) + 1} : {text})")],
                 f"{text} became {int(text) + 1}")


def _is_in_pattern(source, index):
    while index >= 0 and source.word(index) not in ("{", ":", "="):
        if source.word(index) == "case":
            return True
        index = source.before(index)
    return False


def _without_guard(source, index):
    """A guard one of whose conditions is true, and one that follows the next `await`."""
    clauses = _clauses(source, index)
    plain = [clause for clause in clauses if source.word(clause[0]) not in BINDINGS]
    for start, end in plain:
        text = source.slice(start, end)
        yield Change("guard", source, start, [(start, end, f"({ASK} ? true : ({text}))")],
                     f"guard {text} is gone")
    condition_end = clauses[-1][1]
    end = source.partner[condition_end + 1] + 1
    awaiting = _awaiting(source, end) if plain == clauses else None
    if awaiting:
        edits = [(*clause, f"({ASK} ? true : ({source.slice(*clause)}))") for clause in clauses]
        condition = ", ".join(f"({ASK} ? ({source.slice(*clause)}) : true)" for clause in clauses)
        statement = source.slice(*awaiting)
        moved = f"guard {condition} {source.slice(condition_end, end)}"
        yield Change("await", source, index, [*edits, (*awaiting, f"{statement}\n{moved}")],
                     f"{source.slice(index, condition_end)} follows {statement}")


def _tried_later(source, index):
    """A call that throws, "try limits.spend(.reads)", made after the `await` that follows it."""
    end = source.end_of_statement(index)
    awaiting = _awaiting(source, end) if source.word(index + 1) != "await" else None
    if awaiting:
        check, statement = source.slice(index, end), source.slice(*awaiting)
        yield Change("await", source, index,
                     [(index, end, f"if !{ASK} {{ {check} }}"),
                      (*awaiting, f"{statement}\nif {ASK} {{ {check} }}")],
                     f"{check} follows {statement}")


def _clauses(source, index):
    """Where each condition of a guard begins and ends."""
    clauses, end = [], index
    while source.word(end) != "else":
        start = end = end + 1
        while source.word(end) not in (",", "else"):
            end = source.partner.get(end, end) + 1
        clauses.append((start, end))
    return clauses


def _awaiting(source, index):
    """The first of the next three statements that waits, and does not leave."""
    for _ in range(3):
        if source.word(index) in ("}", "", "case", "default"):
            return None
        start, index = index, source.end_of_statement(index)
        if any(source.word(other) == "await" and _is_outside_braces(source, other, start)
               for other in range(start, index)):
            return None if source.word(start) in EXITS else (start, index)
    return None


def _is_outside_braces(source, index, start):
    while source.around[index] >= start:
        index = source.around[index]
        if source.word(index) == "{":
            return False
    return True


def draw(sources, count, seed, add):
    """Offers changes to `add` until it has taken that many. The modules take turns, and so do the
    operators in each; the seed decides the rest."""
    choice, modules = random.Random(seed), {}
    for source in sources:
        for change in changes(source):
            kinds = modules.setdefault(source.module, {})
            kinds.setdefault(change.kind, []).append(change)
    turns = [list(kinds.values()) for _, kinds in sorted(modules.items())]
    choice.shuffle(turns)
    for kinds in turns:
        choice.shuffle(kinds)
        for of_kind in kinds:
            choice.shuffle(of_kind)
    while count > 0 and turns:
        kinds = turns.pop(0)
        of_kind = kinds.pop(0)
        while of_kind:
            if add(of_kind.pop()):
                count -= 1
                break
        kinds += [of_kind] if of_kind else []
        turns += [kinds] if kinds else []
