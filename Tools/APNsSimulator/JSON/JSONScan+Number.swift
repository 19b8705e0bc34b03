extension JSONScan {
    /// Skips a number and returns its value, nearly always without a String.
    mutating func number() throws(Broken) -> Double {
        let start = index
        var digits = Digits()
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { index += 1 }
        if peek == UInt8(ascii: "0") {
            index += 1
        } else {
            guard take(&digits) > 0 else { throw Broken() }
        }
        var exponent = 0
        if peek == UInt8(ascii: ".") {
            index += 1
            let fraction = take(&digits)
            guard fraction > 0 else { throw Broken() }
            exponent -= fraction
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            exponent += try writtenExponent()
        }
        if let exact = digits.exactly(timesTenTo: exponent) { return isNegative ? -exact : exact }
        let text = String(decoding: bytes.part(start..<index), as: UTF8.self)
        guard let number = Double(text), number.isFinite else { throw Broken() }
        return number
    }

    private mutating func writtenExponent() throws(Broken) -> Int {
        index += 1
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative || peek == UInt8(ascii: "+") { index += 1 }
        var digits = Digits()
        guard take(&digits) > 0 else { throw Broken() }
        // Beyond the exact range the text decides.
        let size = digits.value < 1_000 ? Int(digits.value) : 1_000
        return isNegative ? -size : size
    }

    /// Skips the next digits; returns their number.
    private mutating func take(_ digits: inout Digits) -> Int {
        let start = index
        while let byte = peek, byte &- UInt8(ascii: "0") < 10 {
            digits.append(byte &- UInt8(ascii: "0"))
            index += 1
        }
        return index - start
    }
}

/// A decimal number's digits.
private struct Digits {
    /// Saturates if there are too many digits.
    private(set) var value: UInt64 = 0

    private enum Limit {
        /// Integers up to here are exact doubles.
        static let exact: UInt64 = 1 << 53
        static let stop: UInt64 = 1 << 59
    }

    /// 10^0 to 10^22, the powers that a double represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    mutating func append(_ digit: UInt8) {
        value = value < Limit.stop ? value &* 10 &+ UInt64(digit) : .max
    }

    /// Returns the number if a single rounding suffices, because both factors are exact doubles
    /// (Clinger 1990).
    func exactly(timesTenTo exponent: Int) -> Double? {
        guard value <= Limit.exact, abs(exponent) < Self.powers.count else { return nil }
        let number = Double(value)
        return exponent < 0 ? number / Self.powers[-exponent] : number * Self.powers[exponent]
    }
}
