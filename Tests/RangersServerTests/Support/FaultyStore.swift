import GameLogic
import Isolation
import PartyStore
import PushPolicy

/// A store that fails when it is told to, and remembers what was written.
final class FaultyStore: Store {
    private struct State {
        var writesFail: StoreError?
        var corrupt: Set<PartyID> = []
        var commits: [PartyCommit] = []
        var acknowledged: [OutboxRecord] = []
        var activityReads = 0
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let store: SQLiteStore
    private let state = Locked(State())

    init(_ store: SQLiteStore) { self.store = store }

    // MARK: What tests ask for

    var commits: [PartyCommit] { state.withLock { $0.commits } }
    var acknowledged: [OutboxRecord] { state.withLock { $0.acknowledged } }

    /// How often somebody has looked for an activity.
    var activityReads: Int { state.withLock { $0.activityReads } }

    /// From now on every write fails like this; `nil`: none does.
    func failWrites(_ error: StoreError?) { state.withLock { $0.writesFail = error } }

    /// The party's row does not match its checksum from now on.
    func corrupt(_ party: PartyID) {
        state.withLock { _ = $0.corrupt.insert(party) }
    }

    func repair(_ party: PartyID) {
        state.withLock { _ = $0.corrupt.remove(party) }
    }

    /// Lets commits wait until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Waits until a commit waits.
    func untilHolding() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.isEmpty { state.watchers.append(continuation) }
                return !state.held.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func pass() async throws(StoreError) {
        await withCheckedContinuation { continuation in
            let (isFree, watchers) = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                defer { state.watchers = [] }
                return (!state.isHolding, state.isHolding ? state.watchers : [])
            }
            if isFree { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
        if let error = state.withLock({ $0.writesFail }) { throw error }
    }

    private func check(_ party: PartyID) throws(StoreError) {
        guard state.withLock({ $0.corrupt.contains(party) }) else { return }
        throw .corrupt(party, detail: "its checksum is another")
    }

    // MARK: Writes

    func commit(_ change: PartyCommit, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try check(change.record.id)
        try await store.commit(change, epoch: epoch)
        state.withLock { $0.commits.append(change) }
    }

    func acknowledge(_ outboxes: [OutboxRecord], epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.acknowledge(outboxes, epoch: epoch)
        state.withLock { $0.acknowledged += outboxes }
    }

    func insert(_ player: PlayerRecord, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.insert(player, epoch: epoch)
    }

    func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.insert(hero, epoch: epoch)
    }

    func put(
        _ device: StartDevice, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        try await pass()
        return try await store.put(device, amongAtMost: limit, epoch: epoch)
    }

    func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.forgetStartToken(of: device, player: player, epoch: epoch)
    }

    func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, since: WallTime?, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.retireStartToken(token, of: key, since: since, epoch: epoch)
    }

    func write(startsOf devices: [StartDevice], epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.write(startsOf: devices, epoch: epoch)
    }

    func save(_ token: ProviderTokenRecord, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.save(token, epoch: epoch)
    }

    func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.forget(channels, in: environment, epoch: epoch)
    }

    func takeOwnership() async throws(StoreError) -> Epoch { try await store.takeOwnership() }

    func close() async { await store.close() }

    // MARK: Reads

    func party(_ id: PartyID) async throws(StoreError) -> StoredParty? {
        try check(id)
        return try await store.party(id)
    }

    func player(withTokenHash hash: [UInt8]) async throws(StoreError) -> PlayerRecord? {
        try await store.player(withTokenHash: hash)
    }

    func hero(_ id: HeroID) async throws(StoreError) -> Hero? { try await store.hero(id) }

    func heroes(of player: PlayerID) async throws(StoreError) -> [Hero] {
        try await store.heroes(of: player)
    }

    func party(withInviteCode code: String) async throws(StoreError) -> PartyID? {
        try await store.party(withInviteCode: code)
    }

    func party(of hero: HeroID) async throws(StoreError) -> PartyID? {
        try await store.party(of: hero)
    }

    func parties(after: PartyID?, limit: Int) async throws(StoreError) -> [PartyRecord] {
        try await store.parties(after: after, limit: limit)
    }

    func partiesDue(at time: WallTime, limit: Int) async throws(StoreError) -> [PartyID] {
        try await store.partiesDue(at: time, limit: limit)
    }

    func events(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedEvent] {
        try await store.events(of: party, after: after, limit: limit)
    }

    func commands(of party: PartyID) async throws(StoreError) -> [LoggedCommand] {
        try await store.commands(of: party)
    }

    func decisions(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision] {
        try await store.decisions(of: party, after: after, limit: limit)
    }

    func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration? {
        let activity = try await store.activity(id)
        state.withLock { $0.activityReads += 1 }
        return activity
    }

    func startDevices(of players: [PlayerID]) async throws(StoreError) -> [StartDevice] {
        try await store.startDevices(of: players)
    }

    func providerTokens() async throws(StoreError) -> [ProviderTokenRecord] {
        try await store.providerTokens()
    }

    func channels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [ChannelRecord] {
        try await store.channels(in: environment)
    }

    func ping() async throws(StoreError) { try await store.ping() }
}
