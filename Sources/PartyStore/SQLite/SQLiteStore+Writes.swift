package import GameLogic
internal import Isolation
package import PushPolicy

extension SQLiteStore {
    /// Raises the epoch, then migrates a file of an older schema step by step.
    package func takeOwnership() async throws(StoreError) -> Epoch {
        let number: Int64
        do throws(StoreError) {
            number = try await writer.submit { database in
                if try Migration.isNeeded(on: database) { try Migration(database).begin() }
                return try database.takeOwnership()
            }
        } catch {
            guard case .unavailable = error, !isOutdated else { throw error }
            return try await takeOwnershipLater()
        }
        let epoch = Epoch(number: number)
        try await migrate(epoch)
        try await writer.enforceReferences()
        noteUpToDate()
        return epoch
    }

    /// Starts on a full disk, or on a busy file: reads work, and the first write that succeeds takes ownership.
    private func takeOwnershipLater() async throws(StoreError) -> Epoch {
        let epoch = await writer.takeLater(above: try await read { try $0.epoch() })
        try await writer.enforceReferences()
        return epoch
    }

    /// The number of a migration's steps between two reports.
    private static let stepsUnsaid = 50

    private func migrate(_ epoch: Epoch) async throws(StoreError) {
        var (progress, steps, isSaid) = (Migration.Progress.goesOn, 0, false)
        while progress == .goesOn {
            if steps.isMultiple(of: Self.stepsUnsaid) {
                let left = try await writer.submit { try Migration.partiesLeft(on: $0) }
                if left > 0 {
                    isSaid = true
                    damage.report(.migrating(partiesLeft: Int(left)))
                }
            }
            let step = try await writer.submit { database in
                try database.require(epoch)
                return try Migration(database).step().rawValue
            }
            progress = Migration.Progress(rawValue: step) ?? .done
            steps += 1
        }
        if isSaid { damage.report(.migrated) }
    }

    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        writer.write(batch, epoch: epoch, done: done)
    }

    package func insert(_ device: DeviceRecord, epoch: Epoch) async throws(StoreError) {
        _ = try await writer.submit { database in
            try database.require(epoch)
            try AccountTable(database).register(device)
            return 1
        }
    }

    package func change(
        _ account: AccountChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> AccountOutcome {
        let kept = request.map(DataRow.init(request:))
        let outcome = Locked<AccountOutcome?>(nil)
        _ = try await writer.submit { database in
            try database.require(epoch)
            if let kept { try KeptRequestTable(database).keep(kept) }
            let made = try AccountTable(database).make(account)
            outcome.withLock { $0 = made }
            return 1
        }
        guard let made = outcome.withLock({ $0 }) else {
            preconditionFailure("a change of an account was committed without being made")
        }
        return made
    }

    package func insert(
        _ hero: Hero, amongAtMost limit: Int, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) {
        let row = DataRow(hero: hero)
        let kept = request.map(DataRow.init(request:))
        _ = try await writer.submit { database in
            try database.require(epoch)
            if let kept { try KeptRequestTable(database).keep(kept) }
            try AccountErasure(database).requireAccount(of: hero.owner)
            guard try database.heroCount(of: hero.owner.rawValue) < limit else {
                throw StoreError.tooManyHeroes(limit: limit)
            }
            try database.insert(hero: row)
            return 1
        }
    }

    package func change(
        _ id: HeroID, _ change: HomeChange, keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) -> Hero? {
        let kept = request.map(DataRow.init(request:))
        let changed = Locked<Hero?>(nil)
        _ = try await writer.submit { database in
            try database.require(epoch)
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
        _ = try await writer.submit { database in
            try database.require(epoch)
            try KeptRequestTable(database).keep(row)
            return 1
        }
    }

    package func put(
        _ device: StartDevice, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        let changed = try await writer.submit { database in
            try database.require(epoch)
            try AccountErasure(database).requireAccount(of: device.key.player)
            return Int64(try StartDeviceTable(database).put(device, limit: limit))
        }
        return changed > 0 ? .written : .noRoom
    }

    package func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await writer.submit { database in
                try database.require(epoch)
                return Int64(
                    try StartDeviceTable(database).forgetToken(
                        of: device.rawValue, player: player.rawValue))
            })
    }

    package func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, confirmedAt: WallTime, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            try database.require(epoch)
            return Int64(
                try StartDeviceTable(database).retireToken(
                    token, of: key, confirmedAt: confirmedAt))
        }
    }

    package func write(
        startsOf devices: [StartDevice], epoch: Epoch
    ) async throws(StoreError) {
        let rows = devices.map(StartDeviceRow.init)
        _ = try await writer.submit { database in
            try database.require(epoch)
            let devices = StartDeviceTable(database)
            for row in rows { try devices.write(starts: row) }
            return Int64(rows.count)
        }
    }

    package func save(
        _ token: ProviderTokenRecord, epoch: Epoch
    ) async throws(StoreError) {
        let row = DataRow(providerToken: token)
        _ = try await writer.submit { database in
            try database.require(epoch)
            return Int64(
                try database.run(
                    """
                    INSERT OR REPLACE INTO provider_tokens (team, key, data, crc)
                    VALUES (?1, ?2, ?3, ?4)
                    """, row.values))
        }
    }

    package func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            try database.require(epoch)
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

extension SQLiteStore {
    package func forgetRequests(
        upTo time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await writer.submit { database in
                try database.require(epoch)
                return Int64(try KeptRequestTable(database).forget(upTo: time, rows: rows))
            })
    }

    /// The most rows of one party that one transaction folds, so that no commit waits long.
    static let foldedAtOnceMax = 256

    package func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        var folded = 0
        while folded < rows {
            let limit = min(rows - folded, Self.foldedAtOnceMax)
            let progress = withFoldProgress { $0 }
            let found = try await read { database in
                try database.reading {
                    try JournalFolding(database).next(after: progress, before: time, limit: limit)
                }
            }
            switch found {
            case .nothing:
                withFoldProgress { $0.party = .min }
                return folded
            case .lookFurther(let party):
                withFoldProgress { $0.party = party }
            case .differs(let difference): leaveAlone(difference)
            case .fold(let fold):
                withFoldProgress { $0.party = fold.party }
                folded += Int(
                    try await writer.submit { database in
                        try database.require(epoch)
                        return try JournalFolding(database).write(fold)
                    })
            }
        }
        return folded
    }

    private func leaveAlone(_ difference: Fold.Difference) {
        withFoldProgress { progress in
            progress.party = difference.party
            progress.differing.insert(difference.party)
        }
        damage.report(.historyDiffers(PartyID(difference.name), detail: difference.detail))
    }
}
