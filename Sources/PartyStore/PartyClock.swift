package import GameLogic
package import PushPolicy

/// How a party's game time follows the server's clock.
package struct PartyClock: Hashable, Sendable, AdventureClock {
    /// The longest that all pauses of an adventure last together, in milliseconds.
    package static let pausesMax: Int64 = 2 * 3600 * 1000

    /// When the adventure's game time was zero, shifted by every pause.
    package var beganAt: WallTime
    /// Game milliseconds per real second.
    package var millisecondsPerSecond: Int64
    /// The newest pause; it may be over.
    package private(set) var pause: Pause?
    /// How long all pauses of the adventure last, in milliseconds, but for those before an end.
    package private(set) var pausedMilliseconds: Int64

    /// A game master's pause: until its end, game time stands still.
    package struct Pause: Hashable, Sendable {
        package var until: WallTime
        /// How the adventure ends then, unless the pause is ended before.
        package let ending: Arrangement.Ending?

        package init(until: WallTime, ending: Arrangement.Ending?) {
            self.until = until
            self.ending = ending
        }
    }

    package init(
        beganAt: WallTime, millisecondsPerSecond: Int64, pause: Pause? = nil,
        pausedMilliseconds: Int64 = 0
    ) {
        self.beganAt = beganAt
        self.millisecondsPerSecond = millisecondsPerSecond
        self.pause = pause
        self.pausedMilliseconds = pausedMilliseconds
    }

    /// A time after every adventure's end, so that an absurd clock ends them.
    private static let gameTimeMax: Int64 = 1 << 53

    package func gameTime(at time: WallTime) -> GameTime {
        let time = max(time, pause?.until ?? time)
        let elapsed = max(0, time.milliseconds - beganAt.milliseconds)
        let scaled = elapsed.multipliedReportingOverflow(by: millisecondsPerSecond)
        let milliseconds = scaled.overflow ? Self.gameTimeMax : scaled.partialValue / 1000
        return GameTime(milliseconds: min(milliseconds, Self.gameTimeMax))
    }

    /// Returns the first moment at which `gameTime(at:)` has reached `time`. During a pause it is
    /// the pause's end for all game times before.
    package func wallTime(of time: GameTime) -> WallTime {
        let scaled = time.milliseconds * 1000
        let elapsed = (scaled + millisecondsPerSecond - 1) / millisecondsPerSecond
        return beganAt.adding(milliseconds: elapsed)
    }
}

// MARK: Pauses

// A pause shifts `beganAt` by its length at once, and game time is that of the pause's end until
// then. So nothing has to happen when it ends.
extension PartyClock {
    /// Returns when the pause that holds the clock at this time is over; `nil`: none does.
    package func pausedUntil(at now: WallTime) -> WallTime? {
        pause.flatMap { $0.until > now ? $0.until : nil }
    }

    /// Returns the pause at this game time, which may be over without anything having happened since;
    /// `nil`: the adventure has gone on.
    package func pause(holding time: GameTime) -> Pause? {
        pause.flatMap { time <= gameTime(at: $0.until) ? $0 : nil }
    }

    /// Returns how the adventure ends now, because the pause before its end is over.
    package func dueEnding(at now: WallTime) -> Arrangement.Ending? {
        pause.flatMap { $0.until <= now ? $0.ending : nil }
    }

    /// When the adventure ends, if a pause before its end has begun.
    package var endsAt: WallTime? { pause.flatMap { $0.ending == nil ? nil : $0.until } }

    /// Returns how long the adventure may still be paused from now on, in milliseconds: a new pause
    /// takes the place of the rest of another one.
    package func pauseLeft(at now: WallTime) -> Int64 {
        Self.pausesMax - pausedMilliseconds + unusedAllowance(at: now)
    }

    /// Stops the clock. A pause before the end needs no allowance: it can be the only one.
    package mutating func pause(
        forMilliseconds length: Int64, then ending: Arrangement.Ending?, at now: WallTime
    ) {
        resume(at: now)
        if ending == nil { pausedMilliseconds += length }
        beganAt = beganAt.adding(milliseconds: length)
        pause = Pause(until: now.adding(milliseconds: length), ending: ending)
    }

    /// Lets the clock go on, if it stands.
    package mutating func resume(at now: WallTime) {
        let unused = (pausedUntil(at: now) ?? now).milliseconds - now.milliseconds
        pausedMilliseconds -= unusedAllowance(at: now)
        beganAt = beganAt.adding(milliseconds: -unused)
        pause = nil
    }

    /// Shifts the clock, and the pause with it.
    package mutating func shift(byMilliseconds shift: Int64) {
        beganAt = beganAt.adding(milliseconds: shift)
        if let until = pause?.until { pause?.until = until.adding(milliseconds: shift) }
    }

    private func unusedAllowance(at now: WallTime) -> Int64 {
        guard let until = pausedUntil(at: now), pause?.ending == nil else { return 0 }
        return until.milliseconds - now.milliseconds
    }
}
