import Content
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// One value of each kind of row, in which every field says something.
enum FormatSample {
    static let noon = WallTime(milliseconds: 1_800_000_000_000)
    static let panda = Hero(
        id: HeroID("hero-1"), owner: PlayerID("player-1"), name: "Power Panda", avatar: "🐼",
        heroType: "Forest Dweller", healthLevel: Health(thousandths: 999),
        exp: 1234)
    static let bear = Hero(
        id: HeroID("hero-2"), owner: PlayerID("player-2"), name: "Grüße 🐻", avatar: "🐻",
        heroType: "", healthLevel: Health(thousandths: 500), exp: -1)
    static let packs = Packs([EmbeddedPacks.classic])
    static let partyID = PartyID("party-1")

    static let registration = named(activityIDs[0])

    static func named(_ id: ActivityID) -> ActivityRegistration {
        ActivityRegistration(
            id: id, player: panda.owner, hero: panda.id, party: partyID,
            pushToken: PushToken(hex: "00ff12ab"), tokenRegisteredAt: noon.adding(seconds: 5),
            environment: .production, frequentPushesEnabled: true, language: .japanese,
            osVersion: "18.1", state: .stale, device: DeviceID("phone-1"), createdAt: noon)
    }

    /// The same token, put again.
    static let confirmedRegistration = {
        var again = registration
        again.confirmToken(of: registration, at: noon.adding(seconds: 9))
        return again
    }()

    static let confirmedTraits = {
        var traits = device.traits
        traits.confirmToken(of: traits)
        return traits
    }()

    static let channel = ChannelRecord(
        id: ChannelName("dHN0LXNyY2gtY2hubA=="), environment: .sandbox, party: partyID,
        createdAt: noon, overSince: noon.adding(seconds: 60))

    static let token = ProviderTokenRecord(
        keyID: "ABC123DEFG", teamID: "DEF123GHIJ", issuedAt: 1_800_000_000,
        signedAt: noon.adding(milliseconds: 5), jwt: "e.y.z",
        noOtherBefore: WallTime(milliseconds: 1_800_001_200_000))

    private static let lena = GameMaster(name: "lena", role: .gameMaster)

    static let adminKey = AdminKeyRecord(
        holder: lena, hash: Array(0..<32), createdAt: noon, createdBy: "owner")

    static let session = SessionRecord(
        id: String(repeating: "5e", count: 32), holder: lena, createdAt: noon,
        seenAt: noon.adding(seconds: 90))

    static let call = AuditRecord(
        caller: lena, action: "POST /v1/admin/parties/{party}/boss", target: "party-1",
        before: #"{"phase":"quest"}"#, after: #"{"phase":"boss"}"#, reason: "test",
        status: 200, at: noon, count: 3)

    static let dryRun = AuditRecord(
        caller: lena, action: "POST /v1/admin/commands", target: "party-1",
        address: "2001:db8::1", command: "storm", isDryRun: true, status: 200, at: noon)

    static let refused = RefusedRegistration(
        party: partyID, activity: activityIDs[0], player: panda.owner, status: 409,
        detail: "The push token belongs to another Live Activity.", at: noon)

    static let letters = [
        PartyLetter.Change.losesToken(confirmedAt: noon), .keepsShare(32), .isInState(.ended),
    ].map { PartyLetter(to: partyID, ActivityID("activity-1"), $0, number: 1) }
    static let leftOnPhone = PhoneAllowance(
        share: 32, debt: 7_200_000, hourly: 10, alertsAt: [noon.adding(seconds: -60)],
        lastActionAt: noon.adding(seconds: -30), asOf: noon)

    static let pause = PushPause(since: noon, by: "owner")
    static let clockAnchor = ClockAnchor(
        time: noon,
        reading: ClockReading(
            bootID: "2f3d", sinceBoot: 86_400_000, wall: noon.adding(seconds: -3600)),
        offsets: clockOffsets)

