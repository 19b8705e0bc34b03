internal import APNsClient
internal import PushPolicy

/// The senders of pushes to devices: one for all, or one for each of Apple's environments.
///
/// Each has a sending gate of its own: the sandbox has the devices of developers, and its outage must
/// not hold back what players receive.
struct PushSenders: Sendable {
    let main: any PushSender
    /// Sends to the sandbox; `nil`: `main` sends all there is.
    let sandbox: (any PushSender)?

    /// Returns whether the push goes to the sandbox's own host.
    func isAside(_ push: PlannedPush) -> Bool { sandbox != nil && push.environment == .sandbox }

    /// Returns the host of a push to a device. Broadcasts go to another one, and are few.
    func host(of push: PlannedPush) -> PushHost? {
        switch push.target {
        case .device: isAside(push) ? .sandbox : .main
        case .channel, .page: nil
        }
    }

    /// Lifts the quarantine of a token, wherever its pushes go.
    func liftQuarantine(of token: DeviceToken) {
        main.liftQuarantine(of: token)
        sandbox?.liftQuarantine(of: token)
    }

    /// Takes no more pushes, and finishes those in flight within the time limit.
    func shutdown(graceMilliseconds: Int) async {
        async let aside: Void? = sandbox?.shutdown(graceMilliseconds: graceMilliseconds)
        await main.shutdown(graceMilliseconds: graceMilliseconds)
        await aside
    }
}
