package import APNsClient

/// Where pushes leave the server: APNs, or a test's list.
package protocol PushSender: Sendable {
    /// Sends pushes together; `completion` is called exactly once for each with its index, from
    /// any thread, as outcomes arrive, and must not block.
    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    )

    /// Takes over the provider tokens of the last run, and keeps new ones; before the first push.
    func keepProviderTokens(in storage: any ProviderTokenStorage) async

    /// Somebody has registered this token: pushes to it leave again, whatever APNs said of it.
    func forgive(_ token: DeviceToken)

    /// How APNs does.
    var hostState: APNsClient.HostState { get }

    /// What was counted, and how the host does.
    var counts: APNsClient.Counts { get }

    /// Takes no more, finishes what is in flight within the bound.
    func shutdown(graceMilliseconds: Int) async
}

extension APNsClient: PushSender {
    package var hostState: HostState { counts.hostState }
}
