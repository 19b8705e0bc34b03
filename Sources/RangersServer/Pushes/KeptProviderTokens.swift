internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// Provider tokens kept in the store, so that restarts sign no more of them than Apple allows. A
/// failure of the store is only logged; pushes continue.
struct KeptProviderTokens: ProviderTokenStorage {
    private let epoch: Epoch
    private let store: any Store
    private let clock: ServerClock
    private let log: Log

    /// The client keeps it: it must not know the client, as the dependencies do.
    init(epoch: Epoch, _ dependencies: Dependencies) {
        self.epoch = epoch
        store = dependencies.store
        clock = dependencies.clock
        log = dependencies.log
    }

    /// The server's time: setting the wall clock makes no token older.
    var now: Int64 { clock.now().milliseconds }

    func load() async -> [StoredProviderToken] {
        do {
            return try await store.providerTokens().map { record in
                StoredProviderToken(
                    keyID: record.keyID, teamID: record.teamID,
                    token: ProviderToken(jwt: record.jwt, issuedAt: record.issuedAt),
                    signedAt: record.signedAt.milliseconds,
                    noOtherBefore: record.noOtherBefore?.milliseconds)
            }
        } catch {
            log.warning(
                "provider tokens cannot be read: a new one will be signed",
                ["error": "\(error)"])
            return []
        }
    }

    func save(_ stored: StoredProviderToken) async {
        let record = ProviderTokenRecord(
            keyID: stored.keyID, teamID: stored.teamID, issuedAt: stored.token.issuedAt,
            signedAt: WallTime(milliseconds: stored.signedAt), jwt: stored.token.jwt,
            noOtherBefore: stored.noOtherBefore.map(WallTime.init(milliseconds:)))
        do {
            try await store.save(record, epoch: epoch)
        } catch {
            log.warning(
                "a provider token cannot be stored: a restart will sign a new one",
                ["key": stored.keyID, "error": "\(error)"])
        }
    }
}
