internal import APNsClient

/// The metrics that the APNs client counts itself, copied when they are read.
enum APNsGauges {
    /// The labels of the host of the sandbox, when a server has one besides that of production.
    static let sandboxLabels = "environment=\"sandbox\""

    /// Takes over the current counters of an APNs client. `isRefusing` says whether the host refuses
    /// every push, which the client does not know.
    static func update(
        _ metrics: Metrics, from counts: APNsClient.Counts, isRefusing: Bool, labels: String = ""
    ) {
        let state = isRefusing ? .inTrouble : counts.hostState
        metrics.set(.hostState, labels: labels, to: number(of: state))
        metrics.set(.hostPauses, labels: labels, to: Double(counts.pauses))
        for (reason, count) in counts.goAways {
            let reason = "reason=\"\(reason)\""
            metrics.set(
                .goAways, labels: labels.isEmpty ? reason : "\(labels),\(reason)",
                to: Double(count))
        }
        metrics.set(.repeatedPushes, labels: labels, to: Double(counts.repeated))
        metrics.set(.strangeIDs, labels: labels, to: Double(counts.strangeIDs))
        metrics.set(.heldBack, labels: labels, to: Double(counts.heldBack))
        metrics.set(.quarantinedTokens, labels: labels, to: Double(counts.tokensQuarantined))
        metrics.set(.quarantineRefusals, labels: labels, to: Double(counts.quarantineRefusals))
        metrics.set(.providerTokens, labels: labels, to: Double(counts.tokensSigned))
        metrics.set(.providerKey, labels: labels, to: Double(counts.keyPlace))
    }

    /// Takes over the current counters of the hosts of channels and broadcasts.
    static func update(
        _ metrics: Metrics, from counts: [BroadcastChannels.Host: BroadcastChannels.Counts]
    ) {
        for (host, counts) in counts {
            let host = "host=\"\(host.rawValue)\""
            metrics.set(.channelHostState, labels: host, to: number(of: counts.hostState))
            metrics.set(.channelHostPauses, labels: host, to: Double(counts.pauses))
            for (ending, count) in counts.endings {
                let status = ending.status.map(String.init) ?? ""
                metrics.set(
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
}
