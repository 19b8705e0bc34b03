import APNsClient
import Foundation
import Isolation
import RangersServer

/// Apple, as a list: takes pushes and answers as it is told.
final class FakeAPNs: PushSender {
    struct Push: Sendable {
        let request: PushRequest
        let aps: Value
    }

    private struct State {
        var pushes: [Push] = []
        var quarantineLifted: [DeviceToken] = []
        var kept: [StoredProviderToken] = []
        var storage: (any ProviderTokenStorage)?
        var held: [@Sendable (APNsClient.Outcome) -> Void] = []
        var lastAnswer = APNsClient.Outcome.unknown("shut down")
        var answer: Answer = .at(once: .accepted(apnsUniqueID: nil))
        var hostState = APNsClient.HostState.working
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    enum Answer: Sendable {
        case at(once: APNsClient.Outcome)
        /// As each push deserves.
        case by(@Sendable (PushRequest) -> APNsClient.Outcome)
        /// Until `release`.
        case later
    }

    private let state = Locked(State())

    var pushes: [Push] { state.withLock { $0.pushes } }

    func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }

    /// What is still held back when the server stops gets this answer.
    func answerShutdown(_ outcome: APNsClient.Outcome) {
        state.withLock { $0.lastAnswer = outcome }
    }

    /// Answers everything that was held back.
    func release(_ outcome: APNsClient.Outcome) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for completion in held { completion(outcome) }
    }

    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    ) {
        for (index, request) in requests.enumerated() {
            send(request) { completion(index, $0) }
        }
    }

    private func send(
        _ request: PushRequest, completion: @escaping @Sendable (APNsClient.Outcome) -> Void
    ) {
        let push = Push(request: request, aps: Self.aps(request))
        let outcome = state.withLock { state -> APNsClient.Outcome? in
            state.pushes.append(push)
            switch state.answer {
            case .at(let outcome): return outcome
            case .by(let judge): return judge(request)
            case .later:
                state.held.append(completion)
                return nil
            }
        }
        tellWatchers()
        if let outcome { completion(outcome) }
    }

    /// Tokens that were registered, in order.
    var quarantineLifted: [DeviceToken] { state.withLock { $0.quarantineLifted } }

    func liftQuarantine(of token: DeviceToken) {
        state.withLock { $0.quarantineLifted.append(token) }
    }

    /// What the server's storage gave at its start.
    var kept: [StoredProviderToken] { state.withLock { $0.kept } }
    var storage: (any ProviderTokenStorage)? { state.withLock { $0.storage } }

    func keepProviderTokens(in storage: any ProviderTokenStorage) async {
        let kept = await storage.load()
        state.withLock { state in
            state.kept = kept
            state.storage = storage
        }
    }

    /// How Apple's host does from now on, as the client tells it.
    func be(_ hostState: APNsClient.HostState) { state.withLock { $0.hostState = hostState } }

    var hostState: APNsClient.HostState { state.withLock { $0.hostState } }

    var counts: APNsClient.Counts { APNsClient.Counts() }

    func shutdown(graceMilliseconds: Int) async { release(state.withLock { $0.lastAnswer }) }

    /// Waits until so many pushes have come.
    func untilSent(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.watchers.append((count, continuation)) }
            tellWatchers()
        }
    }

    private func tellWatchers() {
        let satisfied = state.withLock { state in
            let count = state.pushes.count
            let satisfied = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return satisfied
        }
        for continuation in satisfied { continuation.resume() }
    }

    private static func aps(_ request: PushRequest) -> Value {
        struct Payload: Decodable {
            let aps: Value
        }
        let payload = try? JSONDecoder().decode(Payload.self, from: Data(request.payload))
        return payload?.aps ?? .null
    }
}

/// JSON as tests look at it.
enum Value: Decodable, Sendable {
    case object([String: Value]), array([Value]), string(String), number(Double), bool(Bool), null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode([String: Value].self) {
            self = .object(value)
        } else if let value = try? container.decode([Value].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            self = .null
        }
    }

    subscript(_ key: String) -> Value {
        guard case .object(let fields) = self else { return .null }
        return fields[key] ?? .null
    }

    subscript(_ index: Int) -> Value {
        guard case .array(let items) = self, items.indices.contains(index) else { return .null }
        return items[index]
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    var isNull: Bool { if case .null = self { true } else { false } }
    var array: [Value] { if case .array(let items) = self { items } else { [] } }
}
