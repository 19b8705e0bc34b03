internal import Isolation

/// Checks every row of a file on its own connection while adventures run, some thousand rows a
/// second: at the start it would delay them by minutes.
actor FileChecker {
    static let problemsMax = 100
    /// The pause between two steps, which bounds the rate.
    private static let pause = Duration.milliseconds(25)

    private let executor: QueueExecutor
    private let damage: Damage
    private let sleep: StoreSleep
    private var database: Database?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(database: sending Database, damage: Damage, sleep: @escaping StoreSleep) {
        executor = QueueExecutor(label: "PartyStore check")
        self.database = database
        self.damage = damage
        self.sleep = sleep
    }

    /// Checks all rows and reports `.fileChecked`, unless it is cancelled; before it each party
    /// that must not be served, and of other damaged rows the first.
    func run() async {
        var check = RowCheck()
        var problems: [String] = []
        do {
            while let faults = try database.map({ try check.next(on: $0) }) ?? nil {
                let told = faults.prefix(Self.problemsMax - problems.count)
                for fault in faults {
                    if let party = fault.party { _ = damage.corrupt(party, fault) }
                }
                for fault in told where fault.party == nil { _ = damage.corrupt(fault) }
                problems += told.map(\.description)
                try await sleep(Self.pause)
            }
        } catch is CancellationError {
            database = nil
            return
        } catch {
            problems.append("the check has ended early: \(error)")
        }
        database = nil
        damage.report(.fileChecked(problems: problems))
    }
}
