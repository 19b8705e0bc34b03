package import GameLogic

/// What the Live Activities of a party's heroes say at the moment, in Apple's two fields: for
/// readers, who get it without a push.
package struct PartyCards: Sendable {
    private let current: CurrentParty
    private let activities: [LiveActivity]

    package init(of party: Party, _ activities: [LiveActivity]) {
        current = CurrentParty(of: party)
        self.activities = activities
    }

    /// Returns the sentence of the card of the member with this index; `nil`: nothing has happened.
    /// `activity`: whose of the hero's activities; `nil`: that of the first.
    package func text(at index: Int, on activity: ActivityID? = nil) -> LocalizableText? {
        let card = Card(of: current.members[index].hero.id)
        if let question = current.sentence(on: card) { return question }
        for place in activities.indices {
            guard activities[place].registration.hero == card.hero,
                activities[place].registration.recipient == .player,
                activity == nil || activities[place].registration.id == activity,
                let outbox = activities[place].outbox, !outbox.isEnding
            else { continue }
            return outbox.news(after: nil, on: card, in: current)?.text
        }
        return current.news(on: card)?.text
    }
}
