/// A node's report to the others of what its game masters' consoles show: a row a second, while
/// somebody watches.
package struct NodeReport: Hashable, Sendable {
    /// How many reports of a node are kept. Who has not read for so many seconds asks for everything.
    package static let keptMax: Int64 = 10

    /// The epoch of the node.
    package let node: Int64
    /// One more than that of the node's report before.
    package let number: Int64
    package let body: [UInt8]

    package init(node: Int64, number: Int64, body: [UInt8]) {
        self.node = node
        self.number = number
        self.body = body
    }
}

/// The fate of a node's reports.
package enum NodeReporting: Hashable, Sendable {
    case writes(NodeReport)
    /// Existing reports stay.
    case goesOn
    /// Nobody watches: those that are there are deleted.
    case ends
}

/// A node's view of the others, for its consoles.
package struct NodeWatch: Hashable, Sendable {
    /// How long it lasts unless it is written again, in milliseconds of the database's clock.
    package static let lastingMilliseconds: Int64 = 5000

    /// The parts that reports have beside the sums of a second.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// The parties of the wall that have changed.
        package static let wall = Parts(rawValue: 1)
        /// The outcomes of the newest pushes.
        package static let statistics = Parts(rawValue: 2)
        /// Frozen parties, and those that need somebody.
        package static let lists = Parts(rawValue: 4)
    }

    /// The epoch of the node.
    package let node: Int64
    package let parts: Parts
    /// Grows when the node needs whole walls: it knows too little for changes.
    package let walls: Int64

    package init(node: Int64, parts: Parts, walls: Int64) {
        self.node = node
        self.parts = parts
        self.walls = walls
    }
}

/// The reports of the other nodes at one moment.
package struct NodeReports: Hashable, Sendable {
    /// By node, and in their order.
    package let reports: [NodeReport]
    package let watches: [NodeWatch]

    package init(reports: [NodeReport], watches: [NodeWatch]) {
        self.reports = reports
        self.watches = watches
    }
}
