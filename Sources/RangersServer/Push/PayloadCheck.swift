internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Would a phone understand what this server sends? Asked once, before the first push.
///
/// It writes one push of every kind, in every language and with the longest names that heroes may
/// have, by the encoding that real pushes take, and lets the linter read it. A translation that is
/// too long for a payload, or a state that the app could not decode, keeps the server from
/// starting instead of freezing cards without a word.
package struct PayloadCheck: Sendable {
    private let words: Words
    let encoding: PushEncoding
    let linter = PayloadLinter(schema: .adventure)

    /// Any time will do, as long as all dates agree.
    static let now = WallTime(milliseconds: 1_685_952_000_000)

    package init(words: Words) {
        self.words = words
        encoding = PushEncoding(bundleID: "com.example.check", words: words)
    }

    /// Refuses what a phone would not understand.
    package func run() throws(PayloadFaults) {
        let faults = faults()
        guard faults.isEmpty else { throw PayloadFaults(faults) }
    }

    /// Each push that APNs or a phone would mind, with what is wrong; none twice.
    package func faults() -> [String] {
        Language.allCases.flatMap { language in
            longest(in: language).flatMap { kind in
                orders(telling: kind).flatMap { faults(of: $0, in: language) }
            }
        } + rollOverFaults() + startFaults() + broadcastFaults()
    }

    // MARK: Samples

    /// As long as the API lets a name be: 40 flags of eight bytes each.
    private static let name = String(repeating: "🇯🇵", count: Hero.nameLengthMax)
    static let hero = HeroTag(id: HeroID("hero-1"), name: name)
    private static let companion = HeroTag(id: HeroID("hero-2"), name: name)

    /// Of the events that are told by the same sentence, the one with the longest words.
    func longest(in language: Language) -> [PartyEvent.Kind] {
        var longest: [String: (kind: PartyEvent.Kind, bytes: Int)] = [:]
        for kind in PayloadSamples.kinds(of: Self.hero, with: Self.companion) {
            let phrase = Self.phrase(for: kind)
            let bytes = words.text(phrase, in: language).utf8.count
            if bytes > longest[phrase.key]?.bytes ?? -1 { longest[phrase.key] = (kind, bytes) }
        }
        return longest.sorted { $0.key < $1.key }.map(\.value.kind)
    }

    private static func phrase(for kind: PartyEvent.Kind) -> Phrase {
        Policy.phrase(for: kind, onCardOf: hero)
    }

    /// The update that tells of it, with its alert if it has one, and the end that shows it last.
    private func orders(telling kind: PartyEvent.Kind) -> [PushOrder] {
        let rule = Policy.rule(for: kind)
        let alert = rule.alert?.alert
        return [order(.update, telling: kind, alert), order(Self.end, telling: kind, nil)]
    }

    /// Another card goes on with the story: this one says what it said, and leaves.
    private static let endAtOnce = PushOrder.Event.end(dismissalDate: now)
    static let end = PushOrder.Event.end(
        dismissalDate: now.adding(seconds: ActivityOutbox.dismissalSeconds))

    func order(
        _ event: PushOrder.Event, telling kind: PartyEvent.Kind, _ alert: Alert?
    ) -> PushOrder {
        let rule = Policy.rule(for: kind)
        let stale = Self.now.adding(seconds: StalePlanner.lostStaleAfterSeconds)
        return PushOrder(
            activity: ActivityID("activity-1"), event: event,
            // The longest number that a card shows.
            card: Card(health: Health(thousandths: 333), phrase: Self.phrase(for: kind)),
            alert: alert, priority: rule.priority, timestamp: Self.now.seconds,
            staleDate: event == .update ? stale : nil, relevanceScore: rule.relevance,
            expiration: Self.now.adding(seconds: rule.expirationSeconds), cardVersion: 1,
            dueSince: Self.now)
    }

    private func registration(in language: Language) -> ActivityRegistration {
        ActivityRegistration(
            id: ActivityID("activity-1"), player: PlayerID("player-1"), hero: Self.hero.id,
            party: PartyID("party-1"), pushToken: nil, tokenRegisteredAt: Self.now,
            environment: .sandbox, frequentPushesEnabled: true, language: language,
            osVersion: "18.0", state: .active, createdAt: Self.now)
    }

    // MARK: Judging

    private func rollOverFaults() -> [String] {
        Language.allCases.flatMap { language in
            faults(of: order(Self.endAtOnce, telling: .adventureBegan, nil), in: language)
        }
    }

    private func faults(of order: PushOrder, in language: Language) -> [String] {
        let name = "\"\(order.card.phrase.key)\" in \(language.rawValue)"
        do {
            let request = try encoding.request(
                for: order, to: registration(in: language), token: PushToken(hex: "00"))
            var context = PayloadLinter.Context()
            if order.event == Self.endAtOnce { context.dismissal = .atOnce }
            return linter.findings(in: request, context: context)
                .map { "\(name): \($0.sentence)" }
        } catch {
            return ["\(name): \(error)"]
        }
    }
}

/// Pushes that a phone would not understand.
package struct PayloadFaults: Error, Hashable, Sendable, CustomStringConvertible {
    package let faults: [String]

    /// More would only hide the first.
    private static let shownMax = 5

    init(_ faults: [String]) { self.faults = faults }

    package var description: String {
        let shown = faults.prefix(Self.shownMax).map { "\n  \($0)" }.joined()
        let more = faults.count - min(faults.count, Self.shownMax)
        return "phones would not understand \(faults.count) of the pushes that this server sends; "
            + "put the String Catalog or the content state right:\(shown)"
            + (more > 0 ? "\n  and \(more) more" : "")
    }
}
