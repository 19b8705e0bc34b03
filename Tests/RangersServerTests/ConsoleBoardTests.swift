import GameLogic
import HTTPServer
import PushPolicy
import Testing

@testable import RangersServer

/// The cursor of a console's stream, as state tables: no socket, no clock.
@Suite("consoles' streams: what a listener gets next")
struct ConsoleBoardTests {
    private typealias Watch = ConsoleListener.Watch
    private static let wall = Watch(hasWall: true)
    private static let start = WallTime(milliseconds: 1_000_000)

    private struct Message: Equatable {
        var event = ""
        var data = ""
        var id: String?
    }

    /// A board, and what its clients have received.
    private struct Scene {
        var board = ConsoleBoard(epoch: 7, at: start) { 0 }
        var now = start

        mutating func open(
            _ watch: Watch, as opener: String = "panda", after known: Int64? = nil
        ) -> Int {
            board.open(watch, by: .session(opener), after: known, at: now)
        }

        /// The whole wall is read.
        mutating func complete(_ parties: String...) {
            tell(parties.map { ($0, "1") })
            board.wallIsComplete()
        }

        @discardableResult
        mutating func tell(_ tiles: [(String, String)], gone: [String] = []) -> [Int] {
            var round = ConsoleBoard.Round()
            round.tiles = tiles.map { party, text in
                (PartyID(party), StreamPiece.message(.party, Array("\(party) \(text)".utf8)))
            }
            round.gone = gone.map { PartyID($0) }
            return board.take(round, at: now)
        }

        mutating func tell(
            of party: String, _ state: String? = nil, rows: [String] = [],
            cards: [(String, String)] = [], hasOverflowed: Bool = false
        ) {
            var found = ConsoleBoard.PartyRound()
            found.party = state.map { StreamPiece.message(.party, Array($0.utf8)) }
            found.rows = rows.map { StreamPiece.message(.decision, Array($0.utf8)) }
            found.cards = cards.map {
                (ActivityID($0), StreamPiece.message(.card, Array("\($0) \($1)".utf8)))
            }
            found.hasOverflowed = hasOverflowed
            _ = board.take(
                ConsoleBoard.Round(parties: [PartyID(party): found]), at: now)
        }

        @discardableResult
        mutating func tick(seconds: Int64 = 1, beats: Bool = false) -> [Int] {
            now = now.adding(seconds: seconds)
            return board.tick(
                Array(#"{"high":0"#.utf8), at: now, lingerSeconds: 30, beating: { _ in beats })
        }

        /// Everything that the client is owed, piece by piece.
        mutating func read(_ listener: Int) -> [Message] {
            var text = ""
            while case .bytes(let bytes) = board.next(listener) {
                text += String(decoding: bytes, as: UTF8.self)
            }
            return text.split(separator: "\n\n").compactMap { block in
                var message = Message()
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("event: ") { message.event = String(line.dropFirst(7)) }
                    if line.hasPrefix("data: ") { message.data = String(line.dropFirst(6)) }
                    if line.hasPrefix("id: ") { message.id = String(line.dropFirst(4)) }
                }
                return message.event.isEmpty ? nil : message
            }
        }

        mutating func parties(_ listener: Int) -> [String] {
            read(listener).filter { $0.event != "rates" }.map { "\($0.event) \($0.data)" }
        }
    }

    // MARK: The wall

    @Test("a new listener gets a snapshot, then every party, and with the last one its id")
    func fresh() throws {
        var scene = Scene()
        let listener = scene.open(Self.wall)
        scene.complete("a", "b", "c")
        let messages = scene.read(listener)
        #expect(messages.map(\.event) == ["snapshot", "party", "party", "party"])
        #expect(messages.first?.data == #"{"watch":["wall"],"parties":[]}"#)
        #expect(messages.map(\.id) == [nil, nil, nil, "7.3"])
        #expect(scene.read(listener) == [])
    }

    @Test("a listener gets only the newest state of what has changed meanwhile")
    func newest() {
        var scene = Scene()
        let listener = scene.open(Self.wall)
        scene.complete("a", "b", "c")
        _ = scene.read(listener)
        for version in 2...50 { scene.tell([("b", "\(version)")]) }
        #expect(scene.parties(listener) == ["party b 50"])
    }

    @Test("a party that leaves is gone, and there again when it returns")
    func gone() {
        var scene = Scene()
        let listener = scene.open(Self.wall)
        scene.complete("a", "b")
        _ = scene.read(listener)
        scene.tell([], gone: ["a", "unknown"])
        #expect(scene.parties(listener) == [#"gone {"id":"a"}"#])
        scene.tell([("a", "9")])
        #expect(scene.parties(listener) == ["party a 9"])
        #expect(scene.board.wall.count == 2)
    }

