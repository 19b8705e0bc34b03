package import PushPolicy

// The jobs of game masters.

extension TableStore {
    package func insert(_ job: CommandJob, epoch: Epoch) async throws(StoreError) -> Bool {
        try await asOwner(epoch) { try JobTables($0).insert(job) ? 1 : 0 } > 0
    }

    package func append(_ steps: [JobStep], epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try JobTables(database).append(steps)
            return 1
        }
    }

    package func setStatus(
        of job: String, to status: CommandJob.Status, from before: [CommandJob.Status],
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let changed = try await asOwner(epoch) { database in
            guard try JobTables(database).setStatus(of: job, to: status, from: before) else {
                return 0
            }
            if status == .waiting { try database.announce(.jobs) }
            if let call { try GameMasterTables(database).append(DataRow(audit: call)) }
            return 1
        }
        return changed > 0
    }

    package func forgetUnpreparedJobs(
        createdBefore time: WallTime, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try JobTables(database).forgetUnprepared(createdBefore: time)
            return 1
        }
    }

    package func job(_ id: String) async throws(StoreError) -> CommandJob? {
        try await read { try JobTables($0).job(id) }
    }

    package func jobs() async throws(StoreError) -> [CommandJob] {
        try await read { try JobTables($0).all() }
    }

    package func openJobs() async throws(StoreError) -> [CommandJob] {
        try await read { try JobTables($0).open() }
    }

    package func openSteps(
        of job: String, below position: Int, limit: Int
    ) async throws(StoreError) -> [JobStep] {
        try await read { try JobTables($0).openSteps(of: job, below: position, limit: limit) }
    }

    package func skip(_ steps: [JobStep], epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try JobTables(database).skip(steps)
            return 1
        }
    }
}
