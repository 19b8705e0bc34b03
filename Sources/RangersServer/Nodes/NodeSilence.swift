internal import Isolation
internal import NodeLink
internal import PartyStore

/// Tells the operator that a node does not answer this one, once a minute for each node. It may live
/// all the same, behind a cut network or a wrong certificate.
struct NodeSilence: Sendable {
    /// In microseconds.
    private static let interval: Int64 = 60_000_000

    private let log: Log
    private let uptime: @Sendable () -> Int64
    /// When it was told of which node.
    private let told = Locked<[Epoch: Int64]>([:])

    init(_ dependencies: Dependencies) {
        log = dependencies.log
        uptime = dependencies.clock.uptime
    }

    /// Records that a node of `others` has not answered.
    func noted(of node: ServerNode, _ fault: ForwardFault, among others: [ServerNode]) {
        let details: KeyValuePairs = [
            "node": node.name, "address": node.address, "error": "\(fault)",
        ]
        if fault != .overloaded, isToBeTold(of: node, among: others) {
            log.warning("another node does not answer", details)
        } else {
            log.debug("a request to another node fails", details)
        }
    }

    private func isToBeTold(of node: ServerNode, among others: [ServerNode]) -> Bool {
        let now = uptime()
        return told.withLock { told in
            if let last = told[node.epoch], now - last < Self.interval { return false }
            let living = Set(others.map(\.epoch))
            told = told.filter { living.contains($0.key) }
            told[node.epoch] = now
            return true
        }
    }
}
