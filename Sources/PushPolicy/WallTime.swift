/// Whole milliseconds since 1970: the time of devices, tokens and stores.
package struct WallTime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whole seconds since 1970, as APNs writes dates (rule P1).
    package var seconds: Int64 { milliseconds / 1000 }

    /// Whole seconds since 2001: a number that a default `JSONDecoder` reads as a `Date`.
    var secondsOfDate: Int64 { seconds - Self.dateEpoch }

    /// The beginning of 2001, in seconds since 1970.
    private static let dateEpoch: Int64 = 978_307_200

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package func adding(milliseconds: Int64) -> WallTime {
        WallTime(milliseconds: self.milliseconds + milliseconds)
    }

    package func adding(seconds: Int64) -> WallTime { adding(milliseconds: seconds * 1000) }

    /// Returns the stale date on the wire of a push with this timestamp: by the wall clock, and
    /// never before the timestamp, which leads after the wall clock was set back. A device would
    /// take the content for stale.
    func onWire(_ wallOffset: Int64, after timestamp: Int64) -> WallTime {
        max(adding(milliseconds: wallOffset), WallTime(milliseconds: (timestamp + 1) * 1000))
    }
}
