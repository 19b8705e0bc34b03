internal import Isolation

/// The writers of a store whose transactions the file or database refuses, with the size of the
/// largest refused one.
///
/// A full disk still takes small transactions. So a writer can write again once it has committed as
/// many bytes as were refused: by its own work, or by an attempt, which each refused writer makes
/// once a second. An operator hears once that writing has stopped, and once that all writers can
/// write again.
final class Refusals: Sendable {
    /// The pause between two attempts, in milliseconds.
    static let pauseMilliseconds: Int64 = 1000
    /// The size of the largest attempt, in bytes; it also stands for larger transactions.
    static let bytesMax: Int64 = 16 * 1024 * 1024

    /// Commits so many bytes, and notes the outcome here.
    typealias Attempt = @Sendable (_ bytes: Int64) async -> Void

    private struct Refusal {
        var bytes: Int64
        let error: StoreError
    }

    private struct State {
        var refused: [String: Refusal] = [:]
        /// How each writer tries to write.
        var attempts: [String: Attempt] = [:]
        /// Makes the attempts while a writer is refused; `close` waits for it.
        var retry: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Locked(State())
    private let pause: Duration
    private let sleep: StoreSleep
    private let report: @Sendable (StoreEvent) -> Void

    init(
        pauseMilliseconds: Int64 = Refusals.pauseMilliseconds,
        sleep: @escaping StoreSleep = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (StoreEvent) -> Void
    ) {
        pause = .milliseconds(pauseMilliseconds)
        self.sleep = sleep
        self.report = report
    }

    /// Names a writer.
    func register(_ writer: String, attempt: @escaping Attempt) {
        state.withLock { $0.attempts[writer] = attempt }
    }

    /// Why a writer cannot write; `nil`: all of them can, as far as is known.
    var error: StoreError? { state.withLock { $0.refused.values.first?.error } }

    /// Notes a refused transaction of this size.
    func add(_ writer: String, _ failure: SQLFailure, bytes: Int64) {
        let bytes = min(bytes, Self.bytesMax)
        let isFirst = state.withLock { state in
            defer {
                let largest = max(bytes, state.refused[writer]?.bytes ?? 0)
                state.refused[writer] = Refusal(bytes: largest, error: failure.storeError)
                if state.retry == nil, !state.isClosed { state.retry = retrying() }
            }
            return state.refused.isEmpty
        }
        if isFirst { report(.writingStopped("\(failure.message) (code \(failure.code))")) }
    }

    /// Notes a committed transaction of this size.
    func committed(_ writer: String, bytes: Int64) {
        let wasLast = state.withLock { state in
            guard let refusal = state.refused[writer], bytes >= refusal.bytes else { return false }
            state.refused[writer] = nil
            return state.refused.isEmpty
        }
        if wasLast { report(.writingResumed) }
    }

    /// Ends the attempts.
    func close() async {
        let retry = state.withLock { state in
            state.isClosed = true
            return state.retry
        }
        retry?.cancel()
        await retry?.value
    }

    // MARK: Attempts

    /// Lets each refused writer try once.
    func tryAgain() async {
        let refused = state.withLock { state in
            state.refused.compactMap { writer, refusal in
                state.attempts[writer].map { (attempt: $0, bytes: refusal.bytes) }
            }
        }
        await withDiscardingTaskGroup { group in
            for writer in refused { group.addTask { await writer.attempt(writer.bytes) } }
        }
    }

    private func retrying() -> Task<Void, Never> {
        // `close` waits for it.
        Task { [weak self, pause, sleep] in
            repeat {
                do { try await sleep(pause) } catch { return }
                await self?.tryAgain()
            } while self?.goesOn == true
        }
    }

    /// Whether a writer is still refused; otherwise the next refusal begins anew.
    private var goesOn: Bool {
        state.withLock { state in
            if state.refused.isEmpty { state.retry = nil }
            return !state.refused.isEmpty
        }
    }
}
