internal import APNsClient
internal import PartyStore

/// Provider tokens kept in the store, so that restarts sign no more of them than Apple allows. A
/// failure of the store is only logged; pushes continue.
struct KeptProviderTokens: ProviderTokenStorage {
    let store: any Store
    let epoch: Epoch
    /// By how many milliseconds the wall clock was stepped while the server was down, as far as is
    /// known.
    var step: Int64 = 0
    let log: Log

    func load() async -> [StoredProviderToken] {
        do {
            return try await store.providerTokens().map { record in
                StoredProviderToken(
                    keyID: record.keyID, teamID: record.teamID,
                    token: ProviderToken(jwt: record.jwt, issuedAt: record.issuedAt),
                    noOtherBefore: record.noOtherBefore, clockStep: step)
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
            jwt: stored.token.jwt, noOtherBefore: stored.noOtherBefore)
        do {
            try await store.save(record, epoch: epoch)
        } catch {
            log.warning(
                "a provider token cannot be kept: after a restart a new one will be signed",
                ["key": stored.keyID, "error": "\(error)"])
        }
    }
}
