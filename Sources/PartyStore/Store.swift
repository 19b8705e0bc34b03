package import GameLogic
package import PushPolicy

/// The only truth: what a call acknowledges has been committed and survives power loss (R1).
///
/// Every write is fenced by the owner's epoch, every party's write by its version too: a stale
/// owner or a stale version writes nothing.
package protocol Store: Sendable {
    /// Becomes the owner: the returned epoch is higher than every one before it, and older
    /// owners' writes fail with `StoreError.notTheOwner` from now on. A file of an older schema
    /// is brought up to date first, which may take minutes; until then it cannot be read.
    func takeOwnership() async throws(StoreError) -> Epoch

    // MARK: Players and heroes

    func insert(_ player: PlayerRecord, epoch: Epoch) async throws(StoreError)
    func player(withTokenHash hash: [UInt8]) async throws(StoreError) -> PlayerRecord?
    func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError)
    func hero(_ id: HeroID) async throws(StoreError) -> Hero?
    func heroes(of player: PlayerID) async throws(StoreError) -> [Hero]

    // MARK: Parties

    /// Writes a shard's changes. All batches that wait share one transaction; a change that is
    /// refused disturbs no other.
    ///
    /// `done` is called exactly once, on the store's thread, after the commit; when too much is
    /// waiting already, sooner and from elsewhere, but never within this call. It must not block.
    func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void)

    func party(_ id: PartyID) async throws(StoreError) -> StoredParty?
    func party(withInviteCode code: String) async throws(StoreError) -> PartyID?
    /// The party that the hero is in, if any: one party a hero.
    func party(of hero: HeroID) async throws(StoreError) -> PartyID?
    /// Parties in the order of their ids, after `after`; damaged ones are reported and left out,
    /// and only the last page is empty.
    func parties(after: PartyID?, limit: Int) async throws(StoreError) -> [StoredParty]
    /// Parties with something ahead, in the order of their keys; damaged ones are reported and
    /// left out. Ask again with the page's `next` until there is none.
    func awakeParties(after: PartyKey?, limit: Int) async throws(StoreError) -> AwakePage
    /// Outcomes that no party's row covers yet, in the order of their rows.
    func outcomes() async throws(StoreError) -> [StoredOutcomes]

    // MARK: The journal

    /// Events with a sequence above `after`, in order.
    func events(of party: PartyID, after: Int, limit: Int) async throws(StoreError) -> [LoggedEvent]
    /// All that was asked of the party and is kept, in order.
    func commands(of party: PartyID) async throws(StoreError) -> [LoggedCommand]
    /// A page never ends within an event, so it may be longer than `limit`: go on after the last
    /// sequence.
    func decisions(of party: PartyID, after: Int, limit: Int) async throws(StoreError)
        -> [LoggedDecision]
    /// Events below this sequence are not kept any more; 1 until the journal was folded.
    func firstKeptEvent(of party: PartyID) async throws(StoreError) -> Int
    /// What replay needs, all of one state of the file; `nil` when there is no such party.
    func history(of party: PartyID) async throws(StoreError) -> PartyHistory?
    /// Folds journal rows older than `time` into snapshots, by replay: the oldest first, one party
    /// a transaction, at most about `rows` rows. Returns how many rows went; 0: nothing is left to
    /// fold. A party whose replay differs is reported, and keeps its rows.
    func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int

    // MARK: Activities

    func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration?

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
    /// Writes what was started on these devices, and nothing else of them. Refused as a whole with
    /// `.staleDevice` when somebody has written one since it was read.
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
