package import GameLogic

/// What a store finds out by itself and an operator should hear of. It holds no token and no key.
package enum StoreEvent: Hashable, Sendable {
    /// A party's row does not match its checksum: it is frozen until the row is repaired.
    case partyIsCorrupt(PartyID, detail: String)
    /// A row of another table does not match its checksum: it is not served.
    case rowIsCorrupt(table: String, key: String, detail: String)
    /// A party's commands, played again, do not give its events: its journal is kept whole.
    case historyDiffers(PartyID, detail: String)
    /// The check of a large file that was opened has ended, with what it found, in words.
    case fileChecked(problems: [String])
    /// Writing has begun to fail (full disk, busy file); said once until it works again.
    case writingStopped(String)
    case writingResumed
    /// The write-ahead log could not be copied into the file; it grows until that works again.
    case checkpointFailed(String)
}
