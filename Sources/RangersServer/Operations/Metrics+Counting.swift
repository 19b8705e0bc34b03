internal import APNsClient
internal import PushPolicy

/// Counts of the shards and their pushes.
extension Metrics {
    /// Counts the decisions on starts by push, and the starts that an activity has confirmed.
    func count(_ starts: StartPlanner.Plan, reported: Int) {
        for disposition in starts.dispositions {
            add(.starts, labels: "result=\"\(Self.name(disposition))\"")
        }
        if reported > 0 { add(.starts, labels: "result=\"reported\"", Double(reported)) }
    }

    private static func name(_ disposition: StartPlanner.Disposition) -> String {
        switch disposition {
        case .sent: "sent"
        case .pending: "pending"
        case .held: "held"
        }
    }

    /// Counts the outcome of a push.
    func count(_ outcome: APNsClient.Outcome, priority: PushPriority) {
        switch outcome {
        case .accepted: countPush(priority, status: "200", reason: "")
        case .refused(let refusal):
            countPush(
                priority, status: "\(refusal.status)", reason: APNsReason.label(of: refusal.reason))
        case .notSent: countPush(priority, status: "", reason: "not sent")
        case .heldBack: countPush(priority, status: "", reason: "held back")
        case .unknown: countPush(priority, status: "", reason: "unknown fate")
        }
    }

    /// Takes over the current counters of the APNs client.
    func note(_ counts: APNsClient.Counts) {
        set(.hostState, to: Self.number(of: counts.hostState))
        set(.hostPauses, to: Double(counts.pauses))
        for (reason, count) in counts.goAways {
            set(.goAways, labels: "reason=\"\(reason)\"", to: Double(count))
        }
        set(.repeatedPushes, to: Double(counts.repeated))
        set(.strangeIDs, to: Double(counts.strangeIDs))
        set(.heldBack, to: Double(counts.heldBack))
        set(.quarantinedTokens, to: Double(counts.tokensQuarantined))
        set(.quarantineRefusals, to: Double(counts.quarantineRefusals))
        set(.providerTokens, to: Double(counts.tokensSigned))
        set(.providerKey, to: Double(counts.keyPlace))
    }

    /// Takes over the current counters of the hosts of channels and broadcasts.
    func note(_ counts: [BroadcastChannels.Host: BroadcastChannels.Counts]) {
        for (host, counts) in counts {
            let host = "host=\"\(host.rawValue)\""
            set(.channelHostState, labels: host, to: Self.number(of: counts.hostState))
            set(.channelHostPauses, labels: host, to: Double(counts.pauses))
            for (ending, count) in counts.endings {
                let status = ending.status.map(String.init) ?? ""
                set(
                    .channelRequests,
                    labels: "\(host),status=\"\(status)\",reason=\"\(ending.reason)\"",
                    to: Double(count))
            }
        }
    }

    private static func number(of state: APNsClient.HostState) -> Double {
        switch state {
        case .working: 0
        case .slowed: 1
        case .inTrouble: 2
        }
    }

    func countUnsendable(_ priority: PushPriority) {
        countPush(priority, status: "", reason: "cannot be written")
    }

    private func countPush(_ priority: PushPriority, status: String, reason: String) {
        add(.pushes, labels: Self.pushLabels(priority, status: status, reason: reason))
    }

    static func pushLabels(_ priority: PushPriority, status: String, reason: String) -> String {
        "priority=\"\(priority.rawValue)\",status=\"\(status)\",reason=\"\(reason)\""
    }
}
