internal import Isolation

/// Checks every row of a large file on its own connection while adventures run: at the start it
/// would delay them by minutes.
actor FileChecker {
    static let problemsMax = 100

    private let executor: QueueExecutor
    private let onEvent: @Sendable (StoreEvent) -> Void
    private var database: Database?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(database: sending Database, onEvent: @escaping @Sendable (StoreEvent) -> Void) {
        executor = QueueExecutor(label: "PartyStore check")
        self.database = database
        self.onEvent = onEvent
    }

    /// Checks all rows and reports `.fileChecked`, unless it is cancelled.
    func run() {
        defer { database = nil }
        guard let database else { return }
        var check = RowCheck()
        var problems: [String] = []
        do {
            while let faults = try check.next(on: database) {
                problems += faults.prefix(Self.problemsMax - problems.count).map(\.description)
                if Task.isCancelled { return }
            }
        } catch {
            problems.append("the check has ended early: \(error)")
        }
        onEvent(.fileChecked(problems: problems))
    }
}
