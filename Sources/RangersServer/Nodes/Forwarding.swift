internal import GameLogic
internal import HTTPServer
internal import NodeLink
internal import PartyStore
internal import PushPolicy

/// Passes requests on to the nodes that have what they concern.
struct Forwarding: Sendable {
    private let forwarder: RequestForwarder
    private let map: ShardMap
    private let silence: NodeSilence
    private let clock: ServerClock
    private let results: (forwarded: NumberSeries, failed: NumberSeries, nowhere: NumberSeries)

    init(_ forwarder: RequestForwarder, _ map: ShardMap, _ dependencies: Dependencies) {
        self.forwarder = forwarder
        self.map = map
        silence = NodeSilence(dependencies)
        clock = dependencies.clock
        func number(_ result: String) -> NumberSeries {
            dependencies.metrics.number(.requestsForwarded, labels: "result=\"\(result)\"")
        }
        results = (number("answered"), number("failed"), number("nowhere"))
    }

    /// Returns the response of the node that has the party, or a 503.
    func response(to request: Request, of party: PartyID, by hop: Hop) async -> Response {
        await response(to: request, at: map.place(of: party), by: hop)
    }

    /// Returns the response of the node that does what belongs to no party, or a 503.
    func leaderResponse(to request: Request, by hop: Hop) async -> Response {
        await response(to: request, at: map.leader, by: hop)
    }

    private func response(
        to request: Request, at place: ShardMap.Place, by hop: Hop
    ) async -> Response {
        guard case .elsewhere(let node) = place, let address = NodeAddress(node.address) else {
            // It has come here just now, or nobody has it.
            results.nowhere.add()
            return Problem.partyIsMoving.response
        }
        do throws(ForwardFault) {
            let response = try await forward(request, to: node, at: address, by: hop)
            results.forwarded.add()
            return response
        } catch {
            results.failed.add()
            return error.problem.response
        }
    }

    private func forward(
        _ request: Request, to node: ServerNode, at address: NodeAddress, by hop: Hop
    ) async throws(ForwardFault) -> Response {
        do throws(ForwardFault) {
            return try await forwarder.forward(request, to: address, hop: hop)
        } catch {
            // A wait that was cut short says nothing of the other node.
            if !Task.isCancelled { silence.noted(of: node, error, among: map.others) }
            throw error
        }
    }

    /// Returns the responses of these nodes to the same request, which each answers for itself;
    /// `nil`: that node does not answer, or not within so many milliseconds.
    func responses(
        of nodes: [ServerNode], to request: Request, by hop: Hop, within milliseconds: Int64? = nil
    ) async -> [(node: ServerNode, response: Response?)] {
        let end = milliseconds.map { clock.now().adding(milliseconds: $0) }
        return await withTaskGroup(of: (ServerNode, Response?)?.self) { group in
            for node in nodes {
                group.addTask { (node, await self.response(of: node, to: request, by: hop)) }
            }
            if let end {
                group.addTask { [clock] in
                    await clock.sleep(end, .waiting)
                    return nil
                }
            }
            var responses: [(node: ServerNode, response: Response?)] = []
            while responses.count < nodes.count, let next = await group.next() {
                // The time is over: those that have not responded return `nil` at once.
                if let next { responses.append(next) } else { group.cancelAll() }
            }
            group.cancelAll()
            return responses.sorted { $0.node.epoch < $1.node.epoch }
        }
    }

    /// Returns the responses of all other nodes.
    func responses(
        to request: Request, by hop: Hop
    ) async -> [(node: ServerNode, response: Response?)] {
        await responses(of: map.others, to: request, by: hop)
    }

    /// Returns the response to a request that this node itself sends to the owner of a party.
    func response(to body: [UInt8], at path: String, of party: PartyID) async -> Response {
        await response(
            to: Request(method: .post, path: path, headers: Self.json, body: body), of: party,
            by: Hop(at: .nodes))
    }

    /// Returns the responses to a request that this node itself sends to others; `nil`: to all.
    func responses(
        of nodes: [ServerNode]? = nil, to body: [UInt8], at path: String,
        within milliseconds: Int64? = nil
    ) async -> [(node: ServerNode, response: Response?)] {
        await responses(
            of: nodes ?? map.others,
            to: Request(method: .post, path: path, headers: Self.json, body: body),
            by: Hop(at: .nodes), within: milliseconds)
    }

    /// Returns the response of one node to a request that this node itself sends.
    func response(of node: ServerNode, to body: [UInt8], at path: String) async -> Response? {
        await response(
            of: node,
            to: Request(method: .post, path: path, headers: Self.json, body: body),
            by: Hop(at: .nodes))
    }

    /// The other living nodes.
    var others: [ServerNode] { map.others }

    /// Returns the other nodes that have some of these parties, each once, by epoch.
    func owners(of parties: [PartyID]) -> [ServerNode] {
        var owners: Set<ServerNode> = []
        for party in parties {
            if case .elsewhere(let node) = map.place(of: party) { owners.insert(node) }
        }
        return owners.sorted { $0.epoch < $1.epoch }
    }

    private static let json = ["content-type": "application/json"]

    private func response(of node: ServerNode, to request: Request, by hop: Hop) async -> Response?
    {
        guard let address = NodeAddress(node.address) else { return nil }
        do throws(ForwardFault) {
            return try await forward(request, to: node, at: address, by: hop)
        } catch {
            return nil
        }
    }

    func stop() async { await forwarder.stop() }
}
