/// How the resident memory of nodes grows.
struct ClusterMemory: Sendable {
    private struct Node {
        var bytes: Int
        /// At the beginning of the time that is measured, or when the node was started again.
        var before: Int
    }

    private var nodes: [Node?]
    private var growth = 0

    init(nodes: Int) { self.nodes = Array(repeating: nil, count: nodes) }

    mutating func note(_ bytes: Int, of number: Int) {
        let before = min(nodes[number]?.before ?? bytes, bytes)
        nodes[number] = Node(bytes: bytes, before: before)
        growth = max(growth, bytes - before)
    }

    /// Returns by how many bytes a node has grown at most, since the last call.
    mutating func takeGrowth() -> Int {
        defer {
            growth = 0
            nodes = nodes.map { node in node.map { Node(bytes: $0.bytes, before: $0.bytes) } }
        }
        return growth
    }
}