    @Test("only listeners that have taken everything are woken")
    func waking() {
        var scene = Scene()
        let waiting = scene.open(Self.wall)
        let reading = scene.open(Self.wall, as: "egghead")
        scene.complete("a")
        _ = scene.read(waiting)
        _ = scene.board.next(reading)
        #expect(scene.tell([("a", "2")]) == [waiting])
        #expect(scene.tell([]) == [waiting])
        _ = scene.read(waiting)
        #expect(scene.tell([]) == [])
    }

    @Test("a client that reads slowly gets each party in turn, and holds a piece at most")
    func slow() {
        var scene = Scene()
        let listener = scene.open(Self.wall)
        let names = (100..<400).map { "party-\($0)" }
        let long = String(repeating: "x", count: 400)
        scene.tell(names.map { ($0, long) })
        scene.board.wallIsComplete()
        _ = scene.read(listener)
        var seen: Set<String> = []
        var pieces = 0
        // All change between any two pieces.
        while seen.count < names.count, pieces < 100 {
            scene.tell(names.map { ($0, long) })
            guard case .bytes(let bytes) = scene.board.next(listener) else { break }
            #expect(bytes.count < StreamPiece.bytesMax + 1000)
            let text = String(decoding: bytes, as: UTF8.self)
            seen.formUnion(names.filter { text.contains($0) })
            pieces += 1
        }
        #expect(seen.count == names.count)
        // 39 parties a piece: nobody has a second turn before everybody had the first.
        #expect(pieces == 8)
    }

    @Test("only the last piece has an id: a client that is cut before gets the rest again")
    func cut() {
        var scene = Scene()
        let listener = scene.open(Self.wall)
        scene.complete("a")
        _ = scene.read(listener)
        let long = String(repeating: "x", count: StreamPiece.bytesMax)
        scene.tell([("b", long), ("c", long)])
        guard case .bytes(let bytes) = scene.board.next(listener) else {
            Issue.record("the wall has changed")
            return
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("id: "))
        #expect(scene.read(listener).map(\.id) == ["7.3"])
        let back = scene.open(Self.wall, as: "egghead", after: 1)
        #expect(scene.read(back).count == 2)
    }

    // MARK: Coming back

