package import PartyStore
package import PushPolicy

/// How a server that starts goes on with the time of the one before it.
extension ServerClock {
    /// The longest time without a server that counts if nobody knows it, in milliseconds. All that
    /// is known of it is what the wall clock says, which may be wrong by days at such a start: a
    /// Live Activity must not be taken for too old because of that.
    package static let absenceMax: Int64 = 4 * 60 * 60 * 1000

    /// Returns the time of a server that starts now.
    ///
    /// On the same boot of the machine it is exact, whatever the wall clock says; that of a node goes
    /// on as the database's clock does. After a boot, and when no node has run for hours, it goes on
    /// by what the wall clock has gone on.
    /// It is never before the newest row of the journal, so no time of an adventure is in the future.
    package static func time(after record: ClockRecord, at reading: ClockReading) -> WallTime {
        guard let anchor = record.anchor else {
            return max(reading.wall, record.newest ?? reading.wall)
        }
        let newest = max(anchor.time, record.newest ?? anchor.time)
        if let elapsed = anchor.elapsed(until: reading) {
            return max(newest, anchor.time.adding(milliseconds: elapsed))
        }
        let wall = reading.wall.adding(milliseconds: -anchor.wallOffset)
        let absence = max(0, wall.milliseconds - newest.milliseconds)
        return newest.adding(milliseconds: min(absence, absenceMax))
    }

    /// Returns what the times of a server are shown as that starts at `time`: those of the past as
    /// they were shown before. A difference below a step is the time between two readings.
    static func offsets(
        after record: ClockRecord, at reading: ClockReading, showing time: WallTime
    ) -> WallOffsets {
        let offset = reading.wall.milliseconds - time.milliseconds
        guard var offsets = record.anchor?.offsets else { return WallOffsets(offset) }
        if abs(offset - offsets.newest) >= stepMin { offsets.step(to: offset, at: time) }
        return offsets
    }
}

extension ClockAnchor {
    /// How many milliseconds have passed until a later reading; `nil`: nobody knows, because the
    /// machine was started since then, or because the database's clock may have been set.
    fileprivate func elapsed(until later: ClockReading) -> Int64? {
        guard reading.bootID == later.bootID, !later.bootID.isEmpty else { return nil }
        guard later.bootID == DatabaseClock.bootID else {
            let elapsed = later.sinceBoot - reading.sinceBoot
            return elapsed >= 0 ? elapsed : nil
        }
        // Nodes' times since a start differ by the steps that each has seen. They agree on what the
        // database's clock shows, to within the smallest step.
        let elapsed = later.wall.milliseconds - reading.wall.milliseconds
        // After hours no node has run, and the clock may have been set meanwhile.
        return elapsed > -ServerClock.stepMin && elapsed <= ServerClock.absenceMax
            ? max(0, elapsed) : nil
    }
}

extension Dependencies {
    /// Returns these dependencies with a clock that goes on with the time of the data file.
    func continuingTime() async throws(StoreError) -> Dependencies {
        let record: ClockRecord
        do throws(StoreError) {
            record = try await store.clockRecord()
        } catch {
            guard case .corrupt = error else { throw error }
            log.error("the stored time cannot be read", ["error": "\(error)"])
            record = ClockRecord()
        }
        let reading = clock.machine.reading
        let time = ServerClock.time(after: record, at: reading)
        let offsets = ServerClock.offsets(after: record, at: reading, showing: time)
        var dependencies = self
        dependencies.clock = clock.showing(time, offsets)
        guard let anchor = record.anchor else { return dependencies }
        let step = offsets.newest - anchor.offsets.newest
        guard step >= ServerClock.stepMin, anchor.elapsed(until: reading) == nil else {
            dependencies.noteStep(step)
            return dependencies
        }
        metrics.set(.wallClockOffset, to: Double(dependencies.clock.wallOffset) / 1000)
        log.warning(
            "no server has run for over four hours: adventures go on as after four of them",
            ["seconds": "\(Double(step) / 1000)"])
        return dependencies
    }

    /// Whether everybody knows how much time has passed since the last server: the machine has run
    /// without a start since then, or nodes have run within hours.
    func isTimeKnown() async throws(StoreError) -> Bool {
        do throws(StoreError) {
            let anchor = try await store.clockRecord().anchor
            return anchor?.elapsed(until: clock.machine.reading) != nil
        } catch {
            guard case .corrupt = error else { throw error }
            return false
        }
    }

    /// Reports a step of the wall clock, in milliseconds, if it is one.
    func noteStep(_ step: Int64) {
        metrics.set(.wallClockOffset, to: Double(clock.wallOffset) / 1000)
        guard abs(step) >= ServerClock.stepMin else { return }
        metrics.add(.wallClockSteps)
        log.warning(
            "the wall clock was stepped: timestamps and dates follow it, adventures do not",
            ["seconds": "\(Double(step) / 1000)"])
    }
}
