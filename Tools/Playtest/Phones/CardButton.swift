/// The one button of a card: what its player can do now.
enum CardButton: Hashable, Sendable {
    /// The own hero needs a potion and has one.
    case drink(Need)
    /// A friend is down and has none.
    case give(friend: String)
    /// A question of the adventure that the player has not said yes to.
    case answer(ask: Int, button: String)

    enum Need: Hashable, Sendable {
        /// The hero is down.
        case down
        /// The hero has little health.
        case danger
    }
}

extension CardButton {
    /// Reads it from what a phone shows; `nil`: there is none, or only one that bots leave alone:
    /// they stop no boss rush, and answer ready checks in the app.
    init?(on card: ReceivedPush.Content) {
        guard let ask = card.ask else { return nil }
        switch (ask.kind, ask.id) {
        case ("potion", _): self = .drink(card.currentHealthLevel == 0 ? .down : .danger)
        case ("give", _):
            guard let friend = card.link?.split(separator: "/").last else { return nil }
            self = .give(friend: String(friend))
        case ("stop", _), ("ready", _): return nil
        case (_, let id?) where ask.mine == false: self = .answer(ask: id, button: ask.button)
        default: return nil
        }
    }

    /// The health below which a hero is in danger, where no phone says it.
    private static let dangerousHealth = 0.25

    /// Makes it from the party, for a hero without a phone that could show it.
    init?(of hero: String, in party: PartyState) {
        guard let own = party.hero(hero) else { return nil }
        if own.potions > 0, let button = Self.potion(of: own, in: party) {
            self = button
            return
        }
        let open = party.adventure?.asks.first {
            $0.kind != "stop" && !$0.isAnswered(by: hero)
        }
        guard let open else { return nil }
        self = .answer(ask: open.id, button: open.button)
    }

    /// Returns the button of a hero with a potion that somebody needs.
    private static func potion(of own: MemberState, in party: PartyState) -> CardButton? {
        if own.isKnockedDown { return .drink(.down) }
        guard own.isStanding else { return nil }
        if let friend = party.heroes.first(where: { $0.isKnockedDown && $0.potions == 0 }) {
            return .give(friend: friend.id)
        }
        return own.health < dangerousHealth ? .drink(.danger) : nil
    }
}
