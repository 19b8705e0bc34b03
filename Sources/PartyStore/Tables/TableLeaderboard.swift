package import GameLogic
internal import Isolation
package import PushPolicy

// The leaderboard.

extension TableStore {
    package func worldTop(of season: Season) async throws(StoreError) -> [BoardLine] {
        try await read { database in
            try database.reading { try boards(database).top(season.number) }
        }
    }

    package func worldPlace(
        of season: Season, for player: PlayerID
    ) async throws(StoreError) -> WorldPlace {
        try await read { database in
            try database.reading {
                try boards(database).place(season.number, of: player.rawValue)
            }
        }
    }

    package func friendsBoard(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> [BoardLine] {
        try await read { database in
            try database.reading {
                try boards(database).friendsBoard(
                    season.number, for: player.rawValue, since: time.milliseconds)
            }
        }
    }

    package func rankAmongFriends(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> Int {
        try await read { database in
            try database.reading {
                try boards(database).rankAmongFriends(
                    season.number, of: player.rawValue, since: time.milliseconds)
            }
        }
    }

    package func partyBoard(
        of season: Season, pack: String?
    ) async throws(StoreError) -> [PartyRecord] {
        try await read { database in
            try database.reading { try boards(database).parties(season.number, pack: pack) }
        }
    }

    package func results(of player: PlayerID) async throws(StoreError) -> [HeroResult] {
        try await read { database in
            try database.reading { try boards(database).results(of: player.rawValue) }
        }
    }

    package func companions(of player: PlayerID) async throws(StoreError) -> [Companion] {
        try await read { database in
            try database.rows(
                """
                SELECT other, at FROM companions WHERE player = ?1 ORDER BY at DESC, other
                """, [.text(player.rawValue)]
            ) {
                Companion(
                    player: PlayerID($0.text(0)), metAt: WallTime(milliseconds: $0.integer(1)))
            }
        }
    }

    package func forgetResults(
        before season: Season, metBefore time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await asOwner(epoch) { database in
            try ResultTables(database).forget(
                before: season.number, metBefore: time.milliseconds, limit: limit) ? 1 : 0
        } > 0
    }

    private func boards(_ database: any SQLSession) -> BoardReads {
        BoardReads(database) { row in
            self.sound { () throws(RowFault) in try row.decode(HeroFormat.read) }
        }
    }

    // MARK: Widgets

    package func put(
        _ widget: WidgetToken, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> WidgetPut {
        let put = try await asOwner(epoch) { database in
            try AccountTable(database).require(caller, naming: widget.device, of: widget.player)
            return try WidgetTable(database).put(widget, amongAtMost: limit).rawValue
        }
        return WidgetPut(rawValue: put) ?? .noRoom
    }

    package func removeWidget(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await asOwner(epoch) { database in
                Int64(try WidgetTable(database).remove(device.rawValue, of: player.rawValue))
            })
    }

    package func widgets(of player: PlayerID) async throws(StoreError) -> [StoredWidget] {
        try await read { try WidgetTable($0).all(of: player.rawValue) }
    }

    package func dueWidgets(
        by time: WallTime, limit: Int
    ) async throws(StoreError) -> [StoredWidget] {
        try await read { try WidgetTable($0).due(by: time.milliseconds, limit: limit) }
    }

    package func write(
        _ widgets: [StoredWidget], epoch: Epoch
    ) async throws(StoreError) -> [StoredWidget] {
        let written = Locked<[StoredWidget]>([])
        _ = try await asOwner(epoch) { database in
            var known: [StoredWidget] = []
            for widget in widgets where try WidgetTable(database).write(widget) {
                known.append(widget)
            }
            let all = known
            written.withLock { $0 = all }
            return 1
        }
        return written.withLock { $0 }
    }

    package func retire(_ widget: WidgetToken, epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try WidgetTable(database).retire(widget)
            return 1
        }
    }
}
