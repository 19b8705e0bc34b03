package import GameLogic

/// The policy for one kind of event. Its words are made only when they are read.
package struct Rule: Hashable, Sendable {
    /// That on the cards of the heroes whom the event concerns.
    package let priority: PushPriority
    package let audience: Audience
    /// Who is alerted, and of what.
    package let alert: HeroAlert?
    /// The relevance against the app's other activities while this is shown (rule Q14).
    package let relevance: Int
    /// How long APNs may try to deliver it, in seconds.
    package let expirationSeconds: Int64
    /// What happened: "a small heal".
    let subject: String
    let tone: Tone

    /// Whom the event concerns; on the other cards it is low priority.
    package enum Audience: Hashable, Sendable {
        case party
        /// The owner of this hero, who is alerted.
        case hero(HeroID)
        /// The owner of this hero, and all who have a potion for it.
        case helpers(of: HeroID)
    }

    /// How the policy's sentence treats an event.
    enum Tone: Hashable, Sendable {
        case low, high, alerting, broadcast
        /// Low priority, but high in a boss rush on a phone with frequent updates.
        case blow
    }
}

extension Rule {
    /// One sentence, which the ledger shows.
    package var why: String { tone.why(subject) }

    /// Returns the alert for the owner of this hero, if it concerns them (rule Q9).
    package func alert(onActivityOf hero: HeroID) -> Alert? {
        alerts(playerOf: hero) ? alert?.alert : nil
    }

    func alerts(playerOf hero: HeroID) -> Bool { alert?.hero == hero }
}

extension Rule.Tone {
    func why(_ subject: String) -> String {
        switch self {
        case .low: "\(subject) can wait (Q1)"
        case .blow:
            "\(subject) can wait (Q1), except in a boss rush with frequent updates (Q6)"
        case .high: "\(subject) cannot wait (Q5)"
        case .alerting: "\(subject) cannot wait, and alerts a player who can act (Q10)"
        case .broadcast: "a broadcast to spectators can wait, and never alerts (Q1, Q9)"
        }
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
    static func low(_ subject: String, relevance: Int = Relevance.ordinary) -> Rule {
        Rule(
            priority: .low, audience: .party, alert: nil, relevance: relevance,
            expirationSeconds: Expiration.brief, subject: subject, tone: .low)
    }

    /// Returns a rule for what comes thick and fast in a boss rush: on phones with frequent updates
    /// it has high priority there.
    static func blow(_ subject: String) -> Rule {
        Rule(
            priority: .low, audience: .party, alert: nil, relevance: Relevance.ordinary,
            expirationSeconds: Expiration.brief, subject: subject, tone: .blow)
    }

    /// Returns a rule for high priority: at once, from the device's budget (rule Q4).
    static func high(
        _ subject: String, relevance: Int = Relevance.ordinary,
        expirationSeconds: Int64 = Expiration.lasting
    ) -> Rule {
        Rule(
            priority: .high, audience: .party, alert: nil, relevance: relevance,
            expirationSeconds: expirationSeconds, subject: subject, tone: .high)
    }

    /// Returns a rule for an alert: at once, with a sound for the player who can help. The cards of
    /// players outside the audience can wait.
    static func alerting(
        _ alert: HeroAlert, _ subject: String, to audience: Audience
    ) -> Rule {
        Rule(
            priority: .high, audience: audience, alert: alert,
            relevance: Relevance.raised,
            expirationSeconds: Expiration.alert, subject: subject, tone: .alerting)
    }
}
