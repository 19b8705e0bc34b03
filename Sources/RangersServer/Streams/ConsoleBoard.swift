internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PushPolicy

/// What all consoles' streams share, and how far each has come. A value: `ConsoleStreams` acts.
///
/// Each change has a number, and the `id` of a message is the server's epoch and the number up to
/// which its client then knows everything.
///
/// | A client comes back with | It gets of what it watches |
/// | --- | --- |
/// | an id of this epoch, since which all changes are known | what has changed since |
/// | an older id, one of another epoch, or none | `snapshot`, and all of it |
struct ConsoleBoard: Sendable {
    /// What a round has found. Its messages are written before, so that nobody waits for that.
    struct Round: Sendable {
        var tiles: [(party: PartyID, message: [UInt8])] = []
        var gone: [PartyID] = []
        var parties: [PartyID: PartyRound] = [:]
    }

    /// What a round has found of one watched party.
    struct PartyRound: Sendable {
        var party: [UInt8]?
        var cards: [(activity: ActivityID, message: [UInt8])] = []
        var rows: [[UInt8]] = []
        /// Whether there were more rows than are kept.
        var hasOverflowed = false
    }

    let epoch: Int64
    var wall = Wall()
    private(set) var parties: [PartyID: WatchedParty] = [:]
    var listeners: [Int: ConsoleListener] = [:]
    /// The number of the newest change.
    var number: Int64 = 0
    private var nextListener = 0
    /// The time of the newest round.
    var now: WallTime
    /// When the last listener of the wall left.
    var wallLeftAt: WallTime?
    /// The fields of the newest sums, without the end of the object.
    private var rates: [UInt8] = []
    /// The wall clock minus the server's time, in milliseconds.
    private let wallOffset: @Sendable () -> Int64

    init(epoch: Int64, at now: WallTime, wallOffset: @escaping @Sendable () -> Int64) {
        self.epoch = epoch
        self.now = now
        self.wallOffset = wallOffset
    }

    /// What shards must tell.
    var interest: PartyNews.Interest {
        var isInAll = true
        if case .off = wall.stage { isInAll = false }
        return PartyNews.Interest(isInAll: isInAll, parties: Set(parties.keys))
    }

    /// Whether anybody may get something.
    var isIdle: Bool {
        listeners.isEmpty && parties.isEmpty && !interest.isInAll
    }

    // MARK: Opening and closing

    /// Opens a stream after the number that its client knows. Returns the listener's own number.
    mutating func open(
        _ watch: ConsoleListener.Watch, by opener: ConsoleListener.Opener, after known: Int64?,
        at time: WallTime
    ) -> Int {
        now = max(now, time)
        var listener = ConsoleListener(watch, by: opener, at: now)
        // Nobody has a number that is yet to come.
        let known = known.flatMap { $0 <= number ? $0 : nil }
        if watch.hasWall {
            wallLeftAt = nil
            if case .off = wall.stage { wall.load() }
            if let changed = known.flatMap({ wall.changed(since: $0) }) {
                listener.lacking = changed
            } else {
                listener.anew.append(ConsoleListener.Watch.wall)
                listener.lacking = wall.present
            }
        }
        for party in watch.parties {
            var watched = parties[party] ?? WatchedParty(since: number)
            watched.leftAt = nil
            if let known, known >= watched.since {
                listener.known[party] = known
            } else {
                listener.anew.append(party.rawValue)
                listener.known[party] = watched.newest
            }
            parties[party] = watched
        }
        listener.areRatesDue = !rates.isEmpty
        nextListener += 1
        listeners[nextListener] = listener
        return nextListener
    }

    /// Removes a listener. What nobody watches any more is kept for a while: browsers come back.
    /// Returns who had opened it; `nil`: it was removed before.
    mutating func remove(_ id: Int) -> ConsoleListener.Opener? {
        guard let listener = listeners.removeValue(forKey: id) else { return nil }
        let others = listeners.values
        if listener.watch.hasWall, !others.contains(where: \.watch.hasWall) { wallLeftAt = now }
        for party in listener.watch.parties
        where !others.contains(where: { $0.watch.parties.contains(party) }) {
            parties[party]?.leftAt = now
        }
        return listener.opener
    }

    /// Ends the streams that this opener has. Returns them.
    mutating func close(_ opener: ConsoleListener.Opener, _ end: ConsoleListener.End) -> [Int] {
        let own = listeners.filter { $0.value.opener == opener && $0.value.closing == nil }.keys
        for id in own { listeners[id]?.closing = end }
        return Array(own)
    }

    /// Ends the streams that watch this party. Returns them.
    mutating func close(watchersOf party: PartyID, _ end: ConsoleListener.End) -> [Int] {
        let watching = listeners.filter {
            $0.value.watch.parties.contains(party) && $0.value.closing == nil
        }.keys
        for id in watching { listeners[id]?.closing = end }
        return Array(watching)
    }

    // MARK: What arrives

    /// The wall is complete: all parties in memory have been read.
    mutating func wallIsComplete() {
        if case .loading = wall.stage { wall.complete(since: number) }
    }

    /// Takes what a round has found. Returns the listeners that have something to write.
    mutating func take(_ round: Round, at time: WallTime) -> [Int] {
        now = max(now, time)
        var changed = SlotSet()
        if interest.isInAll {
            for tile in round.tiles {
                number += 1
                changed.insert(wall.set(tile.party, tile.message, number: number))
            }
            for party in round.gone {
                let message = Self.gone(party)
                if let slot = wall.remove(party, message, number: number + 1, at: now) {
                    number += 1
                    changed.insert(slot)
                }
            }
        }
        for (party, found) in round.parties { take(found, of: party) }
        for id in listeners.keys where listeners[id]?.watch.hasWall == true {
            listeners[id]?.lacking.formUnion(changed)
        }
        return listeners.filter { $0.value.isWaiting && lacksSomething($0.value) }.map(\.key)
    }

