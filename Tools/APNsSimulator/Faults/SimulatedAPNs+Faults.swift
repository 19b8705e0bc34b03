internal import HTTP2
internal import HTTP2Server

extension SimulatedAPNs {
    /// A request's normal response, with its outcome.
    typealias Judged = (response: HTTP2Response, outcome: PushRecord.Outcome)

    /// Returns the server's action under a fault. `judge` performs the request as without the
    /// fault; it is called at most once.
    mutating func meet(
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
            let answer = HTTP2Response(status: status, headers: headers, body: body)
            return (.respond(answer), .fault(effect, nil))
        case .delay, .shuffle, .goAway, .goAwayTwice, .rest, .limitStreams, .trailers,
            .hugeHeaders:
            let judged = judge(&self)
            return (late(effect, judged.response), judged.outcome)
        case .goAwayUnprocessed(let reason):
            return (.goAway(nil, debugData: APNsResponses.reason(reason)), .fault(effect, nil))
        case .resetStream(let code, let fate):
            return (.resetStream(errorCode: code), .fault(effect, done(fate, judge)))
        case .dropConnection(let fate):
            return (.dropConnection, .fault(effect, done(fate, judge)))
        case .ignore(let fate):
            return (.ignore, .fault(effect, done(fate, judge)))
        case .silence(let fate):
            return (.fault(.stopResponding), .fault(effect, done(fate, judge)))
        case .garbage(let garbage, let fate):
            return (garbage.action(headers), .fault(effect, done(fate, judge)))
        }
    }

    private mutating func done(
        _ fate: Fault.Handling, _ judge: (inout SimulatedAPNs) -> Judged
    ) -> PushRecord.Outcome? {
        switch fate {
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
            return .respond(InvalidResponse.swollen(response, by: bytes))
        case .refuse, .answer, .goAwayUnprocessed, .resetStream, .dropConnection, .ignore,
            .silence, .garbage:
            return .respond(response)
        }
    }
}
