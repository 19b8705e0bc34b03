internal import PartyStore
internal import PushPolicy
internal import Secrets

/// What a server is among those that share a database.
package struct NodeSettings: Sendable {
    /// The name for people.
    package var name: String
    /// Where other nodes reach it, as "host:port"; empty: they cannot.
    package var address: String

    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}

/// A server's place in its store, taken at its start.
struct Joined: Sendable {
    let epoch: Epoch
    let map: ShardMap
    /// Whether no other server has the store.
    let isFirst: Bool
    /// The store, if several servers share it, and its clock.
    private let shared: (store: any NodeStore, clock: DatabaseClock)?

    /// Takes the store, or joins the servers that share it. Returns the dependencies with the time
    /// that goes on.
    static func joining(
        _ settings: Server.Settings, _ dependencies: Dependencies
    ) async throws(StoreError) -> (Joined, Dependencies) {
        guard let node = settings.node, let store = dependencies.store.shared else {
            let epoch = try await dependencies.store.takeOwnership()
            let joined = Joined(epoch: epoch, map: .whole, isFirst: true, shared: nil)
            return (joined, try await dependencies.continuingTime())
        }
        let epoch = try await store.join(name: node.name, address: node.address)
        let machine = dependencies.clock.machine
        let began = machine.sinceBoot()
        let reading = try await store.renew(epoch)
        let clock = DatabaseClock(
            on: machine, reading: reading, at: (began + machine.sinceBoot()) / 2)
        var dependencies = dependencies
        dependencies.clock = dependencies.clock.following(clock)
        dependencies = try await dependencies.continuingTime()
        let map = ShardMap(of: epoch, sinceBoot: dependencies.clock.machine.sinceBoot)
        dependencies.log.info("this server is a node", ["node": "\(epoch.number)"])
        let isFirst = try await store.nodeTable().nodes.count == 1
        return (
            Joined(epoch: epoch, map: map, isFirst: isFirst, shared: (store, clock)), dependencies
        )
    }

    /// Returns what keeps the server a node; `nil`: it has the store for itself.
    func membership(of game: Game) -> Membership? {
        shared.map { shared in
            Membership(
                shared.store, epoch: epoch, map: map, shards: game.shards, game.dependencies,
                databaseClock: shared.clock
            ) { news in
                await game.follow(news)
            }
        }
    }
}
