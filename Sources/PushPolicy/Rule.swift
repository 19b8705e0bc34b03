package import GameLogic

/// What the table says of one kind of event.
package struct Rule: Hashable, Sendable {
    package let priority: PushPriority
    package let alert: HeroAlert?
    /// What the card is worth against the app's other cards while it tells of this (rule Q14).
    package let relevance: Int
    /// For how long APNs may try to deliver it, in seconds.
    package let expirationSeconds: Int64
    /// One sentence: the ledger shows it.
    package let why: String

    /// The alert for the owner of this hero's card, if it concerns them (rule Q9).
    package func alert(onCardOf hero: HeroID) -> Alert? {
        guard let alert, alert.hero == hero else { return nil }
        return alert.alert
    }
}

/// An alert that only one hero's owner gets.
package struct HeroAlert: Hashable, Sendable {
    package let hero: HeroID
    package let alert: Alert
}

extension Rule {
    /// Seconds for which a push is worth delivering.
    package enum Expiration {
        /// Small news: the next push tells more.
        package static let brief: Int64 = 15 * 60
        /// A call for help: later it would only annoy.
        package static let urgent: Int64 = 10 * 60
        /// What the player should find even after a tunnel.
        package static let lasting: Int64 = 60 * 60
        /// A card stays at most this long after its end (rule N2).
        package static let end: Int64 = 4 * 60 * 60
    }

    /// Whenever the device finds it convenient: no budget, little battery (rule Q2).
    static func low(_ why: String) -> Rule {
        Rule(
            priority: .low, alert: nil, relevance: Relevance.ordinary,
            expirationSeconds: Expiration.brief, why: "\(why) is low priority (Q1)")
    }

    /// At once, at the price of the device's budget (rule Q4).
    static func high(
        _ why: String, relevance: Int = Relevance.ordinary,
        expirationSeconds: Int64 = Expiration.lasting
    ) -> Rule {
        Rule(
            priority: .high, alert: nil, relevance: relevance,
            expirationSeconds: expirationSeconds, why: "\(why) is high priority (Q5)")
    }

    /// At once, with a sound for the one who can help.
    static func alerting(_ hero: HeroTag, _ why: String) -> Rule {
        let alert = Alert(
            titleKey: "%@ is knocked down!", titleArguments: [hero.name],
            bodyKey: "Use a potion to heal %@!", bodyArguments: [hero.name],
            sound: "HeroDown.mp4")
        return Rule(
            priority: .high, alert: HeroAlert(hero: hero.id, alert: alert),
            relevance: Relevance.urgent, expirationSeconds: Expiration.urgent,
            why: "\(why) is high priority and alerts the hero's owner (Q10)")
    }
}
