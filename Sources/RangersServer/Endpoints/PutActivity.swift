internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `PUT /v1/activities/{activity}` registers a Live Activity or updates it: a new push token
/// retires the old one (T5). An ended activity stays ended.
enum PutActivity {
    static let route = APIRoute(
        .put, "/v1/activities/{activity}", .player,
        Contract(
            "registers a Live Activity or updates its token", body: Input.self, status: 204,
            returns: .nothing, problems: [403, 409]),
        handle: respond)
    static let activityLengthMax = 100

    private struct Input: BodyFields {
        let hero: String
        /// Lower-case hex (T7); omitted while the client has none.
        let pushToken: String?
        /// Whether a page in a browser shows the activity: its pushes come on a stream.
        let page: Bool?
        /// Apple's environment of the token; a page has none.
        let environment: PushEnvironment?
        let frequentPushesEnabled: Bool
        let language: String
        let osVersion: String
        /// The device name that the app used for its push-to-start token, if it has one.
        let device: String?
        /// The newest version of the content state that the app decodes; omitted: 1.
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
    }

    /// Hours of the phone's day, 0…23, when the player has chosen others than the usual ones.
    private struct Night: BodyFields {
        let from: Int
        let to: Int

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
        let hero = try await call.ownHero(HeroID(input.hero))
        let known = try await call.game.store.activity(id)
        guard known == nil || known?.player == hero.owner else {
            throw Problem.notFound("You have no Live Activity \(id).")
        }
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
        let (screen, environment) = try screen(of: input, call.game)
        let device = try await call.ownDevice(named: input.device) ?? call.namedDevice
        let token = try input.pushToken.map { text throws(Problem) in
            try Text.pushToken(text, field: "pushToken")
        }
        // Before the change, whose commit may push at once.
        if let token {
            call.game.dependencies.senders.liftQuarantine(of: DeviceToken(hex: token.hex))
        }
        let move = PushTokenMove(
            token: token, environment: environment, player: hero.owner)
        let phone = PhoneKey(player: hero.owner, device: device)
        let phones = call.game.dependencies.phones
        try await call.game.registering(on: phone, known: known != nil, in: party) { ticket in
            try await move.whileTaken(in: call.game) {
                // Reports and dead tokens may have changed the registration before this change runs.
                try await call.game.shards.change(party) { change in
                    let current = change.registration(id)
                    var registration = try registration(
                        id, input, on: screen, environment,
                        token: screen == .page ? current?.pushToken : token, device, hero, party,
                        current, call.game)
                    try admit(registration, beside: current, to: change)
                    if input.revision == nil {
                        registration.revision = current?.revision ?? 0
                    } else if registration.revision == current?.revision {
                        // A retry of what has been carried out: it confirms no token.
                        return false
                    }
                    change.take(move, for: id)
                    let given = ticket.map { phones.grant($0, at: call.game.now) }
                    return change.register(registration, with: given)
                }
            }
        }
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
            guard current.player == new.player else {
                throw Problem.notFound("You have no Live Activity \(new.id).")
            }
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

    /// Returns the registration. The same token does not become newer, but is confirmed.
    private static func registration(
        _ id: ActivityID, _ input: Input, on screen: ActivityScreen,
        _ environment: PushEnvironment, token: PushToken?, _ device: DeviceID?, _ hero: Hero,
        _ party: PartyID, _ known: ActivityRegistration?, _ game: Game
    ) throws(Problem) -> ActivityRegistration {
        var registration = ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: party, screen: screen,
            pushToken: token, tokenRegisteredAt: game.now, environment: environment,
            frequentPushesEnabled: input.frequentPushesEnabled,
            language: try Text.language(input.language),
            osVersion: try Text.osVersion(input.osVersion),
            state: .active, stateVersion: try stateVersion(input.stateVersion),
            revision: try revision(input.revision),
            quietHours: try quietHours(input), device: device ?? known?.device,
            createdAt: known?.createdAt ?? game.now)
        if let known { registration.confirmToken(of: known, at: game.now) }
        return registration
    }
}

extension PutActivity {
    /// Returns what shows the activity, and in which of Apple's environments. A page is in none: it
    /// counts to that of channels.
    private static func screen(
        of input: Input, _ game: Game
    ) throws(Problem) -> (ActivityScreen, PushEnvironment) {
        if input.page == true {
            guard input.pushToken == nil, input.environment == nil else {
                throw Problem.badRequest(
                    "A page has neither \"pushToken\" nor \"environment\": its pushes come on "
                        + "a stream.")
            }
            try game.pages.requireOn()
            return (.page, game.settings.channelEnvironment)
        }
        guard let environment = input.environment else {
            throw Problem.badRequest("The field \"environment\" is missing.")
        }
        try game.requireEnvironment(environment)
        return (.device, environment)
    }

    /// Returns the newest version that both sides know.
    private static func stateVersion(_ number: Int?) throws(Problem) -> StateVersion {
        guard let number else { return .first }
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
    private static func quietHours(_ input: Input) throws(Problem) -> QuietHours? {
        guard let offset = input.utcOffsetMinutes else {
            guard input.quietHours == nil else {
                throw Problem.badRequest(
                    "The field \"quietHours\" needs \"utcOffsetMinutes\": without the phone's time "
                        + "zone the hours are meaningless.")
            }
            return nil
        }
        let (from, to) = (input.quietHours?.from, input.quietHours?.to)
        let hours = QuietHours(
            utcOffsetMinutes: offset, from: from ?? QuietHours.usual.from,
            to: to ?? QuietHours.usual.to)
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
