internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Deletes accounts: the player's heroes leave their parties, which ends their Live Activities, and
/// then names and registrations are erased, party by party.
///
/// The store notes the account first, so what a failure or a stop leaves undone is done later.
struct AccountDeletion: Sendable {
    let shards: Shards
    let snapshots: PartySnapshots
    let players: KnownPlayers
    let dependencies: Dependencies

    /// Ends every way into the account, durably, and erases it as far as that is possible now. Other
    /// nodes learn of it by that, and erase it in their parties.
    func delete(_ player: PlayerID) async throws {
        try await players.change(
            .beginErasure(player, at: dependencies.clock.now()), keeping: nil)
        await finish(player)
    }

    /// Erases what was left undone.
    func finishAll() async {
        do throws(StoreError) {
            for player in try await dependencies.store.accountsToErase() { await finish(player) }
        } catch {
            dependencies.log.warning("cannot read the deleted accounts", ["error": "\(error)"])
        }
    }

    private func finish(_ player: PlayerID) async {
        do {
            try await erase(player)
        } catch {
            dependencies.log.warning(
                "an account cannot be erased yet", ["player": "\(player)", "error": "\(error)"])
        }
    }

    private func erase(_ player: PlayerID) async throws {
        let store = dependencies.store
        let heroes = try await store.heroes(of: player)
        let memberships = try await store.memberships(of: player).sorted { $0.key < $1.key }
        for (hero, party) in memberships where shards.map.isHere(party) {
            try await shards.change(party) { change in
                // Another try may have been first.
                if change.party.anyHero(hero) != nil { try change.apply(.leave(hero)) }
            }
        }
        for party in try await store.partiesVisited(by: player) where shards.map.isHere(party) {
            try await shards.change(party) { $0.erase(heroes, of: player) }
            // It may have the JSON of older events.
            snapshots.forget(party)
        }
        // The node that erases the last names finishes.
        if shards.map.isShared {
            guard try await store.partiesVisited(by: player).isEmpty else { return }
        }
        try await players.change(.finishErasure(player), keeping: nil)
    }
}