    /// What a client with this id gets, after "b" has changed since 7.3 and "c" has left.
    @Test(
        "a client gets what has changed since its id, or all of it when that is not known",
        arguments: [
            (known: 3, gets: ["party b 2", #"gone {"id":"c"}"#]),
            (known: 4, gets: [#"gone {"id":"c"}"#]), (known: 5, gets: []),
            // From before the wall was complete, of the future, and none.
            (known: 2, gets: ["snapshot", "party a 1", "party b 2"]),
            (known: 6, gets: ["snapshot", "party a 1", "party b 2"]),
            (known: nil, gets: ["snapshot", "party a 1", "party b 2"]),
        ] as [(known: Int64?, gets: [String])])
    func resumes(known: Int64?, gets: [String]) {
        var scene = Scene()
        _ = scene.open(Self.wall)
        scene.complete("a", "b", "c")
        scene.tell([("b", "2")], gone: ["c"])
        let back = scene.open(Self.wall, as: "egghead", after: known)
        let got = scene.parties(back).map { $0.hasPrefix("snapshot") ? "snapshot" : $0 }
        #expect(got == gets)
    }

    @Test("a wall is kept for a while after its last listener, and then begins anew")
    func lingers() {
        var scene = Scene()
        let first = scene.open(Self.wall)
        scene.complete("a", "b")
        _ = scene.read(first)
        _ = scene.board.remove(first)
        scene.tick(seconds: 30)
        #expect(scene.board.interest.isInAll)
        scene.tell([("b", "2")])
        let second = scene.open(Self.wall, after: 2)
        #expect(scene.parties(second) == ["party b 2"])
        _ = scene.board.remove(second)
        scene.tick(seconds: 31)
        #expect(!scene.board.interest.isInAll)
        #expect(scene.board.isIdle)
        let third = scene.open(Self.wall, after: 3)
        scene.complete("a")
        #expect(scene.parties(third).count == 2)
    }

    @Test("who was away since before a party was forgotten gets the whole wall")
    func forgets() {
        var scene = Scene()
        let first = scene.open(Self.wall)
        scene.complete("a", "b")
        scene.tell([], gone: ["a"])
        scene.tick(seconds: 60)
        // The listener has yet to learn that it is gone.
        #expect(scene.board.wall.count == 2)
        _ = scene.read(first)
        scene.tick()
        #expect(scene.board.wall.count == 1)
        #expect(scene.parties(scene.open(Self.wall, as: "x", after: 2)).count == 2)
        #expect(scene.parties(scene.open(Self.wall, as: "x", after: 3)) == [])
        // The slot is free for another party.
        scene.tell([("c", "1")])
        #expect(scene.parties(first) == ["party c 1"])
    }

    // MARK: One party

    private static let party = Watch(parties: [PartyID("a")])

    @Test("a party's watcher gets its rows in order, its newest state and its newest cards")
    func rows() {
        var scene = Scene()
        let listener = scene.open(Self.party)
        #expect(scene.parties(listener) == [#"snapshot {"watch":["a"],"parties":[]}"#])
        scene.tell(of: "a", "a 2", rows: ["one", "two"], cards: [("card", "1")])
        scene.tell(of: "a", "a 3", rows: ["three"], cards: [("card", "1")])
        scene.tell(of: "b", "b 3", rows: ["other"])
        let messages = scene.read(listener)
        #expect(messages.map(\.data) == ["card 1", "one", "two", "a 3", "three"])
        #expect(messages.map(\.id) == [nil, nil, nil, nil, "7.6"])
        // A card that is as before is no news.
        scene.tell(of: "a", cards: [("card", "1")])
        #expect(scene.read(listener) == [])
    }

    @Test("a party's watcher resumes without a gap or a double")
    func resumesParty() {
        var scene = Scene()
        let first = scene.open(Self.party)
        scene.tell(of: "a", rows: ["one", "two"])
        _ = scene.read(first)
        _ = scene.board.remove(first)
        scene.tell(of: "a", rows: ["three"])
        #expect(scene.parties(scene.open(Self.party, after: 2)) == ["decision three"])
        #expect(scene.parties(scene.open(Self.party, after: 3)) == [])
        #expect(scene.read(scene.open(Self.party)).map(\.event) == ["snapshot"])
    }

    @Test("a watcher that lacks rows which are gone loads the party anew")
    func losesRows() {
        var scene = Scene()
        let listener = scene.open(Self.party)
        _ = scene.read(listener)
        scene.tell(of: "a", rows: (0...WatchedParty.rowsMax).map { "row \($0)" })
        #expect(scene.read(listener).map(\.event) == ["snapshot"])
        scene.tell(of: "a", rows: ["next"])
        #expect(scene.parties(listener) == ["decision next"])
        scene.tell(of: "a", hasOverflowed: true)
        #expect(scene.read(listener).map(\.event) == ["snapshot"])
    }

    // MARK: Time

    @Test("rates come once a second, with the time of which the client has everything")
    func rates() {
        var scene = Scene()
        let watching = scene.open(Watch(hasPushes: true))
        let party = scene.open(Self.party, as: "egghead")
        _ = scene.read(watching)
        _ = scene.read(party)
        scene.tick()
        let second = Self.start.milliseconds + 1000
        #expect(scene.read(watching).map(\.data) == [#"{"high":0,"at":\#(second)}"#])
        #expect(scene.read(party) == [])
        // A client that reads nothing is behind since then.
        let behind = scene.open(Self.wall, as: "x")
        scene.complete("a")
        _ = scene.board.next(behind)
        let long = String(repeating: "x", count: StreamPiece.bytesMax)
        scene.tell([("a", long), ("b", long)])
        scene.tick()
        guard case .bytes(let bytes) = scene.board.next(behind) else {
            Issue.record("the wall has changed")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""at":\#(second)}"#))
    }

    @Test("a silent stream gets heartbeats, another one none")
    func heartbeats() {
        var scene = Scene()
        let listener = scene.open(Self.party)
        _ = scene.read(listener)
        #expect(scene.tick(beats: true) == [listener])
        guard case .bytes(let beat) = scene.board.next(listener) else {
            Issue.record("a heartbeat is due")
            return
        }
        #expect(beat == EventStreamText.heartbeat)
        scene.tell(of: "a", "a 2")
        scene.tick(beats: true)
        #expect(scene.parties(listener) == ["party a 2"])
    }

    @Test("the streams of an opener end with a reason; the others go on")
    func closes() {
        var scene = Scene()
        let own = scene.open(Self.party)
        let other = scene.open(Self.party, as: "egghead")
        _ = scene.read(own)
        #expect(scene.board.close(.session("panda"), .session) == [own])
        #expect(scene.parties(own) == [#"closed {"reason":"session"}"#])
        guard case .end = scene.board.next(own) else {
            Issue.record("nothing follows")
            return
        }
        #expect(scene.parties(other).count == 1)
    }
}
