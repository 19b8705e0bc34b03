internal import GameLogic
internal import PushPolicy

/// The tokens of the leaderboard's widgets, in SQL. Writes run in the caller's transaction.
struct WidgetTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Writes a token, and makes a new widget due. A token belongs to one installation: another
    /// device with it loses it. The limits of both, the device and the token, go on.
    func put(
        _ widget: WidgetToken, amongAtMost limit: Int
    ) throws(SQLFailure) -> WidgetPut {
        let others = try database.integer(
            "SELECT count(*) FROM widgets WHERE player = ?1 AND device <> ?2",
            [.text(widget.player.rawValue), .text(widget.device.rawValue)])
        guard others < limit else { return .noRoom }
        try database.run(
            """
            DELETE FROM widgets WHERE token = ?3 AND environment = ?4
                AND NOT (player = ?1 AND device = ?2)
            """, values(of: widget))
        var state = WidgetState()
        try count(pushesTo: widget, in: &state)
        try database.run(
            """
            INSERT INTO widgets
                (player, device, token, environment, put_at, mark, due_at, resting_until,
                 sent_at, sent_of_day, failed, refusals)
            VALUES (?1, ?2, ?3, ?4, ?5, 1, ?5, ?6, ?7, ?8, 0, 0)
            ON CONFLICT (player, device) DO UPDATE SET
                refusals = CASE WHEN widgets.token = excluded.token THEN widgets.refusals ELSE 0 END,
                token = excluded.token,
                environment = excluded.environment, put_at = excluded.put_at,
                resting_until = excluded.resting_until, sent_at = excluded.sent_at,
                sent_of_day = excluded.sent_of_day
            """,
            values(of: widget) + [
                .integer(widget.confirmedAt.milliseconds), .integer(Self.restingUntil(state)),
                state.sentAt.map { .integer($0.milliseconds) } ?? .null, .limit(state.sentOfDay),
            ])
        return .written
    }

    @discardableResult
    func remove(_ device: String, of player: String) throws(SQLFailure) -> Int {
        try database.run(
            "DELETE FROM widgets WHERE player = ?1 AND device = ?2", [.text(player), .text(device)])
    }

    func retire(_ widget: WidgetToken) throws(SQLFailure) {
        try database.run(
            """
            DELETE FROM widgets
            WHERE player = ?1 AND device = ?2 AND token = ?3 AND environment = ?4 AND put_at = ?5
            """, values(of: widget) + [.integer(widget.confirmedAt.milliseconds)])
    }

    func all(of player: String) throws(SQLFailure) -> [StoredWidget] {
        try database.rows(
            """
            SELECT player, device, token, environment, mark, due_at, season, rank, sent_at,
                sent_of_day, failed, put_at, refusals
            FROM widgets WHERE player = ?1 ORDER BY device
            """, [.text(player)], read: Self.widget
        ).compactMap(\.self)
    }

    func due(by time: Int64, limit: Int) throws(SQLFailure) -> [StoredWidget] {
        try database.rows(
            """
            SELECT player, device, token, environment, mark, due_at, season, rank, sent_at,
                sent_of_day, failed, put_at, refusals
            FROM widgets WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2
            """, [.integer(time), .limit(limit)], read: Self.widget
        ).compactMap(\.self)
    }

    /// Writes what became of a widget, and its pushes for whoever has its device or its token next.
    /// When a sum has changed since the row was read, the widget is due as soon as its limits allow.
    /// Returns false, and writes nothing, if the token is no longer the widget's.
    func write(_ widget: StoredWidget) throws(SQLFailure) -> Bool {
        let state = widget.state
        let changed = try database.run(
            """
            UPDATE widgets SET season = ?5, rank = ?6, sent_at = ?7, sent_of_day = ?8, failed = ?9,
                resting_until = ?10, refusals = ?13,
                due_at = CASE WHEN mark = ?11 OR ?12 < ?10 OR ?12 < due_at THEN ?12
                    WHEN due_at > ?10 THEN due_at ELSE ?10 END
            WHERE player = ?1 AND device = ?2 AND token = ?3 AND environment = ?4
            """,
            values(of: widget.token) + [
                state.shown.map { .integer($0.season) } ?? .null,
                state.shown.map { .limit($0.rank) } ?? .null,
                state.sentAt.map { .integer($0.milliseconds) } ?? .null,
                .limit(state.sentOfDay), .integer(state.hasFailed ? 1 : 0),
                .integer(Self.restingUntil(state)),
                .integer(widget.mark), .integer(widget.dueAt.milliseconds),
                .limit(state.refusals),
            ])
        guard changed > 0 else { return false }
        try keepRests(of: widget)
        return true
    }

    /// Removes what is known of a player's widgets.
    func erase(_ player: String) throws(SQLFailure) {
        try database.run(
            """
            DELETE FROM widget_rests WHERE (owner, name) IN (
                SELECT environment, token FROM widgets WHERE player = ?1)
            """, [.text(player)])
        try database.run("DELETE FROM widget_rests WHERE owner = ?1", [.text(player)])
        try database.run("DELETE FROM widgets WHERE player = ?1", [.text(player)])
    }

    // MARK: Limits

    /// How long a push counts for a limit, in milliseconds.
    private static let restMilliseconds: Int64 = 24 * 3_600_000

    /// Whose pushes are counted: those of the device and those of the token.
    private static func owners(of widget: WidgetToken) -> [[SQLValue]] {
        [
            [.text(widget.player.rawValue), .text(widget.device.rawValue)],
            [.text(widget.environment.rawValue), .text(widget.token.hex)],
        ]
    }

    private func keepRests(of widget: StoredWidget) throws(SQLFailure) {
        guard let sentAt = widget.state.sentAt else { return }
        try database.run(
            "DELETE FROM widget_rests WHERE sent_at <= ?1",
            [.integer(sentAt.milliseconds - Self.restMilliseconds)])
        for owner in Self.owners(of: widget.token) {
            try database.run(
                """
                INSERT INTO widget_rests (owner, name, sent_at, sent_of_day)
                VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (owner, name) DO UPDATE
                SET sent_at = excluded.sent_at, sent_of_day = excluded.sent_of_day
                """,
                owner + [.integer(sentAt.milliseconds), .limit(widget.state.sentOfDay)])
        }
    }

    /// Counts what has been pushed to the device, to the token, and to the row that it has.
    private func count(
        pushesTo widget: WidgetToken, in state: inout WidgetState
    ) throws(SQLFailure) {
        let owners = Self.owners(of: widget)
        var sent = try database.rows(
            """
            SELECT sent_at, sent_of_day FROM widgets
            WHERE player = ?1 AND device = ?2 AND sent_at IS NOT NULL
            """, owners[0], read: Self.sent)
        for owner in owners {
            sent += try database.rows(
                "SELECT sent_at, sent_of_day FROM widget_rests WHERE owner = ?1 AND name = ?2",
                owner, read: Self.sent)
        }
        for each in sent { state.count(sentAt: each.at, sentOfDay: each.ofDay) }
    }

    private static func sent(_ row: any SQLRow) -> (at: WallTime, ofDay: Int) {
        (WallTime(milliseconds: row.integer(0)), Int(row.integer(1)))
    }

    private static func restingUntil(_ state: WidgetState) -> Int64 {
        state.sentAt.map { state.nextPushAt($0).milliseconds } ?? 0
    }

    // MARK: Rows

    private func values(of widget: WidgetToken) -> [SQLValue] {
        [
            .text(widget.player.rawValue), .text(widget.device.rawValue), .text(widget.token.hex),
            .text(widget.environment.rawValue),
        ]
    }

    /// `nil`: the row names no environment of Apple's.
    private static func widget(_ row: any SQLRow) -> StoredWidget? {
        guard let environment = PushEnvironment(rawValue: row.text(3)) else { return nil }
        let shown = row.optionalInteger(6).map {
            WidgetState.Shown(season: $0, rank: Int(row.integer(7)))
        }
        let state = WidgetState(
            shown: shown,
            sentAt: row.optionalInteger(8).map(WallTime.init(milliseconds:)),
            sentOfDay: Int(row.integer(9)), hasFailed: row.integer(10) != 0,
            refusals: Int(row.integer(12)))
        return StoredWidget(
            token: WidgetToken(
                player: PlayerID(row.text(0)), device: DeviceID(row.text(1)),
                environment: environment, token: PushToken(hex: row.text(2)),
                confirmedAt: WallTime(milliseconds: row.integer(11))),
            state: state, dueAt: WallTime(milliseconds: row.integer(5)), mark: row.integer(4))
    }
}
