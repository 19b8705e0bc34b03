internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// Jobs and their steps, in SQL.
struct JobTables {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Jobs

    /// Makes room among the jobs that are over, one at a time: its steps go with it.
    func insert(_ job: CommandJob) throws(SQLFailure) -> Bool {
        let open = try database.integer("SELECT count(*) FROM jobs WHERE status <= 2")
        guard open < CommandJob.countMax else { return false }
        try database.run(
            """
            DELETE FROM jobs WHERE id IN (
                SELECT id FROM jobs WHERE status > 2
                ORDER BY created_at DESC, id LIMIT 1 OFFSET ?1)
            """, [.limit(CommandJob.countMax - 1)])
        try database.run(
            """
            INSERT INTO jobs
                (id, command, created_by, created_at, starts_at, spread_seconds, parties, status)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .text(job.id), .blob(JobFormat.bytes(of: job)), .text(job.createdBy),
                .integer(job.createdAt.milliseconds), .integer(job.startsAt.milliseconds),
                .integer(job.spreadSeconds), .integer(Int64(job.parties)),
                .integer(job.status.rawValue),
            ])
        return true
    }

    func setStatus(
        of job: String, to status: CommandJob.Status, from before: [CommandJob.Status]
    ) throws(SQLFailure) -> Bool {
        for old in before {
            let changed = try database.run(
                "UPDATE jobs SET status = ?2 WHERE id = ?1 AND status = ?3",
                [.text(job), .integer(status.rawValue), .integer(old.rawValue)])
            if changed > 0 { return true }
        }
        return false
    }

    func forgetUnprepared(createdBefore time: WallTime) throws(SQLFailure) {
        try database.run(
            "DELETE FROM jobs WHERE status = 0 AND created_at < ?1", [.integer(time.milliseconds)])
    }

    func job(_ id: String) throws -> CommandJob? {
        try database.decoded(
            """
            SELECT id, command, created_by, created_at, starts_at, spread_seconds, parties, status
            FROM jobs WHERE id = ?1
            """, [.text(id)], job
        ).first
    }

    func all() throws -> [CommandJob] {
        try database.decoded(
            """
            SELECT id, command, created_by, created_at, starts_at, spread_seconds, parties, status
            FROM jobs WHERE status > 0 ORDER BY created_at DESC, id
            """, [], job)
    }

    func open() throws -> [CommandJob] {
        try database.decoded(
            """
            SELECT id, command, created_by, created_at, starts_at, spread_seconds, parties, status
            FROM jobs WHERE status IN (1, 2) ORDER BY starts_at, id
            """, [], job)
    }

    private func job(_ row: any SQLRow) throws -> CommandJob {
        let id = row.text(0)
        let counts = try database.rows(
            "SELECT state, count(*) FROM job_steps WHERE job = ?1 AND state > 0 GROUP BY state",
            [.text(id)]
        ) { (state: $0.integer(0), count: Int($0.integer(1))) }
        let stored = try row.withBytes(1) { try JobFormat.read($0, packs: database.packs) }
        return CommandJob(
            id: id, command: stored.command,
            createdBy: row.text(2), createdAt: WallTime(milliseconds: row.integer(3)),
            startsAt: WallTime(milliseconds: row.integer(4)), latestBy: stored.latestBy,
            spreadSeconds: row.integer(5),
            parties: Int(row.integer(6)),
            status: CommandJob.Status(rawValue: row.integer(7)) ?? .stopped,
            done: counts.first { $0.state == 1 }?.count ?? 0,
            skipped: counts.first { $0.state == 2 }?.count ?? 0)
    }

    // MARK: Steps

    /// Appends steps of one job whose positions follow one another: eight in a statement, because
    /// over a network each statement costs a round trip.
    func append(_ steps: [JobStep]) throws(SQLFailure) {
        var left = steps[...]
        while left.count >= 8, let first = left.first {
            try database.run(
                """
                INSERT INTO job_steps (job, position, party, state)
                VALUES (?1, ?2, ?3, 0), (?1, ?2 + 1, ?4, 0), (?1, ?2 + 2, ?5, 0),
                    (?1, ?2 + 3, ?6, 0), (?1, ?2 + 4, ?7, 0), (?1, ?2 + 5, ?8, 0),
                    (?1, ?2 + 6, ?9, 0), (?1, ?2 + 7, ?10, 0)
                """,
                [.text(first.job), .integer(Int64(first.position))]
                    + left.prefix(8).map { .text($0.party.rawValue) })
            left = left.dropFirst(8)
        }
        for step in left {
            try database.run(
                "INSERT INTO job_steps (job, position, party, state) VALUES (?1, ?2, ?3, 0)",
                [.text(step.job), .integer(Int64(step.position)), .text(step.party.rawValue)])
        }
    }

    func openSteps(
        of job: String, below position: Int, limit: Int
    ) throws(SQLFailure) -> [JobStep] {
        try database.rows(
            """
            SELECT position, party FROM job_steps
            WHERE job = ?1 AND state = 0 AND position < ?2 ORDER BY position LIMIT ?3
            """, [.text(job), .integer(Int64(position)), .limit(limit)]
        ) { JobStep(job: job, position: Int($0.integer(0)), party: PartyID($0.text(1))) }
    }

    func skip(_ steps: [JobStep]) throws(SQLFailure) {
        for step in steps {
            try database.run(
                "UPDATE job_steps SET state = 2 WHERE job = ?1 AND position = ?2 AND state = 0",
                [.text(step.job), .integer(Int64(step.position))])
        }
    }

    /// Marks a step as done. Refused if it already is, or if the job no longer runs.
    func finish(_ step: JobStep) throws {
        let changed = try database.run(
            """
            UPDATE job_steps SET state = 1 WHERE job = ?1 AND position = ?2 AND state = 0
                AND EXISTS (SELECT 1 FROM jobs WHERE id = ?1 AND status = 2)
            """, [.text(step.job), .integer(Int64(step.position))])
        guard changed == 1 else { throw StoreError.exists("the step of job \(step.job)") }
    }
}

/// The column `command` of a job: the command, and when the job begins at the latest.
private enum JobFormat {
    static func bytes(of job: CommandJob) -> [UInt8] {
        var bytes = ByteWriter()
        RowFormat.write(to: &bytes)
        CommandFormat.append(
            LoggedCommand(command: job.command, time: .zero), Roster(), to: &bytes)
        bytes.append(job.latestBy)
        return bytes.bytes
    }

    static func read(
        _ row: UnsafeRawBufferPointer, packs: any PackSource
    ) throws(FormatError) -> (command: Command, latestBy: WallTime) {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let logged = try CommandFormat.next(&bytes, Roster(), packs: packs)
        let latestBy = try bytes.wallTime()
        try bytes.finish()
        return (logged.command, latestBy)
    }
}