    private mutating func take(_ round: PartyRound, of party: PartyID) {
        guard var watched = parties[party] else { return }
        if let message = round.party {
            number += 1
            watched.set(message, number: number)
        }
        for card in round.cards where watched.set(card.activity, card.message, number: number + 1) {
            number += 1
        }
        if round.hasOverflowed {
            number += 1
            watched.lose(upTo: number)
        }
        for row in round.rows {
            number += 1
            watched.add(row: row, number: number)
        }
        parties[party] = watched
    }

    func lacksSomething(_ listener: ConsoleListener) -> Bool {
        if listener.closing != nil || !listener.lacking.isEmpty || !listener.anew.isEmpty {
            return true
        }
        if listener.areRatesDue || listener.isHeartbeatDue { return true }
        return listener.known.contains { (parties[$0.key]?.newest ?? 0) > $0.value }
    }

    /// Takes the sums of a second, and ends what nobody has watched for a while. Returns the
    /// listeners that have something to write.
    mutating func tick(
        _ rates: [UInt8], at time: WallTime, lingerSeconds: Int64, beating: (Int) -> Bool
    ) -> [Int] {
        now = max(now, time)
        self.rates = rates
        for id in listeners.keys {
            guard let watch = listeners[id]?.watch else { continue }
            if watch.hasWall || watch.hasPushes { listeners[id]?.areRatesDue = true }
            if beating(id) { listeners[id]?.isHeartbeatDue = true }
        }
        let limit = now.adding(seconds: -lingerSeconds)
        if let wallLeftAt, wallLeftAt < limit {
            wall.clear()
            self.wallLeftAt = nil
        }
        parties = parties.filter { $0.value.leftAt.map { $0 >= limit } ?? true }
        let listeners = listeners
        wall.forget(leftBefore: limit) { slot in
            listeners.values.contains { $0.lacking.contains(slot) }
        }
        return listeners.filter { $0.value.isWaiting && lacksSomething($0.value) }.map(\.key)
    }
}

// MARK: - What goes

extension ConsoleBoard {
    /// Returns what a listener's client gets next.
    mutating func next(_ id: Int) -> ResponseStream.Step {
        guard var listener = listeners[id], !listener.isOver else { return .end }
        var piece = StreamPiece()
        if let end = listener.closing {
            listener.isOver = true
            piece.add(StreamPiece.message(.closed, Array(#"{"reason":"\#(end.rawValue)"}"#.utf8)))
        } else {
            write(to: &piece, for: &listener)
        }
        listener.isWaiting = piece.bytes.isEmpty
        listeners[id] = listener
        return piece.bytes.isEmpty ? .wait : .bytes(piece.bytes)
    }

    private func write(to piece: inout StreamPiece, for listener: inout ConsoleListener) {
        if let milliseconds = listener.retryMilliseconds {
            var text = EventStreamText()
            text.retry(afterMilliseconds: milliseconds)
            piece.add(text.bytes)
            listener.retryMilliseconds = nil
        }
        for party in listener.watch.parties { write(party, to: &piece, for: &listener) }
        if !listener.anew.isEmpty {
            piece.add(StreamPiece.message(.snapshot, Self.snapshot(of: listener.anew)))
            listener.anew = []
        }
        while piece.hasRoom, let slot = listener.lacking.popNext() {
            piece.add(wall.message(of: slot))
        }
        let isCaughtUp =
            listener.lacking.isEmpty && listener.anew.isEmpty
            && listener.known.allSatisfy { (parties[$0.key]?.newest ?? 0) <= $0.value }
        if isCaughtUp {
            listener.caughtUpAt = now
            piece.mark(epoch, number)
        }
        if listener.areRatesDue {
            listener.areRatesDue = false
            let at = listener.caughtUpAt.milliseconds + wallOffset()
            piece.add(StreamPiece.message(.rates, rates + ",\"at\":\(at)}".utf8))
        }
        // Whatever is written also shows that the connection lives.
        if piece.bytes.isEmpty, listener.isHeartbeatDue { piece.add(EventStreamText.heartbeat) }
        listener.isHeartbeatDue = false
    }

    /// Writes what a client lacks of one party, as far as there is room.
    private func write(
        _ party: PartyID, to piece: inout StreamPiece, for listener: inout ConsoleListener
    ) {
        guard let watched = parties[party], let known = listener.known[party],
            !listener.anew.contains(party.rawValue)
        else { return }
        guard let messages = watched.messages(since: known) else {
            // Rows between are gone: the client loads the party anew.
            listener.anew.append(party.rawValue)
            listener.known[party] = watched.newest
            return
        }
        for message in messages {
            guard piece.hasRoom else { return }
            piece.add(message.message)
            listener.known[party] = message.number
        }
    }

    private static func snapshot(of names: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.array("watch", names) { $0.value($1) }
        // Each follows in a message of its own, as fast as its client reads.
        json.array("parties", [String]()) { $0.value($1) }
        json.endObject()
        return json.bytes
    }

    static func gone(_ party: PartyID) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("id", party.rawValue)
        json.endObject()
        return StreamPiece.message(.gone, json.bytes)
    }
}
