internal import GameLogic

/// What one step means for all activities of a party, looked up once.
struct PolicyStep {
    let events: [PartyEvent]
    /// What each event says on all cards, so that they share it; `nil`: each card has its own.
    let texts: [LocalizableText?]
    let effects: [Effect]
    let current: CurrentParty
    let version: Int64
    let now: WallTime
    /// The wall clock minus `now`, in milliseconds.
    let wallOffset: Int64
    /// The event that ends the adventure.
    let over: Int?
    let hasLeavers: Bool
    /// Whether an adventure begins.
    let begins: Bool
    let hasHighPriority: Bool

    init(
        events: [PartyEvent], _ current: CurrentParty, version: Int64, now: WallTime,
        wallOffset: Int64
    ) {
        self.events = events
        self.current = current
        self.version = version
        self.now = now
        self.wallOffset = wallOffset
        texts = events.map(EventTexts.textForAll)
        effects = events.map(Effect.init)
        over = effects.firstIndex(where: \.isOver)
        hasLeavers = effects.contains(where: \.isDeparture)
        begins = effects.contains(where: \.isBeginning)
        hasHighPriority = effects.contains { $0.priority == .high }
    }

    /// The policy for one event on a player's activity, without the words.
    struct Effect {
        let sequence: Int
        let priority: PushPriority
        let audience: Rule.Audience
        let relevance: Int
        let expirationSeconds: Int64
        let alerts: Bool
        let news: NewsRule
        /// Whether it has high priority on the cards of a rush that take frequent updates.
        private let isBlow: Bool
        let isBeginning: Bool
        let isOver: Bool
        let isDeparture: Bool

        init(of event: PartyEvent) {
            let rule = Policy.rule(for: event.kind)
            sequence = event.sequence
            priority = rule.priority
            audience = rule.audience
            relevance = rule.relevance
            expirationSeconds = rule.expirationSeconds
            alerts = rule.alert != nil
            news = NewsPolicy.rule(for: event.kind)
            isBlow = rule.tone == .blow
            isBeginning = if case .adventureBegan = event.kind { true } else { false }
            isOver = if case .adventureOver = event.kind { true } else { false }
            isDeparture = event.kind.departed != nil
        }

        /// Returns the priority on a card, on which it is at most the recipient's.
        func priority(on card: Card, in current: CurrentParty) -> PushPriority {
            let isConcerned =
                switch audience {
                case .party: true
                case .hero(let concerned): concerned == card.hero
                case .helpers(of: let fallen):
                    fallen == card.hero || current.canHelp(card.hero)
                }
            let isHigh = priority == .high ? isConcerned : isBlow && card.isFast
            return min(isHigh ? .high : .low, card.recipient.highestPriority)
        }
    }

    /// Returns the event that ends the hero's activity: the adventure is over, or the hero leaves or
    /// stays at the inn.
    func end(for hero: HeroID) -> Int? {
        guard hasLeavers else { return over }
        return effects.indices.first { effects[$0].isOver || tagOfLeaver(hero, at: $0) != nil }
    }

    func tagOfLeaver(_ hero: HeroID, at index: Int) -> HeroTag? {
        guard let tag = events[index].kind.departed, tag.id == hero else { return nil }
        return tag
    }

    /// Returns whether the event alerts the owner of this hero.
    func alerts(_ recipient: Recipient, with hero: HeroID, of index: Int) -> Bool {
        guard effects[index].alerts else { return false }
        return Policy.rule(for: events[index].kind, on: recipient).alerts(playerOf: hero)
    }
}

extension PartyEvent.Kind {
    /// The hero whose activity ends although the adventure goes on.
    fileprivate var departed: HeroTag? {
        if case .heroLeft(let hero) = self { return hero }
        if case .heroStayed(let hero) = self { return hero }
        return nil
    }
}

/// What the priority and the content of an activity depend on.
struct Card {
    let hero: HeroID
    let recipient: Recipient
    let version: StateVersion
    /// Whether it is in a boss rush, on a phone with frequent updates.
    let isFast: Bool

    init(of hero: HeroID, _ registration: ActivityRegistration, in current: CurrentParty) {
        self.hero = hero
        recipient = registration.recipient
        version = registration.stateVersion
        isFast = current.isRush && registration.frequentPushesEnabled
    }

    /// A player's card with Apple's two fields.
    init(of hero: HeroID) {
        (self.hero, recipient, version, isFast) = (hero, .player, .first, false)
    }

    /// Whether its player can answer: spectators cannot.
    var isAsked: Bool {
        switch recipient {
        case .player: true
        case .spectator: false
        }
    }
}
