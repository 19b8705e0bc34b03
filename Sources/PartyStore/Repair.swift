package import GameLogic

/// How a party that cannot be read is made readable again, or given up.
package protocol RepairStore: Sendable {
    /// Writes the party anew from its journal and its activities' rows, with the call that does so.
    /// The damaged row's own data is lost: what each Live Activity shows, so each gets its
    /// newest state again, and who was removed from the party lately. Activities whose rows are
    /// damaged go.
    ///
    /// - Parameters:
    ///   - party: A party that no shard has in memory.
    ///   - speed: The adventure's game milliseconds per real second.
    ///   - call: The game master's call.
    ///   - epoch: The owner's epoch.
    /// - Returns: Whether there is such a party.
    /// - Throws: `.corrupt` when its journal is damaged too.
    func rebuild(
        _ party: PartyID, millisecondsPerSecond speed: Int64, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Removes a party with everything that belongs to it alone, and writes the call that does so.
    /// Its heroes stay, in no party; its channels count as over.
    ///
    /// - Returns: Whether there was such a party.
    func abandon(
        _ party: PartyID, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
}
