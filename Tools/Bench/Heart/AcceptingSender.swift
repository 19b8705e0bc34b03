internal import APNsClient
internal import Isolation
internal import RangersServer

/// The fastest possible APNs: accepts every push at once.
final class AcceptingSender: PushSender {
    /// The bytes of all payloads so far.
    let payloadBytes = Locked(0)

    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    ) {
        let bytes = requests.reduce(0) { $0 + $1.payload.count }
        payloadBytes.withLock { $0 += bytes }
        for index in requests.indices { completion(index, .accepted(apnsUniqueID: nil)) }
    }

    func keepProviderTokens(in storage: any ProviderTokenStorage) async {}
    func liftQuarantine(of token: DeviceToken) {}
    var hostPauseMilliseconds: Int64? { nil }
    var counts: APNsClient.Counts { APNsClient.Counts() }
    func shutdown(graceMilliseconds: Int) async {}
}
