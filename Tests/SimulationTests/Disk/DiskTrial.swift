internal import Simulation

@testable internal import PartyStore

/// Lives that write to one data file and lose their power, one after another, with the settings of
/// a store's connections.
final class DiskTrial {
    static let path = "/data/rangers.sqlite3"

    let disk: SimulatedDisk
    private var dice: Dice
    /// The rows of which a commit has returned.
    private(set) var acknowledged: [Int64: Int64] = [:]
    /// The rows of transactions that failed since the last commit: the log may have one of them.
    private var uncertain: [[Int64: Int64?]] = []
    private(set) var losses: [String] = []
    private(set) var commits = 0

    /// On the disk of the thread's simulation.
    init(_ scheduler: Scheduler) {
        SimulatedDisk.register()
        disk = SimulatedDisk(dice: scheduler.dice("disk", "power"))
        dice = scheduler.dice("disk", "trial")
        scheduler.disk = disk
    }

    /// Plays a trial of its own.
    static func play<Result>(_ seed: UInt64, _ body: (DiskTrial) -> Result) -> Result {
        Scheduler.perform(seed: seed) { body(DiskTrial($0)) }
    }

    /// What the product does before it uses a file.
    private func open() throws -> Database {
        let file = SQLiteFile(path: Self.path, disk: disk.disk)
        try file.prepare()
        _ = try LogGuard(file: file).inspect(.refused)
        let database = try file.reopen(.readWrite)
        try database.execute(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, number, text)")
        return database
    }

    /// A share of transactions before which `spoil` makes the disk do wrong.
    var faultShare = 0.0
    var spoil: (SimulatedDisk, inout Dice) -> Void = { _, _ in }

    /// Lives until the `death`-th write or sync, or for so many transactions.
    func live(transactions: Int, death: Int?, powerLost: Bool = true) {
        var isOver = false
        if let death { disk.die(inWrite: death) { isOver = true } }
        do {
            let (writer, other) = (try open(), try open())
            for _ in 0..<transactions where !isOver {
                let isSpoilt = dice.chance(faultShare)
                if isSpoilt { spoil(disk, &dice) }
                do {
                    try write(on: writer)
                    if dice.chance(0.2) { try copyLog(on: other) }
                } catch  where isSpoilt {
                    writer.rollBack()
                }
                if isSpoilt { disk.fault = DiskFaults() }
            }
        } catch {
            if !isOver { losses.append("without a death: \(error)") }
        }
        disk.afterDeath(powerLost: powerLost)
    }

    private func write(on database: Database) throws {
        try database.begin()
        var changed: [Int64: Int64?] = [:]
        for _ in 0..<dice.between(1, 5) {
            let id = dice.between(1, 400)
            if dice.chance(0.15) {
                try database.run("DELETE FROM notes WHERE id = ?1", [.integer(id)])
                changed[id] = .some(nil)
            } else {
                let number = dice.between(1, 1 << 40)
                try database.run(
                    "INSERT OR REPLACE INTO notes VALUES (?1, ?2, zeroblob(?3))",
                    [.integer(id), .integer(number), .integer(dice.between(0, 3000))])
                changed[id] = number
            }
        }
        uncertain.append(changed)
        try database.commit()
        commits += 1
        for (id, number) in changed { acknowledged[id] = number }
        uncertain = []
    }

    private func copyLog(on database: Database) throws {
        let modes: [StaticString] = [
            "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)",
            "PRAGMA wal_checkpoint(TRUNCATE)",
        ]
        try database.execute("\(modes[dice.below(3)])")
    }

    /// Whether SQLite pads the commits of a new file; `nil`: it cannot be opened.
    var padsCommits: Bool? { try? open().padsCommits }

    /// Compares the file with what was acknowledged.
    func judge() {
        do {
            let database = try open()
            let problems = try database.rows("PRAGMA integrity_check(5)") { $0.text(0) }
            losses += problems.filter { $0 != "ok" }
            let rows = try database.rows("SELECT id, number FROM notes") {
                ($0.integer(0), $0.integer(1))
            }
            let found = Dictionary(uniqueKeysWithValues: rows)
            let possible = uncertain.map { changed in
                changed.reduce(into: acknowledged) { $0[$1.key] = $1.value }
            }
            if possible.contains(found) {
                acknowledged = found
            } else if found != acknowledged {
                losses.append(
                    "\(acknowledged.count) rows were acknowledged, not these \(rows.count)")
                acknowledged = found
            }
        } catch {
            losses.append("\(error)")
        }
        uncertain = []
    }

    /// Lives that die in one of their writes, each judged by the next.
    func loseManyTimes(_ times: Int, powerLost: Bool = true) {
        for _ in 0..<times {
            live(transactions: 60, death: dice.below(300) + 1, powerLost: powerLost)
            judge()
            disk.afterDeath(powerLost: false)
        }
    }
}
