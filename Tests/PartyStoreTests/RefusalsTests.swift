import GameLogic
import Isolation
import Testing

@testable import PartyStore

/// PR9: a store that has refused a change can write once it has written as much.
@Suite("Refused writers")
struct RefusalsTests {
    private static let full = SQLFailure(
        kind: .fullDisk, reporter: .sqlite, code: "13", message: "database or disk is full")
    private let events = Locked<[StoreEvent]>([])

    private func refusals() -> Refusals {
        Refusals { [events] event in events.withLock { $0.append(event) } }
    }

    private var said: [StoreEvent] { events.withLock { $0 } }
    private static let stopped = StoreEvent.writingStopped("database or disk is full (code 13)")

    @Test("PR9: only a change as large as the largest refused one ends a refusal")
    func size() async {
        let refusals = refusals()
        refusals.add("writer", Self.full, bytes: 5_000)
        refusals.add("writer", Self.full, bytes: 100)
        refusals.committed("writer", bytes: 4_999)
        #expect(refusals.error == Self.full.storeError)
        #expect(said == [Self.stopped])
        refusals.committed("writer", bytes: 5_000)
        #expect(refusals.error == nil)
        #expect(said == [Self.stopped, .writingResumed])
        await refusals.close()
    }

    @Test("PR9: an operator hears of several refused writers once, and once when all can write")
    func several() async {
        let refusals = refusals()
        refusals.add("one", Self.full, bytes: 10)
        refusals.add("two", Self.full, bytes: 10)
        refusals.committed("one", bytes: 10)
        refusals.committed("three", bytes: 10)
        #expect(refusals.error != nil)
        #expect(said == [Self.stopped])
        refusals.committed("two", bytes: 10)
        #expect(said == [Self.stopped, .writingResumed])
        await refusals.close()
    }

    @Test("PR9: an attempt is made once a second")
    func pause() {
        #expect(Refusals.pauseMilliseconds == 1000)
    }

    @Test("a change of any size is tried by one of at most 16 MiB")
    func bound() async {
        let refusals = refusals()
        let tried = Locked<[Int64]>([])
        refusals.register("writer") { bytes in
            tried.withLock { $0.append(bytes) }
            refusals.committed("writer", bytes: bytes)
        }
        refusals.add("writer", Self.full, bytes: .max)
        await refusals.tryAgain()
        #expect(tried.withLock { $0 } == [16 * 1024 * 1024])
        #expect(refusals.error == nil)
        await refusals.close()
    }

    @Test("PR9: each refused writer tries again and again until it can write, and no other does")
    func attempts() async {
        let (resumed, signal) = AsyncStream.makeStream(of: Void.self)
        let refusals = Refusals(pauseMilliseconds: 0) { event in
            if event == .writingResumed { signal.finish() }
        }
        let tried = Locked<[Int64]>([])
        refusals.register("writer") { bytes in
            let count = tried.withLock { tried in
                tried.append(bytes)
                return tried.count
            }
            if count == 3 { refusals.committed("writer", bytes: bytes) }
        }
        refusals.register("other") { _ in Issue.record("a writer that can write tries to") }
        refusals.add("writer", Self.full, bytes: 7)
        for await _ in resumed {}
        await refusals.close()
        #expect(tried.withLock { $0 } == [7, 7, 7])
    }

    @Test("the attempts of a store that closes end")
    func closing() async {
        let refusals = Refusals(pauseMilliseconds: 0) { _ in }
        let (tried, signal) = AsyncStream.makeStream(of: Void.self)
        refusals.register("writer") { _ in signal.finish() }
        refusals.add("writer", Self.full, bytes: 7)
        for await _ in tried {}
        await refusals.close()
        refusals.add("writer", Self.full, bytes: 7)
        #expect(refusals.error != nil)
    }
}
