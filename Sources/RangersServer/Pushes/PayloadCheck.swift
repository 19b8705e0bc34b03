internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// A check that a device understands what this server sends. It runs once, before the first push.
///
/// It encodes one push of every kind, in every language and with the longest names that heroes may
/// have, as real pushes are encoded, and passes them to the linter. A translation that is too long
/// for a payload, or a state that the app could not decode, stops the server's start. Otherwise it
/// would silently freeze activities.
package struct PayloadCheck: Sendable {
    private let words: Words
    let encoding: PushEncoding
    let linter = PayloadLinter(schema: .adventure)

    /// Any time works, as long as all dates agree.
    static let now = WallTime(milliseconds: 1_685_952_000_000)

    package init(words: Words) {
        self.words = words
        encoding = PushEncoding(bundleID: "com.example.check", words: words)
    }

    /// Throws the faults of all pushes that a device would not understand.
    package func run() throws(PayloadFaults) {
        let faults = faults()
        guard faults.isEmpty else { throw PayloadFaults(faults) }
    }

    /// Returns each push that APNs or a device would refuse, with its fault, without duplicates.
    package func faults() -> [String] {
        Language.allCases.flatMap { language in
            longest(in: language).flatMap { sample in
                pushes(showing: sample, in: language).flatMap(faults)
            }
        } + rollOverFaults() + startFaults() + broadcastFaults()
    }

    // MARK: Samples

    /// A name of as many bytes as the API accepts, and isolated in sentences: letters of two bytes and
    /// flags of eight each.
    private static let name =
        "אבגד" + String(repeating: "🇯🇵", count: DisplayName.bytesMax / 8 - 1)
    static let hero = HeroTag(id: HeroID("hero-1" + longID), name: name)
    private static let companion = HeroTag(id: HeroID("hero-2" + longID), name: name)
    private static let party = PartyID("party-1" + longID)
    /// Links have ids, which the server makes shorter.
    private static let longID = String(repeating: "0", count: 32)

    /// An event, with a telling of it.
    struct Sample {
        let kind: PartyEvent.Kind
        var telling = Telling.first

        fileprivate var text: LocalizableText {
            EventTexts.text(for: kind, telling, onActivityOf: PayloadCheck.hero)
        }
    }

    /// Returns the telling with the longest words for each text, which several events may share.
    func longest(in language: Language) -> [Sample] {
        var longest: [String: (sample: Sample, bytes: Int)] = [:]
        for kind in PartyEvent.Kind.samples(of: Self.hero, with: Self.companion) {
            let text = Sample(kind: kind).text
            for (telling, words) in zip(Telling.samples, words.texts(text, in: language))
            where words.utf8.count > longest[text.key]?.bytes ?? -1 {
                longest[text.key] = (Sample(kind: kind, telling: telling), words.utf8.count)
            }
        }
        return longest.sorted { $0.key < $1.key }.map(\.value.sample)
    }

    /// Returns the update that shows the event, with its alert if it has one, and the end that
    /// shows it last.
    private func pushes(
        showing sample: Sample, in language: Language
    ) -> [PlannedPush] {
        let alert = Policy.rule(for: sample.kind).alert?.alert
        return [
            push(.update, showing: sample, alert, in: language),
            push(Self.end, showing: sample, nil, in: language),
        ]
    }

    /// The end of an activity that another one follows: unchanged content, dismissed at once.
    private static let endAtOnce = PlannedPush.Event.end(dismissalDate: now)
    static let end = PlannedPush.Event.end(
        dismissalDate: now.adding(seconds: ActivityOutbox.dismissalSeconds))

    func push(
        _ event: PlannedPush.Event, showing sample: Sample, _ alert: Alert?,
        in language: Language, to target: PushTarget = .device(PushToken(hex: "00"))
    ) -> PlannedPush {
        let rule = Policy.rule(for: sample.kind)
        let stale = Self.now.adding(seconds: StalePlanner.lostStaleAfterSeconds)
        let details = details(in: language, for: event, to: target)
        return PlannedPush(
            event: event, recipient: .activity(ActivityID("activity-1")), target: target,
            environment: .sandbox, tokenConfirmedAt: Self.now,
            // The longest number that an activity shows.
            content: LocalizableContent(health: Health(thousandths: 333), text: sample.text),
            details: details, language: language, alert: alert, priority: rule.priority,
            timestamp: Self.now.seconds, staleDate: event == .update ? stale : nil,
            relevanceScore: rule.relevance,
            expiration: Self.now.adding(seconds: rule.expirationSeconds), contentVersion: 1,
            times: PlannedPush.Times(at: Self.now))
    }

    private func details(
        in language: Language, for event: PlannedPush.Event, to target: PushTarget
    ) -> CardDetails? {
        switch (event, target) {
        case (.update, .device), (.update, .page):
            .longest(
                of: Self.hero, in: Self.party,
                text: longest(
                    of: AskTexts.sentences(of: Self.hero, with: Self.companion), in: language),
                button: longest(of: AskTexts.all, in: language))
        case (.end, .device), (.end, .page):
            CardDetails(link: .party(Self.party, Self.hero.id, .result))
        case (.start, _), (_, .channel): nil
        }
    }

    private func longest(of texts: [LocalizableText], in language: Language) -> LocalizableText {
        let lengths = texts.map { words.text($0, in: language).utf8.count }
        return zip(texts, lengths).max { $0.1 < $1.1 }?.0 ?? AskTexts.drink
    }

    // MARK: Checking

    private func rollOverFaults() -> [String] {
        Language.allCases.flatMap { language in
            faults(
                of: push(
                    Self.endAtOnce, showing: Sample(kind: .adventureBegan(.sample)), nil,
                    in: language))
        }
    }

    /// Returns what a device would refuse in a push, with the push's name.
    func faults(of push: PlannedPush) -> [String] {
        let name = "\(push.checkName) in \(push.language.rawValue)"
        var texts = TextCache()
        do {
            switch try encoding.encode(push, of: PartyID("party-1"), texts: &texts) {
            case .push(let request):
                var context = PayloadLinter.Context()
                if push.event == Self.endAtOnce { context.dismissal = .atOnce }
                return linter.findings(in: request, context: context)
                    .map { "\(name): \($0.sentence)" }
            case .broadcast(let request):
                return try faults(of: request).map { "\(name): \($0)" }
            // A page gets what a device gets.
            case .page: return []
            }
        } catch {
            return ["\(name): \(error)"]
        }
    }
}

