import HTTP2
import APNsClient
import Isolation

@testable import APNsSimulator

/// What became of pushes, as the client tells it and the simulator knows it.
struct FaultCount: Hashable, CustomStringConvertible {
    var sent = 0
    var accepted = 0
    var refused = 0
    var unknown = 0
    var notSent = 0
    /// Pushes that the simulated APNs has accepted more than once.
    var doubled = 0

    var description: String {
        "sent \(sent), accepted \(accepted), refused \(refused), unknown \(unknown), "
            + "not sent \(notSent), doubled \(doubled)"
    }

    /// So many were sent, and all of them were accepted, once.
    static func all(_ count: Int) -> FaultCount { FaultCount(sent: count, accepted: count) }

    /// So many were sent, and not one of them left.
    static func none(_ count: Int) -> FaultCount { FaultCount(sent: count, notSent: count) }
}

/// A simulator that is set to faults, our client, and a book of every push's outcomes: what a row
/// of the fault table is made in. Clocks stand still until a test moves them.
final class FaultScene: Sendable {
    let wire: WireScene
    /// The client's own clock, which may differ from Apple's.
    let clientClock = Locked(Scene.start)
    private let book = Locked<[String: [APNsClient.Outcome]]>([:])
    private let nextToken = Locked(1)
    private let clients = Locked<[APNsClient]>([])

    init(configure: (inout APNsSimulator.Settings) -> Void = { _ in }) throws {
        wire = try WireScene(configure: configure)
    }

    var simulator: APNsSimulator { wire.simulator }

    /// A client with four connections that come back quickly, and with all the time that a busy
    /// machine may need.
    func client(_ configure: (inout ConnectionPool.Settings) -> Void = { _ in }) throws
        -> APNsClient
    {
        var settings = ConnectionPool.Settings(
            APNsClient.Configuration(host: "localhost", identity: .keys([])))
        settings.port = simulator.port
        settings.trustedCAFile = wire.credentials.caFile
        settings.connections = 4
        settings.reconnect.minMilliseconds = 5
        settings.reconnect.maxMilliseconds = 20
        settings.connectTimeoutMilliseconds = 60_000
        settings.requestTimeoutMilliseconds = 110_000
        settings.queueWaitMaxMilliseconds = 110_000
        settings.pingTimeoutMilliseconds = 60_000
        configure(&settings)
        var dependencies = APNsClient.Dependencies.system
        let clock = clientClock
        dependencies.wall = { clock.withLock { $0 } }
        dependencies.steady = dependencies.wall
        let client = try APNsClient(
            wire.configuration(connections: 4), dependencies: dependencies,
            transport: ConnectionPool(settings))
        clients.withLock { $0.append(client) }
        return client
    }

    /// For hosts that never let anybody in: the client's own timeouts end such a row.
    static func impatient(_ settings: inout ConnectionPool.Settings) {
        settings.connectTimeoutMilliseconds = 400
        settings.requestTimeoutMilliseconds = 1_000
        settings.queueWaitMaxMilliseconds = 400
    }

    /// Pushes to so many devices that had none before.
    func pushes(_ count: Int) -> [PushRequest] {
        let first = nextToken.withLock { next in
            defer { next += count }
            return next
        }
        return (first..<first + count).map { number in
            let digits = String(number, radix: 16)
            return wire.push(token: String(repeating: "0", count: 64 - digits.count) + digits)
        }
    }

    // MARK: - Sending and counting

    /// Sends batch after batch, each when all outcomes of the one before are there. `meanwhile` is
    /// called when a batch was handed in.
    @discardableResult
    func send(
        _ pushes: [PushRequest], by client: APNsClient, inBatchesOf size: Int = 100,
        meanwhile: @escaping @Sendable () async -> Void = {}
    ) async -> FaultCount {
        for start in stride(from: 0, to: pushes.count, by: size) {
            let batch = Array(pushes[start..<min(start + size, pushes.count)])
            await withCheckedContinuation { continuation in
                let left = Locked(batch.count)
                client.send(batch) { [book] index, outcome in
                    book.withLock { $0[batch[index].id.description, default: []].append(outcome) }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { continuation.resume() }
                }
                Task { await meanwhile() }
            }
        }
        return count(of: pushes)
    }

    /// The last outcome of each push, and how often the simulated APNs has it.
    func count(of pushes: [PushRequest]) -> FaultCount {
        let times = acceptances
        let outcomes = book.withLock { $0 }
        var count = FaultCount(sent: pushes.count)
        for push in pushes {
            switch outcomes[push.id.description]?.last {
            case .accepted: count.accepted += 1
            case .refused: count.refused += 1
            case .unknown: count.unknown += 1
            case .notSent, .heldBack: count.notSent += 1
            case nil: break
            }
            if times[push.id.description, default: 0] > 1 { count.doubled += 1 }
        }
        return count
    }

    func outcomes(of push: PushRequest) -> [APNsClient.Outcome] {
        book.withLock { $0[push.id.description] ?? [] }
    }

    /// How often the simulated APNs has accepted each id.
    private var acceptances: [String: Int] {
        wire.accepted.reduce(into: [:]) { $0[$1.apnsID, default: 0] += 1 }
    }

    // MARK: - The end

    /// Ends both sides and says what does not fit together: nothing may be lost in silence, and
    /// nothing doubled. A push that was handed in several times has as many outcomes.
    func finish(handedInAgain: Set<String> = []) async -> [String] {
        for client in clients.withLock({ $0 }) { await client.shutdown(graceMilliseconds: 5_000) }
        await wire.stop()
        let times = acceptances
        var problems: [String] = []
        for (id, outcomes) in book.withLock({ $0 }) {
            if outcomes.count != (handedInAgain.contains(id) ? 2 : 1) {
                problems.append("\(outcomes.count) outcomes: \(outcomes)")
            }
            guard let outcome = outcomes.last else { continue }
            if !Self.allows(outcome, times[id, default: 0]) {
                problems.append("accepted \(times[id, default: 0]) times, but \(outcome)")
            }
        }
        let strangers = times.keys.count { id in book.withLock { $0[id] == nil } }
        if strangers > 0 { problems.append("\(strangers) pushes that nobody has sent") }
        return problems
    }

    /// Whether the simulated APNs may have accepted a push so often whose sender was told this.
    private static func allows(_ outcome: APNsClient.Outcome, _ times: Int) -> Bool {
        switch outcome {
        case .accepted: times == 1
        case .unknown: times <= 1
        case .refused, .notSent, .heldBack: times == 0
        }
    }
}
