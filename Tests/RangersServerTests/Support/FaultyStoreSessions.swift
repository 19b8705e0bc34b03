import PartyStore

/// Who has signed in: writes fail as all others do.
extension FaultyStore {
    func sessions() async throws(StoreError) -> [SessionRecord] {
        await late(.sessions, try await store.sessions())
    }

    func insert(
        _ session: SessionRecord, of key: AdminKeyRecord?, removing ended: [String],
        as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.insert(
            session, of: key, removing: ended, as: call, epoch: epoch)
    }

    func update(
        _ sessions: [SessionRecord], removing ended: [String], as call: AuditRecord?,
        epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.update(sessions, removing: ended, as: call, epoch: epoch)
    }
}
