package import GameLogic

/// What the Live Activities of a party's heroes say at the moment, in Apple's two fields: for
/// readers, who get it without a push, and for starts, which come before their activities.
package struct PartyCards: Sendable {
    private let current: CurrentParty
    private let activities: [LiveActivity]
    /// The events that the activities have not noted yet.
    private let step: PolicyStep?

    package init(
        of party: Party, _ activities: [LiveActivity], after events: [PartyEvent] = []
    ) {
        current = CurrentParty(of: party)
        self.activities = activities
        let start = WallTime(milliseconds: 0)
        step =
            events.isEmpty
            ? nil : PolicyStep(events: events, current, version: 0, now: start, wallOffset: 0)
    }

    /// Returns the sentence of the card of the member with this index; `nil`: nothing has happened.
    /// `activity`: whose of the hero's activities; `nil`: that of the first.
    package func text(at index: Int, on activity: ActivityID? = nil) -> LocalizableText? {
        let card = Card(of: current.members[index].hero.id)
        return current.sentence(on: card) ?? news(on: card, of: activity)?.text
    }

    /// Returns what the hero's card tells, also behind a question. `first`: what was to be told by
    /// one that no app has reported.
    func news(
        on card: Card, of activity: ActivityID? = nil, after first: News? = nil
    ) -> News? {
        for place in activities.indices {
            guard activities[place].registration.hero == card.hero,
                activities[place].registration.recipient == .player,
                activity == nil || activities[place].registration.id == activity,
                let outbox = activities[place].outbox, !outbox.isEnding
            else { continue }
            return outbox.news(after: step, on: card, in: current)
        }
        var choice = NewsChoice(on: card, in: current)
        if let first { choice.offer(first) }
        if let step { choice.offer(step) }
        return choice.news
    }
}
