internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// One broadcast that was handed over to be published.
struct Broadcast: Sendable {
    let request: BroadcastRequest
    let order: PushOrder
    let channel: ChannelName
    let party: PartyID
}

/// Orders whose target is a channel.
extension PushDispatcher {
    func broadcast(
        _ order: PushOrder, on channel: ChannelName, to registration: ActivityRegistration,
        of party: PartyID
    ) {
        guard desk != nil else {
            // Channels were switched off since it was opened: nobody will publish there.
            answer(order, of: party, .tokenIsDead, dead: .channel(channel))
            return
        }
        do {
            let request = try encoding.broadcast(
                for: order, on: channel, in: registration.language)
            metrics.add(.pushesInFlight)
            broadcastContinuation.yield(
                Broadcast(request: request, order: order, channel: channel, party: party))
        } catch {
            metrics.countUnsendable(order.priority)
            log.error(
                "a broadcast cannot be written",
                ["activity": "\(order.activity)", "error": "\(error)"])
            answer(order, of: party, .rejected, dead: nil)
        }
    }

    /// Publishes what is handed over, until `finishAnswers`; then it waits for what is in flight,
    /// and ends the answers.
    package func publishBroadcasts() async {
        await withDiscardingTaskGroup { group in
            for await broadcast in broadcasts {
                group.addTask { await self.publish(broadcast) }
            }
        }
        finishPushAnswers()
    }

    private func publish(_ broadcast: Broadcast) async {
        let order = broadcast.order
        let outcome = await desk?.publish(broadcast.request) ?? .notSent("there are no channels")
        metrics.add(.pushesInFlight, -1)
        metrics.count(
            outcome, priority: order.priority, carriesAlert: false, dueSince: order.dueSince,
            now: clock.now())
        note(outcome, ["activity": "\(order.activity)"])
        if case .refused(let refusal) = outcome, refusal.saysChannelIsGone {
            answer(order, of: broadcast.party, .tokenIsDead, dead: .channel(broadcast.channel))
        } else {
            answer(order, of: broadcast.party, result(of: outcome, deadToken: nil), dead: nil)
        }
    }
}
