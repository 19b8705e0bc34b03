internal import Isolation

/// A connection that reads, on an executor of its own.
protocol SessionReader: Actor {
    associatedtype Session

    func read<Result: Sendable>(
        _ body: @Sendable (Session) throws -> Result
    ) throws(ReadFailure) -> Result

    func close()
}

/// The reading connections of a database, which take turns.
final class Readers<Reader: SessionReader>: Sendable {
    /// The most reads at a time; more fail with `.unavailable`.
    static var readsMax: Int { 4096 }

    private let readers: [Reader]
    private let state = Locked(State())

    private struct State: Sendable {
        var reads = 0
        var next = 0
    }

    init(_ readers: [Reader]) { self.readers = readers }

    /// Reads on one of the connections.
    func read<Result: Sendable>(
        _ body: @Sendable (Reader.Session) throws -> Result
    ) async throws(ReadFailure) -> Result {
        let reader = try next()
        defer { state.withLock { $0.reads -= 1 } }
        return try await reader.read(body)
    }

    private func next() throws(ReadFailure) -> Reader {
        let index: Result<Int, ReadFailure> = state.withLock { state in
            guard state.reads < Self.readsMax else {
                return .failure(
                    .refused(.unavailable("\(Self.readsMax) reads are already waiting")))
            }
            state.reads += 1
            state.next = (state.next + 1) % readers.count
            return .success(state.next)
        }
        return readers[try index.get()]
    }

    func close() async {
        for reader in readers { await reader.close() }
    }
}
