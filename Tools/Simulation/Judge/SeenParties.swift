internal import JSONReader

/// An event as a response told it first.
struct SeenEvent: Hashable {
    let sequence: Int64
    let kind: String
    let hero: String?
    /// As the wall clock had it, in milliseconds since 1970.
    let at: Int64
    let gameTime: Int64?
    /// Milliseconds of the world: when a response told it first, and when the request for it left.
    let seenAt: Int64
    let askedAt: Int64

    init?(_ json: JSONValue, seenAt: Int64, askedAt: Int64) {
        guard let sequence = json["sequence"]?.integer, let kind = json["kind"]?.text,
            let at = json["at"]?.integer
        else { return nil }
        self.sequence = sequence
        self.kind = kind
        hero = json["hero"]?.text
        self.at = at
        gameTime = json["gameTimeMilliseconds"]?.integer
        self.seenAt = seenAt
        self.askedAt = askedAt
    }

    /// Whether both tell the same.
    func isSame(as other: SeenEvent) -> Bool {
        sequence == other.sequence && kind == other.kind && hero == other.hero
            && gameTime == other.gameTime
    }
}

/// A party as responses have shown it.
struct SeenParty {
    let id: String
    var events: [Int64: SeenEvent] = [:]
    var newestSequence: Int64 = 0
    var newestVersion: Int64 = 0
    /// When the response with the newest version came.
    var versionSeenAt: Int64 = 0
    /// Whether the newest version was the response to a change.
    var isAcknowledged = false
    var heroes: [String] = []
    var isOver = false
    /// The hero's owners, by hero.
    var owners: [String: String] = [:]

    /// The events in the order of their numbers.
    var story: [SeenEvent] { events.values.sorted { $0.sequence < $1.sequence } }
}

/// All parties of a run, by id.
struct SeenParties {
    private(set) var parties: [String: SeenParty] = [:]
    private var places: [String: String] = [:]

    subscript(_ id: String) -> SeenParty? { parties[id] }
    /// In the order of their ids.
    var all: [SeenParty] { parties.values.sorted { $0.id < $1.id } }

    /// Returns the party in which this hero was seen last.
    func party(of hero: String) -> SeenParty? { places[hero].flatMap { parties[$0] } }

    mutating func see(_ exchange: JudgedExchange) {
        guard let json = exchange.party, let id = json["id"]?.text else { return }
        var party = parties[id] ?? SeenParty(id: id)
        for event in json["events"]?.elements ?? [] {
            guard
                let event = SeenEvent(
                    event, seenAt: exchange.at, askedAt: exchange.seen.sentAt)
            else { continue }
            if party.events[event.sequence] == nil { party.events[event.sequence] = event }
            party.newestSequence = max(party.newestSequence, event.sequence)
        }
        if let version = json["version"]?.integer, version >= party.newestVersion {
            party.newestVersion = version
            party.versionSeenAt = exchange.at
            party.isAcknowledged = exchange.seen.method.uppercased() != "GET"
            party.isOver = json["adventure"]?["phase"]?.text == "over"
            party.heroes = (json["heroes"]?.elements ?? []).compactMap { $0["id"]?.text }
            for hero in party.heroes { places[hero] = id }
            for hero in json["heroes"]?.elements ?? [] {
                guard let id = hero["id"]?.text, let owner = hero["owner"]?.text else { continue }
                party.owners[id] = owner
            }
        }
        parties[id] = party
    }
}
