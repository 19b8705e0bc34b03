internal import Isolation
internal import NodeLink
internal import PartyStore

/// Reports to the log that a node does not answer this one, at most once a minute for each node. The
/// node may be alive, behind a broken network or with a wrong certificate.
struct NodeSilence: Sendable {
    /// In microseconds.
    private static let interval: Int64 = 60_000_000

    private let log: Log
    private let uptime: @Sendable () -> Int64
    /// When each node was last reported.
    private let reported = Locked<[Epoch: Int64]>([:])

    init(_ dependencies: Dependencies) {
        log = dependencies.log
        uptime = dependencies.clock.uptime
    }

    /// Records that a node of `others` has not answered.
    func noted(of node: ServerNode, _ fault: ForwardFault, among others: [ServerNode]) {
        let details: KeyValuePairs = [
            "node": node.name, "address": node.address, "error": "\(fault)",
        ]
        if fault.isOfOtherNode, isReportDue(for: node, among: others) {
            log.warning("another node does not answer", details)
        } else {
            log.debug("a request to another node fails", details)
        }
    }

    private func isReportDue(for node: ServerNode, among others: [ServerNode]) -> Bool {
        let now = uptime()
        return reported.withLock { reported in
            if let last = reported[node.epoch], now - last < Self.interval { return false }
            let living = Set(others.map(\.epoch))
            reported = reported.filter { living.contains($0.key) }
            reported[node.epoch] = now
            return true
        }
    }
}