    private static var clockOffsets: WallOffsets {
        var offsets = WallOffsets(42)
        offsets.step(to: -3_600_000, at: noon.adding(seconds: -60))
        return offsets
    }

    static let device = StartDevice(
        key: StartDevice.Key(
            player: panda.owner, environment: .sandbox, device: DeviceID("phone-1")),
        token: PushToken(hex: "0ddba11d"),
        traits: StartDevice.Traits(
            tokenRegisteredAt: noon, language: .english, osVersion: "18.1",
            frequentPushesEnabled: true),
        starts: DeviceStarts(
            guardian: PushToStartGuard(times: [noon, noon.adding(seconds: 9)]),
            pending: start(
                7, .rollOver, after: 9, phase: .again(notBefore: noon.adding(seconds: 20))),
            unfollowed: [start(3, .adventureBegins, after: 0, phase: .sent)],
            contactedAt: noon.adding(seconds: 4)))

    private static func start(
        _ sequence: Int, _ reason: StartReason, after seconds: Int64, phase: PendingStart.Phase
    ) -> PendingStart {
        PendingStart(
            party: partyID, hero: panda.id, adventure: 0x0123_4567_89ab_cdef, content: content,
            telling: News.Mark(sequence: sequence, .blow), language: .japanese,
            sequence: sequence, reason: reason,
            dueAt: noon.adding(seconds: seconds), timestamp: 1_800_000_001 + seconds, phase: phase)
    }

    static let content = LocalizableContent(
        health: Health(thousandths: 402),
        text: LocalizableText(
            key: "ghost.hits", arguments: [.name("Power Panda")], telling: Telling.samples[7]))

    static let outcomes: [StoredOutcome] = [
        .accepted, .tokenIsDead, .rejected, .unknown, .pause(until: noon.adding(seconds: 5)),
        .retry(notBefore: noon.adding(seconds: 6)),
    ].enumerated().map { index, outcome in
        StoredOutcome(
            party: PartyKey(number: 0x0123_4567_89ab_cdef), activity: activityIDs[index % 3],
            timestamp: 1_800_000_000, outcome: outcome,
            refusal: index == 1 ? .forGood : index == 4 ? .forNow : nil,
            response: index == 0 ? nil : responses[index % 3].response)
    }

    private static let responses = [
        JournalResponse(
            activity: activityIDs[0], timestamp: 1_800_000_000,
            response: PushResponse(status: 200, reason: "", at: noon.adding(milliseconds: 180))),
        JournalResponse(
            activity: activityIDs[1], timestamp: 1_799_999_999,
            response: PushResponse(status: 410, reason: "Unregistered", at: noon)),
        JournalResponse(
            activity: ActivityID("another"), timestamp: 1_800_000_001,
            response: PushResponse(status: 418, reason: "NewAtApple", at: noon)),
    ]

    /// A change with pushes, responses to earlier ones, and activities without a decision.
    static let pushed = JournalEntry(
        events: [events[0]], through: .seconds(60), decisions: [journal.decisions[0]],
        pushes: [
            JournalPush(
                activity: activityIDs[0], timestamp: 1_800_000_060,
                readyAt: noon.adding(milliseconds: 59_993), form: .update, tells: 7,
                priority: .high, carriesAlert: true,
                payment: PushBudget.Payment(before: 10, after: 9)),
            JournalPush(
                activity: activityIDs[1], timestamp: 1_800_000_061,
                readyAt: noon.adding(seconds: -3600), form: .end, priority: .low,
                carriesAlert: false, payment: nil),
            JournalPush(
                activity: activityIDs[2], timestamp: 1_800_000_060,
                readyAt: noon.adding(seconds: 60), form: .start,
                priority: .high, carriesAlert: true, payment: nil),
        ], responses: responses)

    static let activityIDs = [
        ActivityID("6F9619FF-8B86-D011-B42D-00C04FC964FF"),
        ActivityID("0f8fad5b-d9cb-469f-a165-70867728950e"),
        ActivityID("push-to-start/hero-1/phone-1"),
    ]
}

