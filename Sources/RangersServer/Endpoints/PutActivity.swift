internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `PUT /v1/activities/{activity}` registers a Live Activity or updates it: a new push token
/// retires the old one (T5), and what is omitted stays as it is. An ended activity stays ended.
enum PutActivity {
    static let route = APIRoute(
        .put, "/v1/activities/{activity}", .player,
        Contract(
            "registers a Live Activity or updates its token", body: Input.self, status: 204,
            returns: .nothing, problems: [403, 409]),
        handle: respond)
    static let activityLengthMax = 100

    /// The first registration needs `hero`, `frequentPushesEnabled`, `language`, `osVersion`, and
    /// `environment` unless it is a page's.
    private struct Input: BodyFields {
        let hero: String?
        /// Lower-case hex (T7); omitted while the client has none.
        let pushToken: String?
        /// Whether a page in a browser shows the activity: its pushes come on a stream.
        let page: Bool?
        /// Apple's environment of the token; a page has none.
        let environment: PushEnvironment?
        let frequentPushesEnabled: Bool?
        let language: String?
        let osVersion: String?
        /// The device name that the app used for its push-to-start token, if it has one.
        let device: String?
        /// The newest version of the content state that the app decodes; 1 until it says so.
        let stateVersion: Int?
        /// The number of this registration, 1 for the first; omitted: the last one to arrive wins.
        let revision: Int?
        /// The phone's time zone, in minutes ahead of UTC: at night the phone stays silent.
        let utcOffsetMinutes: Int?
        let quietHours: Night?

        enum CodingKeys: CodingKey, CaseIterable {
            case hero, pushToken, page, environment, frequentPushesEnabled, language, osVersion,
                device, stateVersion, revision, utcOffsetMinutes, quietHours
        }

        static var narrower: [String: JSONSchema] {
            [
                "pushToken": Text.tokenSchema,
                "language": Text.languageSchema,
                "osVersion": Text.osVersionSchema,
                "device": Text.identifierSchema,
                "stateVersion": .integer(1...stateVersionMax),
                "revision": .integer(revisions),
                "utcOffsetMinutes": .integer(QuietHours.offsets),
            ]
        }

        static var inner: [String: any BodyFields.Type] { ["quietHours": Night.self] }

        static var removals: [String: String] {
            [
                "pushToken":
                    "Omit it to keep the token: DELETE /v1/activities/{activity}/push-token "
                    + "removes it.",
                "quietHours": "Omit it to keep them: the same hour twice means none.",
            ]
        }
    }

    /// Hours of the phone's day, 0…23, when the player has chosen others than the usual ones.
    private struct Night: BodyFields {
        let from: Int?
        let to: Int?

        enum CodingKeys: CodingKey, CaseIterable {
            case from, to
        }

        static var narrower: [String: JSONSchema] {
            ["from": .integer(0...23), "to": .integer(0...23)]
        }
    }

