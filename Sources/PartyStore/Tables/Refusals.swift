internal import Isolation

/// The writers of a store whose last transaction the file or database has refused. An operator
/// hears once that writing has stopped, and once that all of them can write again.
final class Refusals: Sendable {
    private let writers = Locked<Set<String>>([])
    private let report: @Sendable (StoreEvent) -> Void

    init(report: @escaping @Sendable (StoreEvent) -> Void) { self.report = report }

    /// Whether the writer's last transaction failed for the file or database, or the way to it.
    func contains(_ writer: String) -> Bool { writers.withLock { $0.contains(writer) } }

    func add(_ writer: String, _ failure: SQLFailure) {
        let isFirst = writers.withLock { writers in
            defer { writers.insert(writer) }
            return writers.isEmpty
        }
        if isFirst { report(.writingStopped("\(failure.message) (code \(failure.code))")) }
    }

    func remove(_ writer: String) {
        let wasLast = writers.withLock { $0.remove(writer) != nil && $0.isEmpty }
        if wasLast { report(.writingResumed) }
    }
}
