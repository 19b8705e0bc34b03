import COpenSSL
import Testing

@testable import HTTP2

@Suite("Bytes on their way to the socket")
struct OutboundBytesTests {
    /// Writes as OpenSSL does, through the BIO.
    private func write(_ bytes: [UInt8], to bio: OpaquePointer) -> Bool {
        BIO_write(bio, bytes, Int32(bytes.count)) == Int32(bytes.count)
    }

    @Test("they come out whole and in order, however much is written and dropped at a time")
    func order() throws {
        let outbound = OutboundBytes()
        let bio = try #require(outbound.makeBIO())
        defer { BIO_free(bio) }
        var dice = SplitMix(state: 5)
        var (written, taken) = (0, 0)
        var isInOrder = true
        // A number's byte is its place, by a prime: a shift by any power of two shows.
        let byte = { (place: Int) in UInt8(truncatingIfNeeded: place % 251) }
        for _ in 0..<600 {
            // Up to more than what is kept when all has been sent, and as often next to nothing.
            let count = 1 + Int(dice.next() % (dice.next() % 4 == 0 ? 150_000 : 3_000))
            let piece = (written..<written + count).map(byte)
            #expect(write(piece, to: bio))
            written += count
            let waiting = outbound.waiting
            #expect(waiting.count == written - taken)
            let part = dice.next() % 3 == 0 ? waiting.count : Int(dice.next() % 60_000)
            let dropped = min(part, waiting.count)
            for (index, value) in waiting.prefix(dropped).enumerated()
            where value != byte(taken + index) {
                isInOrder = false
            }
            outbound.drop(dropped)
            taken += dropped
        }
        #expect(isInOrder)
        outbound.drop(outbound.waiting.count)
        #expect(outbound.isEmpty && outbound.waiting.isEmpty)
    }

    @Test("what was dropped makes room: a little that always waits does not let the memory grow")
    func room() throws {
        let outbound = OutboundBytes()
        let bio = try #require(outbound.makeBIO())
        defer { BIO_free(bio) }
        let piece = [UInt8](repeating: 7, count: 1_000)
        #expect(write(piece + [1], to: bio))
        var places: Set<UnsafeRawPointer?> = []
        for _ in 0..<1_000 {
            outbound.drop(1_000)
            #expect(write(piece, to: bio))
            #expect(outbound.waiting.count == 1_001)
            places.insert(outbound.waiting.baseAddress)
        }
        // Places in one piece of memory of a few thousand bytes, or in two or three such.
        #expect(places.count < 10)
    }

    @Test("a flush has nothing to do, and nothing else is asked in vain")
    func flush() throws {
        let outbound = OutboundBytes()
        let bio = try #require(outbound.makeBIO())
        defer { BIO_free(bio) }
        #expect(BIO_ctrl(bio, BIO_CTRL_FLUSH, 0, nil) == 1)
        #expect(BIO_ctrl(bio, BIO_CTRL_PENDING, 0, nil) == 0)
        #expect(outbound.isEmpty)
    }
}
