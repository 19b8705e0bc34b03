internal import Isolation
internal import NodeLink
internal import PartyStore

/// Tells the operator, once each time, that a node does not answer this one, and that it answers
/// again. It may live all the same, behind a cut network or a wrong certificate.
struct NodeSilence: Sendable {
    private let log: Log
    /// The epochs of the nodes that do not answer.
    private let silent = Locked<Set<Epoch>>([])

    init(_ log: Log) { self.log = log }

    /// Records that a node of `others` has not answered.
    func noted(of node: ServerNode, _ fault: ForwardFault, among others: [ServerNode]) {
        let details: KeyValuePairs = [
            "node": node.name, "address": node.address, "error": "\(fault)",
        ]
        guard fault != .overloaded else {
            return log.debug("a node is not asked", details)
        }
        let isNew = silent.withLock { silent in
            // Those that are gone never answer again.
            silent.formIntersection(others.map(\.epoch))
            return silent.insert(node.epoch).inserted
        }
        if isNew {
            log.warning("another node does not answer", details)
        } else {
            log.debug("another node still does not answer", details)
        }
    }

    /// Records that a node has answered.
    func ended(of node: ServerNode) {
        guard silent.withLock({ $0.remove(node.epoch) }) != nil else { return }
        log.info("the other node answers again", ["node": node.name])
    }
}
