internal import APNsClient
internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Sends planned pushes and reports their outcomes: updates, ends and starts, to devices, to channels
/// and to pages.
package final class PushService: Sendable {
    private let encoding: PushEncoding
    private let senders: PushSenders
    /// Publishes broadcasts; `nil`: this server has no channels.
    private let channels: (any ChannelService)?
    private let pages: PageStreams
    private let names: HiddenNames
    /// Decides which first pushes wait.
    let newTokens: NewTokens
    private let counters: PushCounters
    private let log: Log
    /// The rules whose violation has been logged.
    private let linted = Locked<Set<String>>([])
    /// What outcomes mean.
    let outcomes: OutcomeRules
    private let sabotage: Sabotage?
    /// At most one broadcast per channel waits here, since one push per activity is in flight.
    private let broadcasts: AsyncStream<Broadcast>
    private let broadcastContinuation: AsyncStream<Broadcast>.Continuation

    init(
        encoding: PushEncoding, senders: PushSenders, channels: (any ChannelService)?,
        pages: PageStreams, names: HiddenNames, newTokens: NewTokens, watch: PushWatch,
        clock: ServerClock,
        metrics: Metrics, log: Log, sabotage: Sabotage? = nil
    ) {
        self.encoding = encoding
        self.senders = senders
        self.channels = channels
        self.pages = pages
        self.names = names
        self.newTokens = newTokens
        self.sabotage = sabotage
        counters = PushCounters(metrics)
        self.log = log
        outcomes = OutcomeRules(
            senders: senders, clock: clock, counters: counters, newTokens: newTokens,
            watch: watch, log: log, sabotage: sabotage)
        (broadcasts, broadcastContinuation) = AsyncStream.makeStream()
    }

    convenience init(
        _ dependencies: Dependencies, _ encoding: PushEncoding, pages: PageStreams,
        hiding names: HiddenNames, newTokens: NewTokens
    ) {
        self.init(
            encoding: encoding, senders: dependencies.senders, channels: dependencies.channels,
            pages: pages, names: names, newTokens: newTokens, watch: dependencies.pushWatch,
            clock: dependencies.clock, metrics: dependencies.metrics, log: dependencies.log,
            sabotage: dependencies.sabotage)
    }

    /// Sends the pushes of changes that were committed together. Their outcomes arrive in the
    /// mailbox one by one, so that a slow push delays no other.
    func send(_ changes: some Collection<PartyChange.Finished>, to mailbox: Mailbox) {
        var main = LeavingPushes(atMost: changes.reduce(0) { $0 + $1.pushes.count })
        var aside = LeavingPushes(atMost: 0)
        let names = names.inForce
        for change in changes where !change.pushes.isEmpty {
            let party = change.commit.stored.id
            var texts = TextCache()
            let hidden = names.flatMap { NamesInPushes($0, in: change.commit.stored) }
            for index in change.pushes.indices {
                var push = change.pushes[index]
                let newTokenOf = push.isFirst ? player(of: push, in: change.commit.stored) : nil
                if let newTokenOf, let until = newTokens.wait(of: newTokenOf) {
                    report(.held(until: until), for: push, of: party, to: mailbox)
                    continue
                }
                if let hidden { push = hidden.applied(to: push) }
                do {
                    switch try encoding.encode(push, of: party, texts: &texts) {
                    case .push(let request):
                        let sent = SentPush(party: party, push: push, newTokenOf: newTokenOf)
                        if senders.isAside(push) {
                            aside.add(request, sent)
                        } else {
                            main.add(request, sent)
                        }
                    case .broadcast(let request):
                        publish(request, for: push, of: party, to: mailbox)
                    case .page(let request):
                        hand(request, for: push, of: party, to: mailbox)
                    }
                } catch {
                    refuse(push, of: party, because: error, to: mailbox)
                }
            }
        }
        send(main, by: senders.main, to: mailbox)
        if let sandbox = senders.sandbox { send(aside, by: sandbox, to: mailbox) }
    }

    /// Returns the player to whose device a push goes.
    private func player(of push: PlannedPush, in stored: StoredParty) -> PlayerID? {
        switch push.recipient {
        case .device(let device): device.player
        case .activity(let activity):
            stored.activities.first { $0.id == activity }?.registration.player
        }
    }

    /// The pushes of one turn that go to the same host.
    private struct LeavingPushes {
        private(set) var requests: [PushRequest] = []
        private(set) var sent: [SentPush] = []

        /// Keeps room for so many, because each is large.
        init(atMost count: Int) {
            requests.reserveCapacity(count)
            sent.reserveCapacity(count)
        }

        mutating func add(_ request: PushRequest, _ push: SentPush) {
            requests.append(request)
            sent.append(push)
        }
    }

    private func send(
        _ leaving: LeavingPushes, by sender: any PushSender, to mailbox: Mailbox
    ) {
        guard !leaving.requests.isEmpty else { return }
        counters.sent(leaving.requests.count)
        let pushes = SentPushes(leaving.sent)
        if sabotage == .overlappingPushes {
            for index in leaving.sent.indices {
                mailbox.add(
                    ReportedOutcome(
                        sent: pushes, index: index,
                        result: .reported(.accepted(apnsUniqueID: nil))))
            }
            return sender.send(leaving.requests) { _, _ in }
        }
        sender.send(leaving.requests) { index, outcome in
            mailbox.add(
                ReportedOutcome(sent: pushes, index: index, result: .reported(outcome)))
        }
    }

    private func hand(
        _ request: PagePush, for push: PlannedPush, of party: PartyID, to mailbox: Mailbox
    ) {
        guard case .page(let token) = push.target else { return }
        counters.sent(1)
        let sent = SentPushes([SentPush(party: party, push: push)])
        pages.send(request, to: token) { outcome in
            mailbox.add(ReportedOutcome(sent: sent, index: 0, result: .init(outcome)))
        }
    }

    /// Reports the pushes as not sent, because all pushes are paused.
    func hold(_ changes: some Sequence<PartyChange.Finished>, _ mailbox: Mailbox) {
        for change in changes {
            for push in change.pushes {
                report(.paused, for: push, of: change.commit.stored.id, to: mailbox)
            }
        }
    }

    /// Refuses a push for good, because no device could read it.
    private func refuse(
        _ push: PlannedPush, of party: PartyID, because error: any Error, to mailbox: Mailbox
    ) {
        if let fault = error as? PushLintFault {
            // Once for each rule: the ledger has every push.
            if linted.withLock({ $0.insert(fault.rule).inserted }) {
                log.error(
                    "a device could not decode a push; further ones are not logged",
                    push.logFields(in: party), ["rule": fault.rule])
            }
            report(.linted, for: push, of: party, to: mailbox)
        } else {
            log.error("a push cannot be encoded", push.logFields(in: party), ["error": "\(error)"])
            report(.unsendable, for: push, of: party, to: mailbox)
        }
    }

    private func report(
        _ result: ReportedOutcome.Result, for push: PlannedPush, of party: PartyID,
        to mailbox: Mailbox
    ) {
        counters.sent(1)
        mailbox.add(
            ReportedOutcome(
                sent: SentPushes([SentPush(party: party, push: push)]), index: 0, result: result))
    }
}