extension FormatSample {
    static let events: [PartyEvent] = [
        PartyEvent(
            sequence: 7, time: .seconds(60),
            kind: .criticallyHit(panda.tag, by: .ghost, damage: 333),
            telling: Telling.samples[3]),
        PartyEvent(sequence: 8, time: .seconds(60), kind: .knockedDown(panda.tag)),
        PartyEvent(
            sequence: 9, time: .seconds(61), kind: .potionUsed(by: bear.tag, on: panda.tag)),
        PartyEvent(
            sequence: 10, time: .seconds(61),
            kind: .adventureOver(
                .bossDefeated(.kraken, by: bear.tag), in: EmbeddedPacks.classic.reference)),
    ]

    static let journal = JournalEntry(
        events: events,
        command: LoggedCommand(
            command: .usePotion(by: bear.id, on: panda.id), time: .seconds(61)),
        through: .seconds(61),
        decisions: [
            Decision(
                sequence: 7, activity: activityIDs[0], disposition: .sent, priority: .high,
                carriesAlert: true, tells: News.Mark(sequence: 7, .fall, isOpen: false),
                notes: []),
            Decision(
                sequence: 7, activity: activityIDs[1], disposition: .deferred,
                priority: .low, carriesAlert: false,
                tells: News.Mark(sequence: 0, .lastStand, isOpen: false),
                notes: [.waitsForToken]),
            Decision(
                sequence: 10, activity: activityIDs[2], disposition: .dropped,
                priority: .high, carriesAlert: false, notes: [.heldForHour], limit: 3),
            Decision(
                sequence: 10, activity: activityIDs[0], disposition: .merged,
                priority: .low, carriesAlert: false, notes: []),
        ])

    private static let due = DueContent(
        content: content, news: News.Mark(sequence: 9, .blow), version: 41,
        since: noon.adding(seconds: 60),
        urgentSince: noon.adding(seconds: 61), relevance: 75, expirationSeconds: 900)

    /// A push with an alert is in flight, and newer content is due next.
    static let outbox = ActivityOutbox(
        activity: activityIDs[0],
        OutboxSnapshot(
            hero: panda.id, startedAt: noon.adding(seconds: 3), due: due,
            alert: PendingAlert(
                alert: Alert(
                    titleKey: "%@ is knocked down!", titleArguments: ["Power Panda"],
                    bodyKey: "Use a potion to heal %@!", bodyArguments: ["Nobody"],
                    sound: "HeroDown.mp4"), sequence: 8, at: noon.adding(seconds: 60)),
            inFlight: InFlightPush(
                timestamp: 1_800_000_061, due: due, form: .update, alertSequence: 8,
                tokenConfirmedAt: noon, isOutdated: true),
            accepted: ActivityOutbox.Shown(
                content: content, telling: News.Mark(sequence: 8, .fall, isOpen: false),
                version: 40),
            refused: ActivityOutbox.Refusal(
                content: content, form: .end, until: noon.adding(seconds: 70)),
            ending: nil, untold: [News(content.text, News.Mark(sequence: 7, .rescue))],
            isEnded: false, rollOver: .begun, lastTimestamp: 1_800_000_061,
            pausedUntil: noon.adding(seconds: 62), deadTokenAt: noon,
            refusals: OwnRefusals(marks: [0, 0x8000_0002, 7]) ?? OwnRefusals(),
            addressee: ActivityOutbox.Addressee(tokenRegisteredAt: noon, language: .japanese),
            budget: PushBudget.Snapshot(spent: 3_600_000, asOf: noon.adding(seconds: 60)),
            restraint: Restraint()))

