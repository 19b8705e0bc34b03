package import GameLogic

/// The policy for one kind of event. Its words are made only when they are read.
package struct Rule: Hashable, Sendable {
    package let priority: PushPriority
    /// The hero whose owner is alerted.
    let alertedHero: HeroTag?
    /// The relevance against the app's other activities while this is shown (rule Q14).
    package let relevance: Int
    /// How long APNs may try to deliver it, in seconds.
    package let expirationSeconds: Int64
    /// What happened: "a small heal".
    let subject: String
    let tone: Tone

    /// How the policy's sentence treats an event.
    enum Tone: Hashable, Sendable {
        case low, high, alerting, broadcast
    }
}

extension Rule {
    /// One sentence, which the ledger shows.
    package var why: String { tone.why(subject) }

    package var alert: HeroAlert? {
        alertedHero.map { HeroAlert(hero: $0.id, alert: .knockDown(of: $0)) }
    }

    /// Returns the alert for the owner of this hero, if it concerns them (rule Q9).
    package func alert(onActivityOf hero: HeroID) -> Alert? {
        guard let alertedHero, alertedHero.id == hero else { return nil }
        return .knockDown(of: alertedHero)
    }

    func alerts(playerOf hero: HeroID) -> Bool { alertedHero?.id == hero }
}

extension Rule.Tone {
    func why(_ subject: String) -> String {
        switch self {
        case .low: "\(subject) is low priority (Q1)"
        case .high: "\(subject) is high priority (Q5)"
        case .alerting: "\(subject) is high priority and alerts the hero's player (Q10)"
        case .broadcast: "a broadcast to spectators is low priority and never alerts (Q1, Q9)"
        }
    }
}

/// An alert for the owner of one hero only.
package struct HeroAlert: Hashable, Sendable {
    package let hero: HeroID
    package let alert: Alert
}

extension Alert {
    static func knockDown(of hero: HeroTag) -> Alert {
        Alert(
            titleKey: "%@ is knocked down!", titleArguments: [hero.name],
            bodyKey: "Use a potion to heal %@!", bodyArguments: [hero.name],
            sound: "HeroDown.mp4")
    }
}

extension Rule {
    /// How long a push is worth delivering, in seconds.
    package enum Expiration {
        /// Small events: the next push has more.
        package static let brief: Int64 = 15 * 60
        /// Alerts: later they would only annoy.
        package static let alert: Int64 = 10 * 60
        /// What the player should find even after a long time offline.
        package static let lasting: Int64 = 60 * 60
        /// An activity stays at most this long after its end (rule N2).
        package static let end: Int64 = 4 * 60 * 60
    }

    /// Returns a rule for low priority: at the device's convenience, without budget (rule Q2).
    static func low(_ subject: String) -> Rule {
        Rule(
            priority: .low, alertedHero: nil, relevance: Relevance.ordinary,
            expirationSeconds: Expiration.brief, subject: subject, tone: .low)
    }

    /// Returns a rule for high priority: at once, from the device's budget (rule Q4).
    static func high(
        _ subject: String, relevance: Int = Relevance.ordinary,
        expirationSeconds: Int64 = Expiration.lasting
    ) -> Rule {
        Rule(
            priority: .high, alertedHero: nil, relevance: relevance,
            expirationSeconds: expirationSeconds, subject: subject, tone: .high)
    }

    /// Returns a rule for an alert: at once, with a sound for the player who can help.
    static func alerting(_ hero: HeroTag, _ subject: String) -> Rule {
        Rule(
            priority: .high, alertedHero: hero, relevance: Relevance.raised,
            expirationSeconds: Expiration.alert, subject: subject, tone: .alerting)
    }
}
