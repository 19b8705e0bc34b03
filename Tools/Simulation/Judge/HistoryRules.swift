internal import JSONReader

/// IN7, and what responses show of IN6 and IN8: a party's versions rise, its events have numbers
/// without gaps, none changes, and none that anybody has seen goes away.
struct HistoryRules: Rules {
    private struct Newest {
        var sequence: Int64 = 0
        var version: Int64 = 0
        /// When it was seen, and from whom.
        var at: Int64 = 0
        var isAcknowledgement = false
    }

    /// What responses had shown, in the order in which they came.
    private var newest: [String: [Newest]] = [:]
    /// The newest event by version.
    private var sequences: [String: [Int64: Int64]] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .exchange(let exchange) = scene, let party = exchange.party,
            let id = party["id"]?.text, let version = party["version"]?.integer
        else { return }
        let events = (party["events"]?.elements ?? []).compactMap {
            SeenEvent($0, seenAt: exchange.at, askedAt: exchange.seen.sentAt)
        }
        compare(events, of: id, in: world, &findings)
        // With `after`, an empty list says nothing of the newest one.
        let sequence = events.last?.sequence
        if let sequence {
            let known = sequences[id]?[version]
            if let known, known != sequence, !exchange.seen.path.contains("after=") {
                findings.note(
                    .IN7, at: world.now,
                    "version \(version) of party \(id) ends with event \(known) and with \(sequence)"
                )
            }
            if !exchange.seen.path.contains("after=") {
                sequences[id, default: [:]][version] = sequence
            }
        }
        goesOn(id, version, sequence, exchange, in: world, &findings)
    }

    private func compare(
        _ events: [SeenEvent], of id: String, in world: Circumstances,
        _ findings: inout Violations
    ) {
        for (left, right) in zip(events, events.dropFirst())
        where right.sequence != left.sequence + 1 {
            findings.note(
                .IN7, at: world.now,
                "party \(id) has event \(right.sequence) after event \(left.sequence)")
        }
        for event in events {
            guard let known = world.parties[id]?.events[event.sequence],
                !known.isSame(as: event)
            else { continue }
            findings.note(
                world.diedBetween(known.seenAt, world.now) ? .IN6 : .IN7, at: world.now,
                """
                event \(event.sequence) of party \(id) was \(known.kind) of \
                \(known.hero ?? "nobody"), and is \(event.kind) of \(event.hero ?? "nobody")
                """)
        }
    }

    /// What was shown to anybody before the request left is still there.
    private mutating func goesOn(
        _ id: String, _ version: Int64, _ sequence: Int64?, _ exchange: JudgedExchange,
        in world: Circumstances, _ findings: inout Violations
    ) {
        var known = newest[id] ?? []
        if let before = known.last(where: { $0.at < exchange.seen.sentAt }) {
            let (invariant, when): (Invariant, String) =
                before.isAcknowledgement
                ? (.IN6, "acknowledged") : (.IN8, "shown")
            if version < before.version {
                findings.note(
                    invariant, at: world.now,
                    "version \(before.version) of party \(id) was \(when), now it has \(version)")
            } else if let sequence, sequence < before.sequence,
                !exchange.seen.path.contains("after=")
            {
                findings.note(
                    invariant, at: world.now,
                    "event \(before.sequence) of party \(id) was \(when), now \(sequence) is the newest"
                )
            }
        }
        let last = known.last ?? Newest()
        if version > last.version || sequence ?? 0 > last.sequence {
            known.append(
                Newest(
                    sequence: max(sequence ?? 0, last.sequence),
                    version: max(version, last.version), at: exchange.at,
                    isAcknowledgement: exchange.seen.method.uppercased() != "GET"))
            newest[id] = known.suffix(64)
        }
    }
}
