/// `rangers-tools bench heart-run`: the heart bench's measurement, in a separate process.
package enum HeartRun {
    /// The work to measure.
    package enum Mode: String, Codable, Sendable {
        /// A virtual clock advances to the next due time, without waiting, until so many parties'
        /// changes are durable. Pushes are planned and encoded as for APNs; the sender accepts each
        /// at once. A finished adventure begins again.
        case tick
        /// As many ticks, which were made before, are written through the store alone: only such
        /// as write a party's own rows.
        case write
        /// As many potions and other actions by players, through the shards' mailboxes, a batch's
        /// size at a time.
        case action
        /// Retention folds the journal that as many ticks have left, as after a month; rows count.
        case fold
        /// None: parties stay in memory, whose size is measured after free pages were returned.
        case memory
        /// A start on a killed run's file, as a server's, until each due party has had its tick.
        case start
    }

    /// The settings of one run.
    package struct Settings: Hashable, Codable, Sendable {
        package var parties: Int
        package var ticks: Int
        /// The limit of changes in one commit.
        package var batch: Int
        package var mode: Mode
        /// The SQLite file, which must not exist unless the mode is `start`; or the address of an
        /// empty PostgreSQL database.
        package var data: String
        /// The adventure pack that the parties play.
        package var pack = HeartBench.packDefault
        /// The due parties at each step of the clock, about. The next step begins once all were
        /// examined, while the writer may still have their batches.
        package var due = 4 * 256
        /// The nodes that share the database, all in this process; `nil`: one has it for itself.
        package var nodes: Int?
        /// The first process of the PostgreSQL whose usage is measured too.
        package var database: Int32?
    }

    /// Drives the server's own shards and writer on one core, without HTTP and without a network.
    ///
    /// Writes parties of four heroes with one Live Activity each to `settings.data` through the
    /// store, their adventures begun. Calls `onReady` once they are in memory, and measures from
    /// then on. At the end it closes the store, so that the file alone contains everything that the
    /// reference reads.
    ///
    /// - Throws: The store's errors; refuses an existing file, except for `start`.
    package static func measure(
        _ settings: Settings, onReady: @Sendable () -> Void
    ) async throws -> HeartSample {
        switch settings.mode {
        case .tick, .action, .fold, .memory:
            let drive = try await HeartDrive.make(settings)
            onReady()
            return try await drive.measure()
        case .write:
            return try await HeartWriting.measure(settings, onReady: onReady)
        case .start:
            onReady()
            return try await HeartStart.measure(settings)
        }
    }
}
