internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `POST /v1/me/reconcile` compares the Live Activities on a device with those that the server
/// knows: it takes over their states, retires what the device no longer has, and returns what the
/// app must end and register.
enum Reconcile {
    static let route = APIRoute(
        .post, "/v1/me/reconcile", .player,
        Contract(
            "compares a device's Live Activities with the server's at launch", body: Input.self,
            returns: .json(
                .fields(["end": .list(.text), "register": .list(.text), "retired": .list(.text)])),
            problems: [403]),
        handle: respond)
    /// The most Live Activities in one request.
    static let activitiesMax = 32

    private struct Input: BodyFields {
        let device: String
        let activities: [Listed]

        enum CodingKeys: CodingKey, CaseIterable {
            case device, activities
        }

        static var narrower: [String: JSONSchema] {
            [
                "device": Text.identifierSchema,
                "activities": .array(BodySchema.of(Listed.self), countMax: activitiesMax),
            ]
        }

        static var inner: [String: any BodyFields.Type] { ["activities": Listed.self] }
    }

    private struct Listed: BodyFields {
        let id: String
        let hero: String
        let state: ActivityState
        /// Lower-case hex (T7); omitted while the client has none.
        let pushToken: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case id, hero, state, pushToken
        }

        static var narrower: [String: JSONSchema] {
            [
                "id": Text.identifierSchema,
                "pushToken": Text.tokenSchema,
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let device = try await contents(of: request, call)
        try await call.game.noteContact(from: device.device, of: device.player)
        let (store, shards) = (call.game.store, call.game.shards)
        let changed = try await registrations(changedBy: device, store)
        var retired: [ActivityID] = []
        var letters: [PartyLetter] = []
        let byParty = Dictionary(grouping: changed, by: \.party).sorted { $0.key < $1.key }
        for (party, elsewhere) in byParty {
            if let here = try await retire(by: device, in: party, shards) {
                retired += here
            } else {
                retired += elsewhere.map(\.id).filter { device[$0] == nil }
                letters += elsewhere.map(letter)
            }
        }
        let result = call.result(200, .reconciliation)
        if !letters.isEmpty || result != nil { try await shards.send(letters, keeping: result) }
        return try await response(to: device, retired: retired, call)
    }

    /// Takes over the device's contents in a party, and returns what the device no longer has; `nil`:
    /// another node has the party, and learns it from letters.
    private static func retire(
        by device: DeviceContents, in party: PartyID, _ shards: Shards
    ) async throws -> [ActivityID]? {
        do {
            return try await shards.change(party) { change in
                let changed = change.stored.activities.map(\.registration)
                    .compactMap(device.update)
                for registration in changed { change.update(registration) }
                return changed.map(\.id).filter { device[$0] == nil }
            }
        } catch ShardError.elsewhere {
            return nil
        }
    }

    /// Returns the response to a request that was carried out before. It changes nothing: the device
    /// may have other activities by now.
    static func repeated(_ request: Request, _ call: Call) async throws -> Response {
        let device = try await contents(of: request, call)
        let phones = try await call.game.store.phones([
            PhoneKey(player: device.player, device: device.device)
        ])
        let retired = phones.flatMap { phone in
            phone.parties.flatMap { $0.activities(of: device.player).map(\.registration) }
                .filter { known in
                    // The letter that says so may be on its way.
                    let isDismissed =
                        known.state == .dismissed
                        || phone.letters.contains {
                            $0.activity == known.id && $0.change == .isInState(.dismissed)
                        }
                    return known.device == device.device && isDismissed && device[known.id] == nil
                }
        }
        return try await response(to: device, retired: retired.map(\.id), call)
    }

    private static func contents(
        of request: Request, _ call: Call
    ) async throws -> DeviceContents {
        let input = try Body.decode(Input.self, from: request)
        let device = try DeviceID(checking: input.device)
        try await call.requireOwn(device)
        return try DeviceContents(
            player: call.player, device: device,
            activities: input.activities.map(activity))
    }

    private static func response(
        to device: DeviceContents, retired: [ActivityID], _ call: Call
    ) async throws -> Response {
        var json = JSONWriter()
        json.beginObject()
        try await write(Advice(on: device, from: call.game.store), to: &json)
        json.array("retired", retired.sorted()) { $0.value($1.rawValue) }
        json.endObject()
        return .json(json.bytes)
    }

    private static func activity(_ listed: Listed) throws(Problem) -> DeviceContents.Activity {
        DeviceContents.Activity(
            id: ActivityID(
                try Text.identifier(
                    listed.id, field: "id", limit: PutActivity.activityLengthMax)),
            hero: HeroID(listed.hero), state: listed.state,
            pushToken: try listed.pushToken.map { text throws(Problem) in
                try Text.pushToken(text, field: "pushToken")
            })
    }

    /// Returns the registrations as the device's contents change them, each once.
    private static func registrations(
        changedBy device: DeviceContents, _ store: any Store
    ) async throws -> [ActivityRegistration] {
        var known = try await store.parties(of: device.player)
            .flatMap { $0.activities.map(\.registration) }
        // A hero may have left the party of its activity.
        for listed in device.activities {
            if let registration = try await store.activity(listed.id) { known.append(registration) }
        }
        let changed = known.compactMap(device.update).map { ($0.id, $0) }
        return Dictionary(changed) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    /// Returns what tells the owner of an activity's party in which state it is.
    private static func letter(about activity: ActivityRegistration) -> PartyLetter {
        PartyLetter(
            to: activity.party, activity.id, .isInState(activity.state),
            number: RandomSource.integer(in: 0...Int64.max))
    }

    private static func write(_ advice: Advice, to json: inout JSONWriter) {
        json.array("end", advice.end) { $0.value($1.rawValue) }
        json.array("register", advice.register) { $0.value($1.rawValue) }
    }
}

extension Game {
    /// Notes on the device that its app has been in contact: a start that it does not know was not
    /// carried out.
    fileprivate func noteContact(
        from device: DeviceID, of player: PlayerID
    ) async throws(StoreError) {
        for attempt in 1...StartSettlement.attemptsMax {
            var devices = try await store.startDevices(of: [player])
            devices.removeAll { $0.key.device != device }
            for index in devices.indices.reversed()
            where !devices[index].starts.noteContact(at: now) {
                devices.remove(at: index)
            }
            guard !devices.isEmpty else { return }
            do throws(StoreError) {
                return try await store.write(startsOf: devices, epoch: epoch)
            } catch {
                guard case .staleDevice = error, attempt < StartSettlement.attemptsMax else {
                    throw error
                }
            }
        }
    }
}

/// What an app has found on its device: pure.
struct DeviceContents: Sendable {
    struct Activity: Sendable {
        let id: ActivityID
        let hero: HeroID
        let state: ActivityState
        let pushToken: PushToken?
    }

    let player: PlayerID
    let device: DeviceID
    let activities: [Activity]
    private let byID: [ActivityID: Activity]

    init(player: PlayerID, device: DeviceID, activities: [Activity]) throws(Problem) {
        guard activities.count <= Reconcile.activitiesMax else {
            throw Problem.badRequest(
                "The field \"activities\" may have at most \(Reconcile.activitiesMax) entries.")
        }
        self.player = player
        self.device = device
        self.activities = activities
        byID = Dictionary(activities.map { ($0.id, $0) }) { first, _ in first }
        guard byID.count == activities.count else {
            throw Problem.badRequest("The field \"activities\" contains an id twice.")
        }
    }

    subscript(_ activity: ActivityID) -> Activity? { byID[activity] }

    /// Returns the registration as the device's contents change it; `nil`: they do not. An activity
    /// that the device does not have is gone only if it was registered for this very device.
    func update(_ registration: ActivityRegistration) -> ActivityRegistration? {
        guard registration.player == player, registration.recipient == .player,
            !registration.state.isFinal
        else { return nil }
        var updated = registration
        if let listed = self[registration.id] {
            updated.state = listed.state
        } else if registration.device == device {
            updated.state = .dismissed
        }
        return updated.state == registration.state ? nil : updated
    }

    /// What the app must do.
    enum Need {
        case nothing, end, register
    }

    /// Returns what a listed activity needs: its end if its registration would be refused. `party`
    /// is that of its hero, if the hero is the player's.
    func need(of listed: Activity, known: ActivityRegistration?, party: PartyID?) -> Need {
        guard !listed.state.isFinal else { return .nothing }
        guard let party else { return .end }
        guard let known else { return .register }
        guard known.player == player, known.recipient == .player, !known.state.isFinal,
            known.hero == listed.hero, known.party == party
        else { return .end }
        guard let token = known.pushToken, known.device == device else { return .register }
        return listed.pushToken ?? token == token ? .nothing : .register
    }
}

/// What an app must do with the activities on its device.
private struct Advice {
    private(set) var end: [ActivityID] = []
    private(set) var register: [ActivityID] = []

    init(on device: DeviceContents, from store: any Store) async throws(StoreError) {
        let memberships = try await store.memberships(of: device.player)
        for listed in device.activities {
            let known = try await store.activity(listed.id)
            switch device.need(of: listed, known: known, party: memberships[listed.hero]) {
            case .nothing: break
            case .end: end.append(listed.id)
            case .register: register.append(listed.id)
            }
        }
    }
}
