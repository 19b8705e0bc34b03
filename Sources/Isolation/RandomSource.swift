/// The only source of random numbers: the system's, or on a simulation's thread the simulation's.
package struct RandomSource: RandomNumberGenerator, Sendable {
    package init() {}

    package func next() -> UInt64 {
        if let thread = SimulatedThreads.current { return thread.randomBits() }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// Returns a number of a range, all equally likely.
    package static func integer<Integer: FixedWidthInteger>(
        in range: ClosedRange<Integer>
    ) -> Integer {
        var source = RandomSource()
        return .random(in: range, using: &source)
    }

    /// Returns a number in 0..<1.
    package static func fraction() -> Double {
        var source = RandomSource()
        return .random(in: 0..<1, using: &source)
    }
}
