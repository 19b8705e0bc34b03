import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The leaderboard's widgets in the store")
struct WidgetContractTests {
    typealias Board = BoardFixture
    private static let later = Fixture.noon.adding(seconds: 60)
    private static let end = WallTime(milliseconds: Board.season.end)

    /// Notes what a widget shows: it is due again at the season's end.
    private static func settle(
        _ widgets: [StoredWidget], in board: Board, rank: Int = 1,
        sentAt: WallTime? = nil
    ) async throws {
        let settled = widgets.map { widget in
            var widget = widget
            widget.state = WidgetState(
                shown: WidgetState.Shown(season: Board.season.number, rank: rank),
                sentAt: sentAt, sentOfDay: sentAt == nil ? 0 : 1)
            widget.dueAt = end
            return widget
        }
        _ = try await board.store.write(settled, epoch: board.epoch)
    }

    @Test(
        "a new widget is due at once, and settled it is due at the season's end",
        arguments: StoreKind.allCases)
    func new(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            #expect(try await board.put(1) == .written)
            let due = try await board.due()
            #expect(due.map(\.token.player) == [Board.player(1)])
            #expect(due.first?.state == WidgetState())
            try await Self.settle(due, in: board)
            #expect(try await board.due(by: Self.end.adding(milliseconds: -1)).isEmpty)
            #expect(try await board.due(by: Self.end).map(\.state.shown?.rank) == [1])
        }
    }

    @Test(
        "a changed sum makes the widgets due of the player and of friends, and of nobody else",
        arguments: StoreKind.allCases)
    func marked(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 3) { board in
            try await board.end("a", [1, 2], points: 50)
            for number in 1...3 { try await board.put(number) }
            try await Self.settle(try await board.due(), in: board)
            try await board.end("b", [1], points: 60, at: Self.later)
            let due = try await board.due(by: Self.later)
            #expect(Set(due.map(\.token.player)) == [Board.player(1), Board.player(2)])
        }
    }

    @Test("a result that changes no sum makes nothing due", arguments: StoreKind.allCases)
    func unchanged(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            for number in 1...4 { try await board.end("p\(number)", [1], points: 50) }
            try await board.put(1)
            try await Self.settle(try await board.due(), in: board)
            try await board.end("q", [1], points: 50, at: Self.later)
            #expect(try await board.due(by: Self.later).isEmpty)
        }
    }

    @Test(
        "a widget that was pushed to is not due before its pause is over",
        arguments: StoreKind.allCases)
    func resting(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            try await board.put(1)
            try await Self.settle(try await board.due(), in: board, sentAt: Fixture.noon)
            try await board.end("b", [1], points: 60, at: Self.later)
            let rested = Fixture.noon.adding(seconds: WidgetState.intervalSeconds)
            #expect(try await board.due(by: rested.adding(milliseconds: -1)).isEmpty)
            #expect(try await board.due(by: rested).count == 1)
        }
    }

    @Test(
        "a sum that changes while a widget is looked at keeps it due", arguments: StoreKind.allCases
    )
    func changedMeanwhile(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            try await board.put(1)
            let due = try await board.due()
            try await board.end("b", [1], points: 60, at: Self.later)
            try await Self.settle(due, in: board)
            #expect(try await board.due(by: Self.later).count == 1)
        }
    }

    @Test(
        "a new token keeps what the widget was told, and its limits", arguments: StoreKind.allCases)
    func newToken(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            try await board.put(1)
            try await Self.settle(try await board.due(), in: board, sentAt: Fixture.noon)
            try await board.put(1, token: "bb01", at: Self.later)
            let widget = try #require(try await board.store.widgets(of: Board.player(1)).first)
            #expect(widget.token.token.hex == "bb01")
            #expect(widget.state.sentAt == Fixture.noon)
            #expect(widget.dueAt == Self.end)
        }
    }

    @Test(
        "a widget that was removed, moved or retired has its limits when it is put again",
        arguments: ["removed", "moved", "retired", "replaced", "another token"])
    func limits(_ way: String) async throws {
        try await Board.withStore(players: 2) { board in
            try await board.put(1)
            try await Self.settle(try await board.due(), in: board, sentAt: Fixture.noon)
            var next = (player: 1, token: "aa01")
            switch way {
            case "removed": try await board.remove(1)
            case "moved": next.player = 2
            case "retired":
                let widget = try await board.store.widgets(of: Board.player(1)).first
                try await board.store.retire(try #require(widget).token, epoch: board.epoch)
            case "replaced":
                try await board.put(1, token: "bb01", at: Self.later)
                next.player = 2
            default:
                try await board.remove(1)
                next.token = "bb01"
            }
            try await board.put(next.player, token: next.token, at: Self.later)
            let widgets = try await board.store.widgets(of: Board.player(next.player))
            #expect(widgets.map(\.state.sentAt) == [Fixture.noon])
            #expect(widgets.map(\.state.sentOfDay) == [1])
            let rested = Fixture.noon.adding(seconds: WidgetState.intervalSeconds)
            try await Self.settle(widgets, in: board, sentAt: Fixture.noon)
            try await board.end("b", [next.player], points: 60, at: Self.later)
            #expect(try await board.due(by: rested.adding(milliseconds: -1)).isEmpty)
            #expect(try await board.due(by: rested).count == 1)
        }
    }

    @Test(
        "a push to a token that has been replaced meanwhile is not counted, nor sent",
        arguments: StoreKind.allCases)
    func replacedMeanwhile(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            try await board.put(1)
            try await board.put(2)
            let due = try await board.due()
            try await board.put(1, token: "bb01", at: Self.later)
            let written = try await board.store.write(due, epoch: board.epoch)
            #expect(written.map(\.token.player) == [Board.player(2)])
        }
    }

    @Test(
        "what was pushed is kept for a day, and nothing of it with an account that is deleted",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            for number in 1...2 { try await board.put(number) }
            let due = try await board.due()
            try await Self.settle([due[0]], in: board, sentAt: Fixture.noon)
            #expect(try await board.rests() == 2)
            let nextDay = Fixture.noon.adding(seconds: 24 * 3600)
            try await Self.settle([due[1]], in: board, sentAt: nextDay)
            #expect(try await board.rests() == 2)
            let player = due[1].token.player
            _ = try await board.store.asOwner(board.epoch) { database in
                try WidgetTable(database).erase(player.rawValue)
                return 1
            }
            #expect(try await board.rests() == 0)
        }
    }

    @Test("a token belongs to one device", arguments: StoreKind.allCases)
    func moved(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            try await board.put(1, token: "cc")
            try await board.put(2, token: "cc")
            #expect(try await board.store.widgets(of: Board.player(1)).isEmpty)
            #expect(try await board.store.widgets(of: Board.player(2)).count == 1)
        }
    }

    @Test("a player has widgets on a limited number of devices", arguments: StoreKind.allCases)
    func room(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            let results = [
                try await board.put(1, token: "01", limit: 1, device: "a"),
                try await board.put(1, token: "02", limit: 1, device: "b"),
                try await board.put(1, token: "03", limit: 1, device: "a"),
            ]
            #expect(results == [.written, .noRoom, .written])
        }
    }

    @Test("a dead token is removed, unless the app has put it again", arguments: StoreKind.allCases)
    func retired(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            try await board.put(1)
            let first = try #require(try await board.due().first).token
            try await board.put(1, at: Self.later)
            try await board.store.retire(first, epoch: board.epoch)
            let second = try #require(
                try await board.store.widgets(of: Board.player(1)).first
            ).token
            try await board.store.retire(second, epoch: board.epoch)
            #expect(try await board.store.widgets(of: Board.player(1)).isEmpty)
        }
    }
}
