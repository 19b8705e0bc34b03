internal import PartyStore

/// What each node keeps in memory and any of them may change. The store notes that something has
/// changed with the change itself; all read it with the next renewal of their lease.
extension Game {
    /// Reads again what another node has changed. Returns whether it could; what fails is logged.
    func follow(_ news: SharedNews) async -> Bool {
        do {
            switch news {
            case .names:
                try await names.reloadAll(store)
                try await nameRules.reload(store)
                snapshots.forgetAll()
            case .packs:
                try await packs.reload(dependencies)
                snapshots.forgetAll()
            case .pause:
                let newest = try await store.newestPushPause()
                await shards.set(
                    newest.pause == nil ? .allowed : .paused, order: newest.order)
            case .masters:
                try await sessions.reload()
                try await consoles.closeRevoked(store)
            case .erasures:
                await deletion.finishAll()
            case .jobs:
                jobs.wake()
            case .world:
                world.wake()
            case .tokens:
                try await players.closeEnded()
            }
            return true
        } catch {
            dependencies.log.warning(
                "cannot read what another node has changed",
                ["of": "\(news)", "error": "\(error)"])
            return false
        }
    }
}
