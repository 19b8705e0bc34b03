/// `rangers-tools bench heart-run`: the heart bench's measurement, in a separate process.
package enum HeartRun {
    /// The work to measure.
    package enum Mode: String, Codable, Sendable {
        /// Due parties, on a virtual clock.
        case tick
        /// Ticks that were made before, through the store alone.
        case write
        /// Actions of players, as many at a time as fill batches.
        case action
        /// Retention: the journal that ticks have left behind.
        case fold
        /// None: parties stay in memory.
        case memory
        /// A start on a killed process's file, until each due party has had its tick.
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
    /// then on. The mode determines the work:
    ///
    /// - `tick`: a virtual clock advances to the next due time, without waiting, until
    ///   `settings.ticks` parties' changes are durable. At most `settings.batch` changes share a
    ///   commit. Pushes are planned and encoded as for APNs; the sender accepts each at once
    ///   without sending it. A finished adventure begins again.
    /// - `write`: as many ticks, which were made before, are written through the store alone: no
    ///   game, no policy, no pushes. Only such as write a party's own rows.
    /// - `action`: the same number of potions and other actions by players, through the shards'
    ///   mailboxes, a batch's size at a time; `batchSize` reports how many came together.
    /// - `fold`: every row of the journal is folded into its party's snapshot, as after a month;
    ///   the same number of ticks comes before. `ticks` counts rows.
    /// - `memory`: no work. `residentBytes` is the result, measured after free pages were returned.
    /// - `start`: opens a killed run's file as a server does, and ends when each due party has had
    ///   its tick: `firstTickSeconds` and `lastTickSeconds`, counted from this call.
    ///
    /// At the end it closes the store, so that the file alone contains everything, and checks the
    /// file, which the reference reads. `writerCPUSeconds` is from the writing thread's clock;
    /// `events` and `fileBytesGrown` (log included) cover the measured time only.
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
