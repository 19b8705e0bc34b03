import Isolation
import PushPolicy
import Testing

@testable import RangersServer

@Suite("A reading that requests share", .timeLimit(.minutes(1)))
struct SharedReadingTests {
    private static let start = WallTime(milliseconds: 1_000_000)

    private struct Failure: Error {}

    private let shared = SharedReading<Int>(freshFor: 2000)
    private let readings = Locked(0)

    /// Reads the number of the reading.
    private func value(after milliseconds: Int64 = 0) async throws -> Int {
        try await shared.value(at: Self.start.adding(milliseconds: milliseconds)) { [readings] in
            readings.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test("two hundred requests at once make one reading")
    func crowd() async throws {
        let arrived = Locked(0)
        let values = try await withThrowingTaskGroup(of: Int.self) { [shared, readings] group in
            for _ in 0..<200 {
                group.addTask {
                    arrived.withLock { $0 += 1 }
                    return try await shared.value(at: Self.start) {
                        // The reading lasts until all have come.
                        while arrived.withLock({ $0 }) < 200 { await Task.yield() }
                        for _ in 0..<1000 { await Task.yield() }
                        return readings.withLock { count in
                            count += 1
                            return count
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == [Int](repeating: 1, count: 200))
    }

    @Test("a value is shared while it is fresh, and read again when it is not")
    func freshness() async throws {
        #expect(try await value() == 1)
        #expect(try await value(after: 1999) == 1)
        #expect(try await value(after: 2000) == 2)
        #expect(try await value(after: 3999) == 2)
        // A clock that shows less than before says nothing of a value's age.
        #expect(try await value(after: 1999) == 3)
    }

    @Test("a reading that fails is not kept")
    func failure() async throws {
        await #expect(throws: Failure.self) {
            _ = try await shared.value(at: Self.start) { throw Failure() }
        }
        #expect(try await value() == 1)
    }
}
