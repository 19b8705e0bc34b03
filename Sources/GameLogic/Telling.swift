/// Which of a sentence's variants is told, by dice of their own: words never change fate.
///
/// Each language has as many variants of a sentence as its writer likes, so a telling is a place in
/// an order of any length. Equal variants are as many tellings apart as the language has.
///
/// It takes little room, because every event and every card's content has one.
package struct Telling: Hashable, Sendable {
    /// The most variants that a sentence has in a language.
    package static let variantsMax = 8
    /// Counts begin anew here, where the orders of 1 to `variantsMax` variants do too.
    package static let period = 840
    /// An adventure tells in one of so many orders.
    static let seeds: ClosedRange<Int> = 1...63
    private static let seedBits = 6

    /// The first variant: of what no adventure has told.
    package static let first = Telling(unchecked: 0)

    /// 0, or how often the adventure told the sentence before and, in the last `seedBits` bits, its
    /// seed.
    package let bits: UInt16

    private init(unchecked bits: UInt16) { self.bits = bits }

    init(seed: Int, count: Int) {
        bits = UInt16((count % Self.period) << Self.seedBits | seed)
    }

    /// Restores what is stored; `nil` where it is no telling.
    package init?(bits: UInt16) {
        self.bits = bits
        guard bits == 0 || seed > 0 && count < Self.period else { return nil }
    }

    private var seed: Int { Int(bits) & (1 << Self.seedBits - 1) }
    private var count: Int { Int(bits) >> Self.seedBits }

    /// Tellings that tell every variant of a sentence, for checks.
    package static let samples = (0..<variantsMax).map { Telling(seed: 1, count: $0) }

    /// Returns the place of the variant that is told, of so many in a language.
    package func variant(of variants: Int, key: String) -> Int {
        guard variants > 1, self != .first else { return 0 }
        var print = Fingerprint()
        print.combine(key)
        var random = SeededRandom(seed: UInt64(seed) << 32 | UInt64(print.value))
        var order = Array(0..<variants)
        for last in stride(from: variants - 1, to: 0, by: -1) {
            order.swapAt(last, random.draw(in: 0...last))
        }
        return order[count % variants]
    }
}

/// How often each sentence was told on an adventure, in little room: a key is a part of its
/// fingerprint.
package struct Tellings: Hashable, Sendable {
    /// More sentences than a pack and `base.json` have.
    package static let sentencesMax = 1024
    /// Where a sentence's count is.
    private static let countMask: UInt32 = 1 << 10 - 1

    /// For each sentence a part of its key's fingerprint, and its count, in the order of the first
    /// tellings.
    package private(set) var sentences: [UInt32] = []

    package init() {}

    /// Restores what is stored; `nil` where it is no count.
    package init?(sentences: [UInt32]) {
        guard sentences.count <= Self.sentencesMax,
            sentences.allSatisfy({ Self.count(in: $0) < Telling.period })
        else { return nil }
        self.sentences = sentences
    }

    package func contains(_ key: String) -> Bool { place(of: Self.code(of: key)) != nil }

    /// Counts a telling of the sentence.
    mutating func tell(_ key: String, seed: Int) -> Telling {
        let code = Self.code(of: key)
        guard let place = place(of: code) else {
            if sentences.count < Self.sentencesMax { sentences.append(code | 1) }
            return Telling(seed: seed, count: 0)
        }
        let count = Self.count(in: sentences[place])
        sentences[place] = code | UInt32((count + 1) % Telling.period)
        return Telling(seed: seed, count: count)
    }

    private func place(of code: UInt32) -> Int? {
        sentences.firstIndex { $0 & ~Self.countMask == code }
    }

    private static func code(of key: String) -> UInt32 {
        var print = Fingerprint()
        print.combine(key)
        return print.value & ~countMask
    }

    private static func count(in sentence: UInt32) -> Int {
        Int(sentence & countMask)
    }
}

extension Adventure {
    /// The seed of the story's words, apart from all other dice.
    private var wordSeed: Int {
        var random = SeededRandom(seed: ~seed)
        return random.draw(in: Telling.seeds)
    }

    /// Counts a telling of the event's sentence.
    mutating func tell(_ kind: PartyEvent.Kind) -> Telling {
        guard let key = kind.sentenceKey else { return .first }
        return course.tellings.tell(key, seed: wordSeed)
    }
}
