internal import GameLogic

/// A party's bots and what they have seen, from the first look to the verdict.
struct Group: Sendable {
    let party: String
    var bots: [Bot]
    var phones: [PhoneBook.Number?] = []
    /// The phones on which cards are begun by push.
    var devices: [PhoneBook.DeviceNumber?] = []
    /// Of each bot whose card was begun by push: the newest event when its app had told of it.
    var reportedAfter: [Int: Int] = [:]
    /// The phone that listens to the party's channel, if anybody does.
    var spectator: PhoneBook.Number?
    var record = EventRecord()
    /// The newest event before this run: what came earlier was for other phones.
    var base = 0
    /// Whether this run has come into an adventure that an earlier run began.
    var isResumed = false
    var quirksDone: Set<Int> = []
    /// After how many events each bot's quirk is due.
    private(set) var quirkMoments: [Int] = []
    var dismissed: Set<Int> = []
    var farewells: [Farewell] = []
    var potionsOfUnknownFate = 0
    /// How much of the game master's plan is done.
    var meddled = 0
    private(set) var potions = 0
    private var acknowledgedVersion = 0
    var result = PartyPlay.Result()

    /// The server's word that a card, or a card's token, is not used any more.
    struct Farewell: Sendable {
        let phone: PhoneBook.Number
        /// `nil`: the card itself.
        let token: String?
        /// Milliseconds since 1970.
        let acknowledgedAt: Int64
    }

    init(party: String, bots: [Bot]) {
        self.party = party
        self.bots = bots
        result.party = party
    }

    /// The bots whose cards are still watched.
    var watching: [Int] { bots.indices.filter { !dismissed.contains($0) } }

    mutating func drawQuirkMoments(_ dice: inout SeededRandom) {
        quirkMoments = bots.indices.map { _ in dice.draw(in: 1...25) }
    }

    /// Takes what the API showed; returns the events that are new.
    mutating func see(_ state: PartyState) -> [EventState] {
        if state.version < acknowledgedVersion {
            violation("version \(state.version) is older than an acknowledged one")
        }
        if state.leader != state.heroes.first?.owner {
            violation("the leader is not the first hero's player")
        }
        for hero in state.heroes where !(0...1).contains(hero.health) {
            violation("\(hero.name)'s health is \(hero.health)")
        }
        return record.take(state.events)
    }

    /// The server has said that a potion was used: it must be in the events.
    mutating func acknowledged(potion state: PartyState) {
        potions += 1
        acknowledgedVersion = max(acknowledgedVersion, state.version)
    }

    mutating func violation(_ text: String) { result.violations.append(text) }
}
