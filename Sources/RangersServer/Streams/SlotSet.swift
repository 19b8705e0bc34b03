/// A set of small numbers, a bit for each, from which they are taken in turn: whoever reads slowly
/// gets every party as often as any other.
struct SlotSet: Hashable, Sendable {
    private static let bits = UInt64.bitWidth

    private var words: [UInt64] = []
    /// Where the next look begins.
    private var turn = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ slot: Int) -> Bool {
        let word = slot / Self.bits
        return word < words.count && words[word] & Self.mask(slot) != 0
    }

    mutating func insert(_ slot: Int) {
        let word = slot / Self.bits
        if word >= words.count {
            words += [UInt64](repeating: 0, count: word + 1 - words.count)
        }
        guard words[word] & Self.mask(slot) == 0 else { return }
        words[word] |= Self.mask(slot)
        count += 1
    }

    mutating func formUnion(_ other: SlotSet) {
        guard !other.isEmpty else { return }
        if other.words.count > words.count {
            words += [UInt64](repeating: 0, count: other.words.count - words.count)
        }
        for word in other.words.indices where other.words[word] != 0 {
            count += (other.words[word] & ~words[word]).nonzeroBitCount
            words[word] |= other.words[word]
        }
    }

    mutating func removeAll() { self = SlotSet() }

    /// Removes and returns the next number after the one before, from the start again after the end.
    mutating func popNext() -> Int? {
        guard count > 0 else { return nil }
        let first = turn / Self.bits
        // The first word again at the end, for its lower bits.
        for step in 0...words.count {
            let word = (first + step) % words.count
            var found = words[word]
            if step == 0 {
                // The turn may lie behind the end.
                guard first < words.count else { continue }
                found &= ~0 << UInt64(turn % Self.bits)
            }
            guard found != 0 else { continue }
            let slot = word * Self.bits + found.trailingZeroBitCount
            words[word] &= ~Self.mask(slot)
            count -= 1
            turn = slot + 1
            return slot
        }
        return nil
    }

    private static func mask(_ slot: Int) -> UInt64 { 1 << UInt64(slot % bits) }
}
