package import APNsClient

/// Where pushes leave the server: APNs, or a test's list.
package protocol PushSender: Sendable {
    /// Sends one push; `completion` is called exactly once, from any thread, and must not block.
    func send(
        _ request: PushRequest, completion: @escaping @Sendable (APNsClient.Outcome) -> Void)

    /// Takes no more, finishes what is in flight within the bound.
    func shutdown(graceMilliseconds: Int) async
}

extension APNsClient: PushSender {}
