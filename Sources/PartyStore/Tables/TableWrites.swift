package import GameLogic
internal import Isolation
package import PushPolicy

extension TableStore {
    package func insert(_ device: DeviceRecord, epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch, .none) { database in
            try AccountTable(database).register(device)
            return 1
        }
    }

    package func change(
        _ account: AccountChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> AccountOutcome {
        let kept = request.map(DataRow.init(request:))
        let outcome = Locked<AccountOutcome?>(nil)
        let locks = try await locks(for: account) + .players(of: request)
        _ = try await asOwner(epoch, locks) { database in
            if let kept { try KeptRequestTable(database).keep(kept) }
            let made = try AccountTable(database).make(account)
            if !made.endedTokens.isEmpty { try database.announce(.tokens) }
            // Other servers have parties with the player's names.
            if case .beginErasure = account { try database.announce(.erasures) }
            outcome.withLock { $0 = made }
            return 1
        }
        guard let made = outcome.withLock({ $0 }) else {
            preconditionFailure("a change of an account was committed without being made")
        }
        return made
    }

    /// Only the code says whom a recovery concerns.
    private func locks(for account: AccountChange) async throws(StoreError) -> RowLocks {
        guard case .recover(let code, _, _, _) = account else { return RowLocks(account) }
        let player = try await read { try AccountTable($0).player(withRecoveryHash: code)?.id }
        return RowLocks(account) + .players(player.map { [PlayerID($0)] } ?? [])
    }

    @discardableResult
    package func insert(
        _ hero: Hero, amongAtMost limit: Int, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let row = DataRow(hero: hero)
        let kept = request.map(DataRow.init(request:))
        return try await asOwner(epoch, .players([hero.owner])) { database in
            if let kept { try KeptRequestTable(database).keep(kept) }
            try AccountErasure(database).requireAccount(of: hero.owner)
            guard try database.heroCount(of: hero.owner.rawValue) < limit else {
                throw StoreError.tooManyHeroes(limit: limit)
            }
            try database.insert(hero: row)
            guard try BlockTable(database).isBlocked(hero.owner) else { return 0 }
            try database.announce(.names)
            return 1
        } > 0
    }

    package func change(
        _ id: HeroID, _ change: HomeChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Hero? {
        let kept = request.map(DataRow.init(request:))
        let changed = Locked<Hero?>(nil)
        _ = try await asOwner(epoch, RowLocks(change, of: id)) { database in
            guard let row = try database.hero(id.rawValue),
                try database.partyID(ofHero: id.rawValue) == nil
            else { return 0 }
            if let kept { try KeptRequestTable(database).keep(kept) }
            var hero = try row.decode(HeroFormat.read)
            do throws(RuleError) {
                try hero.apply(change)
            } catch {
                throw StoreError.rule(error)
            }
            if case .worldReward(let event, _, _) = change {
                try WorldTables(database).give(id, event)
            }
            try database.update(hero: DataRow(hero: hero))
            changed.withLock { $0 = hero }
            return 1
        }
        return changed.withLock { $0 }
    }

    package func keep(_ request: KeptRequest, epoch: Epoch) async throws(StoreError) {
        let row = DataRow(request: request)
        _ = try await asOwner(epoch, .players(of: request)) { database in
            try KeptRequestTable(database).keep(row)
            return 1
        }
    }

    package func put(
        _ device: StartDevice, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        let key = device.key
        let changed = try await asOwner(epoch, .players([key.player])) { database in
            try AccountTable(database).require(caller, naming: key.device, of: key.player)
            return Int64(try StartDeviceTable(database).put(device, limit: limit))
        }
        return changed > 0 ? .written : .noRoom
    }

    package func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await asOwner(epoch, .players([player])) { database in
                Int64(
                    try StartDeviceTable(database).forgetToken(
                        of: device.rawValue, player: player.rawValue))
            })
    }

    package func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, confirmedAt: WallTime, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch, .players([key.player])) { database in
            Int64(
                try StartDeviceTable(database).retireToken(
                    token, of: key, confirmedAt: confirmedAt))
        }
    }

    package func write(
        startsOf devices: [StartDevice], epoch: Epoch
    ) async throws(StoreError) {
        let rows = devices.map(StartDeviceRow.init)
        _ = try await asOwner(epoch, .players(devices.map(\.key.player))) { database in
            let devices = StartDeviceTable(database)
            for row in rows { try devices.write(starts: row) }
            return Int64(rows.count)
        }
    }

    package func save(
        _ token: ProviderTokenRecord, epoch: Epoch
    ) async throws(StoreError) {
        let row = DataRow(providerToken: token)
        _ = try await asOwner(epoch) { database in
            Int64(
                try database.run(
                    """
                    INSERT INTO provider_tokens (team, key, data, crc) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (team, key) DO UPDATE
                    SET data = excluded.data, crc = excluded.crc
                    """, row.values))
        }
    }

    package func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            for channel in channels {
                try database.run(
                    "DELETE FROM channels WHERE environment = ?1 AND id = ?2",
                    [.text(environment.rawValue), .text(channel.rawValue)])
                try WorldChannelTable(database).forget(channel, in: environment)
            }
            return Int64(channels.count)
        }
    }
}

// MARK: Retention

extension TableStore {
    package func forgetRequests(
        upTo time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await asOwner(epoch) { database in
                Int64(try KeptRequestTable(database).forget(upTo: time, rows: rows))
            })
    }

    package func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        var folded = 0
        while folded < rows {
            let limit = min(rows - folded, JournalFolding.rowsAtOnceMax)
            let progress = tables.fold.withLock { $0 }
            let found = try await read { database in
                try database.reading {
                    try JournalFolding(database).next(after: progress, before: time, limit: limit)
                }
            }
            switch found {
            case .nothing:
                tables.fold.withLock { $0.party = .min }
                return folded
            case .lookFurther(let party):
                tables.fold.withLock { $0.party = party }
            case .differs(let difference): leaveAlone(difference)
            case .fold(let fold):
                tables.fold.withLock { $0.party = fold.party }
                folded += Int(
                    try await asOwner(epoch) { database in
                        try JournalFolding(database).write(fold)
                    })
            }
        }
        return folded
    }

    private func leaveAlone(_ difference: Fold.Difference) {
        tables.fold.withLock { progress in
            progress.party = difference.party
            progress.differing.insert(difference.party)
        }
        damage.report(.historyDiffers(PartyID(difference.name), detail: difference.detail))
    }
}
