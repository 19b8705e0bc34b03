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

    /// Errors come first.
    package init(faults: [PackFault]) {
        let errors = faults.filter { $0.severity == .error }
        self.faults = errors + faults.filter { $0.severity == .warning }
    }

    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