extension PlannedPush {
    fileprivate var checkName: String {
        switch (event, target) {
        case (.start, _): "a start"
        case (_, .channel): "a broadcast of \"\(content.text.key)\""
        case (_, .device), (_, .page): "\"\(content.text.key)\""
        }
    }
}

/// Pushes that a device would not understand.
package struct PayloadFaults: Error, Hashable, Sendable, CustomStringConvertible {
    package let faults: [String]

    /// More would only hide the first.
    private static let shownMax = 5

    init(_ faults: [String]) { self.faults = faults }

    package var description: String {
        let shown = faults.prefix(Self.shownMax).map { "\n  \($0)" }.joined()
        let more = faults.count - min(faults.count, Self.shownMax)
        return "devices would ignore \(faults.count) of this server's pushes; "
            + "correct the texts or the content state:\(shown)"
            + (more > 0 ? "\n  and \(more) more" : "")
    }
}

/// Broadcasts: the same content without alerts, in 5,120 bytes, 4,096 of them content.
extension PayloadCheck {
    /// Checks every text in every language, as an update and as an end.
    func broadcastFaults() -> [String] {
        Language.allCases.flatMap { language in
            longest(in: language).flatMap { sample in
                [PlannedPush.Event.update, Self.end].flatMap { event in
                    faults(
                        of: push(
                            event, showing: sample, nil, in: language,
                            to: .channel(ChannelName("AAAA"))))
                }
            }
        }
    }

    /// Returns what a device would refuse in a broadcast, in sentences.
    func faults(of request: BroadcastRequest) throws -> [String] {
        var context = PayloadLinter.Context()
        context.destination = .broadcast
        context.priority = PushRequest.Priority.low.rawValue
        try request.validate()
        return linter.findings(in: request.payload, context: context).map(\.sentence)
    }
}

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
            id: hero.id, owner: PlayerID("player-1"), name: hero.name, avatar: "🧑🏿‍❤️‍💋‍🧑🏾",
            heroType: String(repeating: "🇯🇵", count: Hero.heroTypeLengthMax),
            healthLevel: Health(thousandths: 333), exp: .max)
    }

    private static func start(
        _ start: PlannedStart, in language: Language, because reason: StartReason
    ) -> PlannedPush {
        PlannedPush(
            event: .start(start),
            recipient: .device(
                StartDevice.Key(
                    player: PlayerID("player-1"), environment: .sandbox, device: DeviceID("phone"))),
            target: .device(PushToken(hex: "00")), environment: .sandbox, tokenConfirmedAt: now,
            content: LocalizableContent(
                health: Health(thousandths: 333),
                text: EventTexts.text(for: .heroJoined(hero), onActivityOf: hero)),
            language: language, alert: reason.alert(for: hero), priority: .high,
            timestamp: now.seconds, staleDate: now.adding(seconds: StalePlanner.staleAfterSeconds),
            relevanceScore: Relevance.alerting,
            expiration: now.adding(seconds: PendingStart.worthSeconds), contentVersion: 0,
            times: PlannedPush.Times(at: now))
    }
}
