internal import APNsClient
internal import Isolation
internal import RangersServer

/// A real client that notes what became of each activity's pushes.
final class OutageSender: PushSender {
    private struct State {
        /// When a push to each token was accepted last, in milliseconds.
        var accepted: [String: Int64] = [:]
        var acceptances = 0
        var heldBack = 0
    }

    private let client: APNsClient
    private let scheduler: Scheduler
    private let state = Locked(State())

    init(_ client: APNsClient, _ scheduler: Scheduler) {
        self.client = client
        self.scheduler = scheduler
    }

    var acceptances: Int { state.withLock { $0.acceptances } }
    var heldBack: Int { state.withLock { $0.heldBack } }

    /// The number of these tokens with an accepted push since that time.
    func current(_ tokens: [String], since time: Int64) -> Int {
        state.withLock { state in tokens.count { state.accepted[$0].map { $0 >= time } == true } }
    }

    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    ) {
        client.send(requests) { [self] index, outcome in
            note(outcome, of: requests[index])
            completion(index, outcome)
        }
    }

    private func note(_ outcome: APNsClient.Outcome, of request: PushRequest) {
        let now = scheduler.now
        state.withLock { state in
            switch outcome {
            case .accepted:
                state.accepted[request.token.hex] = now
                state.acceptances += 1
            case .heldBack: state.heldBack += 1
            case .refused, .notSent, .unknown: break
            }
        }
    }

    func keepProviderTokens(in storage: any ProviderTokenStorage) async {}
    func liftQuarantine(of token: DeviceToken) { client.liftQuarantine(of: token) }
    var hostPauseMilliseconds: Int64? { client.hostPauseMilliseconds }
    var counts: APNsClient.Counts { client.counts }
    func shutdown(graceMilliseconds: Int) async {
        await client.shutdown(graceMilliseconds: graceMilliseconds)
    }
}
