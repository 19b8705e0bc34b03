/// What a simulated disk does wrong.
package struct DiskFaults: Codable, Sendable, Equatable {
    /// Syncs do nothing, and say that they did.
    package var lies = false
    /// The bytes for which there is room; `nil`: enough.
    package var fullAt: Int64?
    /// How long a sync takes.
    package var slowSyncMilliseconds: Int64 = 0
    /// The next sync fails; what it should have written will not be written by a later one.
    package var failNextSync = false
    /// The next write fails, and does nothing.
    package var failNextWrite = false
    /// The next read fails.
    package var failNextRead = false
    /// The next page that is read has a flipped bit; the file has not.
    package var flipNextRead = false
    /// Another program has the data file's lock for writing.
    package var foreignLock = false

    /// The disk does not say that overwriting a sector leaves others alone, so that SQLite pads the
    /// commits in the log. Set before the file is opened.
    package var padsCommits = false

    package init() {}
}
