internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Sends requests to the nodes that have what they concern.
///
/// The response is a 503 that names the owner's location in nginx (`X-Accel-Redirect`). nginx does
/// not show it, but plays the request again there. A client without nginx waits as `Retry-After`
/// says, and comes again; or it goes to the owner's own URL, if that has one (`Rangers-Owner`).
final class Redirects: Sendable {
    /// Which of the owner's listeners has the route.
    enum Listener: Hashable, Sendable {
        case players, gameMasters
    }

    /// What a node responds that has not what the request concerns.
    struct Redirection {
        let response: Response
        /// Whether the proxy plays the request again, at another node, which then responds for it.
        let isFollowed: Bool
    }

    private struct Kind: Hashable {
        let node: Epoch
        let listener: Listener
        let arrival: RequestArrival
    }

    private let map: ShardMap
    /// Those of living nodes.
    private let prepared = Locked<[Kind: PreparedResponse]>([:])
    private let results: (owner: NumberSeries, nowhere: NumberSeries, again: NumberSeries)

    /// Returns `nil` if the server has the store for itself.
    init?(_ map: ShardMap, _ metrics: Metrics) {
        guard map.isShared else { return nil }
        self.map = map
        func number(_ result: String) -> NumberSeries {
            metrics.number(.requestsRedirected, labels: "result=\"\(result)\"")
        }
        results = (number("owner"), number("nowhere"), number("again"))
    }

    /// Sends a request to that place. A request that was redirected once is not redirected again:
    /// what it concerns is moving.
    func redirection(
        to place: ShardMap.Place, for listener: Listener, _ arrival: RequestArrival
    ) -> Redirection {
        guard arrival != .redirected else {
            results.again.add()
            return Redirection(response: Problem.partyIsMoving.response, isFollowed: false)
        }
        guard case .elsewhere(let node) = place, !node.place.address(for: listener).isEmpty else {
            // It has come here just now, nobody has it, or its owner cannot be reached.
            results.nowhere.add()
            return Redirection(response: Problem.partyIsMoving.response, isFollowed: false)
        }
        results.owner.add()
        return Redirection(
            response: Response(response(naming: node, for: listener, arrival)),
            isFollowed: arrival == .proxied)
    }

    private func response(
        naming node: ServerNode, for listener: Listener, _ arrival: RequestArrival
    ) -> PreparedResponse {
        let kind = Kind(node: node.epoch, listener: listener, arrival: arrival)
        if let known = prepared.withLock({ $0[kind] }) { return known }
        let made = PreparedResponse(Self.made(for: node.place, listener, arrival))
        let living = Set(map.others.map(\.epoch))
        prepared.withLock { prepared in
            prepared = prepared.filter { living.contains($0.key.node) }
            prepared[kind] = made
        }
        return made
    }

    private static func made(
        for owner: NodePlace, _ listener: Listener, _ arrival: RequestArrival
    ) -> Response {
        var response = Problem.isElsewhere.response
        if arrival == .proxied {
            // nginx keeps the connection only after a response without a body.
            response.body = []
            // It would add them to those of the owner's response.
            response.headers.removeAll { $0.name == "content-type" }
            response.headers.append(.init("cache-control", ""))
        }
        response.headers.append(.init("x-accel-redirect", "@\(owner.address(for: listener))"))
        if !owner.publicURL.isEmpty {
            response.headers.append(.init("rangers-owner", owner.publicURL))
        }
        return response
    }
}

extension NodePlace {
    fileprivate func address(for listener: Redirects.Listener) -> String {
        switch listener {
        case .players: address
        case .gameMasters: adminAddress
        }
    }
}

extension Access {
    /// The listener that has the route, if there are two.
    var listener: Redirects.Listener {
        switch self {
        case .anyone, .player, .doctor: .players
        case .signIn, .admin: .gameMasters
        }
    }
}
