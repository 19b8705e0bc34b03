/// Whole milliseconds since the adventure began, on the adventure's own clock.
///
/// The game never reads a clock: the server maps real time to game time, by the adventure's speed.
package struct GameTime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static let zero = GameTime(milliseconds: 0)

    package static func seconds(_ count: Int64) -> GameTime { GameTime(milliseconds: count * 1000) }

    package static func minutes(_ count: Int64) -> GameTime { .seconds(count * 60) }

    package static func < (left: GameTime, right: GameTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package static func + (left: GameTime, right: GameTime) -> GameTime {
        GameTime(milliseconds: left.milliseconds + right.milliseconds)
    }

    package static func - (left: GameTime, right: GameTime) -> GameTime {
        GameTime(milliseconds: left.milliseconds - right.milliseconds)
    }
}

extension GameTime {
    /// Whether an adventure can reach this time, or some time beyond its end, so that sums of times
    /// stay small.
    var isWithinAdventure: Bool {
        (0...(2 * Pack.timeLimitMax.milliseconds)).contains(milliseconds)
    }
}
