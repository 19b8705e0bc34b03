internal import APNsClient
internal import HTTP2
package import HTTP2Server
internal import JSONReader

/// APNs as one value: takes a request and the time, returns the action. It is independent of
/// sockets and clocks.
package struct SimulatedAPNs: Sendable {
    let mode: APNsSimulator.Mode
    private let rules: PushRules
    private let warnings: DeviceWarnings
    /// The requests that the port of pushes accepts.
    private let port: ChannelRequest.Port
    private var connections: SimulatedConnections
    private var activities: [String: ActivityHistory] = [:]
    private var ids = RecentIDs()
    private var dice: FaultDice
    var channels: SimulatedChannels
    var devices = OfflineDevices()
    /// How the servers receive new connections, kept for queries.
    var reception = HTTP2Server.Reception()
    package var registry: TokenRegistry
    package var script: FaultScript
    package private(set) var counters = Counters()

    private static let activitiesMax = 200_000

    /// The server's action.
    package struct Reaction: Sendable {
        package let action: HTTP2Server.Action
        package let record: PushRecord
        let streams: Streams
    }

    /// Whether the connection now gets more than one stream.
    enum Streams: Hashable, Sendable {
        case asBefore, opened
    }

    /// A request's normal response, with its outcome.
    private typealias Judged = (response: HTTP2Response, outcome: PushRecord.Outcome)

    package init(_ settings: APNsSimulator.Settings) {
        mode = settings.mode
        rules = PushRules(bundleID: settings.bundleID, environment: settings.environment)
        warnings = DeviceWarnings(schema: settings.schema)
        connections = SimulatedConnections(
            ProviderTokenChecker(
                keys: settings.providerKeys, environment: settings.environment))
        registry = TokenRegistry(policy: settings.tokenPolicy)
        script = FaultScript(seed: settings.seed)
        dice = FaultDice(seed: ~settings.seed)
        port = settings.managementPort == nil ? .everything : .sending
        channels = SimulatedChannels(settings)
    }

    /// Replaces the valid keys, also on connections that have used others.
    mutating func use(_ keys: [ProviderKey]) {
        connections.use(ProviderTokenChecker(keys: keys, environment: rules.environment))
    }

    /// Handles a request. `now` is in milliseconds since 1970.
    package mutating func receive(
        _ request: HTTP2Request, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) -> Reaction {
        if ChannelRequest.handles(request.path) {
            return receiveAboutChannels(request, at: port, on: connection, now: now)
        }
        counters.requests += 1
        let arrival = Arrival(
            facts: PushFacts(request), connection: connection, now: now, dice: &dice)
        let effect = script.effect(on: arrival.facts.token)
        return react(on: connection, effect, headers: arrival.idHeaders) {
            $0.judge(arrival)
        } record: { outcome in
            arrival.record(outcome)
        }
    }

    /// Handles a request that is not a push to a device.
    mutating func receiveAboutChannels(
        _ request: HTTP2Request, at port: ChannelRequest.Port,
        on connection: HTTP2Server.ConnectionID, now: Int64
    ) -> Reaction {
        counters.requests += 1
        let arrival = ChannelArrival(
            request: request, port: port, connection: connection, now: now, dice: &dice)
        let effect = script.effect(onChannel: request.header("apns-channel-id"))
        return react(on: connection, effect, headers: arrival.headers) {
            $0.judge(arrival)
        } record: { outcome in
            PushRecord(
                receivedAt: now, connection: connection, facts: PushFacts(request),
                apnsID: arrival.requestID, outcome: outcome)
        }
    }

    private mutating func react(
        on connection: HTTP2Server.ConnectionID, _ effect: Fault.Effect?, headers: [HTTP2Header],
        _ judge: (inout SimulatedAPNs) -> Judged,
        record: (PushRecord.Outcome) -> PushRecord
    ) -> Reaction {
        let wasTrusted = connections.isTrusted(connection)
        let result: (action: HTTP2Server.Action, outcome: PushRecord.Outcome)
        if let effect {
            result = perform(effect, headers: headers, judge)
        } else {
            let judged = judge(&self)
            result = (.respond(judged.response), judged.outcome)
        }
        let isOpened = !wasTrusted && connections.isTrusted(connection)
        return Reaction(
            action: result.action, record: record(result.outcome),
            streams: isOpened ? .opened : .asBefore)
    }
}

// MARK: - Pushes to devices

