package import APNsClient

/// Sends pushes out of the server: to APNs, or to a test's list.
package protocol PushSender: Sendable {
    /// Sends pushes together. Calls `completion` exactly once for each, with its index, from any
    /// thread, as outcomes arrive; it must not block.
    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    )

    /// Takes over the last run's provider tokens and stores new ones. Call it before the first
    /// push.
    func keepProviderTokens(in storage: any ProviderTokenStorage) async

    /// Takes over newer provider tokens that other nodes have stored, and signs one if that is due
    /// and to be done here.
    func refreshProviderTokens(_ signing: ProviderTokens.Signing) async

    /// Lifts the quarantine of a token that was registered again, whatever APNs reported before.
    func liftQuarantine(of token: DeviceToken)

    /// How long the APNs host is to be left alone, in milliseconds; 0: one push may probe. `nil`: it
    /// takes pushes.
    var hostPauseMilliseconds: Int64? { get }

    /// The client's counters and the state of the host.
    var counts: APNsClient.Counts { get }

    /// Takes no more pushes, and finishes those in flight within the time limit.
    func shutdown(graceMilliseconds: Int) async
}

extension PushSender {
    /// A sender without provider tokens has nothing to share.
    package func refreshProviderTokens(_ signing: ProviderTokens.Signing) async {}
}

extension APNsClient: PushSender {}
