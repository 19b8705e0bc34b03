package import GameLogic

/// What a store detects by itself and reports to an operator. It contains no token and no key.
package enum StoreEvent: Hashable, Sendable {
    /// A party's row does not match its checksum: it is frozen until the row is repaired.
    case partyIsCorrupt(PartyID, detail: String)
    /// A row of another table does not match its checksum: it is not served.
    case rowIsCorrupt(table: String, key: String, detail: String)
    /// A party's replayed commands do not give its events: its journal is kept whole.
    case historyDiffers(PartyID, detail: String)
    /// The check of a large file has ended; `problems` are its findings, in words.
    case fileChecked(problems: [String])
    /// The write-ahead log was damaged, and the operator accepted the loss: what was lost, in words.
    case changesLost(String)
    /// Writing has begun to fail (full disk, busy file); reported once until as much is written again.
    case writingStopped(String)
    case writingResumed
    /// The disk was full, and the ballast's space was freed: soon it will be full again.
    case ballastFreed
    /// There is room again, and the ballast was made.
    case ballastMade
    /// The write-ahead log could not be copied into the file, reported once until it can; it grows
    /// meanwhile.
    case checkpointFailed(String)
}