extension SimulatedAPNs {
    private mutating func judge(_ arrival: Arrival) -> Judged {
        do throws(Refusal) {
            var push =
                switch mode {
                case .checking: try accept(arrival)
                case .trusting: trust(arrival)
                }
            connections.trust(arrival.connection)
            if !devices.isEmpty { push.delivery = devices.receive(push, at: arrival.now) }
            counters.accepted += 1
            if push.repetition == .again { counters.doubledIDs += 1 }
            if !push.warnings.isEmpty { counters.warned += 1 }
            let response = HTTP2Response(
                status: 200, headers: arrival.idHeaders + uniqueIDHeaders())
            return (response, .accepted(push))
        } catch {
            return refused(error, arrival.idHeaders)
        }
    }

    private mutating func refused(_ refusal: Refusal, _ headers: [HTTP2Header]) -> Judged {
        counters.refused[refusal.reason.rawValue, default: 0] += 1
        return (APNsResponses.refused(refusal, headers), .refused(refusal))
    }

    private mutating func accept(_ arrival: Arrival) throws(Refusal) -> AcceptedPush {
        let facts = arrival.facts
        let target = try rules.checkTarget(facts)
        try connections.check(facts.authorization, on: arrival.connection, at: arrival.now)
        let envelope = try rules.checkEnvelope(facts, token: target, registry: registry)
        let aps = PushedAps(try rules.checkPayload(facts.payload)["aps"] ?? .null)
        let warnings = warnings(about: facts.payload, aps, envelope, at: arrival.now)
        return AcceptedPush(
            token: envelope.token, apnsID: arrival.apnsID, pushType: envelope.kind.rawValue,
            topic: envelope.topic, priority: envelope.priority, expiration: envelope.expiration,
            collapseID: envelope.collapseID, receivedAt: arrival.now, payload: facts.payload,
            aps: aps, repetition: repetition(of: arrival.apnsID), warnings: warnings)
    }

    /// Accepts a push unread, except for its `apns-id`.
    private mutating func trust(_ arrival: Arrival) -> AcceptedPush {
        let facts = arrival.facts
        return AcceptedPush(
            token: facts.token ?? "", apnsID: arrival.apnsID, pushType: facts.pushType ?? "",
            topic: facts.topic ?? "", priority: facts.priority.flatMap { Int($0) } ?? 10,
            expiration: facts.expiration.flatMap { Int64($0) }, collapseID: facts.collapseID,
            receivedAt: arrival.now, payload: facts.payload, aps: PushedAps(.null),
            repetition: repetition(of: arrival.apnsID), warnings: [])
    }

    private mutating func warnings(
        about payload: [UInt8], _ aps: PushedAps, _ envelope: PushRules.Envelope, at now: Int64
    ) -> [String] {
        guard envelope.kind == .liveactivity else { return [] }
        // The warnings about order start anew.
        if activities.count >= Self.activitiesMax { activities.removeAll() }
        return warnings.about(
            payload, aps, priority: envelope.priority, to: .device,
            activity: &activities[envelope.token, default: ActivityHistory()], now: now)
    }

    private mutating func repetition(of id: String) -> AcceptedPush.Repetition {
        // In trusting mode the id of an accepted push may be invalid.
        guard let id = UUIDText.read(id) else { return .first }
        return ids.insert(id) ? .first : .again
    }

    private mutating func uniqueIDHeaders() -> [HTTP2Header] {
        switch rules.environment {
        case .production: []
        case .sandbox: [HTTP2Header("apns-unique-id", dice.uuid())]
        }
    }
}

// MARK: - Channels

extension SimulatedAPNs {
    private mutating func judge(_ arrival: ChannelArrival) -> Judged {
        do throws(Refusal) {
            let result = try perform(arrival)
            var headers = arrival.headers
            switch result {
            case .published(let broadcast):
                counters.broadcasts += 1
                if !broadcast.warnings.isEmpty { counters.warned += 1 }
                headers += uniqueIDHeaders()
            case .created, .described, .deleted, .listed:
                counters.managed += 1
            }
            return (result.response(headers), .channel(result))
        } catch {
            return refused(error, arrival.headers)
        }
    }

    private mutating func perform(_ arrival: ChannelArrival) throws(Refusal) -> ChannelResult {
        let request = try ChannelRequest(arrival.request, at: arrival.port)
        try connections.check(
            arrival.request.header("authorization"), on: arrival.connection, at: arrival.now)
        let result = try channels.perform(request, requestID: arrival.requestID, at: arrival.now)
        connections.trust(arrival.connection)
        return result
    }
}

// MARK: - Faults

