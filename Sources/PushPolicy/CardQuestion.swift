package import GameLogic

/// The one question of a card, which one button answers.
package struct CardQuestion: Hashable, Sendable {
    /// In the order in which a card shows them: the first one that concerns its hero.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case potion, give, brace, stop, flee, `guard`, fork, loot, ready
    }

    /// How the heroes have answered a question of the adventure.
    package struct Votes: Hashable, Sendable {
        package let id: Int
        /// Whether the card's own hero has said yes.
        package let isMine: Bool
        package let yes: Int
        /// How many are asked.
        package let of: Int

        package init(id: Int, isMine: Bool, yes: Int, of: Int) {
            self.id = id
            self.isMine = isMine
            self.yes = yes
            self.of = of
        }
    }

    package let kind: Kind
    /// The sentence that asks. It stays as long as the button.
    package var text: LocalizableText
    package let button: LocalizableText
    /// By the server's clock until the card is sent, then by the wall clock.
    package var endsAt: WallTime?
    /// `nil` where an action answers: a potion.
    package let votes: Votes?

    package init(
        _ kind: Kind, text: LocalizableText, button: LocalizableText, endsAt: WallTime? = nil,
        votes: Votes? = nil
    ) {
        self.kind = kind
        self.text = text
        self.button = button
        self.endsAt = endsAt
        self.votes = votes
    }
}

extension CardQuestion.Kind {
    package init(_ kind: Ask.Kind) {
        switch kind {
        case .brace: self = .brace
        case .stop: self = .stop
        case .flee: self = .flee
        case .guardFriend: self = .guard
        case .fork: self = .fork
        case .loot: self = .loot
        }
    }

    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A question of the adventure that is open, with its words.
struct OpenQuestion: Sendable {
    let ask: Ask
    let text: LocalizableText
    /// By the server's clock; `nil`: the question has no end of its own, or the clock is not known.
    let endsAt: WallTime?
}

extension Party {
    /// Returns the adventure's open questions.
    func openQuestions(by clock: (any AdventureClock)?) -> [OpenQuestion] {
        guard let adventure, !adventure.isOver else { return [] }
        return adventure.course.asks.compactMap { ask in
            text(of: ask, in: adventure).map { text in
                OpenQuestion(
                    ask: ask, text: text,
                    endsAt: adventure.end(of: ask).flatMap { clock?.wallTime(of: $0) })
            }
        }
    }

    /// Returns the question's sentence; `nil`: what it is about is gone.
    private func text(of ask: Ask, in adventure: Adventure) -> LocalizableText? {
        switch ask.kind {
        case .brace: adventure.boss.map { AskTexts.brace(before: $0, in: ask.telling) }
        case .flee: AskTexts.flee
        case .guardFriend(let friend): hero(friend).map { AskTexts.guarding($0.tag) }
        case .fork(let fork): AskTexts.question(at: fork)
        case .loot(_, finder: let finder):
            (hero(finder) ?? adventure.departed.first { $0.hero.id == finder }?.hero)
                .map { AskTexts.loot(of: $0.tag) }
        case .stop: AskTexts.stop
        }
    }
}

// MARK: Questions to a hero

extension CurrentParty {
    /// Returns the one question of a card of version 2.
    func question(on card: Card, at index: Int) -> CardQuestion? {
        guard card.isAsked else { return nil }
        guard isOnAdventure else { return openQuestion(to: index) }
        let tag = members[index].hero.tag
        if canDrink(index) {
            return CardQuestion(
                .potion,
                text: members[index].isKnockedDown
                    ? AskTexts.isDown(tag) : AskTexts.isInDanger(tag),
                button: AskTexts.drink)
        }
        if let friend = friendInNeed(of: index) {
            return CardQuestion(.give, text: AskTexts.needsPotion(friend), button: AskTexts.give)
        }
        return openQuestion(to: index)
    }

    /// Returns the sentence of a card of version 1 while its hero is asked something. A hero who is
    /// down is told so instead: that lasts longer.
    func sentence(on card: Card) -> LocalizableText? {
        switch card.version {
        case .second: return nil
        case .first:
            guard card.isAsked, !isDown(card.hero), let index = index(of: card.hero) else {
                return nil
            }
            return openQuestion(to: index)?.text
        }
    }

