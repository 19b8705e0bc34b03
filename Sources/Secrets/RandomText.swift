internal import Isolation

/// Unguessable names from random numbers.
package enum RandomText {
    /// 32 symbols without those that are easily confused (0 and O, 1 and I): 5 bits each.
    private static let readable = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    private static let base32 = Array("abcdefghijklmnopqrstuvwxyz234567")

    /// Returns letters and digits for people to read out: 5 bits each.
    package static func code(length: Int) -> String { text(of: readable, length: length) }

    /// Returns lower-case letters and digits: 5 bits each.
    package static func name(length: Int) -> String { text(of: base32, length: length) }

    private static func text(of symbols: [Character], length: Int) -> String {
        let generator = RandomSource()
        return String((0..<length).map { _ in symbols[Int(generator.next() >> 59)] })
    }
}
