import APNsClient
import Foundation
import Isolation
import RangersServer

/// Apple's channels, as a list: takes orders and broadcasts, and answers as it is told.
final class FakeChannels: ChannelService {
    struct Broadcast: Sendable {
        let request: BroadcastRequest
        let aps: Value
    }

    private struct State {
        var created = 0
        var listed: Set<ChannelID> = []
        var deleted: [ChannelID] = []
        var broadcasts: [Broadcast] = []
        var creation: Trouble?
        var deletion: Trouble?
        var answer = APNsClient.Outcome.accepted(apnsUniqueID: nil)
        var listings = 0
        var meanwhile: (@Sendable () async -> Void)?
    }

    /// What goes wrong.
    enum Trouble: Sendable {
        case refused(String), notSent, unknown

        func outcome<Value: Sendable>() -> ChannelOutcome<Value> {
            switch self {
            case .refused(let reason): .refused(FakeChannels.refusal(reason))
            case .notSent: .notSent("no connection")
            case .unknown: .unknown("the connection was lost")
            }
        }
    }

    private let state = Locked(State())

    static func refusal(_ reason: String) -> APNsClient.Refusal {
        APNsClient.Refusal(
            status: 400, reason: reason, timestamp: nil,
            action: APNsReason.action(status: 400, reason: reason))
    }

    // MARK: What tests ask for

    var broadcasts: [Broadcast] { state.withLock { $0.broadcasts } }
    var deleted: [ChannelID] { state.withLock { $0.deleted } }
    var listed: Set<ChannelID> { state.withLock { $0.listed } }
    var created: Int { state.withLock { $0.created } }
    var listings: Int { state.withLock { $0.listings } }

    /// A channel that somebody else has made.
    func list(_ id: ChannelID) { state.withLock { _ = $0.listed.insert(id) } }

    /// A channel goes without anybody's order, as when broadcasts are switched off.
    func lose(_ id: ChannelID) { state.withLock { _ = $0.listed.remove(id) } }

    /// Lets this happen while Apple creates the next channel.
    func whileCreating(_ meanwhile: @escaping @Sendable () async -> Void) {
        state.withLock { $0.meanwhile = meanwhile }
    }

    func failCreation(_ trouble: Trouble?) { state.withLock { $0.creation = trouble } }
    func failDeletion(_ trouble: Trouble?) { state.withLock { $0.deletion = trouble } }
    func answer(_ outcome: APNsClient.Outcome) { state.withLock { $0.answer = outcome } }

    // MARK: Apple's side

    func create(_ policy: ChannelPolicy) async -> ChannelOutcome<BroadcastChannel> {
        let meanwhile = state.withLock { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        await meanwhile?()
        return state.withLock { state in
            if let trouble = state.creation { return trouble.outcome() }
            state.created += 1
            let id = ChannelID(base64: "CH" + String(format: "%02d", state.created))
            state.listed.insert(id)
            return .done(BroadcastChannel(id: id, policy: policy))
        }
    }

    func delete(_ id: ChannelID) async -> ChannelOutcome<ChannelID> {
        state.withLock { state in
            if let trouble = state.deletion { return trouble.outcome() }
            guard state.listed.remove(id) != nil else {
                return .refused(Self.refusal("ChannelNotRegistered"))
            }
            state.deleted.append(id)
            return .done(id)
        }
    }

    func list() async -> ChannelOutcome<ChannelList> {
        state.withLock { state in
            state.listings += 1
            return .done(ChannelList(listed: state.listed))
        }
    }

    func publish(_ request: BroadcastRequest) async -> APNsClient.Outcome {
        let payload = try? Value(json: request.payload)
        return state.withLock { state in
            state.broadcasts.append(Broadcast(request: request, aps: payload?["aps"] ?? .null))
            return state.answer
        }
    }

    var counts: [BroadcastChannels.Host: BroadcastChannels.Counts] {
        var publishing = BroadcastChannels.Counts()
        publishing.endings = [
            .init(status: 200, reason: ""): broadcasts.count,
            .init(status: nil, reason: "not sent"): 3,
        ]
        publishing.hostState = .inTrouble
        publishing.pauses = 2
        return [.publishing: publishing, .management: BroadcastChannels.Counts()]
    }

    func shutdown(graceMilliseconds: Int) async {}
}
