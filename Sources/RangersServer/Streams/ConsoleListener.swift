internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// How far one console's stream has come. A cursor and not a queue: the numbers of the parties that
/// its client lacks, and a position in each party that it watches. What it writes is always the
/// newest state, so a client that reads slowly skips what lies between, and costs no more memory.
struct ConsoleListener: Sendable {
    /// What a console looks at.
    struct Watch: Hashable, Sendable {
        /// The most parties of a stream, beside the wall.
        static let partiesMax = 8
        static let wall = "wall"
        static let pushes = "pushes"

        var hasWall = false
        var hasPushes = false
        var parties: [PartyID] = []

        /// Whether it gets sums each second.
        var hasSums: Bool { hasWall || hasPushes }
    }

    /// Why the server ends a stream; clients get the word.
    enum End: String, CaseIterable, Sendable {
        /// The session or the key that opened the stream is no longer valid.
        case session
        /// The file cannot be read now, and so neither can a watched party.
        case unavailable
    }

    /// Who has opened a stream: the limit of a few streams is theirs, and the streams end with them.
    enum Opener: Hashable, Sendable {
        /// The key of a game master; `nil`: the owner's.
        case key(AdminKeyRecord?)
        /// A session, by its id.
        case session(String)
    }

    let watch: Watch
    let opener: Opener
    /// How long its client waits before it connects again, in milliseconds, until it is told so:
    /// another time for each, so that not all come at once after a restart.
    var retryMilliseconds: Int? = RandomSource.integer(in: 1000...5000)
    /// Slots of the wall whose newest state the client lacks.
    var lacking = SlotSet()
    /// The number up to which the client knows each party that it watches.
    var known: [PartyID: Int64] = [:]
    /// What the client gets anew, because what it had is unknown or too old.
    var anew: [String] = []
    /// The newest time of which the client had everything.
    var caughtUpAt: WallTime
    var areRatesDue = false
    var isHeartbeatDue = false
    var closing: End?
    var isOver = false
    /// Whether the client has taken all that there was.
    var isWaiting = false

    init(_ watch: Watch, by opener: Opener, at now: WallTime) {
        self.watch = watch
        self.opener = opener
        caughtUpAt = now
    }
}

/// A piece of a stream's text: whole messages, up to a size that is soon passed on.
struct StreamPiece {
    /// A message more may make a piece larger.
    static let bytesMax = 16 * 1024

    private(set) var bytes: [UInt8] = []
    /// Where the last message begins.
    private var last = 0

    var hasRoom: Bool { bytes.count < Self.bytesMax }

    mutating func add(_ message: [UInt8]) {
        last = bytes.count
        bytes += message
    }

    /// Gives the last message an id: a client that reconnects sends the newest that it has.
    mutating func mark(_ epoch: Int64, _ number: Int64) {
        guard !bytes.isEmpty else { return }
        bytes.insert(contentsOf: "id: \(epoch).\(number)\n".utf8, at: last)
    }

    /// Returns a message of the console's stream. JSON has no line breaks.
    static func message(_ name: ConsoleEvent, _ json: [UInt8]) -> [UInt8] {
        var bytes = Array("event: \(name.rawValue)\ndata: ".utf8)
        bytes.reserveCapacity(bytes.count + json.count + 2)
        bytes += json
        bytes += "\n\n".utf8
        return bytes
    }
}

/// The messages of the consoles' stream, by the names that browsers get.
enum ConsoleEvent: String, CaseIterable {
    /// What is named in `watch` begins anew; its parties follow.
    case snapshot
    /// The newest state of a party.
    case party
    /// The newest state of a card.
    case card
    /// A row of the ledger.
    case decision
    /// What became of a push.
    case push
    /// Sums of the last second.
    case rates
    /// A party has left the wall.
    case gone
    /// The last message of a stream that the server ends.
    case closed
}
