import Testing

@testable import APNsSimulator

@Suite struct CompactValueTests {
    @Test("a token's digest knows every digit and its length, and no case")
    func digests() {
        let token = String(repeating: "0a1b2c3d4e", count: 7)
        let digest = TokenDigest(token)
        #expect(digest != nil)
        #expect(TokenDigest(token.uppercased()) == digest)
        for place in token.indices {
            var other = token
            other.replaceSubrange(place...place, with: "7")
            #expect(TokenDigest(other) != digest)
        }
        #expect(TokenDigest("00") != TokenDigest("0000"))
    }

    @Test("what is not hex has no digest", arguments: 0..<20)
    func noDigest(place: Int) {
        for byte in UInt8.min...UInt8.max {
            var token = Array("00112233445566778899".utf8)
            token[place] = byte
            let isHex = Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
            #expect(token.withUnsafeBufferPointer { TokenDigest($0) != nil } == isHex)
        }
    }

    @Test("PR4: of many ids the last ones are remembered, and not all of them")
    func recentIDs() {
        var ids = RecentIDs(generationMax: 100)
        let first = (1...1_000).map { ids.insert(UInt128($0)) }
        #expect(first.allSatisfy { $0 })
        let again = (901...1_000).map { ids.insert(UInt128($0)) }
        #expect(again.allSatisfy { !$0 })
        let forgotten = ids.insert(1)
        #expect(forgotten)
    }

    @Test("a compact table holds what a dictionary holds", arguments: 1...3)
    func table(seed: UInt64) {
        var dice = FaultDice(seed: seed)
        var table = CompactTable<UInt64, Int>(fresh: 0)
        var dictionary: [UInt64: Int] = [:]
        for _ in 0..<20_000 {
            let key = dice.next() % 5_000
            let isNew = dictionary[key] == nil
            dictionary[key, default: 0] += 1
            var value = 0
            let presence = table.update(key) { number in
                number += 1
                value = number
            }
            #expect(value == dictionary[key])
            #expect((presence == .added) == isNew)
        }
        #expect(table.count == dictionary.count)
        table.removeAll()
        #expect(!table.contains(1))
    }
}
