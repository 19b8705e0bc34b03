/// Reads of parties: by the node that has them, and by one that forwards them, beside nginx.
struct ForwardingSample: Hashable, Sendable {
    /// Who takes a request.
    enum Way: CaseIterable, Sendable {
        /// The node that has the party.
        case own
        /// Another node, which forwards it over TLS.
        case forwarded
        /// nginx, which forwards it as that node does.
        case nginx
    }

    /// Reads of one way.
    struct Reads: Hashable, Sendable {
        /// Reads per second.
        let rate: Double
        /// CPU of a read, of the one that takes it.
        let entryMicroseconds: Double
        /// CPU of a read, of the node that has the party; 0: it has taken it itself.
        let ownerMicroseconds: Double

        var microseconds: Double { entryMicroseconds + ownerMicroseconds }
    }

    /// The target of a node's rate ÷ nginx's.
    static let ratioMin = 0.3

    private let reads: [Way: Reads]

    init(_ reads: [Way: Reads]) { self.reads = reads }

    subscript(way: Way) -> Reads? { reads[way] }

    /// A value of forwarded reads ÷ that of another way.
    func ratio(to way: Way, _ value: (Reads) -> Double) -> Double? {
        guard let ours = reads[.forwarded], let theirs = reads[way] else { return nil }
        return value(ours) / value(theirs)
    }
}

extension ForwardingSample: CustomStringConvertible {
    /// A progress line.
    var description: String {
        let rates = Way.allCases.map { Int(reads[$0]?.rate ?? 0) }
        return "\(rates[0]) reads/s, \(rates[1]) forwarded (\(rates[2]) by nginx)"
    }
}
