internal import APNsClient
internal import GameLogic
package import PushPolicy

/// What became of one start.
package struct StartAnswer: Sendable {
    package let order: StartOrder
    package let result: PushResult
    package let deadToken: DeadToken?
}

extension PushDispatcher {
    /// Sends the starts of a party's commit.
    package func send(_ starts: [StartOrder]) {
        for order in starts { send(order) }
    }

    private func send(_ order: StartOrder) {
        let request: PushRequest
        do {
            request = try encoding.request(for: order)
        } catch {
            metrics.countUnsendable(.high)
            log.error(
                "a start cannot be written",
                ["start": order.contentName, "error": "\(error)"])
            answer(order, .rejected, deadToken: nil)
            return
        }
        metrics.add(.pushesInFlight)
        sender.send(request) { [self] outcome in
            metrics.add(.pushesInFlight, -1)
            metrics.count(
                outcome, priority: .high, carriesAlert: true, dueSince: order.dueSince,
                now: clock.now())
            note(outcome, ["start": order.contentName])
            let dead = Self.deadToken(
                outcome, order.token, registeredAt: order.traits.tokenRegisteredAt)
            forgive(order.token, ifDoubtful: outcome, deadToken: dead)
            answer(order, result(of: outcome, deadToken: dead), deadToken: dead)
        }
    }

    private func answer(_ order: StartOrder, _ result: PushResult, deadToken: DeadToken?) {
        startContinuation.yield(StartAnswer(order: order, result: result, deadToken: deadToken))
    }
}
