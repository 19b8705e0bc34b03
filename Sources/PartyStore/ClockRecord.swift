package import PushPolicy

/// What the machine's clocks show at one moment.
package struct ClockReading: Hashable, Sendable {
    /// Names the machine's start; empty: unknown.
    package let bootID: String
    /// Milliseconds since the machine's start, times in suspension included.
    package let sinceBoot: Int64
    /// The wall clock, which may be wrong.
    package let wall: WallTime

    package init(bootID: String, sinceBoot: Int64, wall: WallTime) {
        self.bootID = bootID
        self.sinceBoot = sinceBoot
        self.wall = wall
    }
}

/// The server's time at one moment, with the machine's clocks, so that a later start can go on.
package struct ClockAnchor: Hashable, Sendable {
    package let time: WallTime
    package let reading: ClockReading
    /// What times are shown as.
    package let offsets: WallOffsets

    /// Without `offsets`, times are shown as the reading has it.
    package init(time: WallTime, reading: ClockReading, offsets: WallOffsets? = nil) {
        self.time = time
        self.reading = reading
        self.offsets =
            offsets ?? WallOffsets(reading.wall.milliseconds - time.milliseconds)
    }

    /// The reading of the wall clock minus the server's time, in milliseconds.
    package var wallOffset: Int64 { reading.wall.milliseconds - time.milliseconds }
}

/// What a data file knows of the server's time.
package struct ClockRecord: Hashable, Sendable {
    /// `nil`: the file is new, or has lost it.
    package let anchor: ClockAnchor?
    /// The time of the newest row of the journal; `nil`: there is none.
    package let newest: WallTime?

    package init(anchor: ClockAnchor? = nil, newest: WallTime? = nil) {
        self.anchor = anchor
        self.newest = newest
    }
}

/// Keeps the server's time over restarts.
package protocol ClockStore: Sendable {
    /// Returns what a start needs. A damaged row is reported and omitted.
    func clockRecord() async throws(StoreError) -> ClockRecord
    /// Writes an anchor in place of the previous one.
    func save(_ anchor: ClockAnchor, epoch: Epoch) async throws(StoreError)
}
