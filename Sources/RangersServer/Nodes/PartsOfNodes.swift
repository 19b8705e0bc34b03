internal import GameLogic
internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import NodeLink
internal import PartyStore
internal import PushPolicy

/// What a node asks of another one while it carries out a request that concerns parties of both.
/// Only the nodes' listener has these routes.
enum PartsOfNodes {
    static let routes = [
        APIRoute(
            .post, "/v1/nodes/parties/{party}/token", .node,
            Contract(
                "takes a push token from the Live Activities of a player in a party",
                body: Token.self, status: 204, returns: .nothing),
            handle: take),
        APIRoute(
            .post, allowancePath, .node,
            Contract(
                "takes from this node what a phone's new Live Activity gets", body: Phone.self,
                returns: .json(
                    .fields([
                        "living": .nullable(allowanceSchema), "left": .nullable(allowanceSchema),
                        "isRegistering": .boolean,
                    ]))),
            handle: give),
        APIRoute(
            .post, wallPath, .node,
            Contract(
                "returns what has changed on this node's wall", body: Since.self,
                returns: .json(.fields([:], optional: WallPart.fields))),
            handle: showWall),
        APIRoute(
            .post, lookPath, .node,
            Contract(
                "lets this node look at once who has which shards", status: 204,
                returns: .nothing),
            handle: look),
    ]

    fileprivate static let wallPath = "/v1/nodes/wall"
    fileprivate static let lookPath = "/v1/nodes/look"
    fileprivate static let allowancePath = "/v1/nodes/allowance"

    fileprivate static func tokenPath(of party: PartyID) -> String {
        "/v1/nodes/parties/\(party)/token"
    }

    private static let allowanceSchema = JSONSchema.named(
        "PhoneAllowance",
        .fields([
            "share": .whole, "asOf": .whole, "debt": .whole, "hourly": .whole,
            "alertsAt": .list(.whole), "lastActionAt": .nullable(.whole),
        ]))

    // MARK: A push token that moves

    private struct Token: BodyFields {
        let token: String
        let environment: PushEnvironment
        let player: String

        enum CodingKeys: CodingKey, CaseIterable {
            case token, environment, player
        }
    }

    @Sendable private static func take(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Token.self, from: request)
        let move = PushTokenMove(
            token: try Text.pushToken(input.token, field: "token"),
            environment: input.environment, player: PlayerID(input.player))
        let party = PartyID(try request.parameter("party"))
        try await call.game.shards.change(party) { $0.take(move, for: nil) }
        return .noContent
    }

    // MARK: The wall of consoles

    private struct Since: BodyFields {
        let wall: Bool
        let since: Int64?

        enum CodingKeys: CodingKey, CaseIterable {
            case wall, since
        }
    }

    @Sendable private static func showWall(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let input = try Body.decode(Since.self, from: request)
        // An empty object: the wall is being read.
        return .json(
            call.game.consoles.part(since: input.since, withWall: input.wall)?.json
                ?? Array("{}".utf8))
    }

    // MARK: Shards that have moved

    @Sendable private static func look(_ request: Request, _ call: Call) async throws -> Response {
        call.game.membershipRest?.wake()
        return .noContent
    }

    // MARK: What a phone has left

    private struct Phone: BodyFields {
        let player: String
        let device: String?
        /// The player's other parties. Each node that is asked would read them again.
        let parties: [String]

        enum CodingKeys: CodingKey, CaseIterable {
            case player, device, parties
        }
    }

    @Sendable private static func give(_ request: Request, _ call: Call) async throws -> Response {
        let (input, game) = (try Body.decode(Phone.self, from: request), call.game)
        let phone = PhoneKey(
            player: PlayerID(input.player), device: input.device.map { DeviceID($0) })
        var (given, isRegistering) = game.dependencies.phones.give(to: phone, at: game.now)
        await game.giveHere(to: phone, in: Set(input.parties.map { PartyID($0) })) {
            given.living = PhoneAllowance.merged(given.living, $0)
        }
        var json = JSONWriter()
        json.beginObject()
        write(given.living, as: "living", to: &json)
        write(given.left, as: "left", to: &json)
        json.field("isRegistering", isRegistering)
        json.endObject()
        return .json(json.bytes)
    }

    private static func write(
        _ allowance: PhoneAllowance?, as name: String, to json: inout JSONWriter
    ) {
        json.key(named: name)
        guard let allowance else { return json.null() }
        json.beginObject()
        json.field("share", allowance.share)
        json.field("asOf", allowance.asOf.milliseconds)
        json.field("debt", allowance.debt)
        json.field("hourly", allowance.hourly)
        json.array("alertsAt", allowance.alertsAt) { $0.value($1.milliseconds) }
        json.key("lastActionAt")
        if let time = allowance.lastActionAt { json.value(time.milliseconds) } else { json.null() }
        json.endObject()
    }
}

