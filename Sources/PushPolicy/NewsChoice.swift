internal import GameLogic

/// Chooses what a card tells: the best of what is offered, in the order in which it happened.
struct NewsChoice {
    private let card: Card
    private let current: CurrentParty
    private var best: News?
    /// What the card has told last.
    private var told: News?

    init(on card: Card, in current: CurrentParty) {
        self.card = card
        self.current = current
    }

    /// Offers what the card has told, or has still to tell.
    mutating func offer(_ news: News) {
        guard news.mark.isOpen else { return told = news }
        if let rank = rankNow(of: news.mark.rank) { take(news, as: rank) }
    }

    /// Offers the events of a step. A beginning makes old what was before it.
    mutating func offer(_ step: PolicyStep) {
        for index in step.events.indices {
            let (event, rule) = (step.events[index], step.effects[index].news)
            if step.effects[index].isBeginning { (best, told) = (nil, nil) }
            guard let rank = rankNow(of: rule.rank(on: card.hero)), isHigher(rank),
                !rule.isQuestion || current.isStory(event.kind, on: card)
            else { continue }
            let text = step.texts[index] ?? current.text(of: event, on: card)
            best = text.map { News($0, News.Mark(sequence: event.sequence, rank)) }
        }
    }

    /// What the card tells; `nil`: nothing has happened that it could tell.
    var news: News? {
        let isDown = current.isDown(card.hero)
        if let best, !isDown || best.mark.rank.takesPlaceOfFall { return best }
        if let told, rankNow(of: told.mark.rank) != nil,
            !isDown || told.mark.rank.tellsOfFall
        {
            return told
        }
        return current.news(on: card)
    }

    private mutating func take(_ news: News, as rank: News.Rank) {
        guard isHigher(rank) else { return }
        best = News(news.text, News.Mark(sequence: news.mark.sequence, rank))
    }

    /// Of equals the newer one is told.
    private func isHigher(_ rank: News.Rank) -> Bool { best.map { $0.mark.rank <= rank } ?? true }

    /// Returns how much news of this rank matters by now; `nil`: it is over, or never was the card's.
    private func rankNow(of rank: News.Rank) -> News.Rank? {
        switch rank {
        case .untold: nil
        case .fall, .need: current.isDown(card.hero) ? rank : nil
        case .lastStand: current.isLastStand ? rank : nil
        case .call: current.isCalledForHelp(card.hero) ? rank : nil
        case .danger: current.isInDanger(card.hero) ? rank : .company
        case .others, .company, .way, .turn, .find, .blow, .rescue, .word, .end: rank
        }
    }
}
