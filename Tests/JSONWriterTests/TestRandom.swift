/// SplitMix64: the same texts and numbers for the same seed.
struct TestRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Up to 40 scalars, half of them ASCII with its control characters.
    mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<(next() % 40) {
            let limit: UInt64 = next() % 2 == 0 ? 0x80 : 0x11_0000
            guard let scalar = Unicode.Scalar(UInt32(next() % limit)) else { continue }
            text.append(scalar)
        }
        return String(text)
    }

    /// Any finite bit pattern.
    mutating func number() -> Double {
        let number = Double(bitPattern: next())
        return number.isFinite ? number : 0.5
    }
}
