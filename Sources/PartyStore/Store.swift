package import GameLogic
package import PushPolicy

/// The single source of truth: what a call acknowledges is committed and survives power loss (PR1).
///
/// The owner's epoch fences every write, and the party's version every write of a party: a stale
/// owner or a stale version writes nothing.
package protocol Store:
    ClockStore, ConductStore, JobStore, LeaderboardStore, PackStore, RepairStore,
    SessionStore, WorldStore, WorldChannelStore
{
    /// Takes ownership. The returned epoch is higher than every one before it, and older owners'
    /// writes fail with `StoreError.notTheOwner` from now on.
    func takeOwnership() async throws(StoreError) -> Epoch

    // MARK: Players and heroes

    /// Registers a player with a first device.
    func insert(_ device: DeviceRecord, epoch: Epoch) async throws(StoreError)
    /// Returns the device whose token, or next token, has this hash.
    func device(withTokenHash hash: [UInt8]) async throws(StoreError) -> DeviceRecord?
    /// Returns the player's devices, in the order of their names.
    func devices(of player: PlayerID) async throws(StoreError) -> [DeviceRecord]
    /// Returns when the player registered; `nil`: there is no such player.
    func registrationTime(of player: PlayerID) async throws(StoreError) -> WallTime?
    /// Changes the player's devices and codes, and keeps the request for it if there is one.
    /// Refused with `.account` and with `.requestIsKept`.
    func change(
        _ account: AccountChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> AccountOutcome
    /// Adds a hero, and keeps the request for it if there is one. Returns whether somebody has
    /// blocked its player. Refused with `.tooManyHeroes` when the player has `limit` heroes, and
    /// with `.requestIsKept`.
    @discardableResult
    func insert(
        _ hero: Hero, amongAtMost limit: Int, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Bool
    func hero(_ id: HeroID) async throws(StoreError) -> Hero?
    /// Changes what a hero has at home, and keeps the request for it if there is one. Returns the
    /// hero; `nil`: it is in a party, which has the newest state of it. Refused with `.rule`, and
    /// with `.requestIsKept`.
    func change(
        _ hero: HeroID, _ change: HomeChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Hero?
    func heroes(of player: PlayerID) async throws(StoreError) -> [Hero]

    /// Returns the players whose accounts are still to be erased.
    func accountsToErase() async throws(StoreError) -> [PlayerID]
    /// Returns the parties that may have the name of one of the player's heroes.
    func partiesVisited(by player: PlayerID) async throws(StoreError) -> [PartyID]

    // MARK: Requests that may be repeated

    /// Returns what is kept of the request with this player and key.
    func request(with key: RequestKey) async throws(StoreError) -> KeptRequest?
    /// Keeps a request whose changes are written already. Refused with `.requestIsKept`.
    func keep(_ request: KeptRequest, epoch: Epoch) async throws(StoreError)
    /// Removes at most `rows` requests of `time` and before. Returns how many there were.
    func forgetRequests(
        upTo time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int

    // MARK: Parties

    /// Writes a shard's changes. All waiting batches share one transaction; a refused change
    /// affects no other.
    ///
    /// Calls `done` exactly once, on the store's thread, after the commit; when too much is waiting
    /// already, sooner and from elsewhere, but never within this call. `done` must not block.
    func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void)

    func party(_ id: PartyID) async throws(StoreError) -> StoredParty?
    func party(withInviteCode code: String) async throws(StoreError) -> PartyID?
    /// Returns the hero's party, if any; a hero is in one party at most.
    func party(of hero: HeroID) async throws(StoreError) -> PartyID?
    /// Returns the party of each of the player's heroes that is in one.
    func memberships(of player: PlayerID) async throws(StoreError) -> [HeroID: PartyID]
    /// Returns the parties in which the player has a hero, in the order of their ids. Damaged ones
    /// are reported and omitted.
    func parties(of player: PlayerID) async throws(StoreError) -> [StoredParty]
    /// Returns parties in the order of their ids, after `after`. Damaged ones are reported and
    /// omitted; only the last page is empty.
    func parties(after: PartyID?, limit: Int) async throws(StoreError) -> [StoredParty]
    /// Returns parties with scheduled work, in the order of their keys. Damaged ones are reported
    /// and omitted. Continue with the page's `next` until it is `nil`.
    func awakeParties(after: PartyKey?, limit: Int) async throws(StoreError) -> AwakePage
    /// Returns the outcomes that no party's row contains yet, in the order of their rows.
    func outcomes() async throws(StoreError) -> [StoredOutcomes]

    // MARK: The journal

    /// Returns events with a sequence above `after`, in order.
    func events(of party: PartyID, after: Int, limit: Int) async throws(StoreError) -> [LoggedEvent]
    /// Returns a page of decisions, on all activities or one. It never ends within an event, so it
    /// may be longer than `limit`: continue after the last sequence.
    func decisions(
        of party: PartyID, activity: ActivityID?, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision]
    /// Returns the sequence of the first event that is kept; 1 until the journal is folded.
    func firstKeptEvent(of party: PartyID) async throws(StoreError) -> Int
    /// Returns the next rows of the journal after a version; `nil` when the party does not exist.
    func changes(
        of party: PartyID, after version: Int64, limit: Int
    ) async throws(StoreError) -> JournalPage?
    /// Returns what replay needs, from one state of the file; `nil` when the party does not exist.
    func history(of party: PartyID) async throws(StoreError) -> PartyHistory?
    /// Folds journal rows older than `time` into snapshots, by replay, one party per transaction,
    /// at most about `rows` rows; the next call continues where this one ended. Returns how many
    /// rows were folded; fewer than `rows`: all parties are done, and the next call starts again. A
    /// party whose replay differs is reported and keeps its rows.
    func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int

    // MARK: Activities

    func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration?

    /// Returns what the phones' next Live Activities get, and of whom, each from one state of the
    /// store.
    func phones(_ keys: [PhoneKey]) async throws(StoreError) -> [PhoneRecord]

    // MARK: The inbox

    /// Sends letters to parties, and keeps the request for it if there is one. Refused with
    /// `.requestIsKept`.
    func send(
        _ letters: [PartyLetter], keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError)
    /// Returns letters to parties of this owner's shards, at most `limit`. A damaged one is reported
    /// and omitted.
    func letters(of owner: Epoch, limit: Int) async throws(StoreError) -> [PartyLetter]

    // MARK: Devices for push-to-start

    /// Writes an app's report or its new token, and keeps the device's starts. Another device with
    /// the same token loses it. Refused with `.noRoom` when the player has `limit` other devices,
    /// and with `.account` when the caller was revoked or names another of the player's devices.
    func put(
        _ device: StartDevice, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut
    /// Returns devices in the order of players, then of environments and names, including those
    /// without a token.
    func startDevices(of players: [PlayerID]) async throws(StoreError) -> [StartDevice]
    /// Removes the device's token in every environment. Returns how many there were.
    func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int
    /// Retires a token that Apple reports as dead, if it is still the current one and was put last
    /// at this time (A6).
    func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, confirmedAt: WallTime, epoch: Epoch
    ) async throws(StoreError)
    /// Writes only the starts of these devices. Refused as a whole with `.staleDevice` when
    /// somebody has written one of them since it was read.
    func write(startsOf devices: [StartDevice], epoch: Epoch) async throws(StoreError)

    // MARK: Provider tokens

    /// Saves the newest token of a key, in place of the previous one.
    func save(_ token: ProviderTokenRecord, epoch: Epoch) async throws(StoreError)
    /// Returns the newest token of each key.
    func providerTokens() async throws(StoreError) -> [ProviderTokenRecord]

    // MARK: Broadcast channels

    /// Returns all channels of the environment, in the order of their ids. One damaged row fails
    /// the call, because an omitted channel would look like another server's.
    func channels(in environment: PushEnvironment) async throws(StoreError) -> [ChannelRecord]
    /// Removes channels that no longer exist.
    func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError)

    // MARK: Game masters

    /// Returns all keys, in the order of their names. A damaged one is reported and omitted.
    func adminKeys() async throws(StoreError) -> [AdminKeyRecord]
    /// Writes a key and the call that creates it. Refused with `.exists` when the name is taken,
    /// and when there are `limit` keys.
    func insert(
        _ key: AdminKeyRecord, amongAtMost limit: Int, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> AdminKeyPut
    /// Removes a key and writes the call that does so. Returns whether there was such a key.
    func removeAdminKey(
        named name: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Returns the pause of all pushes; `nil`: pushes are sent.
    func pushPause() async throws(StoreError) -> PushPause?
    /// Returns the pause, and the number of the newest call, which orders it among its changes.
    func newestPushPause() async throws(StoreError) -> (pause: PushPause?, order: Int64)
    /// Begins or ends a pause and writes the call that does so. A pause that began earlier stays.
    /// Returns the call's number, which orders such changes.
    func set(
        _ pause: PushPause?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Int64
    /// Writes a call that changes nothing else.
    func append(_ calls: [AuditRecord], epoch: Epoch) async throws(StoreError)
    /// Returns calls below a number, the newest first. A damaged one is reported and omitted.
    func auditLog(before number: Int64?, limit: Int) async throws(StoreError) -> AuditPage
    /// Removes those of the first `rows` calls that are older than `time`. Returns how many there
    /// were; fewer than `rows`: the rest is younger.
    func trimAudit(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int

    /// Returns the players one of whose devices has this push token, for a Live Activity or for
    /// starts.
    func players(withPushToken token: PushToken) async throws(StoreError) -> [PlayerID]
    /// Returns players in the order of their ids. A damaged one is reported and omitted.
    func players(
        after: PlayerID?, limit: Int
    ) async throws(StoreError) -> ListPage<PlayerID, PlayerID>
    /// Returns the devices of all players, in their order. A damaged one is reported and omitted.
    func startDevices(
        after: StartDevice.Key?, limit: Int
    ) async throws(StoreError) -> ListPage<StartDevice, StartDevice.Key>
    /// Writes the newest refusal of an activity. The party keeps the newest `limit`.
    func note(
        _ refused: RefusedRegistration, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError)
    /// Returns the party's refused registrations, the oldest first.
    func refusedRegistrations(of party: PartyID) async throws(StoreError) -> [RefusedRegistration]

    // MARK: Maintenance

    /// Checks that the store can read, and that it can write: once a transaction was refused, not
    /// until one as large was committed. The store tries that by itself once a second.
    func ping() async throws(StoreError)
    /// Writes what is pending, checkpoints and closes. Later calls fail with `.closed`.
    func close() async
}
