package import HTTPServer
package import JSONReader
internal import RangersServer

/// What a client heard of a request.
package struct Reply: Sendable {
    /// `nil`: nothing.
    package var status: Int?
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []

    /// Whether the request is known to have been carried out.
    package var isDone: Bool { status.map { (200..<300).contains($0) } ?? false }
    package var json: JSONValue { JSONValue(body) ?? .null }
    /// How long to wait before the same request again, in milliseconds.
    var retryAfter: Int64? { headers["retry-after"].flatMap { Int64($0) }.map { $0 * 1000 } }
}

/// A request of a client.
package struct ClientCall: Sendable {
    package var client: Exchange.Client
    package var party: Int?
    package var method: Method
    package var path: String
    package var body = ""
    package var bearer: String?
    package var key: String?
}

/// The way between clients and the server.
package final class Network: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let world: World
    private let scheduler: Scheduler
    private var dice: [Exchange.Client: Dice] = [:]
    /// The faults in force, in the order in which they began.
    private var faults: [NetworkFault] = []

    /// How long one way takes, in milliseconds.
    private static let way: (least: Int64, most: Int64) = (1, 20)
    /// How long a client waits for a response that was lost.
    private static let patience: Int64 = 10_000

    init(_ world: World) {
        self.world = world
        scheduler = world.scheduler
    }

    func begin(_ fault: NetworkFault) { faults.append(fault) }

    func end(_ fault: NetworkFault) {
        if let index = faults.firstIndex(of: fault) { faults.remove(at: index) }
    }

    func endAll() { faults.removeAll() }

    /// What the network does with one request.
    private struct Fate {
        var there: Int64
        var back: Int64
        var losesRequest = false
        var losesResponse = false
        var doubles = false
    }

    private func fate(of client: Exchange.Client) -> Fate {
        var own = dice[client] ?? scheduler.dice("\(client)", "network")
        defer { dice[client] = own }
        var fate = Fate(
            there: own.between(Self.way.least, Self.way.most),
            back: own.between(Self.way.least, Self.way.most))
        for fault in faults {
            switch fault {
            case .lostRequests(let share): fate.losesRequest = own.chance(share)
            case .lostResponses(let share): fate.losesResponse = own.chance(share)
            case .delay(let most):
                fate.there += own.between(0, most)
                fate.back += own.between(0, most)
            case .doubled(let share): fate.doubles = own.chance(share)
            }
        }
        return fate
    }

    /// Sends a request once.
    package func send(_ call: ClientCall) async -> Reply {
        let fate = fate(of: call.client)
        let sentAt = scheduler.now
        guard let (life, server) = world.node.serving, !fate.losesRequest else {
            let wait = fate.losesRequest ? Self.patience : fate.there
            await scheduler.wait(until: sentAt + wait)
            note(call, sentAt, life: world.node.serving?.life ?? 0, nil)
            return Reply()
        }
        if fate.doubles, call.key != nil || call.method != .post {
            scheduler.spawn(as: 0) { [self] in
                await deliver(call, to: server, in: life, fate)
            }
        }
        let response = await deliver(call, to: server, in: life, fate)
        guard let response, !fate.losesResponse else {
            if response != nil { await scheduler.wait(until: sentAt + Self.patience) }
            note(call, sentAt, life: life, nil)
            return Reply()
        }
        var reply = Reply(status: response.status, body: response.body)
        for header in response.headers { reply.headers[header.name] = header.value }
        note(call, sentAt, life: life, reply)
        return reply
    }

    @discardableResult
    private func deliver(
        _ call: ClientCall, to server: Server, in life: LifeID, _ fate: Fate
    ) async -> Response? {
        let request = request(call)
        let toGameMaster = call.client == .gameMaster
        let there = world.node.clock.wait(fate.there)
        return await scheduler.call(life, there: there, back: fate.back) {
            toGameMaster
                ? await server.respond(toGameMaster: request)
                : await server.respond(to: request)
        }
    }

    private func request(_ call: ClientCall) -> Request {
        var headers: [String: String] = [:]
        if let bearer = call.bearer { headers["authorization"] = "Bearer \(bearer)" }
        if let key = call.key { headers["idempotency-key"] = key }
        let parts = call.path.split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1)
            query[String(sides[0])] = sides.count == 2 ? String(sides[1]) : ""
        }
        return Request(
            method: call.method, path: String(parts[0]), query: query, headers: headers,
            body: Array(call.body.utf8))
    }

    private func note(_ call: ClientCall, _ sentAt: Int64, life: LifeID, _ reply: Reply?) {
        world.see(
            .exchange(
                Exchange(
                    client: call.client, party: call.party, life: life,
                    method: call.method.rawValue, path: call.path, body: Array(call.body.utf8),
                    idempotencyKey: call.key, sentAt: sentAt,
                    respondedAt: reply == nil ? nil : scheduler.now, status: reply?.status,
                    headers: reply?.headers ?? [:], response: reply?.body ?? [])))
    }
}
