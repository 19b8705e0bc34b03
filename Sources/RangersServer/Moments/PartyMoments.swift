internal import GameLogic
internal import PartyStore
internal import HTTPServer
internal import PushPolicy

/// A party's story with its phones: what each showed after any change of the journal, and why.
///
/// Pure: journal rows in, values out. It replays the game, makes each push again, and takes what
/// became of it from the journal.
struct PartyMoments: Sendable {
    /// How to keep what is told.
    struct Settings: Sendable {
        let millisecondsPerSecond: Int64
        var wallOffsets: WallOffsets
        let kept: Kept
    }

    /// Which pushes are kept.
    enum Kept: Sendable {
        /// So many of each phone.
        case newest(Int)
        /// All with a later timestamp.
        case after(Int64)
    }

    /// The most events among which that of a push is found.
    private static let recentMax = 512

    private(set) var story: StoryReplay
    /// In the order in which they were first heard of.
    private(set) var phones: [PhoneStory] = []
    /// When the newest change was committed.
    private(set) var time: WallTime?
    private var newest: PushAgain?
    /// The newest events, without gaps: a push may tell an earlier one.
    private var recent: [PartyEvent] = []
    private var settings: Settings
    /// What is known of phones now, in the order of their registration.
    private var known: [ActivityRegistration]

    init(from party: Party, cards: [ActivityRegistration], _ settings: Settings) {
        story = StoryReplay(
            from: party, millisecondsPerSecond: settings.millisecondsPerSecond)
        known = cards
        self.settings = settings
    }

    /// Notes what is known of phones, and of the wall clock, by now.
    mutating func learn(_ cards: [ActivityRegistration], _ wallOffsets: WallOffsets) {
        known = cards
        settings.wallOffsets = wallOffsets
        for card in cards {
            guard let phone = phones.firstIndex(where: { $0.id == card.id }) else { continue }
            phones[phone].learn(card)
        }
    }

    /// Tells the next change.
    mutating func add(_ change: LoggedChange) throws(Problem) {
        _ = try story.play(change)
        time = change.at
        recent += change.events
        if recent.count > 2 * Self.recentMax { recent.removeFirst(recent.count - Self.recentMax) }
        let again = PushAgain(
            after: story.party, events: change.events, recent: recent, clock: story.clock,
            pausedUntil: story.clock?.pausedUntil(at: change.at), now: change.at,
            wallOffset: settings.wallOffsets.offset(at: change.at))
        newest = again
        if change.events.contains(where: { $0.kind.isBeginOfAdventure }) { forgetEnded() }
        meet(registeredBefore: change.at)
        note(change.responses)
        let first = change.events.first?.sequence ?? 0
        for decision in change.decisions {
            let index = decision.sequence - first
            let event = change.events.indices.contains(index) ? change.events[index] : nil
            let phone = place(of: decision.activity)
            phones[phone].note(decision, on: event, in: change, again)
        }
        for index in phones.indices { phones[index].follow(change, again) }
        for push in change.pushes { note(push, change, again) }
    }

    /// Notes responses that came before the next change.
    mutating func note(_ responses: [JournalResponse]) {
        for record in responses {
            guard let phone = phones.firstIndex(where: { $0.id == record.activity }) else {
                continue
            }
            phones[phone].note(record)
        }
    }

    /// Notes the responses that no row of the journal has yet.
    mutating func noteNewest(_ watch: PushWatch, _ stored: StoredParty) {
        for phone in phones where phone.inFlight != nil {
            if let record = watch.response(to: phone.id) { note([record]) }
        }
        for phone in phones {
            if let record = phone.acceptance(by: stored) { note([record]) }
        }
    }

    /// Notes who has registered by now, although nothing has happened since.
    mutating func meet(registeredBefore time: WallTime) {
        for card in known where card.createdAt <= time { _ = place(of: card.id) }
        guard let leader = story.party.members.first?.hero.id else { return }
        for index in phones.indices
        where phones[index].card?.recipient == .spectator {
            phones[index].show(leader)
        }
    }

    /// The phones with what each should show now instead of what it shows.
    var cards: [MomentReader.Card] {
        phones.map { phone in
            MomentReader.Card(phone: phone, owed: newest.flatMap { phone.owed($0) })
        }
    }

    /// Returns the kept pushes to a phone, or to all, in the order of their timestamps.
    func sent(to activity: ActivityID?) -> [MadePush] {
        phones.filter { activity == nil || $0.id == activity }.flatMap(\.sent).sorted {
            ($0.logged.timestamp, $0.at) < ($1.logged.timestamp, $1.at)
        }
    }

    func count(of activity: ActivityID?) -> Int {
        phones.reduce(0) { activity == nil || $1.id == activity ? $0 + $1.sent.count : $0 }
    }

    // MARK: Phones

    private mutating func place(of activity: ActivityID) -> Int {
        if let place = phones.firstIndex(where: { $0.id == activity }) { return place }
        let card = known.first { $0.id == activity }
        var phone = PhoneStory(activity, card, keeping: settings.kept)
        if let card, let device = card.device {
            let name = StartPlanner.ledgerName(of: card.hero, on: device)
            if let start = phones.first(where: { $0.id == name }) { phone.adopt(start) }
        }
        phones.append(phone)
        return phones.count - 1
    }

    /// The phones of an earlier adventure show nothing of this one.
    private mutating func forgetEnded() {
        phones.removeAll { $0.endedAt != nil || $0.isGone }
    }

    private mutating func note(_ push: JournalPush, _ change: LoggedChange, _ again: PushAgain) {
        let phone = place(of: push.activity)
        guard push.form == .start else { return phones[phone].note(push, in: change, again) }
        phones[phone].note(start: start(push, change, again), push, in: change)
    }

    /// Returns a start made again; `nil`: no app has reported the activity that it has created.
    private func start(
        _ push: JournalPush, _ change: LoggedChange, _ again: PushAgain
    ) -> PlannedPush? {
        let card = known.first { card in
            card.device.map { StartPlanner.ledgerName(of: card.hero, on: $0) } == push.activity
        }
        let decision = change.decisions.first { $0.activity == push.activity }
        guard let card, let device = card.device else { return nil }
        return again.start(
            PushAgain.Sent(
                timestamp: push.timestamp, tells: push.tells, priority: push.priority, alert: nil,
                alertSequence: nil, contentVersion: 0,
                times: PlannedPush.Times(
                    dueSince: min(change.at, push.readyAt), readyAt: push.readyAt),
                payment: nil),
            of: card.hero,
            because: decision?.notes.contains(.startsForRollOver) == true
                ? .rollOver : .adventureBegins,
            sequence: decision?.sequence ?? again.newestEvent,
            on: StartDevice.Key(
                player: card.player, environment: card.environment, device: device),
            in: card.language)
    }
}

extension PartyEvent.Kind {
    fileprivate var isBeginOfAdventure: Bool {
        if case .adventureBegan = self { true } else { false }
    }
}
