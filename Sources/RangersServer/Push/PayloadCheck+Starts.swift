internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Starts have attributes beside the card, and an alert always: the largest pushes there are.
extension PayloadCheck {
    /// A start in each language and for each reason, for a system that takes `input-push-token`
    /// and for one that does not.
    func startFaults() -> [String] {
        Language.allCases.flatMap { language in
            StartOrder.Reason.allCases.flatMap { reason in
                ["17.2", "18.0"].flatMap {
                    faults(of: Self.start(in: language, because: reason, osVersion: $0))
                }
            }
        }
    }

    /// A hero with the longest words that the API takes.
    private static var longestHero: Hero {
        Hero(
            id: hero.id, owner: PlayerID("player-1"), name: hero.name, avatar: "👩🏽‍🚀",
            heroType: String(repeating: "🇯🇵", count: Hero.heroTypeLengthMax),
            healthLevel: Health(thousandths: 333), healthRecoveryRatePerHour: 333, exp: .max)
    }

    private static func start(
        in language: Language, because reason: StartOrder.Reason, osVersion: String
    ) -> StartOrder {
        let traits = StartDevice.Traits(
            tokenRegisteredAt: now, language: language, osVersion: osVersion,
            frequentPushesEnabled: true)
        let card = Card(
            health: Health(thousandths: 333),
            phrase: Policy.phrase(for: .heroJoined(hero), onCardOf: hero))
        return StartOrder(
            device: StartDevice.Key(
                player: PlayerID("player-1"), environment: .sandbox, device: DeviceID("phone")),
            token: PushToken(hex: "00"), traits: traits, party: PartyID("party-1"),
            hero: longestHero, sequence: 1, card: card,
            alert: StartOrder.alert(for: hero, because: reason), timestamp: now.seconds,
            staleDate: now.adding(seconds: StalePlanner.staleAfterSeconds),
            relevanceScore: Relevance.alerting,
            expiration: now.adding(seconds: PendingStart.worthSeconds), dueSince: now)
    }

    private func faults(of start: StartOrder) -> [String] {
        let name = "a start in \(start.traits.language.rawValue)"
        do {
            let request = try encoding.request(for: start)
            return linter.findings(in: request).map { "\(name): \($0.sentence)" }
        } catch {
            return ["\(name): \(error)"]
        }
    }
}
