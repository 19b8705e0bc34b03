internal import RangersServer

/// A run that failed, in words: who plays, what goes wrong, what happened to the subject, and which
/// promise did not hold. At most ten lines.
package struct RunStory {
    package static let linesMax = 10
    private static let faultsMax = 4
    private static let othersMax = 2

    package let lines: [String]

    /// Plays the plan once more to tell it. `nil`: the invariant holds.
    package init?(_ plan: Plan, _ invariant: Invariant, runs: Int? = nil) {
        let outcome = Run(plan).play(tells: true)
        guard let violation = outcome.violations.first(where: { $0.invariant == invariant })
        else { return nil }
        var lines = [Self.cast(plan, runs: runs)]
        let faults = plan.faults.filter { Scheduler.start + $0.at <= violation.at }
        lines += faults.suffix(Self.faultsMax).map(\.words)
        let others = Set(outcome.violations.map(\.invariant)).subtracting([invariant]).sorted()
        let also = others.prefix(Self.othersMax).compactMap { other in
            outcome.violations.first { $0.invariant == other }.map {
                "Also \(other.rawValue), \(Self.seconds($0.at)): \($0.words)."
            }
        }
        let end =
            also + [
                "⇒ \(Self.seconds(violation.at)): \(violation.words).",
                "\(invariant.rawValue): \(invariant.rule).",
            ]
        let room = Self.linesMax - lines.count - end.count
        lines += outcome.context(of: violation, lines: room)
        self.lines = lines + end
    }

    private static func cast(_ plan: Plan, runs: Int?) -> String {
        let people = plan.people.count
        var words = "Seed \(plan.seed), \(plan.minutes) min, "
        words += plan.parties.count == 1 ? "1 party" : "\(plan.parties.count) parties"
        words += " with \(people == 1 ? "1 person" : "\(people) people")"
        words += " (\(Set(plan.parties.map(\.pack)).sorted().joined(separator: ", ")))"
        if plan.laneDelay > 0 { words += ", disk work of up to \(plan.laneDelay) ms" }
        if plan.mode != .fifo { words += ", jobs in a drawn order" }
        if let name = plan.control?.rawValue ?? plan.sabotage?.rawValue {
            words += ", control \(name)"
        }
        return words + (runs.map { ", found in \($0) runs" } ?? "") + "."
    }

    static func seconds(_ at: Int64) -> String {
        "\(Double(at - Scheduler.start) / 1000) s"
    }
}

extension RunOutcome {
    /// The newest lines before a violation that are about the same card, party or client; who only
    /// looked comes last, and so do rows of the store that are nobody's.
    fileprivate func context(of violation: Violation, lines: Int) -> [String] {
        guard lines > 0 else { return [] }
        let subjects = Self.names(in: violation.words)
        let before = chronicle.enumerated().filter { $0.element.at <= violation.at }
        let about = before.filter { _, line in
            line.isGeneral || subjects.contains { line.words.contains($0) }
        }
        let told = about.filter { !$0.element.isLook && !$0.element.isOfStore }
        // The first life and what the violation itself says tell nothing.
        var kept = Array(told.suffix(lines))
        let isDelivery = Self.deliveries.contains(violation.invariant)
        let rows = before.filter { _, line in
            line.isOfStore
                && (isDelivery && line.words.contains("outcomes")
                    || subjects.contains { line.words.contains($0) })
        }
        if !rows.isEmpty {
            let room = min(rows.count, lines, max(Self.rowsMin, lines - kept.count))
            kept = Array(kept.suffix(lines - room)) + rows.suffix(room)
        }
        if kept.count < lines {
            kept += about.filter(\.element.isLook).suffix(lines - kept.count)
        }
        return kept.sorted { $0.offset < $1.offset }.map(\.element.sentence)
    }

    /// What depends on the outcomes of pushes that a server has kept.
    private static let deliveries: Set<Invariant> = [.IN2, .IN3, .IN16, .IN20]
    private static let rowsMin = 3

    /// The ids in a sentence: those of cards, parties and tokens.
    private static func names(in words: String) -> [String] {
        words.split { " ,:;“”".contains($0) }.map(String.init).filter { word in
            word.hasPrefix("player(") || word.hasPrefix("card-") || word.hasPrefix("party-")
                || word.hasPrefix("…")
                || word.hasPrefix("hero-") || word.hasPrefix("p-")
        }
    }
}
