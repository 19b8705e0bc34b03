internal import APNsClient
internal import HTTP2
internal import HTTP2Server

/// APNs as one value: takes a request and the time, returns the action. It is independent of
/// sockets and clocks.
struct SimulatedAPNs: Sendable {
    let rules: PushRules
    private let warnings: DeviceWarnings
    private var tokenChecker: ProviderTokenChecker
    private var connections: [HTTP2Server.ConnectionID: ConnectionState] = [:]
    private var activities: [String: ActivityHistory] = [:]
    private var ids = RecentIDs()
    var dice: FaultDice
    let mode: APNsSimulator.Mode
    /// The requests that the port of pushes accepts.
    private let port: ChannelRequest.Port
    var channels: SimulatedChannels
    var devices = OfflineDevices()
    /// How the servers receive new connections, kept for queries.
    var reception = HTTP2Server.Reception()
    var registry: TokenRegistry
    var script: FaultScript
    var counters = Counters()

    private enum Limit {
        static let activitiesMax = 200_000
        static let connectionsMax = 8_192
    }

    /// The server's action.
    struct Reaction: Sendable {
        let action: HTTP2Server.Action
        let record: PushRecord
        let streams: Streams
    }

    /// Whether the connection now gets more than one stream.
    enum Streams: Hashable, Sendable {
        case asBefore, opened
    }

    /// The result of a push without faults.
    private typealias Verdict = Result<AcceptedPush, Refusal>

    init(_ settings: APNsSimulator.Settings) {
        rules = PushRules(bundleID: settings.bundleID, environment: settings.environment)
        mode = settings.mode
        warnings = DeviceWarnings(schema: settings.schema)
        tokenChecker = ProviderTokenChecker(
            keys: settings.providerKeys, environment: settings.environment)
        registry = TokenRegistry(policy: settings.tokenPolicy)
        script = FaultScript(seed: settings.seed)
        dice = FaultDice(seed: ~settings.seed)
        port = settings.managementPort == nil ? .everything : .sending
        channels = SimulatedChannels(settings)
    }

    /// Handles a request. `now` is in milliseconds since 1970.
    mutating func receive(
        _ request: HTTP2Request, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) -> Reaction {
        if ChannelRequest.handles(request.path) {
            return receiveAboutChannels(request, at: port, on: connection, now: now)
        }
        counters.requests += 1
        let arrival = Arrival(
            facts: PushFacts(request), connection: connection, now: now, dice: &dice)
        let wasTrusted = connections[connection]?.isTrusted == true
        let effect = script.effect(on: arrival.facts.token)
        let reaction = react(to: arrival, effect)
        let isTrusted = connections[connection]?.isTrusted == true
        return Reaction(
            action: reaction.action, record: arrival.record(reaction.outcome),
            streams: isTrusted && !wasTrusted ? .opened : .asBefore)
    }

    // MARK: Faults

    private mutating func react(
        to arrival: Arrival, _ effect: Fault.Effect?
    ) -> (action: HTTP2Server.Action, outcome: PushRecord.Outcome) {
        guard let effect else {
            let verdict = judge(arrival)
            return (.respond(answer(verdict, arrival)), Self.outcome(verdict))
        }
        return meet(effect, headers: arrival.idHeaders) { apns in
            let verdict = apns.judge(arrival)
            return (apns.answer(verdict, arrival), Self.outcome(verdict))
        }
    }

    private static func outcome(_ verdict: Verdict) -> PushRecord.Outcome {
        switch verdict {
        case .success(let push): .accepted(push)
        case .failure(let refusal): .refused(refusal)
        }
    }

    // MARK: Checks

    private mutating func judge(_ arrival: Arrival) -> Verdict {
        do {
            var push =
                switch mode {
                case .checking: try accept(arrival)
                case .trusting: trust(arrival)
                }
            if !devices.isEmpty { push.delivery = devices.receive(push, at: arrival.now) }
            counters.accepted += 1
            if push.repetition == .again { counters.doubledIDs += 1 }
            if !push.warnings.isEmpty { counters.warned += 1 }
            return .success(push)
        } catch {
            counters.refused[error.reason.rawValue, default: 0] += 1
            return .failure(error)
        }
    }

    private mutating func accept(_ arrival: Arrival) throws(Refusal) -> AcceptedPush {
        let facts = arrival.facts
        let target = try rules.checkTarget(facts)
        try checkSender(arrival)
        let envelope = try rules.checkEnvelope(facts, token: target, registry: registry)
        let json = try rules.checkPayload(facts.payload)
        connections[arrival.connection]?.trust()
        let aps = PushedAps(json["aps"] ?? .null)
        let warnings = warnings(about: facts.payload, aps, envelope, at: arrival.now)
        return AcceptedPush(
            token: envelope.token, apnsID: arrival.apnsID, pushType: envelope.kind.rawValue,
            topic: envelope.topic, priority: envelope.priority, expiration: envelope.expiration,
            collapseID: envelope.collapseID, receivedAt: arrival.now, payload: facts.payload,
            aps: aps, repetition: repetition(of: arrival.apnsID),
            warnings: warnings)
    }

