internal import Isolation

/// A party's number in the file: random, 63 bits, positive. The creator of the party draws it, so
/// that no sequence has to be shared.
package struct PartyKey: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package static func random() -> PartyKey {
        PartyKey(number: RandomSource.integer(in: 1...Int64.max))
    }

    package static func < (left: PartyKey, right: PartyKey) -> Bool { left.number < right.number }
}

extension PartyKey: CustomStringConvertible {
    package var description: String { "\(number)" }
}
