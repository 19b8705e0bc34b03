package import PushPolicy

/// How far the wall clock is ahead of the server's time, and was before each of its steps.
///
/// A time of the past is shown as the wall clock showed it then: neither a later step of that clock
/// nor a restart changes it.
package struct WallOffsets: Hashable, Sendable {
    /// An offset that has held since a time of the server.
    package struct Step: Hashable, Sendable {
        package let since: WallTime
        package let offset: Int64

        package init(since: WallTime, offset: Int64) {
            self.since = since
            self.offset = offset
        }
    }

    /// The most steps that are told apart; times before them have the offset of the oldest one.
    package static let stepsMax = 64

    /// In milliseconds, until the first step.
    package private(set) var first: Int64
    /// In the order of time.
    package private(set) var steps: [Step]

    /// The same offset at all times, in milliseconds.
    package init(_ offset: Int64 = 0) {
        first = offset
        steps = []
    }

    /// Restores what is stored; `nil` where no clock can be like that.
    package init?(first: Int64, steps: [Step]) {
        guard steps.count <= Self.stepsMax,
            zip(steps, steps.dropFirst()).allSatisfy({ $0.since <= $1.since })
        else { return nil }
        self.first = first
        self.steps = steps
    }

    /// The offset that holds now and for times to come, in milliseconds.
    package var newest: Int64 { steps.last?.offset ?? first }

    /// Returns the offset that held at a time of the server, in milliseconds.
    package func offset(at time: WallTime) -> Int64 {
        steps.last { $0.since <= time }?.offset ?? first
    }

    /// Returns what the wall clock showed, or will show, at a time of the server.
    package func wall(at time: WallTime) -> WallTime {
        time.adding(milliseconds: offset(at: time))
    }

    /// Notes that another offset holds from now on.
    package mutating func step(to offset: Int64, at now: WallTime) {
        steps.append(Step(since: max(now, steps.last?.since ?? now), offset: offset))
        if steps.count > Self.stepsMax { first = steps.removeFirst().offset }
    }
}
