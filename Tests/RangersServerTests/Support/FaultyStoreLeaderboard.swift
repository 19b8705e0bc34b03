import GameLogic
import Isolation
import PartyStore
import PushPolicy

/// The leaderboard, and the story of a party.
extension FaultyStore {
    func changes(
        of party: PartyID, after version: Int64, limit: Int
    ) async throws(StoreError) -> JournalPage? {
        if let error = journalFault.withLock({ $0 }) { throw error }
        return try await store.changes(of: party, after: version, limit: limit)
    }

    func players(withPushToken token: PushToken) async throws(StoreError) -> [PlayerID] {
        try await store.players(withPushToken: token)
    }

    func worldTop(of season: Season) async throws(StoreError) -> [BoardLine] {
        try await store.worldTop(of: season)
    }

    func worldPlace(
        of season: Season, for player: PlayerID
    ) async throws(StoreError) -> WorldPlace {
        try await store.worldPlace(of: season, for: player)
    }

    func friendsBoard(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> [BoardLine] {
        try await store.friendsBoard(of: season, for: player, metSince: time)
    }

    func rankAmongFriends(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> Int {
        try await store.rankAmongFriends(of: season, for: player, metSince: time)
    }

    func partyBoard(
        of season: Season, pack: String?
    ) async throws(StoreError) -> [PartyRecord] {
        try await store.partyBoard(of: season, pack: pack)
    }

    func results(of player: PlayerID) async throws(StoreError) -> [HeroResult] {
        try await store.results(of: player)
    }

    func companions(of player: PlayerID) async throws(StoreError) -> [Companion] {
        try await store.companions(of: player)
    }

    func forgetResults(
        before season: Season, metBefore time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.forgetResults(
            before: season, metBefore: time, limit: limit, epoch: epoch)
    }

    func put(
        _ widget: WidgetToken, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> WidgetPut {
        try await pass()
        return try await store.put(widget, by: caller, amongAtMost: limit, epoch: epoch)
    }

    func removeWidget(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.removeWidget(of: device, player: player, epoch: epoch)
    }

    func widgets(of player: PlayerID) async throws(StoreError) -> [StoredWidget] {
        try await store.widgets(of: player)
    }

    func dueWidgets(by time: WallTime, limit: Int) async throws(StoreError) -> [StoredWidget] {
        try await store.dueWidgets(by: time, limit: limit)
    }

    func write(
        _ widgets: [StoredWidget], epoch: Epoch
    ) async throws(StoreError) -> [StoredWidget] {
        try await pass()
        return try await store.write(widgets, epoch: epoch)
    }

    func retire(_ widget: WidgetToken, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.retire(widget, epoch: epoch)
    }
}
