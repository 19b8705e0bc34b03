"""The control of the search: it finds what was planted in a small Swift file, and nothing else."""

import faults as fault_list
import operators

TEXT = r'''
/// if a < b: a comment is no place.
enum Outer {
    struct Party<Hero: Equatable> where Hero: Sendable {
        static let sizeMax = 2 * 4

        func join(_ hero: Hero, at now: Int = 7) async throws -> [Int] {
            guard heroes.count < Self.sizeMax, // "a" < b
                let place = places.first(where: { $0.isFree })
            else { throw Full("\(heroes.count) < \(max(1, 2))") }
            guard !isOver else { return [] }
            try hero.check()
            let names = try await store
                .names(of: hero)
            switch place.number {
            case 3, 4: return [place.number + 5]
            default: return names.isEmpty || place.isFirst ? [] : names
            }
        }
    }
}

extension Outer.Party {
    var sql: String { "SELECT 1 FROM parties  WHERE a < b" }
    func leave() { if heroes[0] == [] { end() } }
}
'''
MEMBERS = ["Outer.Party.sizeMax", "Outer.Party.join", "Outer.Party.sql", "Outer.Party.leave"]
CHANGES = [
    "constant: 2 became 3",
    "constant: 4 became 5",
    "guard: guard heroes.count < Self.sizeMax is gone",
    "comparison: heroes.count < Self.sizeMax became heroes.count <= Self.sizeMax",
    "guard: guard !isOver is gone",
    "await: guard !isOver follows let names = try await store .names(of: hero)",
    "await: try hero.check() follows let names = try await store .names(of: hero)",
    "constant: 5 became 6",
    "logic: names.isEmpty || place.isFirst became names.isEmpty && place.isFirst",
    "constant: 0 became 1",
    "comparison: heroes[0] == [] became heroes[0] != []",
]
LIST = r'''
found: One.
    in Party.join: try  await store.names(of:hero)
    -> []
    by PartyTests

found-in-text: Two.
    in Outer.Party.sql, text: FROM parties WHERE
    -> FROM heroes WHERE
    by PartyTests

# A comment.
found-as-statement: Three.
    in Party.leave, statement: end()
    by PartyTests

gone: Four.
    in Party.leave: heroes.isEmpty
    by PartyTests

twice: Five.
    in Party.join: place
    by PartyTests

taken: Six.
    in Party.join: store
    by PartyTests

unjudged: Seven.
    in Party.leave: heroes[0] == []
    by OtherTests
'''
MUTATED = [
    'let names = (isFault("found") ? ([]) : (try await store\n                .names(of: hero)))',
    '(isFault("found-in-text") ? "SELECT 1 FROM heroes WHERE a < b" : "SELECT 1 FROM',
    'if heroes[0] == [] { if isFault("found-as-statement") {  } else { end() } }',
]
MOVED = [
    'guard (isFault("drawn-1") ? true : (!isOver)) else { return [] }\n            try hero',
    '(of: hero)\nguard (isFault("drawn-1") ? (!isOver) : true) else { return [] }\n',
    '            if !isFault("drawn-2") { try hero.check() }\n            let names = try await',
    '(of: hero)\nif isFault("drawn-2") { try hero.check() }\n',
]


def run():
    sources = fault_list.Sources({"Sources/Module/Party.swift": TEXT})
    source = sources.source("Sources/Module/Party.swift")
    _expect("members", [".".join(member.path) for member in source.members], MEMBERS)
    changes = list(operators.changes(source))
    _expect("changes", [f"{change.kind}: {change.says}" for change in changes], CHANGES)

    extension = {"Sources/Module/Party+Going.swift": "extension Outer.Party { func go() {} }"}
    _expect("extension", len(list(fault_list.Sources(extension).declaring(("Party", "go")))), 1)

    faults, dropped = fault_list.placed(fault_list.read(LIST), sources, {"PartyTests"})
    _expect("found", [f"{fault.name} {fault.place[-2:]}" for fault in faults],
            ["found 13", "found-in-text 24", "found-as-statement 25"])
    _expect("dropped", [reason.split(":")[0] for reason in dropped],
            ["gone", "twice", "taken", "unjudged"])
    texts, lines = fault_list.mutated(faults)
    _expect("mutated", [text in texts[source.path] for text in MUTATED], [True] * len(MUTATED))
    _expect("lines", [place[:2] for place in lines[source.path]], [(13, 14), (24, 24), (25, 25)])

    moved = [fault_list.of_change(change, number) for number, change in
             enumerate((change for change in changes if change.kind == "await"), 1)]
    texts = [fault_list.mutated([fault])[0][source.path] for fault in moved]
    _expect("moved", [text in texts[index // 2] for index, text in enumerate(MOVED)], [True] * 4)
    _expect("seeds", [_drawn(source, seed) == _drawn(source, 1) for seed in (1, 2)], [True, False])
    _expect("all drawn", sorted(_drawn(source, 1, 99)), sorted(change.says for change in changes))


def _drawn(source, seed, count=6):
    drawn = []
    operators.draw([source], count, seed, lambda change: drawn.append(change.says) is None)
    return drawn


def _expect(what, found, expected):
    if found != expected:
        raise SystemExit(f"Scripts/mutate: self-test of {what}: {found}, not {expected}")
