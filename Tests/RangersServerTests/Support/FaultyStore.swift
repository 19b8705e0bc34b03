import GameLogic
import Isolation
import PartyStore
import PushPolicy

/// A store that fails when it is told to, and remembers what was written.
final class FaultyStore: Store {
    private struct State {
        var writesFail: StoreError?
        var answersFail: StoreError?
        var callsFail: StoreError?
        var readsFail: StoreError?
        var corrupt: Set<PartyID> = []
        /// Parties of the batches that were written, in order.
        var written: [PartyID] = []
        var activityReads = 0
        var partyReads = 0
        var beforeReading: (@Sendable (PartyID?) async -> Void)?
        var holding: Holding?
        var held: [@Sendable () -> Void] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    let store: SQLiteStore
    /// How every read of a party's journal fails; `nil`: none does.
    let journalFault = Locked<StoreError?>(nil)
    /// The numbers after which events were read, in order.
    let eventReads = Locked<[Int]>([])
    let lateReads = Locked<[Rows: @Sendable () async -> Void]>([:])
    private let state = Locked(State())

    init(_ store: SQLiteStore) { self.store = store }

    // MARK: What tests ask for

    var written: [PartyID] { state.withLock { $0.written } }
    /// How often somebody has looked for an activity, and read a party.
    var activityReads: Int { state.withLock { $0.activityReads } }
    var partyReads: Int { state.withLock { $0.partyReads } }

    /// Lets this happen before a party is read, and before all are at a start or devices (`nil`).
    func beforeReading(_ body: @escaping @Sendable (PartyID?) async -> Void) {
        state.withLock { $0.beforeReading = body }
    }

    /// From now on every write fails like this; `nil`: none does.
    func failWrites(_ error: StoreError?) { state.withLock { $0.writesFail = error } }
    /// From now on batches are written, and their answers are lost like this; `nil`: none is.
    func failAnswers(_ error: StoreError?) { state.withLock { $0.answersFail = error } }
    /// From now on every call of a game master that changes nothing fails to be written like this.
    func failCalls(_ error: StoreError?) { state.withLock { $0.callsFail = error } }
    /// Lets no party be read, and no devices, until it gets `nil`.
    func failReads(_ error: StoreError?) { state.withLock { $0.readsFail = error } }
    /// The party's row does not match its checksum from now on.
    func corrupt(_ party: PartyID) { state.withLock { _ = $0.corrupt.insert(party) } }
    func repair(_ party: PartyID) { state.withLock { _ = $0.corrupt.remove(party) } }

    /// Lets writes wait until `release`.
    func hold(_ holding: Holding = .all) { state.withLock { $0.holding = holding } }

    /// How many writes wait.
    var heldCount: Int { state.withLock { $0.held.count } }

