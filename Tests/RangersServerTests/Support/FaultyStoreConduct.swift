import GameLogic
import PartyStore
import PushPolicy

/// What players and moderators decided: writes fail as all others do.
extension FaultyStore {
    func put(_ block: Block, epoch: Epoch) async throws(StoreError) -> BlockPut {
        try await pass()
        return try await store.put(block, epoch: epoch)
    }

    func removeBlock(
        of blocked: PlayerID, by player: PlayerID, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.removeBlock(of: blocked, by: player, epoch: epoch)
    }

    func blocks(of player: PlayerID?) async throws(StoreError) -> [Block] {
        await late(.blocks, try await store.blocks(of: player))
    }

    func heroesOfBlockedPlayers() async throws(StoreError) -> [Hero] {
        try await store.heroesOfBlockedPlayers()
    }

    func add(
        _ report: NameReport, hidingBehind shown: String, keeping request: KeptRequest?,
        epoch: Epoch
    ) async throws(StoreError) -> ReportPut {
        try await pass()
        return try await store.add(report, hidingBehind: shown, keeping: request, epoch: epoch)
    }

    func reports(by player: PlayerID) async throws(StoreError) -> [NameReport] {
        try await store.reports(by: player)
    }

    func reportedHeroes(
        after: HeroID?, limit: Int
    ) async throws(StoreError) -> [ReportedHero] {
        try await store.reportedHeroes(after: after, limit: limit)
    }

    func settleReports(
        of hero: HeroID, replacing name: ReplacedName?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.settleReports(of: hero, replacing: name, as: call, epoch: epoch)
    }

    func replacedNames() async throws(StoreError) -> [ReplacedName] {
        try await store.replacedNames()
    }

    func unusedAccounts(
        registeredBefore time: WallTime, after: PlayerID?, limit: Int
    ) async throws(StoreError) -> UnusedPage {
        try await store.unusedAccounts(registeredBefore: time, after: after, limit: limit)
    }

    func removeUnused(
        _ players: [PlayerID], registeredBefore time: WallTime, epoch: Epoch
    ) async throws(StoreError) -> [PlayerID: [[UInt8]]] {
        try await pass()
        return try await store.removeUnused(players, registeredBefore: time, epoch: epoch)
    }

    func forgetReports(
        before time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.forgetReports(before: time, limit: limit, epoch: epoch)
    }

    func ban(
        _ name: BannedName, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.ban(name, as: call, epoch: epoch)
    }

    func allow(
        foldedName: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.allow(foldedName: foldedName, as: call, epoch: epoch)
    }

    func bannedNames() async throws(StoreError) -> [BannedName] {
        try await store.bannedNames()
    }

    func quietParties(after: PartyKey?, limit: Int) async throws(StoreError) -> QuietPage {
        try await store.quietParties(after: after, limit: limit)
    }

    func write(_ hours: [PartyKey: UnseenHours], epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.write(hours, epoch: epoch)
    }
}

/// The jobs of game masters.
extension FaultyStore {
    func insert(_ job: CommandJob, epoch: Epoch) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.insert(job, epoch: epoch)
    }

    func append(_ steps: [JobStep], epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.append(steps, epoch: epoch)
    }

    func setStatus(
        of job: String, to status: CommandJob.Status, from before: [CommandJob.Status],
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.setStatus(of: job, to: status, from: before, as: call, epoch: epoch)
    }

    func forgetUnpreparedJobs(
        createdBefore time: WallTime, epoch: Epoch
    ) async throws(StoreError) {
        try await store.forgetUnpreparedJobs(createdBefore: time, epoch: epoch)
    }

    func job(_ id: String) async throws(StoreError) -> CommandJob? { try await store.job(id) }

    func jobs() async throws(StoreError) -> [CommandJob] { try await store.jobs() }

    func openJobs() async throws(StoreError) -> [CommandJob] { try await store.openJobs() }

    func openSteps(
        of job: String, below position: Int, limit: Int
    ) async throws(StoreError) -> [JobStep] {
        try await store.openSteps(of: job, below: position, limit: limit)
    }

    func skip(_ steps: [JobStep], epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.skip(steps, epoch: epoch)
    }
}

/// Repairs fail as all writes do; a rebuilt party reads well again.
extension FaultyStore {
    func rebuild(
        _ party: PartyID, millisecondsPerSecond speed: Int64, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        repair(party)
        return try await store.rebuild(
            party, millisecondsPerSecond: speed, as: call, epoch: epoch)
    }

    func abandon(
        _ party: PartyID, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.abandon(party, as: call, epoch: epoch)
    }
}
