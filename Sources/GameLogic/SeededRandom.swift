/// The adventure's dice: SplitMix64, stored with the adventure.
///
/// Not `Int.random(in:using:)`: the standard library may change how it draws from a generator,
/// which would rewrite saved games.
package struct SeededRandom: Hashable, Sendable {
    /// The state that determines the next draw; `init(seed:)` restores it.
    package private(set) var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a whole number in the range, each with the same probability.
    package mutating func draw(in range: ClosedRange<Int>) -> Int {
        let (high, _) = next().multipliedFullWidth(by: UInt64(range.count))
        return range.lowerBound + Int(high)
    }
}