extension Forwarding {
    /// Returns what has changed on the walls of the other nodes, by their epochs, after the numbers
    /// that are known of them. A node that does not respond, or reads its wall, is left out.
    func walls(
        since known: [Int64: Int64], withWall: Bool
    ) async -> [(node: Int64, part: WallPart)] {
        await withTaskGroup(of: (Int64, WallPart)?.self) { group in
            for node in others {
                group.addTask {
                    let epoch = node.epoch.number
                    var json = JSONWriter()
                    json.beginObject()
                    json.field("wall", withWall)
                    if let number = known[epoch] { json.field("since", number) }
                    json.endObject()
                    let answer = await self.response(
                        of: node, to: json.bytes, at: PartsOfNodes.wallPath)
                    guard let answer, answer.status == 200, let part = WallPart(answer.body)
                    else { return nil }
                    return (epoch, part)
                }
            }
            var parts: [(node: Int64, part: WallPart)] = []
            for await case let part? in group { parts.append(part) }
            return parts
        }
    }

    /// How long a node may take to hear that shards have moved, in milliseconds. Without that it
    /// looks by itself within 2 s.
    private static let wakeMillisecondsMax: Int64 = 500
    /// How long a new activity waits for what other nodes give, in milliseconds: its player waits
    /// too.
    private static let allowanceMillisecondsMax: Int64 = 2000

    /// Lets nodes look who has which shards.
    func wake(_ nodes: [ServerNode]) async {
        let request = Request(method: .post, path: PartsOfNodes.lookPath)
        _ = await responses(
            of: nodes, to: request, by: Hop(at: .nodes), within: Self.wakeMillisecondsMax)
    }

    /// Takes a push token from the player's activities in a party of another node.
    func taking(_ move: PushTokenMove, from party: PartyID) async -> Response {
        var json = JSONWriter()
        json.beginObject()
        json.field("token", move.token?.hex ?? "")
        json.field("environment", move.environment.rawValue)
        json.field("player", move.player.rawValue)
        json.endObject()
        return await response(
            to: json.bytes, at: PartsOfNodes.tokenPath(of: party), of: party)
    }

    /// Takes what other nodes give to a phone's new activity: from `parties`, where its player is,
    /// and from what ended activities left at the nodes of all parties that the player has visited.
    /// A node that does not respond soon gives nothing, like a party that takes no change.
    func allowances(
        for phone: PhoneKey, in parties: Set<PartyID>, _ visited: [PartyID]
    ) async -> [(given: PhoneAllowances.Given, isRegistering: Bool)] {
        var json = JSONWriter()
        json.beginObject()
        json.field("player", phone.player.rawValue)
        if let device = phone.device { json.field("device", device.rawValue) }
        json.array("parties", parties) { $0.value($1.rawValue) }
        json.endObject()
        let responses = await responses(
            of: owners(of: visited), to: json.bytes, at: PartsOfNodes.allowancePath,
            within: Self.allowanceMillisecondsMax)
        return responses.compactMap { _, response in
            guard let response, response.status == 200, let given = JSONValue(response.body)
            else { return nil }
            let parts = PhoneAllowances.Given(
                living: given["living"].flatMap { PhoneAllowance($0) },
                left: given["left"].flatMap { PhoneAllowance($0) }, fresh: 0)
            return (parts, given["isRegistering"] == .truth(true))
        }
    }
}

extension PhoneAllowance {
    /// Reads what another node gives; `nil`: nothing.
    fileprivate init?(_ json: JSONValue) {
        guard let share = json["share"]?.integer, (1...Int64(Self.whole)).contains(share),
            let asOf = json["asOf"]?.integer, let debt = json["debt"]?.integer,
            let hourly = json["hourly"]?.integer, let alerts = json["alertsAt"]?.elements
        else { return nil }
        self.init(
            share: Int(share), debt: debt, hourly: hourly,
            alertsAt: alerts.compactMap { $0.integer.map(WallTime.init(milliseconds:)) },
            lastActionAt: json["lastActionAt"]?.integer.map(WallTime.init(milliseconds:)),
            asOf: WallTime(milliseconds: asOf))
    }
}