// MARK: - Broadcasts

extension PushService {
    private struct Broadcast: Sendable {
        let request: BroadcastRequest
        let sent: SentPushes
        let mailbox: Mailbox
    }

    private func publish(
        _ request: BroadcastRequest, for push: PlannedPush, of party: PartyID,
        to mailbox: Mailbox
    ) {
        guard channels != nil else {
            // Channels were disabled after this one was opened: nothing can be published there.
            return report(.noChannels, for: push, of: party, to: mailbox)
        }
        counters.sent(1)
        broadcastContinuation.yield(
            Broadcast(
                request: request, sent: SentPushes([SentPush(party: party, push: push)]),
                mailbox: mailbox))
    }

    /// Publishes broadcasts until `finishBroadcasts`, then waits for those in flight.
    func publishBroadcasts() async {
        await withDiscardingTaskGroup { group in
            for await broadcast in broadcasts {
                group.addTask {
                    let outcome =
                        await self.channels?.publish(broadcast.request)
                        ?? .notSent("there are no channels")
                    broadcast.mailbox.add(
                        ReportedOutcome(
                            sent: broadcast.sent, index: 0, result: .reported(outcome)))
                }
            }
        }
    }

    /// Ends the stream of broadcasts.
    func finishBroadcasts() { broadcastContinuation.finish() }
}