    /// Waits until a write waits.
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
            state.holding = nil
            defer { state.held = [] }
            return state.held
        }
        for write in held { write() }
    }

    func pass() async throws(StoreError) {
        await withCheckedContinuation { continuation in pass { continuation.resume() } }
        if let error = state.withLock({ $0.writesFail }) { throw error }
    }

    /// Goes on now, or when `release` is called.
    private func pass(_ kinds: Set<Holding> = Holding.usual, _ body: @escaping @Sendable () -> Void)
    {
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.holding.map(kinds.contains) == true else { return nil }
            state.held.append(body)
            defer { state.watchers = [] }
            return state.watchers
        }
        guard let watchers else { return body() }
        for watcher in watchers { watcher.resume() }
    }

    private func check(_ party: PartyID) throws(StoreError) {
        guard state.withLock({ $0.corrupt.contains(party) }) else { return }
        throw .corrupt(party, detail: "its checksum is another")
    }

    // MARK: Writes

    func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        pass(batch.holdings) { [self] in
            let (failure, corrupt) = state.withLock { ($0.writesFail, $0.corrupt) }
            let damaged = batch.parties.first(where: corrupt.contains)
            let error = failure ?? damaged.map { .corrupt($0, detail: "its checksum is another") }
            if let error { return done(BatchResult(of: batch, failed: error)) }
            store.write(batch, epoch: epoch) { [self] result in
                let written = zip(batch.parties, result.parties).filter { _, result in
                    if case .success = result { true } else { false }
                }.map(\.0)
                let lost = state.withLock { state in
                    state.written += written
                    return state.answersFail
                }
                done(lost.map { BatchResult(of: batch, failed: $0) } ?? result)
            }
        }
    }

    func insert(_ device: DeviceRecord, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.insert(device, epoch: epoch)
    }

    func change(
        _ account: AccountChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> AccountOutcome {
        try await pass()
        return try await store.change(account, keeping: request, epoch: epoch)
    }

    func insert(
        _ hero: Hero, amongAtMost limit: Int, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.insert(hero, amongAtMost: limit, keeping: request, epoch: epoch)
    }

    func change(
        _ hero: HeroID, _ change: HomeChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Hero? {
        try await pass()
        return try await store.change(hero, change, keeping: request, epoch: epoch)
    }

    func keep(_ request: KeptRequest, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.keep(request, epoch: epoch)
    }

    func request(with key: RequestKey) async throws(StoreError) -> KeptRequest? {
        try await store.request(with: key)
    }

    func forgetRequests(
        upTo time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await store.forgetRequests(upTo: time, rows: rows, epoch: epoch)
    }

    func put(
        _ device: StartDevice, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        try await pass()
        return try await store.put(device, by: caller, amongAtMost: limit, epoch: epoch)
    }

    func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.forgetStartToken(of: device, player: player, epoch: epoch)
    }

    func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, confirmedAt: WallTime, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.retireStartToken(
            token, of: key, confirmedAt: confirmedAt, epoch: epoch)
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

    func append(_ calls: [AuditRecord], epoch: Epoch) async throws(StoreError) {
        try await pass()
        if let error = state.withLock({ $0.callsFail }) { throw error }
        try await store.append(calls, epoch: epoch)
    }

    func takeOwnership() async throws(StoreError) -> Epoch { try await store.takeOwnership() }

    func close() async { await store.close() }

    // MARK: Reads

    func party(_ id: PartyID) async throws(StoreError) -> StoredParty? {
        try check(id)
        await state.withLock { $0.beforeReading }?(id)
        state.withLock { $0.partyReads += 1 }
        if let error = state.withLock({ $0.readsFail }) { throw error }
        return try await store.party(id)
    }

    func device(withTokenHash hash: [UInt8]) async throws(StoreError) -> DeviceRecord? {
        try await store.device(withTokenHash: hash)
    }

    func devices(of player: PlayerID) async throws(StoreError) -> [DeviceRecord] {
        try await store.devices(of: player)
    }

    func accountsToErase() async throws(StoreError) -> [PlayerID] {
        try await store.accountsToErase()
    }

    func partiesVisited(by player: PlayerID) async throws(StoreError) -> [PartyID] {
        try await store.partiesVisited(by: player)
    }

    func registrationTime(of player: PlayerID) async throws(StoreError) -> WallTime? {
        try await store.registrationTime(of: player)
    }

    func hero(_ id: HeroID) async throws(StoreError) -> Hero? { try await store.hero(id) }

    func heroes(of player: PlayerID) async throws(StoreError) -> [Hero] {
        try await store.heroes(of: player)
    }

    func party(withInviteCode code: String) async throws(StoreError) -> PartyID? {
        try await store.party(withInviteCode: code)
    }

    func party(of hero: HeroID) async throws(StoreError) -> PartyID? {
        await late(.memberships, try await store.party(of: hero))
    }

    func memberships(of player: PlayerID) async throws(StoreError) -> [HeroID: PartyID] {
        try await store.memberships(of: player)
    }

    func parties(of player: PlayerID) async throws(StoreError) -> [StoredParty] {
        try await store.parties(of: player)
    }

    func parties(after: PartyID?, limit: Int) async throws(StoreError) -> [StoredParty] {
        try await store.parties(after: after, limit: limit)
    }

    func awakeParties(after: PartyKey?, limit: Int) async throws(StoreError) -> AwakePage {
        await state.withLock { $0.beforeReading }?(nil)
        return try await store.awakeParties(after: after, limit: limit)
    }

    func outcomes() async throws(StoreError) -> [StoredOutcomes] { try await store.outcomes() }

    func phones(_ keys: [PhoneKey]) async throws(StoreError) -> [PhoneRecord] {
        if let error = state.withLock({ $0.readsFail }) { throw error }
        return try await store.phones(keys)
    }

    /// Letters are written even while nothing else is.
    func send(
        _ letters: [PartyLetter], keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) {
        try await store.send(letters, keeping: request, epoch: epoch)
    }

    func letters(of owner: Epoch, limit: Int) async throws(StoreError) -> [PartyLetter] {
        try await store.letters(of: owner, limit: limit)
    }

    func firstKeptEvent(of party: PartyID) async throws(StoreError) -> Int {
        try await store.firstKeptEvent(of: party)
    }

    func history(of party: PartyID) async throws(StoreError) -> PartyHistory? {
        try await store.history(of: party)
    }

    func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.foldJournal(before: time, rows: rows, epoch: epoch)
    }

    func events(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedEvent] {
        eventReads.withLock { $0.append(after) }
        return await late(.events, try await store.events(of: party, after: after, limit: limit))
    }

    func decisions(
        of party: PartyID, activity: ActivityID?, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision] {
        try await store.decisions(of: party, activity: activity, after: after, limit: limit)
    }

    func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration? {
        let activity = try await store.activity(id)
        state.withLock { $0.activityReads += 1 }
        return activity
    }

    func startDevices(of players: [PlayerID]) async throws(StoreError) -> [StartDevice] {
        await state.withLock { $0.beforeReading }?(nil)
        if let error = state.withLock({ $0.readsFail }) { throw error }
        return try await store.startDevices(of: players)
    }

    func providerTokens() async throws(StoreError) -> [ProviderTokenRecord] {
        try await store.providerTokens()
    }

    func channels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [ChannelRecord] {
        try await store.channels(in: environment)
    }

    func clockRecord() async throws(StoreError) -> ClockRecord { try await store.clockRecord() }

    func save(_ anchor: ClockAnchor, epoch: Epoch) async throws(StoreError) {
        try await store.save(anchor, epoch: epoch)
    }

    func ping() async throws(StoreError) {
        if let failure = state.withLock({ $0.writesFail }) { throw failure }
        try await store.ping()
    }
}
