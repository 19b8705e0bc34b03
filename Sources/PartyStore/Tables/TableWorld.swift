package import GameLogic
internal import Isolation
package import PushPolicy

// The events of world bosses.

extension TableStore {
    package func open(
        _ plan: WorldEvent.Plan, by master: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> WorldEvent? {
        let row = DataRow(audit: call)
        let opened = Locked<WorldEvent?>(nil)
        _ = try await asOwner(epoch) { database in
            let tables = WorldTables(database)
            guard let number = try tables.open(plan, by: master) else { return 0 }
            try database.announce(.world)
            try GameMasterTables(database).append(row)
            let event = try tables.event(number)
            opened.withLock { $0 = event }
            return 1
        }
        return opened.withLock { $0 }
    }

    package func worldEvents() async throws(StoreError) -> [WorldEvent] {
        try await read { try WorldTables($0).all() }
    }

    package func worldEvent(_ number: Int) async throws(StoreError) -> WorldEvent? {
        try await read { try WorldTables($0).event(number) }
    }

    package func set(
        _ event: Int, to status: WorldEvent.Status, round: Int, from before: WorldEvent.Status,
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let changed = try await asOwner(epoch) { database in
            guard try WorldTables(database).set(event, to: status, round: round, from: before)
            else { return 0 }
            if let call {
                try database.announce(.world)
                try GameMasterTables(database).append(DataRow(audit: call))
            }
            return 1
        }
        return changed > 0
    }

    package func shifts(
        of event: Int, above stage: WorldStage, after party: PartyKey?, limit: Int
    ) async throws(StoreError) -> [(key: PartyKey, party: PartyID)] {
        try await read { database in
            try WorldTables(database).shifts(
                of: event, above: stage, after: party?.number ?? .min, limit: limit)
        }
    }

    package func note(
        _ stage: WorldStage, of parties: [PartyKey], epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            for party in parties { try WorldTables(database).note(stage, of: party.number) }
            return 1
        }
    }

    package func openRewards(
        of event: Int, after hero: HeroID?, limit: Int
    ) async throws(StoreError) -> [HeroID] {
        try await read { database in
            try WorldTables(database).openRewards(
                of: event, after: hero?.rawValue ?? "", limit: limit)
        }
    }

    package func forgetReward(
        of hero: HeroID, in event: Int, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try WorldTables(database).give(hero, event)
            return 1
        }
    }

    package func shifts(
        of player: PlayerID, in event: Int, round: Int
    ) async throws(StoreError) -> [HeroID: Int] {
        let shifts = try await read { database in
            try WorldTables(database).shifts(of: player, in: event, round: round)
        }
        return Dictionary(uniqueKeysWithValues: shifts.map { ($0.hero, $0.count) })
    }
}

// MARK: Followers

extension TableStore {
    package func worldChannels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [WorldChannel] {
        try await read { try WorldChannelTable($0).all(in: environment) }
    }

    package func save(_ channel: WorldChannel, epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try WorldChannelTable(database).save(channel)
            return 1
        }
    }
}