    /// A newer app names a version that this server does not write yet.
    private static let stateVersionMax = 1000
    private static let revisions = 1...Int(UInt32.max)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let id = ActivityID(
            try Text.identifier(
                request.parameter("activity"), field: "activity", limit: activityLengthMax))
        let input = try Body.decode(Input.self, from: request)
        let known = try await call.game.store.activity(id)
        guard try known == nil || known?.player == call.player else { throw isTaken(id) }
        let hero = try await call.ownHero(
            try first(input.hero.map { HeroID($0) } ?? known?.hero, "hero"))
        guard let party = try await call.game.store.party(of: hero.id) else {
            throw notInParty(hero.id)
        }
        try call.game.shards.requireHere(party)
        try call.spendNewToken(input.pushToken, known: known?.pushToken, from: request.client)
        do {
            try await register(id, input, of: hero, in: party, known, call)
        } catch {
            await call.game.note(error, registering: id, of: hero.owner, in: party)
            throw error
        }
        return .noContent
    }

    private static func register(
        _ id: ActivityID, _ input: Input, of hero: Hero, in party: PartyID,
        _ known: ActivityRegistration?, _ call: Call
    ) async throws {
        guard known == nil || known?.party == party else { throw belongsElsewhere(id) }
        let (named, own) = (try await call.ownDevice(named: input.device), try call.namedDevice)
        let token = try input.pushToken.map { text throws(Problem) in
            try Text.pushToken(text, field: "pushToken")
        }
        // Before the change, whose commit may push at once.
        if let token {
            call.game.dependencies.senders.liftQuarantine(of: DeviceToken(hex: token.hex))
        }
        let move = PushTokenMove(
            token: token, environment: try environment(in: input, beside: known, call.game),
            player: hero.owner)
        let isNew = try await move.whileTaken(in: call.game) { holder in
            // Reports and dead tokens may have changed the registration before this change runs.
            try await call.game.shards.change(party) { change in
                let current = change.registration(id)
                var registration = try registration(
                    id, input, token, on: named ?? current?.device ?? own, of: hero, in: party,
                    beside: current, call.game)
                try admit(registration, beside: current, to: change)
                if input.revision == nil {
                    registration.revision = current?.revision ?? 0
                } else if registration.revision == current?.revision {
                    // A retry of what has been carried out: it confirms no token.
                    return false
                }
                change.take(move, for: id, from: holder)
                return change.register(registration)
            }
        }
        if isNew { await call.game.shareBudgets(of: hero.owner, besides: party) }
    }

    /// An id is one activity's in all of the game, and ActivityKit makes no id twice: the response
    /// reveals nothing that could be guessed (PR15).
    private static func isTaken(_ id: ActivityID) -> Problem {
        .conflict(
            "Live Activity \(id) is taken: another player has registered this id. Send the one that "
                + "ActivityKit gave to your activity.")
    }

    private static func belongsElsewhere(_ id: ActivityID) -> Problem {
        .conflict("Live Activity \(id) belongs to another hero or party: request a new one.")
    }

    private static func notInParty(_ hero: HeroID) -> Problem {
        .conflict("Hero \(hero) is not in a party: join one first.")
    }

    /// Refuses another player's activity, that of a hero who has left meanwhile, and one beyond the
    /// limits. A known one has its place.
    private static func admit(
        _ new: ActivityRegistration, beside current: ActivityRegistration?, to change: PartyChange
    ) throws(Problem) {
        guard change.party.anyHero(new.hero) != nil else { throw notInParty(new.hero) }
        if let current {
            guard current.player == new.player else { throw isTaken(new.id) }
            guard current.hero == new.hero else { throw belongsElsewhere(new.id) }
            guard current.screen == new.screen else {
                throw Problem.conflict(
                    "Live Activity \(new.id) is on another kind of phone: request a new one.")
            }
            guard !current.state.isFinal else {
                throw Problem.conflict("Live Activity \(new.id) has ended: request a new one.")
            }
            guard !new.isOlder(than: current) else {
                throw Problem.conflict(
                    "Live Activity \(new.id) has a newer registration, with revision "
                        + "\(current.revision): send the current token with a greater one.")
            }
            return
        }
        let living = ActivityLimits.counted(change.stored.activities, beside: new)
        guard living.count < ActivityLimits.partyMax else {
            throw Problem.conflict(
                "A party can have at most \(ActivityLimits.partyMax) Live Activities at a time.")
        }
        guard living.count(where: { $0.player == new.player }) < ActivityLimits.playerMax else {
            throw Problem.conflict(
                "A player can have at most \(ActivityLimits.playerMax) Live Activities in a party at "
                    + "a time: end or remove one first.")
        }
    }

    /// Returns the registration, in which what the request omits stays as it is. The same token does
    /// not become newer, but is confirmed.
    private static func registration(
        _ id: ActivityID, _ input: Input, _ token: PushToken?, on device: DeviceID?,
        of hero: Hero, in party: PartyID, beside current: ActivityRegistration?, _ game: Game
    ) throws(Problem) -> ActivityRegistration {
        let language = try input.language.map { text throws(Problem) in try Text.language(text) }
        let version = try input.osVersion.map { text throws(Problem) in try Text.osVersion(text) }
        var registration = ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: party,
            screen: screen(in: input, beside: current),
            pushToken: game.dependencies.sabotage == .oldTokenKept
                ? current?.pushToken ?? token : token ?? current?.pushToken,
            tokenRegisteredAt: current?.tokenRegisteredAt ?? game.now,
            tokenConfirmedAt: current?.tokenConfirmedAt,
            environment: try environment(in: input, beside: current, game),
            frequentPushesEnabled: try first(
                input.frequentPushesEnabled ?? current?.frequentPushesEnabled,
                "frequentPushesEnabled"),
            language: try first(language ?? current?.language, "language"),
            osVersion: try first(version ?? current?.osVersion, "osVersion"),
            state: current?.state ?? .active,
            stateVersion: try stateVersion(input.stateVersion) ?? current?.stateVersion ?? .first,
            revision: try revision(input.revision),
            quietHours: try quietHours(input, beside: current?.quietHours), device: device,
            createdAt: current?.createdAt ?? game.now)
        if let current, token != nil { registration.confirmToken(of: current, at: game.now) }
        return registration
    }

    /// Returns what is known of a field that the first registration must have.
    private static func first<Value>(_ value: Value?, _ field: String) throws(Problem) -> Value {
        guard let value else {
            throw Problem.badRequest(
                "The field \"\(field)\" is missing: the first registration of a Live Activity needs "
                    + "it.")
        }
        return value
    }
}

