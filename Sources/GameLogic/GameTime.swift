/// Whole milliseconds since the adventure began, on the adventure's own clock.
///
/// The game never reads a clock: the server maps real time to game time, by the adventure's speed.
package struct GameTime: Hashable, Comparable, Codable, Sendable {
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

    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
