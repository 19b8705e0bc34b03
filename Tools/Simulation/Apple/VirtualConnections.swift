internal import APNsSimulator
internal import HTTP2
internal import HTTP2Server

/// The connections of one client to the simulated APNs: they come and go, with the manners of
/// connecting again that real ones have.
struct VirtualConnections {
    /// Whether anybody answers a connect.
    enum Reach: Sendable {
        case open, nobody
    }

    /// What becomes of a request.
    enum Ending {
        case response(HTTP2Response, delayMilliseconds: Int)
        case failure(HTTP2Failure)
        /// No answer, until the client gives up.
        case silence
    }

    /// A request with what APNs did with it, and what the client hears.
    struct Reception {
        let ending: Ending
        let record: PushRecord
    }

    private struct Slot {
        var connection: Int?
        var usefulness = ReconnectBackoff.Usefulness.opened
        var backoff = ReconnectBackoff(ReconnectBackoff.Limits())
        var connects: [Int64] = []
    }

    private static let count = 4

    private var slots = [Slot](repeating: Slot(), count: count)
    private var dice: FaultDice
    private var turn = 0
    /// The number of the newest connection.
    private var connection: Int
    /// By why Apple ended connections.
    private(set) var goAways: [String: Int] = [:]

    /// Numbers connections from `first` on, because APNs tells all of them apart.
    init(seed: UInt64, first: Int = 0) {
        dice = FaultDice(seed: seed)
        connection = first
    }

    /// When each slot has connected.
    var connects: [[Int64]] { slots.map(\.connects) }

    /// Hands a request over. `nil`: there is no connection, and none can be made now.
    mutating func receive(
        _ request: HTTP2Request, by apns: inout SimulatedAPNs, at now: Int64, _ reach: Reach
    ) -> Reception? {
        guard let index = readySlot(at: now, reach), let connection = slots[index].connection
        else { return nil }
        let reaction = apns.receive(request, on: connection, at: now)
        return Reception(
            ending: settle(reaction.action, index, at: now), record: reaction.record)
    }

    /// Ends all connections.
    mutating func endAll(at now: Int64) {
        for index in slots.indices { end(index, at: now) }
    }

    /// The next connection; opens one where manners allow it.
    private mutating func readySlot(at now: Int64, _ reach: Reach) -> Int? {
        for _ in slots.indices {
            turn = (turn + 1) % slots.count
            let index = turn
            if slots[index].connection != nil { return index }
            let earliest = slots[index].backoff.nextConnect(dice: dice.next())
            guard earliest <= now else { continue }
            slots[index].backoff.connects(at: now)
            slots[index].connects.append(now)
            guard reach == .open else {
                slots[index].backoff.ended(at: now, usefulness: .failed)
                continue
            }
            connection += 1
            slots[index].connection = connection
            slots[index].usefulness = .opened
            return index
        }
        return nil
    }

    private mutating func settle(
        _ action: HTTP2Server.Action, _ index: Int, at now: Int64
    ) -> Ending {
        switch action {
        case .respond(let response, let delay):
            slots[index].usefulness = .responded
            return .response(response, delayMilliseconds: delay)
        case .goAway(let response, let reason):
            if response != nil { slots[index].usefulness = .responded }
            goAways[String(decoding: reason, as: UTF8.self), default: 0] += 1
            end(index, at: now)
            return response.map { .response($0, delayMilliseconds: 0) }
                ?? .failure(.refused("GOAWAY"))
        case .resetStream: return .failure(.refused("the peer refused the stream"))
        case .ignore: return .silence
        case .dropConnection:
            end(index, at: now)
            return .failure(.unknown("the connection was lost"))
        case .fault(let fault): return settle(fault, index, at: now)
        }
    }

    private mutating func settle(
        _ fault: HTTP2Server.Fault, _ index: Int, at now: Int64
    ) -> Ending {
        switch fault {
        case .suspend(let response, let milliseconds):
            slots[index].usefulness = .responded
            return .response(response, delayMilliseconds: milliseconds)
        case .stopResponding:
            end(index, at: now)
            return .silence
        case .goAwayTwice, .limitStreams, .respondWithTrailers, .sendInvalidBytes:
            end(index, at: now)
            return .failure(.unknown("the connection was lost"))
        }
    }

    private mutating func end(_ index: Int, at now: Int64) {
        guard slots[index].connection != nil else { return }
        slots[index].connection = nil
        slots[index].backoff.ended(at: now, usefulness: slots[index].usefulness)
    }
}
