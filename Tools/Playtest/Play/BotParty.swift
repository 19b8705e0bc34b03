internal import GameLogic

/// A party's bots and their observations, from the first poll to the final checks.
struct BotParty: Sendable {
    let id: String
    var bots: [Bot]
    var phones: [PhoneBook.Number?] = []
    /// The phones with activities started by push.
    var devices: [PhoneBook.DeviceNumber?] = []
    /// The newest event when the app registered its activity, for each bot with one started by
    /// push.
    var reportedAfter: [Int: Int] = [:]
    /// The phone subscribed to the party's channel, if any.
    var spectator: PhoneBook.Number?
    var record = EventRecord()
    /// The newest event before this run: earlier ones were for other phones.
    var base = 0
    /// Whether this run resumes an adventure of an earlier run.
    var isResumed = false
    /// The bots whose heroes drink by a standing order.
    var drinkers: Set<Int> = []
    var changesDone: Set<Int> = []
    /// The number of events after which each phone's change is due.
    private(set) var changeMoments: [Int] = []
    var dismissed: Set<Int> = []
    /// The bots whose heroes stay at the inn: their activities have ended.
    private(set) var atInn: Set<Int> = []
    /// The ready check to which the server has acknowledged a bot's yes, by the bot.
    private var ready: [Int: Int] = [:]
    var retirements: [Retirement] = []
    /// The completed part of the game master's plan.
    var gameMasterSteps = 0
    private(set) var potions = 0
    /// What each bot has last reacted to: once is enough.
    private(set) var lastSeen: [Int: Int64] = [:]
    /// The knock-downs of heroes without a potion, by their numbers: their players can do nothing.
    private(set) var helpless: Set<Int> = []
    private var acknowledgedVersion = 0
    var result = PartyPlay.Result()

    /// The server's acknowledgement that an activity or its token is no longer used.
    struct Retirement: Sendable {
        let phone: PhoneBook.Number
        /// `nil`: the activity itself.
        let token: String?
        /// Milliseconds since 1970.
        let acknowledgedAt: Int64
    }

    init(id: String, bots: [Bot]) {
        self.id = id
        self.bots = bots
        result.party = id
    }

    /// The bots whose activities are shown to the end of the adventure.
    var watching: [Int] { bots.indices.filter { !isGone($0) } }

    /// Whether the bot's activity ends before the adventure.
    func isGone(_ number: Int) -> Bool { dismissed.contains(number) || atInn.contains(number) }

    mutating func drawChangeMoments(_ dice: inout SeededRandom) {
        changeMoments = bots.indices.map { _ in dice.draw(in: 1...25) }
    }

    /// Takes the state from the API; returns the new events.
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
        let new = record.take(state.events)
        for event in new where event.kind == "knockedDown" {
            if event.hero.flatMap(state.hero)?.potions == 0 { helpless.insert(event.sequence) }
        }
        for event in new where event.kind == "heroStayed" { noteStay(event) }
        return new
    }

    /// A hero whose player could not answer while the server was down stays at the inn, one who was
    /// ready does not.
    private mutating func noteStay(_ event: EventState) {
        guard let number = bots.firstIndex(where: { $0.hero == event.hero }) else { return }
        atInn.insert(number)
        let check = record.events.last { $0.kind == "readyAsked" && $0.sequence < event.sequence }
        if ready[number] != nil, ready[number] == check?.sequence {
            violation("\(bots[number].heroName) was ready, and stays at the inn")
        }
    }

    /// Records the server's acknowledgement of a yes to a ready check.
    mutating func acknowledged(yes check: Int, of number: Int) { ready[number] = check }

    /// Returns what a bot sees, and which push or version shows it: its phone's card as the newest
    /// push has left it, or without phones the polled party. `nil`: its phone shows nothing, or it
    /// has put it away.
    func sight(
        of number: Int, in book: PhoneBook?, else state: PartyState
    ) -> (at: Int64, button: CardButton?)? {
        guard let book else {
            return (Int64(state.version), CardButton(of: bots[number].hero, in: state))
        }
        guard !isGone(number), let phone = phones[number].map({ book[$0] }),
            let newest = phone.received.last
        else { return nil }
        return (newest.aps.timestamp, phone.button)
    }

    /// Records that the bot needs to react to this sight no more.
    mutating func reacted(to sight: Int64, of number: Int) { lastSeen[number] = sight }

    /// Records the server's acknowledgement of a used potion, which must be in the events.
    mutating func acknowledged(potion state: PartyState) {
        potions += 1
        acknowledgedVersion = max(acknowledgedVersion, state.version)
    }

    mutating func violation(_ text: String) { result.violations.append(text) }
}