extension Game {
    /// Returns when the player's activities here have heard of a new one, which has a part of their
    /// budgets.
    fileprivate func shareBudgets(of player: PlayerID, besides party: PartyID) async {
        guard let parties = try? await store.memberships(of: player).values else { return }
        await shards.takeLetters(to: Set(parties).subtracting([party]))
    }
}

extension PutActivity {
    /// Returns what shows the activity. What only a phone has is a phone's.
    private static func screen(
        in input: Input, beside current: ActivityRegistration?
    ) -> ActivityScreen {
        if let isPage = input.page { return isPage ? .page : .device }
        let isPhone = input.pushToken != nil || input.environment != nil
        return isPhone ? .device : current?.screen ?? .device
    }

    /// Returns in which of Apple's environments the activity is. A page is in none: it counts to that
    /// of channels.
    private static func environment(
        in input: Input, beside current: ActivityRegistration?, _ game: Game
    ) throws(Problem) -> PushEnvironment {
        switch screen(in: input, beside: current) {
        case .page:
            guard input.pushToken == nil, input.environment == nil else {
                throw Problem.badRequest(
                    "A page has neither \"pushToken\" nor \"environment\": its pushes come on "
                        + "a stream.")
            }
            try game.pages.requireOn()
            return game.settings.channelEnvironment
        case .device:
            let environment = try first(input.environment ?? current?.environment, "environment")
            try game.requireEnvironment(environment)
            if let current, current.screen == .device, current.pushToken != nil,
                current.environment != environment, input.pushToken == nil
            {
                throw Problem.conflict(
                    "The push token of Live Activity \(current.id) is one of the "
                        + "\(current.environment.rawValue) environment: send that of the other "
                        + "environment with it.")
            }
            return environment
        }
    }

    /// Returns the newest version that both sides know; `nil`: the app has not said what it knows.
    private static func stateVersion(_ number: Int?) throws(Problem) -> StateVersion? {
        guard let number else { return nil }
        guard (1...stateVersionMax).contains(number) else {
            throw Problem.badRequest("The field \"stateVersion\" must be 1 or more.")
        }
        return StateVersion.allCases.last { $0.rawValue <= number } ?? .first
    }

    /// Returns 0 if the app has sent none.
    private static func revision(_ number: Int?) throws(Problem) -> UInt32 {
        guard let number else { return 0 }
        guard revisions.contains(number) else {
            throw Problem.badRequest(
                "The field \"revision\" must be \(revisions.lowerBound) to "
                    + "\(revisions.upperBound).")
        }
        return UInt32(number)
    }

    /// Returns when the phone stays silent; `nil`: the app has not named its time zone.
    private static func quietHours(
        _ input: Input, beside known: QuietHours?
    ) throws(Problem) -> QuietHours? {
        guard let offset = input.utcOffsetMinutes ?? known?.utcOffsetMinutes else {
            guard input.quietHours == nil else {
                throw Problem.badRequest(
                    "The field \"quietHours\" needs \"utcOffsetMinutes\": without the phone's time "
                        + "zone the hours are meaningless.")
            }
            return nil
        }
        let hours = QuietHours(
            utcOffsetMinutes: offset,
            from: input.quietHours?.from ?? known?.from ?? QuietHours.usual.from,
            to: input.quietHours?.to ?? known?.to ?? QuietHours.usual.to)
        guard let hours else {
            let (least, most) = (QuietHours.offsets.lowerBound, QuietHours.offsets.upperBound)
            throw Problem.badRequest(
                "The field \"utcOffsetMinutes\" must be \(least) to \(most), and the hours of "
                    + "\"quietHours\" 0 to 23.")
        }
        return hours
    }
}

extension Game {
    /// Keeps a refusal for the party's page. A failure to do so is logged; the refusal stands.
    fileprivate func note(
        _ error: any Error, registering activity: ActivityID, of player: PlayerID,
        in party: PartyID
    ) async {
        guard let problem = ErrorResponse.problem(for: error), problem.status < 500 else { return }
        let refused = RefusedRegistration(
            party: party, activity: activity, player: player, status: problem.status,
            detail: problem.detail, at: now)
        do throws(StoreError) {
            try await store.note(
                refused, amongAtMost: ActivityLimits.refusedMax, epoch: epoch)
        } catch {
            dependencies.log.warning(
                "cannot store a refused registration",
                ["activity": "\(activity)", "error": "\(error)"])
        }
    }

    /// Refuses a token of another environment than the one that this server pushes to.
    func requireEnvironment(_ environment: PushEnvironment) throws(Problem) {
        if let only = settings.shards.pushEnvironment, only != environment {
            throw Problem.badRequest("This server pushes to the \(only.rawValue) environment only.")
        }
    }
}
