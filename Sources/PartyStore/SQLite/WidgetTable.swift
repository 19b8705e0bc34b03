internal import GameLogic
internal import PushPolicy

/// The tokens of the leaderboard's widgets, in SQL. Writes run in the caller's transaction.
struct WidgetTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Writes a token, and makes the widget due. A token belongs to one installation: another
    /// device with it loses it.
    func put(
        _ widget: WidgetToken, amongAtMost limit: Int
    ) throws(SQLiteFailure) -> WidgetPut {
        let others = try database.integer(
            "SELECT count(*) FROM widgets WHERE player = ?1 AND device <> ?2",
            [.text(widget.player.rawValue), .text(widget.device.rawValue)])
        guard others < limit else { return .noRoom }
        try database.run(
            """
            DELETE FROM widgets WHERE token = ?3 AND environment = ?4
                AND NOT (player = ?1 AND device = ?2)
            """, values(of: widget))
        try database.run(
            """
            INSERT INTO widgets
                (player, device, token, environment, put_at, mark, due_at, resting_until,
                 sent_of_day, failed)
            VALUES (?1, ?2, ?3, ?4, ?5, 1, ?5, ?5, 0, 0)
            ON CONFLICT (player, device) DO UPDATE SET token = excluded.token,
                environment = excluded.environment, put_at = excluded.put_at
            """, values(of: widget) + [.integer(widget.confirmedAt.milliseconds)])
        return .written
    }

    @discardableResult
    func remove(_ device: String, of player: String) throws(SQLiteFailure) -> Int {
        try database.run(
            "DELETE FROM widgets WHERE player = ?1 AND device = ?2", [.text(player), .text(device)])
    }

    func retire(_ widget: WidgetToken) throws(SQLiteFailure) {
        try database.run(
            """
            DELETE FROM widgets
            WHERE player = ?1 AND device = ?2 AND token = ?3 AND environment = ?4 AND put_at = ?5
            """, values(of: widget) + [.integer(widget.confirmedAt.milliseconds)])
    }

    func all(of player: String) throws(SQLiteFailure) -> [StoredWidget] {
        try database.rows(
            """
            SELECT player, device, token, environment, mark, due_at, season, rank, sent_at,
                sent_of_day, failed, put_at
            FROM widgets WHERE player = ?1 ORDER BY device
            """, [.text(player)], read: Self.widget
        ).compactMap(\.self)
    }

    func due(by time: Int64, limit: Int) throws(SQLiteFailure) -> [StoredWidget] {
        try database.rows(
            """
            SELECT player, device, token, environment, mark, due_at, season, rank, sent_at,
                sent_of_day, failed, put_at
            FROM widgets WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2
            """, [.integer(time), .limit(limit)], read: Self.widget
        ).compactMap(\.self)
    }

    /// Writes what became of a widget. When a sum has changed since the row was read, the widget is
    /// due as soon as its limits allow.
    func write(_ widget: StoredWidget) throws(SQLiteFailure) {
        let state = widget.state
        let resting = state.sentAt.map { state.nextPushAt($0).milliseconds } ?? 0
        try database.run(
            """
            UPDATE widgets SET season = ?3, rank = ?4, sent_at = ?5, sent_of_day = ?6, failed = ?7,
                resting_until = ?8,
                due_at = CASE WHEN mark = ?9 THEN ?10 ELSE min(?10, max(?8, due_at)) END
            WHERE player = ?1 AND device = ?2
            """,
            [
                .text(widget.token.player.rawValue), .text(widget.token.device.rawValue),
                state.shown.map { .integer($0.season) } ?? .null,
                state.shown.map { .limit($0.rank) } ?? .null,
                state.sentAt.map { .integer($0.milliseconds) } ?? .null,
                .limit(state.sentOfDay), .integer(state.hasFailed ? 1 : 0), .integer(resting),
                .integer(widget.mark), .integer(widget.dueAt.milliseconds),
            ])
    }

    private func values(of widget: WidgetToken) -> [SQLiteValue] {
        [
            .text(widget.player.rawValue), .text(widget.device.rawValue), .text(widget.token.hex),
            .text(widget.environment.rawValue),
        ]
    }

    /// `nil`: the row names no environment of Apple's.
    private static func widget(_ row: Statement) -> StoredWidget? {
        guard let environment = PushEnvironment(rawValue: row.text(3)) else { return nil }
        let shown = row.optionalInteger(6).map {
            WidgetState.Shown(season: $0, rank: Int(row.integer(7)))
        }
        let state = WidgetState(
            shown: shown,
            sentAt: row.optionalInteger(8).map(WallTime.init(milliseconds:)),
            sentOfDay: Int(row.integer(9)), hasFailed: row.integer(10) != 0)
        return StoredWidget(
            token: WidgetToken(
                player: PlayerID(row.text(0)), device: DeviceID(row.text(1)),
                environment: environment, token: PushToken(hex: row.text(2)),
                confirmedAt: WallTime(milliseconds: row.integer(11))),
            state: state, dueAt: WallTime(milliseconds: row.integer(5)), mark: row.integer(4))
    }
}
