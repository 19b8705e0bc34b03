package import GameLogic
package import PushPolicy

/// A command for many parties, or for later: what, when, and how far it is. Its parties are in
/// steps of their own.
package struct CommandJob: Hashable, Sendable {
    /// The most parties of one job.
    package static let partiesMax = 100_000
    /// The most jobs that wait or run, and the most others that are kept.
    package static let countMax = 100
    /// How far ahead a job may be, in seconds.
    package static let aheadSecondsMax: Int64 = 90 * 24 * 3600
    /// How late a job may begin unless its request says otherwise, in seconds; later it is missed.
    package static let latenessSeconds: Int64 = 600
    /// The most parties of a job without a reason.
    package static let partiesWithoutReasonMax = 10
    /// The longest time over which a job spreads its parties, in minutes.
    package static let minutesMax = 24 * 60

    package enum Status: Int64, Hashable, Sendable, CaseIterable {
        /// Its steps are not all written yet; a start of the server removes it.
        case preparing = 0
        case waiting = 1
        case running = 2
        case done = 3
        /// A game master has stopped it.
        case stopped = 4
        /// No server ran when it was due.
        case missed = 5
    }

    package let id: String
    package let command: Command
    /// The name of the key that created it.
    package let createdBy: String
    package let createdAt: WallTime
    package let startsAt: WallTime
    /// When the job begins at the latest.
    package let latestBy: WallTime
    /// Over how long the parties are spread; 0: as fast as jobs run.
    package let spreadSeconds: Int64
    /// How many there are.
    package let parties: Int
    package let status: Status
    package let done: Int
    /// Parties that the rules, or their end, kept from the command.
    package let skipped: Int

    package init(
        id: String, command: Command, createdBy: String, createdAt: WallTime, startsAt: WallTime,
        latestBy: WallTime? = nil, spreadSeconds: Int64, parties: Int, status: Status = .preparing,
        done: Int = 0,
        skipped: Int = 0
    ) {
        self.id = id
        self.command = command
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.startsAt = startsAt
        self.latestBy = latestBy ?? startsAt.adding(seconds: Self.latenessSeconds)
        self.spreadSeconds = spreadSeconds
        self.parties = parties
        self.status = status
        self.done = done
        self.skipped = skipped
    }
}

/// One party of a job. It is done in the transaction of the party's change, so each party gets the
/// command once, whatever happens.
package struct JobStep: Hashable, Sendable {
    package let job: String
    package let position: Int
    package let party: PartyID

    package init(job: String, position: Int, party: PartyID) {
        self.job = job
        self.position = position
        self.party = party
    }
}

/// The jobs of game masters.
package protocol JobStore: Sendable {
    /// Writes a job that is being prepared. Returns whether there was room for it.
    func insert(_ job: CommandJob, epoch: Epoch) async throws(StoreError) -> Bool
    func append(_ steps: [JobStep], epoch: Epoch) async throws(StoreError)
    /// Changes the status, if it is one of `before`, and writes the call that does so. Returns
    /// whether it was.
    func setStatus(
        of job: String, to status: CommandJob.Status, from before: [CommandJob.Status],
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Removes jobs created before a time that were never completely written.
    func forgetUnpreparedJobs(createdBefore time: WallTime, epoch: Epoch) async throws(StoreError)
    func job(_ id: String) async throws(StoreError) -> CommandJob?
    /// The newest first.
    func jobs() async throws(StoreError) -> [CommandJob]
    /// Jobs that wait or run, in the order of their beginning.
    func openJobs() async throws(StoreError) -> [CommandJob]
    /// Returns steps that are not done, below a position, in order.
    func openSteps(
        of job: String, below position: Int, limit: Int
    ) async throws(StoreError) -> [JobStep]
    func skip(_ steps: [JobStep], epoch: Epoch) async throws(StoreError)
}
