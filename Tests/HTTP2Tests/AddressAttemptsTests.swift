import Testing

@testable import HTTP2

@Suite("Attempts at a host's addresses")
struct AddressAttemptsTests {
    private let addresses = (1...3).map { NetworkAddress(bytes: [UInt8($0)]) }

    @Test("all addresses are tried, from the chosen one on", arguments: [0, 1, 2, 5])
    func order(turn: Int) {
        var attempts = AddressAttempts(timeoutMilliseconds: 1_000, now: 0)
        attempts.begin(addresses, turn: turn)
        let tried = (0..<3).compactMap { _ in attempts.next(at: 0)?.bytes.first }
        #expect(tried == (0..<3).map { UInt8((turn + $0) % 3 + 1) })
        #expect(attempts.next(at: 0) == nil)
        #expect(!attempts.hasNext(at: 0))
    }

    @Test("each address but the last gets a quarter of the time")
    func share() {
        var attempts = AddressAttempts(timeoutMilliseconds: 1_000, now: 0)
        attempts.begin(Array(addresses.prefix(2)), turn: 0)
        _ = attempts.next(at: 100)
        #expect(!attempts.isAttemptOver(at: 349))
        #expect(attempts.isAttemptOver(at: 350))
        _ = attempts.next(at: 350)
        #expect(!attempts.isAttemptOver(at: 1_000_000))
    }

    @Test("after the whole time there is no further attempt")
    func timeout() {
        var attempts = AddressAttempts(timeoutMilliseconds: 1_000, now: 500)
        attempts.begin(addresses, turn: 0)
        #expect(attempts.hasNext(at: 1_499))
        #expect(!attempts.isTimeOver(at: 1_499))
        #expect(!attempts.hasNext(at: 1_500))
        #expect(attempts.isTimeOver(at: 1_500))
    }
}
