internal import Glibc

/// Random numbers from a seed: splitmix64, so that equal seeds give equal numbers everywhere.
package struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Dice of their own for one purpose of one entity: what others draw does not change them.
    package init(seed: UInt64, entity: String, purpose: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in entity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0x1_00) &* 0x100_0000_01b3
        for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.init(seed: hash)
        self.init(seed: next())
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// Returns a number in 0..<`limit`.
    package mutating func below(_ limit: Int) -> Int {
        precondition(limit > 0, "dice with \(limit) sides")
        return Int(next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// Returns a number in 0..<1.
    package mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Returns a number from `least` to `most`, both possible.
    package mutating func between(_ least: Int64, _ most: Int64) -> Int64 {
        precondition(least <= most, "dice between \(least) and \(most)")
        return least + Int64(below(Int(most - least + 1)))
    }

    /// Returns a number from `least` to `most`, whose logarithm is drawn evenly.
    package mutating func logUniform(_ least: Double, _ most: Double) -> Double {
        exp(log(least) + unit() * (log(most) - log(least)))
    }
}
