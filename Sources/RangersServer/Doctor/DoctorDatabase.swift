internal import PartyStore
internal import PushPolicy

/// The checks of a game in a PostgreSQL database.
struct DoctorDatabase {
    /// How far the clocks of the machine and of the database may differ, in milliseconds.
    static let clockSlack: Int64 = 2000

    let report: DatabaseReport

    /// Returns what was found; `now` is what this machine's clock shows.
    func findings(at now: WallTime) -> [DoctorFinding] {
        [serverFinding, .schema] + moveFindings + rowFindings + [clockFinding(at: now)]
    }

    private var serverFinding: DoctorFinding {
        guard report.risks.isEmpty else {
            return DoctorFinding(
                "database", .problem, report.risks.joined(separator: ", "),
                action: "turn it on: acknowledged changes can be lost")
        }
        return DoctorFinding("database", .ok, "PostgreSQL \(report.server)")
    }

    private var moveFindings: [DoctorFinding] {
        report.move.map { [DoctorFinding("move", .problem, $0)] } ?? []
    }

    private var rowFindings: [DoctorFinding] {
        guard !report.problems.isEmpty else {
            return [DoctorFinding("rows", .ok, "every checksum is correct")]
        }
        return report.problems.map {
            DoctorFinding(
                "rows", .problem, $0,
                action: "repair the party, or restore the newest backup of the database")
        }
    }

    private func clockFinding(at now: WallTime) -> DoctorFinding {
        let ahead = now.milliseconds - report.clock.milliseconds
        guard abs(ahead) <= Self.clockSlack else {
            return DoctorFinding(
                "db-clock", .problem,
                "it is \(report.clock.inWords), but here it is \(now.inWords)",
                action: "keep both clocks right with chrony or systemd-timesyncd")
        }
        return DoctorFinding("db-clock", .ok, "it agrees with this machine's")
    }
}