    /// Accepts a push unread, except for its `apns-id`.
    private mutating func trust(_ arrival: Arrival) -> AcceptedPush {
        let facts = arrival.facts
        if connections[arrival.connection] == nil { forgetOldConnections() }
        connections[arrival.connection, default: ConnectionState()].trust()
        return AcceptedPush(
            token: facts.token ?? "", apnsID: arrival.apnsID, pushType: facts.pushType ?? "",
            topic: facts.topic ?? "", priority: facts.priority.flatMap { Int($0) } ?? 10,
            expiration: facts.expiration.flatMap { Int64($0) }, collapseID: facts.collapseID,
            receivedAt: arrival.now, payload: facts.payload, aps: PushedAps(.null),
            repetition: repetition(of: arrival.apnsID), warnings: [])
    }

    private mutating func checkSender(_ arrival: Arrival) throws(Refusal) {
        try checkSender(arrival.facts.authorization, on: arrival.connection, at: arrival.now)
    }

    /// Checks the provider token, against the connection's state too.
    mutating func checkSender(
        _ authorization: String?, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) throws(Refusal) {
        let token = try tokenChecker.check(authorization, at: now)
        if connections[connection] == nil { forgetOldConnections() }
        try connections[connection, default: ConnectionState()]
            .use(token, authorization: authorization ?? "", at: now)
    }

    /// Replaces the valid keys, also on connections that have used others.
    mutating func use(_ keys: [ProviderKey]) {
        tokenChecker = ProviderTokenChecker(keys: keys, environment: rules.environment)
    }

    func isTrusted(_ connection: HTTP2Server.ConnectionID) -> Bool {
        connections[connection]?.isTrusted == true
    }

    /// Records an accepted request on a connection.
    mutating func trust(_ connection: HTTP2Server.ConnectionID) {
        connections[connection]?.trust()
    }

    /// Drops the oldest connections, those with the lowest numbers: their ends are not reported.
    private mutating func forgetOldConnections() {
        guard connections.count >= Limit.connectionsMax else { return }
        for number in connections.keys.sorted().prefix(Limit.connectionsMax / 2) {
            connections[number] = nil
        }
    }

    private mutating func warnings(
        about payload: [UInt8], _ aps: PushedAps, _ envelope: PushRules.Envelope, at now: Int64
    ) -> [String] {
        guard envelope.kind == .liveactivity else { return [] }
        // The warnings about order start anew.
        if activities.count >= Limit.activitiesMax { activities.removeAll() }
        return warnings.about(
            payload, aps, priority: envelope.priority, to: .device,
            activity: &activities[envelope.token, default: ActivityHistory()], now: now)
    }

    private mutating func repetition(of id: String) -> AcceptedPush.Repetition {
        // Every accepted push has a valid id.
        guard let id = UUIDText.read(id) else { return .first }
        return ids.insert(id) ? .first : .again
    }

    // MARK: Responses

    private mutating func answer(_ verdict: Verdict, _ arrival: Arrival) -> HTTP2Response {
        switch verdict {
        case .failure(let refusal): APNsResponses.refused(refusal, arrival.idHeaders)
        case .success:
            switch rules.environment {
            case .production: HTTP2Response(status: 200, headers: arrival.idHeaders)
            case .sandbox:
                HTTP2Response(
                    status: 200,
                    headers: arrival.idHeaders
                        + [HTTP2Header("apns-unique-id", dice.uuid(), indexing: .never)])
            }
        }
    }
}

/// A request with its connection and time.
private struct Arrival {
    let facts: PushFacts
    let apnsID: String
    let connection: HTTP2Server.ConnectionID
    let now: Int64

    /// Generates an id if it is absent or invalid.
    init(
        facts: PushFacts, connection: HTTP2Server.ConnectionID, now: Int64, dice: inout FaultDice
    ) {
        self.facts = facts
        let given = facts.apnsID.flatMap { $0.utf8.count == 36 ? $0 : nil }
        apnsID = given ?? dice.uuid()
        self.connection = connection
        self.now = now
    }

    var idHeaders: [HTTP2Header] { [HTTP2Header("apns-id", apnsID, indexing: .never)] }

    func record(_ outcome: PushRecord.Outcome) -> PushRecord {
        PushRecord(
            receivedAt: now, connection: connection, facts: facts, apnsID: apnsID,
            outcome: outcome)
    }
}
