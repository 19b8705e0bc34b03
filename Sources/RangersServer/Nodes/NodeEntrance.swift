internal import HTTPServer
internal import Isolation
internal import NodeLink

/// The listener for other nodes. It is there before the server joins them, so that they know its
/// port, and opens when the server can respond.
final class NodeEntrance: Sendable {
    /// What is behind it, by how a client's request came to the first node. A class, because each
    /// request would copy the whole of it.
    final class APIs: Sendable {
        let players: API
        let gameMasters: API
        /// For what nodes ask of each other.
        let nodes: API

        init(players: API, gameMasters: API, nodes: API) {
            (self.players, self.gameMasters, self.nodes) = (players, gameMasters, nodes)
        }
    }

    /// Where other nodes reach it.
    let address: String
    private let listener: NodeListener
    private let apis: Locked<APIs?>

    /// Starts listening. `address` is where other nodes reach the listener; `nil`: where it listens.
    init(
        _ settings: HTTPServer.Settings, address: NodeAddress?, key: NodeKey
    ) throws(NodeLinkError) {
        let apis = Locked<APIs?>(nil)
        self.apis = apis
        listener = try NodeListener(settings, key: key) { head, hop in
            guard hop.entrance == .players else { return nil }
            return apis.withLock { $0 }?.players.immediateResponse(to: head, by: hop)
        } handler: { request, hop in
            guard let apis = apis.withLock({ $0 }) else {
                return Problem.unavailable("The server is starting.").response
            }
            return switch hop.entrance {
            case .players: await apis.players.respond(to: request, by: hop)
            case .gameMasters: await apis.gameMasters.respond(to: request, by: hop)
            case .nodes: await apis.nodes.respond(to: request, by: hop)
            }
        }
        self.address =
            (address ?? NodeAddress(host: settings.host, port: listener.port))?.description ?? ""
    }

    /// Lets requests of other nodes in.
    func open(to apis: APIs) { self.apis.withLock { $0 = apis } }

    func stop(graceSeconds: Int) async {
        await listener.stop(graceSeconds: graceSeconds)
        apis.withLock { $0 = nil }
    }
}