extension SimulatedAPNs {
    /// Returns the server's action under a fault. `judge` performs the request as without the
    /// fault; it is called at most once.
    private mutating func perform(
        _ effect: Fault.Effect, headers: [HTTP2Header],
        _ judge: (inout SimulatedAPNs) -> Judged
    ) -> (action: HTTP2Server.Action, outcome: PushRecord.Outcome) {
        counters.faults += 1
        switch effect {
        case .refuse(let reason, let timestamp):
            let refusal = Refusal(reason, timestamp: timestamp)
            counters.refused[reason.rawValue, default: 0] += 1
            return (.respond(APNsResponses.refused(refusal, headers)), .refused(refusal))
        case .answer(let status, let body):
            let response = HTTP2Response(status: status, headers: headers, body: body)
            return (.respond(response), .fault(effect, nil))
        case .delay, .shuffle, .goAway, .goAwayTwice, .rest, .limitStreams, .trailers,
            .hugeHeaders:
            let judged = judge(&self)
            return (late(effect, judged.response), judged.outcome)
        case .goAwayUnprocessed(let reason):
            return (.goAway(nil, debugData: APNsResponses.reason(reason)), .fault(effect, nil))
        case .resetStream(let code, let handling):
            return (.resetStream(errorCode: code), .fault(effect, done(handling, judge)))
        case .dropConnection(let handling):
            return (.dropConnection, .fault(effect, done(handling, judge)))
        case .ignore(let handling):
            return (.ignore, .fault(effect, done(handling, judge)))
        case .silence(let handling):
            return (.fault(.stopResponding), .fault(effect, done(handling, judge)))
        case .garbage(let garbage, let handling):
            return (garbage.action(headers), .fault(effect, done(handling, judge)))
        }
    }

    private mutating func done(
        _ handling: Fault.Handling, _ judge: (inout SimulatedAPNs) -> Judged
    ) -> PushRecord.Outcome? {
        switch handling {
        case .untouched: nil
        case .accepted: judge(&self).outcome.done
        }
    }

    /// Performs the effects that keep the normal response and add to it.
    private mutating func late(
        _ effect: Fault.Effect, _ response: HTTP2Response
    ) -> HTTP2Server.Action {
        switch effect {
        case .delay(let milliseconds):
            return .respond(response, delayMilliseconds: milliseconds)
        case .shuffle(let range):
            let luck = dice.roll() * Double(range.count)
            return .respond(response, delayMilliseconds: range.lowerBound + Int(luck))
        case .goAway(let reason):
            return .goAway(response, debugData: APNsResponses.reason(reason))
        case .goAwayTwice(let reason, let pause):
            return .fault(
                .goAwayTwice(
                    response, debugData: APNsResponses.reason(reason), pauseMilliseconds: pause))
        case .rest(let milliseconds):
            return .fault(.suspend(response, milliseconds: milliseconds))
        case .limitStreams(let count):
            return .fault(.limitStreams(response, to: count))
        case .trailers:
            return .fault(.respondWithTrailers(response, [HTTP2Header("apns-trailer", "late")]))
        case .hugeHeaders(let bytes):
            return .respond(InvalidResponse.withExtraHeaders(response, bytes: bytes))
        case .refuse, .answer, .goAwayUnprocessed, .resetStream, .dropConnection, .ignore,
            .silence, .garbage:
            return .respond(response)
        }
    }
}

/// A push to a device with its connection and time.
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

    var idHeaders: [HTTP2Header] { [HTTP2Header("apns-id", apnsID)] }

    func record(_ outcome: PushRecord.Outcome) -> PushRecord {
        PushRecord(
            receivedAt: now, connection: connection, facts: facts, apnsID: apnsID,
            outcome: outcome)
    }
}

/// A channel request with its connection and time.
private struct ChannelArrival {
    let request: HTTP2Request
    let port: ChannelRequest.Port
    let connection: HTTP2Server.ConnectionID
    let now: Int64
    /// The received `apns-request-id`, or a generated one if it is absent or invalid.
    let requestID: String

    init(
        request: HTTP2Request, port: ChannelRequest.Port, connection: HTTP2Server.ConnectionID,
        now: Int64, dice: inout FaultDice
    ) {
        self.request = request
        self.port = port
        self.connection = connection
        self.now = now
        let given = request.header("apns-request-id")
        requestID = given.flatMap { PushRules.isUUID($0) ? $0 : nil } ?? dice.uuid()
    }

    var headers: [HTTP2Header] {
        [HTTP2Header("apns-request-id", requestID)]
    }
}
