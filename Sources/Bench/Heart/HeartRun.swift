package import RangersServer
internal import PushLoad

/// `rangers bench heart-run`: what the heart bench measures, in a process of its own.
package enum HeartRun {
    /// What is driven.
    package enum Mode: String, CaseIterable, Sendable {
        /// Due parties, by a virtual clock.
        case tick
        /// Actions of players, as many at a time as fill batches.
        case action
        /// Nothing: parties are gathered and lie in memory.
        case memory
        /// A file that a killed process left behind, until each due party has had its tick.
        case start
    }

    /// One run.
    package struct Settings: Hashable, Sendable {
        package var parties: Int
        package var ticks: Int
        /// Changes that may share a commit.
        package var batch: Int
        package var mode: Mode
        /// The SQLite file; it does not exist yet, unless the mode is `start`.
        package var data: String

        package init(parties: Int, ticks: Int, batch: Int, mode: Mode, data: String) {
            self.parties = parties
            self.ticks = ticks
            self.batch = batch
            self.mode = mode
            self.data = data
        }

        /// From the values of `BenchOptions.heartRun`.
        package init(_ values: OptionValues) throws(OptionsError) {
            let counts: ClosedRange<Int64> = 1...100_000_000
            parties = Int(try values.integer("parties", in: counts) ?? 1)
            ticks = Int(try values.integer("ticks", in: counts) ?? 1)
            batch = Int(try values.integer("batch", in: 1...256) ?? 256)
            mode = try values.choice("mode", of: Mode.self) ?? .tick
            data = try values.required("data")
        }

        /// As the arguments of `rangers bench heart-run`.
        var arguments: [String] {
            [
                "bench", "heart-run", "--parties", String(parties), "--ticks", String(ticks),
                "--batch", String(batch), "--mode", mode.rawValue, "--data", data,
            ]
        }
    }

    /// Drives the server's own shards and writer on one core, without HTTP and without a network.
    ///
    /// Parties of four heroes with one Live Activity each are written to `settings.data` through
    /// the store, their adventures begun. `onReady` is called once they lie in memory; only what
    /// comes after it is measured. Then, by the mode:
    ///
    /// - `tick`: a virtual clock goes on to whatever is due next, without waiting, until
    ///   `settings.ticks` parties' changes are durable. At most `settings.batch` changes share a
    ///   commit. Pushes are planned and encoded as for APNs; the sender accepts each at once
    ///   without sending it. An adventure that is over begins again.
    /// - `action`: the same number of potions and other actions by players, by the shards'
    ///   mailboxes, as many at a time as a batch holds; `batchSize` says what came together.
    /// - `memory`: nothing. `residentBytes` is what counts, after free pages were given back.
    /// - `start`: opens the file of a killed run as a server does, and ends when each party that
    ///   is due has had its tick: `firstTickSeconds` and `lastTickSeconds`, from this call on.
    ///
    /// In the end the store is closed, so that the file alone holds everything, and its checks
    /// hold: the reference reads it. `writerCPUSeconds` is by the writing thread's clock,
    /// `events` and `fileBytesGrown` (log included) are of the measured time alone.
    ///
    /// - Throws: As the store does; a file that exists, but for `start`, is refused.
    package static func measure(
        _ settings: Settings, onReady: @Sendable () -> Void
    ) async throws -> HeartSample {
        switch settings.mode {
        case .tick, .action, .memory:
            let drive = try await HeartDrive.gather(settings)
            onReady()
            return try await drive.measure()
        case .start:
            onReady()
            return try await HeartStart.measure(settings)
        }
    }
}
