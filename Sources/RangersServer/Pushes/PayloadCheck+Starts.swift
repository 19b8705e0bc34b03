internal import GameLogic
internal import PushPolicy

/// Starts: the largest pushes, with attributes beside the content and always an alert.
extension PayloadCheck {
    /// Checks a start in each language and for each reason, for a system with `input-push-token`
    /// and for one without.
    func startFaults() -> [String] {
        Language.allCases.flatMap { language in
            StartReason.allCases.flatMap { reason in
                [true, false].flatMap { asks in
                    faults(
                        of: Self.start(
                            PlannedStart(
                                party: PartyID("party-1"), hero: Self.longestHero, sequence: 1,
                                asksForPushToken: asks),
                            in: language, because: reason))
                }
            }
        }
    }

    /// A hero with the longest texts that the API accepts.
    private static var longestHero: Hero {
        Hero(
            id: hero.id, owner: PlayerID("player-1"), name: hero.name, avatar: "👩🏽‍🚀",
            heroType: String(repeating: "🇯🇵", count: Hero.heroTypeLengthMax),
            healthLevel: Health(thousandths: 333), healthRecoveryRatePerHour: 333, exp: .max)
    }

    private static func start(
        _ start: PlannedStart, in language: Language, because reason: StartReason
    ) -> PlannedPush {
        PlannedPush(
            event: .start(start),
            recipient: .device(
                StartDevice.Key(
                    player: PlayerID("player-1"), environment: .sandbox, device: DeviceID("phone"))),
            target: .device(PushToken(hex: "00")), tokenRegisteredAt: now,
            content: LocalizableContent(
                health: Health(thousandths: 333),
                text: EventTexts.text(for: .heroJoined(hero), onActivityOf: hero)),
            language: language, alert: reason.alert(for: hero), priority: .high,
            timestamp: now.seconds, staleDate: now.adding(seconds: StalePlanner.staleAfterSeconds),
            relevanceScore: Relevance.alerting,
            expiration: now.adding(seconds: PendingStart.worthSeconds), contentVersion: 0,
            dueSince: now)
    }
}
