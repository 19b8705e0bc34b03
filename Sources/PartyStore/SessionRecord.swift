package import PushPolicy

/// A game master who has signed in to the console: a row of `sessions`. The cookie itself is never
/// stored.
package struct SessionRecord: Hashable, Sendable {
    /// SHA-256 of what the cookie has, in hexadecimal digits.
    package let id: String
    /// The key that the session belongs to.
    package let holder: GameMaster
    package let createdAt: WallTime
    /// When the session was last used, or up to a minute before.
    package var seenAt: WallTime

    package init(id: String, holder: GameMaster, createdAt: WallTime, seenAt: WallTime) {
        self.id = id
        self.holder = holder
        self.createdAt = createdAt
        self.seenAt = seenAt
    }
}

/// Keeps the sessions of game masters over restarts. `removeAdminKey` removes those of its key.
package protocol SessionStore: Sendable {
    /// Returns all sessions. A damaged one is reported and omitted.
    func sessions() async throws(StoreError) -> [SessionRecord]
    /// Writes a session and the call that opens it, and removes sessions that have ended. Without a
    /// key it is of the owner's, which is not in the store. Returns whether it was written; if not,
    /// the key has been revoked.
    func insert(
        _ session: SessionRecord, of key: AdminKeyRecord?, removing ended: [String],
        as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Writes when these sessions were last used, if they still exist, and removes those that have
    /// ended; with the call that does so, if there is one.
    func update(
        _ sessions: [SessionRecord], removing ended: [String], as call: AuditRecord?,
        epoch: Epoch
    ) async throws(StoreError)
}
