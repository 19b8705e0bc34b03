/// One thing that is wrong with a pack, for its designer: where, what, and what would be right.
package struct PackFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Severity: Hashable, Sendable {
        /// The pack cannot be played.
        case error
        /// The pack can be published if somebody accepts this.
        case warning
    }

    /// The place in the file: "stages[2].foes".
    package let path: String
    package let what: String
    package let severity: Severity

    package init(_ path: String, _ what: String, severity: Severity = .error) {
        self.path = path
        self.what = what
        self.severity = severity
    }

    package var description: String {
        (path.isEmpty ? "" : "\(path): ") + (severity == .warning ? "warning: " : "") + what
    }
}

/// All that is wrong with a pack.
package struct PackFaults: Error, Hashable, Sendable, CustomStringConvertible {
    package let faults: [PackFault]

    package init(faults: [PackFault]) { self.faults = faults }

    package var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// The name that a designer may have meant.
enum Suggestion {
    /// Returns "; did you mean "magpie"?" for the candidate nearest to `word`, or nothing when none
    /// is near.
    static func text(for word: String, among candidates: some Sequence<String>) -> String {
        let limit = max(1, word.count / 3)
        let near =
            candidates.map { (name: $0, distance: distance(Array(word), Array($0))) }
            .filter { $0.distance <= ($0.name.hasPrefix(word.prefix(3)) ? word.count / 2 : limit) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return near.map { "; did you mean \"\($0.name)\"?" } ?? ""
    }

    /// Levenshtein's distance, where two neighbours that change places count once.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var older: [Int] = []
        var before = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    before[column + 1] + 1, line[column] + 1,
                    before[column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, older[column - 1] + 1)
                }
                line.append(best)
            }
            (older, before) = (before, line)
        }
        return before[right.count]
    }
}