    /// The last content waits for what is in flight.
    static let lastOutbox = ActivityOutbox(
        activity: activityIDs[1],
        OutboxSnapshot(
            hero: HeroID("hero-9"), startedAt: noon, due: nil, alert: nil,
            inFlight: InFlightPush(
                timestamp: 1_800_000_062, due: due, form: .update, alertSequence: nil,
                tokenConfirmedAt: noon), accepted: nil,
            refused: ActivityOutbox.Refusal(content: content, form: .update, until: nil),
            ending: due,
            isEnded: false, rollOver: .done, lastTimestamp: 0, pausedUntil: nil,
            deadTokenAt: nil, addressee: nil, budget: PushBudget.Snapshot(spent: 0, asOf: noon),
            restraint: Restraint()))

    /// Nothing is left to say.
    static let endedOutbox = ActivityOutbox(
        activity: activityIDs[2],
        OutboxSnapshot(
            hero: bear.id, startedAt: noon, due: nil, alert: nil, inFlight: nil, accepted: nil,
            refused: nil, ending: nil, isEnded: true, rollOver: nil, lastTimestamp: 0,
            pausedUntil: nil, deadTokenAt: nil, addressee: nil,
            budget: PushBudget.Snapshot(spent: 0, asOf: noon),
            restraint: Restraint()))

    /// On the road: a fight, a hero in the woods, one who left.
    static func party() throws -> Party {
        let gone = Member(
            hero: Hero(
                id: HeroID("hero-3"), owner: PlayerID("player-3"), name: "Foxy", avatar: "🦊",
                heroType: "Fox"), health: Health(thousandths: 12), potions: 0,
            condition: .knockedDown, restRemainder: 0)
        let first = Member(
            hero: panda, health: Health(thousandths: 402), potions: 3, condition: .standing,
            restRemainder: 3_599_999)
        let second = Member(
            hero: bear, health: Health(thousandths: 1), potions: 2,
            condition: .lostConnection(until: .seconds(120)), restRemainder: 5)
        let adventure = Adventure(
            pack: EmbeddedPacks.classic, seed: 0xfedc_ba98_7654_3210, phase: .quest,
            advancedTo: .seconds(61),
            fight: Adventure.Fight(foe: .ghost, prey: panda.id, health: 2),
            random: SeededRandom(seed: 42), nextStepAt: .seconds(90),
            steps: 3, lastScene: .foe, departed: [try #require(gone)])
        let party = Party(
            id: partyID, members: [try #require(first), try #require(second)],
            adventure: adventure, lastEvent: events[3], nextSequence: 11)
        return try #require(party)
    }

    static let clockWithoutPauses = PartyClock(
        beganAt: noon.adding(seconds: 2), millisecondsPerSecond: 60_000)

    static func stored() throws -> StoredParty {
        let ended = ActivityRegistration.spectators(
            on: channel.id, in: .sandbox, openedBy: panda.owner, through: panda.id, of: partyID,
            language: .english, at: noon)
        return StoredParty(
            key: PartyKey(number: 77), version: 42, party: try party(),
            clock: PartyClock(
                beganAt: noon.adding(seconds: 2), millisecondsPerSecond: 60_000,
                pause: PartyClock.Pause(until: noon.adding(seconds: 90), ending: .timeLimit),
                pausedMilliseconds: 60_000),
            activities: [
                LiveActivity(registration: registration, outbox: outbox),
                LiveActivity(registration: named(activityIDs[1]), outbox: lastOutbox),
                LiveActivity(registration: named(activityIDs[2]), outbox: endedOutbox),
                LiveActivity(registration: ended, outbox: nil),
            ], inviteCode: "CODE", createdAt: noon,
            codeRenewedAt: noon.adding(seconds: 30),
            former: FormerMembers(entries: [
                FormerMembers.Entry(
                    player: PlayerID("player-4"), kickedAt: nil, seesOutcome: true),
                FormerMembers.Entry(
                    player: PlayerID("player-5"), kickedAt: noon.adding(seconds: 50),
                    seesOutcome: false),
            ]))
    }
}