    /// Whether a question of the adventure, or the ready check, asks the card's player.
    func hasQuestion(on card: Card) -> Bool {
        guard card.isAsked, let index = index(of: card.hero) else { return false }
        guard isOnAdventure else { return isAskedReady }
        return questions.contains { $0.ask.kind.concerns(members[index]) }
    }

    /// Returns when the first of all questions to the card's hero ends; `nil`: none has an end.
    func nextEnd(on card: Card) -> WallTime? {
        index(of: card.hero).flatMap { nextEnd(on: card, at: $0) }
    }

    /// The same for the member with this index.
    func nextEnd(on card: Card, at index: Int) -> WallTime? {
        guard card.isAsked else { return nil }
        guard isOnAdventure else {
            return readyCheck.map { WallTime(milliseconds: $0.plan.endsAt) }
        }
        guard !questions.isEmpty else { return nil }
        return questions.filter { $0.ask.kind.concerns(members[index]) }.compactMap(\.endsAt).min()
    }

    /// Returns whether an event that opens a question is a part of the story on this card: the
    /// question is open, and asks others.
    func isStory(_ kind: PartyEvent.Kind, on card: Card) -> Bool {
        guard card.isAsked, let index = index(of: card.hero) else { return true }
        let opened = questions.first { $0.ask.kind.isOpened(by: kind) }
        return opened.map { !$0.ask.kind.concerns(members[index]) } ?? false
    }

    /// Returns the first question of the adventure, or the ready check, that asks the member.
    private func openQuestion(to index: Int) -> CardQuestion? {
        guard isOnAdventure else { return readyCheck.map { question(to: index, $0) } }
        let first = questions.filter { $0.ask.kind.concerns(members[index]) }.min {
            CardQuestion.Kind($0.ask.kind).place < CardQuestion.Kind($1.ask.kind).place
        }
        return first.map { open in
            CardQuestion(
                CardQuestion.Kind(open.ask.kind), text: open.text,
                button: AskTexts.button(for: open.ask.kind), endsAt: open.endsAt,
                votes: CardQuestion.Votes(
                    id: open.ask.id, isMine: open.ask.yes.contains(members[index].hero.id),
                    yes: open.ask.yes.count, of: members.count { open.ask.kind.concerns($0) }))
        }
    }

    private func question(to index: Int, _ check: ReadyCheck) -> CardQuestion {
        CardQuestion(
            .ready, text: AskTexts.isReady, button: AskTexts.ready,
            endsAt: WallTime(milliseconds: check.plan.endsAt),
            votes: CardQuestion.Votes(
                id: check.id, isMine: check.yes.contains(members[index].hero.id),
                yes: check.yes.count, of: members.count))
    }

    func canDrink(_ index: Int) -> Bool {
        members[index].potions > 0 && (members[index].isKnockedDown || members[index].isInDanger)
    }

    /// Returns the friend who is down and for whom the hero was asked.
    func friendInNeed(of index: Int) -> HeroTag? {
        guard members[index].isStanding, members[index].potions > 0 else { return nil }
        let helper = members[index].hero.id
        for friend in members.indices where members[friend].isKnockedDown {
            if members[friend].outing.fall.asked.contains(helper) {
                return members[friend].hero.tag
            }
        }
        return nil
    }
}

extension Ask.Kind {
    /// Whether this event opens the question.
    fileprivate func isOpened(by event: PartyEvent.Kind) -> Bool {
        switch self {
        case .brace: if case .bossGathers = event { true } else { false }
        case .flee: event == .fleeAsked
        case .stop: event == .stopAsked
        case .guardFriend(let friend):
            if case .guardAsked(let hero) = event { hero.id == friend } else { false }
        case .fork(let fork): event == .forkAsked(fork)
        case .loot(let item, finder: let finder):
            if case .lootAsked(let hero, item) = event { hero.id == finder } else { false }
        }
    }
}
