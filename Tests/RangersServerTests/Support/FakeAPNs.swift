import Foundation
import Isolation
import Playtest
import PushPolicy
import RangersServer

@testable import APNsClient

/// Apple, as a list: takes pushes and answers as it is told.
final class FakeAPNs: PushSender {
    struct Push: Sendable {
        let request: PushRequest
        let aps: Value
        /// When it left, if the list behaves as the client does.
        let at: WallTime?
    }

    /// What the client does while its host fails.
    private struct Client {
        let clock: VirtualClock
        var gate = HostGate()

        var now: Int64 { clock.now.milliseconds }
    }

    private struct State {
        var pushes: [Push] = []
        var quarantineLifted: [DeviceToken] = []
        var kept: [StoredProviderToken] = []
        var storage: (any ProviderTokenStorage)?
        var held: [@Sendable (APNsClient.Outcome) -> Void] = []
        /// In the order in which they are answered.
        var due: [(at: WallTime, answer: @Sendable (APNsClient.Outcome) -> Void)] = []
        var lastAnswer = APNsClient.Outcome.unknown("shut down")
        var answer: Answer = .at(once: .accepted(apnsUniqueID: nil))
        var isShutDown = false
        var hostPause: Int64?
        var client: Client?
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    enum Answer: Sendable {
        case at(once: APNsClient.Outcome)
        /// As each push deserves.
        case by(@Sendable (PushRequest) -> APNsClient.Outcome)
        /// Each is accepted this long after it has come, when `answerDue` is called; by the clock of
        /// `behaveAsClient`.
        case after(milliseconds: Int64)
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
            defer { (state.held, state.due) = ([], []) }
            return state.held + state.due.map(\.answer)
        }
        for completion in held { completion(outcome) }
    }

    /// When the next push is to be answered that has come a while ago.
    var nextAnswerAt: WallTime? { state.withLock { $0.due.map(\.at).min() } }

    /// Accepts the pushes whose time has come.
    func answerDue(at now: WallTime) {
        let outcome = APNsClient.Outcome.accepted(apnsUniqueID: nil)
        let due = state.withLock { state in
            defer { state.due.removeAll { $0.at <= now } }
            return state.due.filter { $0.at <= now }.map { one in
                _ = Self.record(outcome, in: &state)
                return one.answer
            }
        }
        for answer in due { answer(outcome) }
    }

    /// Holds pushes back from now on as the client does while its host fails.
    func behaveAsClient(by clock: VirtualClock) {
        state.withLock { $0.client = Client(clock: clock) }
    }

    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    ) {
        let admission = state.withLock { state in
            state.client.map { client in
                let admission = state.client?.gate.admit(requests.count, at: client.now)
                return (count: admission?.count ?? 0, wait: admission?.waitMilliseconds ?? 0)
            }
        }
        for (index, request) in requests.enumerated() {
            if let admission, index >= admission.count {
                let wait = admission.wait
                completion(index, .heldBack("the host fails", retryAfterMilliseconds: wait))
            } else {
                send(request) { completion(index, $0) }
            }
        }
    }

    private func send(
        _ request: PushRequest, completion: @escaping @Sendable (APNsClient.Outcome) -> Void
    ) {
        let aps = Self.aps(request)
        let outcome = state.withLock { state -> APNsClient.Outcome? in
            state.pushes.append(
                Push(request: request, aps: aps, at: state.client.map { $0.clock.now }))
            switch state.answer {
            case .at(let outcome): return Self.record(outcome, in: &state)
            case .by(let judge): return Self.record(judge(request), in: &state)
            case .after(let milliseconds):
                let now = state.client?.clock.now ?? WallTime(milliseconds: 0)
                state.due.append((now.adding(milliseconds: milliseconds), completion))
                return nil
            case .later:
                state.held.append(completion)
                return nil
            }
        }
        tellWatchers()
        if let outcome { completion(outcome) }
    }

    private static func record(
        _ outcome: APNsClient.Outcome, in state: inout State
    ) -> APNsClient.Outcome {
        guard let now = state.client?.now else { return outcome }
        switch outcome {
        case .accepted: state.client?.gate.recordSuccess(at: now)
        case .refused(let refusal):
            state.client?.gate.record(.failure(.refused(refusal)), at: now, dice: 0.5)
        case .notSent(let why), .heldBack(let why, _), .unknown(let why):
            state.client?.gate.record(.failure(.notSent(why)), at: now, dice: 0.5)
        }
        return outcome
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

    /// How long the client leaves Apple's host alone from now on; `nil`: it takes pushes.
    func pause(forMilliseconds pause: Int64?) { state.withLock { $0.hostPause = pause } }

    var hostPauseMilliseconds: Int64? {
        state.withLock { state in
            guard let client = state.client else { return state.hostPause }
            return client.gate.pause(at: client.now)
        }
    }

    var counts: APNsClient.Counts {
        var counts = APNsClient.Counts()
        state.withLock { state in
            guard let gate = state.client?.gate else { return }
            counts.hostState = gate.hostState
            counts.pauses = gate.pauses
        }
        return counts
    }

    /// Whether the server has ended its use.
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    func shutdown(graceMilliseconds: Int) async {
        state.withLock { $0.isShutDown = true }
        release(state.withLock { $0.lastAnswer })
    }

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
        (try? Value(json: request.payload))?["aps"] ?? .null
    }
}

/// JSON as tests look at it.
enum Value: Hashable, Sendable {
    case object([String: Value]), array([Value]), string(String), number(Double), bool(Bool), null

    /// Reads a text. `JSONDecoder` would throw at each guess of a type, and each thrown error of a
    /// test costs a backtrace.
    init(json: some Sequence<UInt8>) throws {
        let json = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
        self.init(json)
    }

    private init(_ json: Any) {
        switch json {
        case let fields as [String: Any]: self = .object(fields.mapValues { Value($0) })
        case let items as [Any]: self = .array(items.map { Value($0) })
        case let text as String: self = .string(text)
        case let number as NSNumber:
            // "c": what a `Bool` is in Objective-C.
            let isTruth = number.objCType.pointee == CChar(UInt8(ascii: "c"))
            self = isTruth ? .bool(number.boolValue) : .number(number.doubleValue)
        default: self = .null
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
