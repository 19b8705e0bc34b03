internal import HTTP2
internal import HTTP2Server

extension SimulatedAPNs {
    /// Handles a request that is not a push to a device, off the hot path.
    mutating func receiveAboutChannels(
        _ request: HTTP2Request, at port: ChannelRequest.Port,
        on connection: HTTP2Server.ConnectionID, now: Int64
    ) -> Reaction {
        counters.requests += 1
        let arrival = ChannelArrival(
            request: request, port: port, connection: connection, now: now, dice: &dice)
        let wasTrusted = isTrusted(connection)
        let reaction = react(to: arrival)
        let record = PushRecord(
            receivedAt: now, connection: connection, facts: PushFacts(request),
            apnsID: arrival.requestID, outcome: reaction.outcome)
        return Reaction(
            action: reaction.action, record: record,
            streams: isTrusted(connection) && !wasTrusted ? .opened : .asBefore)
    }

    private mutating func react(
        to arrival: ChannelArrival
    ) -> (action: HTTP2Server.Action, outcome: PushRecord.Outcome) {
        let channelID = arrival.request.header("apns-channel-id")
        guard let effect = script.effect(onChannel: channelID) else {
            let judged = judge(arrival)
            return (.respond(judged.response), judged.outcome)
        }
        return meet(effect, headers: arrival.headers) { $0.judge(arrival) }
    }

    private mutating func judge(_ arrival: ChannelArrival) -> Judged {
        do throws(Refusal) {
            return answered(try reply(to: arrival), arrival.headers)
        } catch {
            counters.refused[error.reason.rawValue, default: 0] += 1
            return (APNsResponses.refused(error, arrival.headers), .refused(error))
        }
    }

    private mutating func reply(to arrival: ChannelArrival) throws(Refusal) -> ChannelResult {
        let asked = try ChannelRequest(arrival.request, at: arrival.port)
        try checkSender(
            arrival.request.header("authorization"), on: arrival.connection, at: arrival.now)
        let reply = try channels.answer(asked, requestID: arrival.requestID, at: arrival.now)
        trust(arrival.connection)
        return reply
    }

    private mutating func answered(_ reply: ChannelResult, _ headers: [HTTP2Header]) -> Judged {
        var headers = headers
        switch reply {
        case .published(let broadcast):
            counters.broadcasts += 1
            if !broadcast.warnings.isEmpty { counters.warned += 1 }
            if rules.environment == .sandbox {
                headers.append(HTTP2Header("apns-unique-id", dice.uuid(), indexing: .never))
            }
        case .created, .described, .deleted, .listed:
            counters.managed += 1
        }
        return (reply.response(headers), .channel(reply))
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
        [HTTP2Header("apns-request-id", requestID, indexing: .never)]
    }
}
