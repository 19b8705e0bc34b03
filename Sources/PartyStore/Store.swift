package import GameLogic
package import PushPolicy

/// The only truth: what a call acknowledges has been committed and survives power loss (R1).
///
/// Every write is fenced by the owner's epoch, every party's write by its version too: a stale
/// owner or a stale version writes nothing.
package protocol Store: Sendable {
    /// Becomes the owner: the returned epoch is higher than every one before it, and older
    /// owners' writes fail with `StoreError.notTheOwner` from now on.
    func takeOwnership() async throws(StoreError) -> Epoch

    // MARK: Players and heroes

    func insert(_ player: PlayerRecord, epoch: Epoch) async throws(StoreError)
    func player(withTokenHash hash: [UInt8]) async throws(StoreError) -> PlayerRecord?
    func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError)
    func hero(_ id: HeroID) async throws(StoreError) -> Hero?
    func heroes(of player: PlayerID) async throws(StoreError) -> [Hero]

    // MARK: Parties

    /// Writes party, events, decisions and activities in one transaction, or nothing at all.
    ///
    /// Commits that arrive together share a transaction; each is answered after its commit, and
    /// one that is refused does not disturb the others.
    func commit(_ change: PartyCommit, epoch: Epoch) async throws(StoreError)

    func party(_ id: PartyID) async throws(StoreError) -> StoredParty?
    func party(withInviteCode code: String) async throws(StoreError) -> PartyID?
    /// The party that the hero is in, if any: one party a hero.
    func party(of hero: HeroID) async throws(StoreError) -> PartyID?
    /// Parties in the order of their ids, after `after`.
    func parties(after: PartyID?, limit: Int) async throws(StoreError) -> [PartyRecord]
    /// Parties with `nextDueAt` at or before `time`, the longest overdue first.
    func partiesDue(at time: WallTime, limit: Int) async throws(StoreError) -> [PartyID]

    /// Events with a sequence above `after`, in order.
    func events(of party: PartyID, after: Int, limit: Int) async throws(StoreError) -> [LoggedEvent]
    /// All that was asked of the party, in order: with it the story can be replayed.
    func commands(of party: PartyID) async throws(StoreError) -> [LoggedCommand]
    func decisions(of party: PartyID, after: Int, limit: Int) async throws(StoreError)
        -> [LoggedDecision]

    // MARK: Activities

    func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration?

    /// Persists what was acknowledged by APNs: the outboxes of parties that did not change
    /// otherwise. Fenced by version, but does not raise it; a stale one is skipped.
    func acknowledge(_ outboxes: [OutboxRecord], epoch: Epoch) async throws(StoreError)

    // MARK: Devices on which cards can be started by push

    /// Writes what an app says of itself, or that it has another token; what was started there
    /// stays. Whoever had the token before has lost it. Refused when the player has `limit` others.
    func put(
        _ device: StartDevice, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut
    /// In the order of the players, then of environments and names; also those without a token.
    func startDevices(of players: [PlayerID]) async throws(StoreError) -> [StartDevice]
    /// Takes the device's token away, in every environment; returns how many there were.
    func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int
    /// Takes a token away that Apple calls dead, if it is still this one and was put before
    /// `since` (A6).
    func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, since: WallTime?, epoch: Epoch
    ) async throws(StoreError)
    /// Writes what was started on these devices, and nothing else of them.
    func write(startsOf devices: [StartDevice], epoch: Epoch) async throws(StoreError)

    // MARK: Provider tokens

    /// Keeps the newest token of a key, in place of the one before.
    func save(_ token: ProviderTokenRecord, epoch: Epoch) async throws(StoreError)
    /// The newest token of each key.
    func providerTokens() async throws(StoreError) -> [ProviderTokenRecord]

    // MARK: Broadcast channels

    /// All channels of the environment that are not forgotten, in the order of their ids. One
    /// damaged row refuses them all: what is left out would be taken for somebody else's channel.
    func channels(in environment: PushEnvironment) async throws(StoreError) -> [ChannelRecord]
    /// Forgets channels that do not exist any more.
    func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError)

    // MARK: Care

    /// Whether the store answers a read.
    func ping() async throws(StoreError)
    /// Writes what is pending, checkpoints and closes. Later calls fail with `.closed`.
    func close() async
}
