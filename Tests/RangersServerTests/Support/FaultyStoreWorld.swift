import GameLogic
import PartyStore
import PushPolicy

/// World bosses.
extension FaultyStore {
    func open(
        _ plan: WorldEvent.Plan, by master: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> WorldEvent? {
        try await pass()
        return try await store.open(plan, by: master, as: call, epoch: epoch)
    }

    func worldEvents() async throws(StoreError) -> [WorldEvent] { try await store.worldEvents() }

    func worldEvent(_ number: Int) async throws(StoreError) -> WorldEvent? {
        try await store.worldEvent(number)
    }

    func set(
        _ event: Int, to status: WorldEvent.Status, round: Int, from before: WorldEvent.Status,
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.set(
            event, to: status, round: round, from: before, as: call, epoch: epoch)
    }

    func shifts(
        of event: Int, above stage: WorldStage, after party: PartyKey?, limit: Int
    ) async throws(StoreError) -> [(key: PartyKey, party: PartyID)] {
        try await store.shifts(of: event, above: stage, after: party, limit: limit)
    }

    func note(
        _ stage: WorldStage, of parties: [PartyKey], epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.note(stage, of: parties, epoch: epoch)
    }

    func openRewards(
        of event: Int, after hero: HeroID?, limit: Int
    ) async throws(StoreError) -> [HeroID] {
        try await store.openRewards(of: event, after: hero, limit: limit)
    }

    func forgetReward(of hero: HeroID, in event: Int, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.forgetReward(of: hero, in: event, epoch: epoch)
    }

    func shifts(
        of player: PlayerID, in event: Int, round: Int
    ) async throws(StoreError) -> [HeroID: Int] {
        try await store.shifts(of: player, in: event, round: round)
    }

    func worldChannels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [WorldChannel] {
        try await store.worldChannels(in: environment)
    }

    func save(_ channel: WorldChannel, epoch: Epoch) async throws(StoreError) {
        try await pass()
        try await store.save(channel, epoch: epoch)
    }
}
