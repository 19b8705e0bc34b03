package import GameLogic

/// What the table says of one kind of event. Its words are made when somebody reads them.
package struct Rule: Hashable, Sendable {
    package let priority: PushPriority
    /// Whose owner is alerted.
    let alertedHero: HeroTag?
    /// What the card is worth against the app's other cards while it tells of this (rule Q14).
    package let relevance: Int
    /// For how long APNs may try to deliver it, in seconds.
    package let expirationSeconds: Int64
    /// What happened: "a small heal".
    let subject: String
    let tone: Tone

    /// How the table speaks of an event.
    enum Tone: Hashable, Sendable {
        case low, high, alerting, broadcast
    }
}

extension Rule {
    /// One sentence: the ledger shows it.
    package var why: String { tone.why(subject) }

    package var alert: HeroAlert? {
        alertedHero.map { HeroAlert(hero: $0.id, alert: .fall(of: $0)) }
    }

    /// The alert for the owner of this hero's card, if it concerns them (rule Q9).
    package func alert(onCardOf hero: HeroID) -> Alert? {
        guard let alertedHero, alertedHero.id == hero else { return nil }
        return .fall(of: alertedHero)
    }

    func alerts(ownerOf hero: HeroID) -> Bool { alertedHero?.id == hero }
}

extension Rule.Tone {
    func why(_ subject: String) -> String {
        switch self {
        case .low: "\(subject) is low priority (Q1)"
        case .high: "\(subject) is high priority (Q5)"
        case .alerting: "\(subject) is high priority and alerts the hero's owner (Q10)"
        case .broadcast: "a broadcast to spectators is low priority and never alerts (Q1, Q9)"
        }
    }
}

/// An alert that only one hero's owner gets.
package struct HeroAlert: Hashable, Sendable {
    package let hero: HeroID
    package let alert: Alert
}

extension Alert {
    static func fall(of hero: HeroTag) -> Alert {
        Alert(
            titleKey: "%@ is knocked down!", titleArguments: [hero.name],
            bodyKey: "Use a potion to heal %@!", bodyArguments: [hero.name],
            sound: "HeroDown.mp4")
    }
}

extension Rule {
    /// Seconds for which a push is worth delivering.
    package enum Expiration {
        /// Small events: the next push tells more.
        package static let brief: Int64 = 15 * 60
        /// A call for help: later it would only annoy.
        package static let urgent: Int64 = 10 * 60
        /// What the player should find even after a tunnel.
        package static let lasting: Int64 = 60 * 60
        /// A card stays at most this long after its end (rule N2).
        package static let end: Int64 = 4 * 60 * 60
    }

    /// Whenever the device finds it convenient: no budget, little battery (rule Q2).
    static func low(_ subject: String) -> Rule {
        Rule(
            priority: .low, alertedHero: nil, relevance: Relevance.ordinary,
            expirationSeconds: Expiration.brief, subject: subject, tone: .low)
    }

    /// At once, at the price of the device's budget (rule Q4).
    static func high(
        _ subject: String, relevance: Int = Relevance.ordinary,
        expirationSeconds: Int64 = Expiration.lasting
    ) -> Rule {
        Rule(
            priority: .high, alertedHero: nil, relevance: relevance,
            expirationSeconds: expirationSeconds, subject: subject, tone: .high)
    }

    /// At once, with a sound for the one who can help.
    static func alerting(_ hero: HeroTag, _ subject: String) -> Rule {
        Rule(
            priority: .high, alertedHero: hero, relevance: Relevance.urgent,
            expirationSeconds: Expiration.urgent, subject: subject, tone: .alerting)
    }
}
