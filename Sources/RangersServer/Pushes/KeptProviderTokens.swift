internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// Provider tokens kept in the store, so that restarts sign no more of them than Apple allows. A
/// failure of the store is only logged; pushes continue.
struct KeptProviderTokens: ProviderTokenStorage {
    let epoch: Epoch
    let dependencies: Dependencies

    /// The server's time: setting the wall clock makes no token older.
    var now: Int64 { dependencies.clock.now().milliseconds }

    func load() async -> [StoredProviderToken] {
        do {
            return try await dependencies.store.providerTokens().map { record in
                StoredProviderToken(
                    keyID: record.keyID, teamID: record.teamID,
                    token: ProviderToken(jwt: record.jwt, issuedAt: record.issuedAt),
                    signedAt: record.signedAt.milliseconds,
                    noOtherBefore: record.noOtherBefore?.milliseconds)
            }
        } catch {
            dependencies.log.warning(
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
            try await dependencies.store.save(record, epoch: epoch)
        } catch {
            dependencies.log.warning(
                "a provider token cannot be stored: a restart will sign a new one",
                ["key": stored.keyID, "error": "\(error)"])
        }
    }
}
