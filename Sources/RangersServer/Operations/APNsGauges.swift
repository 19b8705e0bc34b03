internal import APNsClient

/// The metrics that the APNs client counts itself, copied when they are read.
enum APNsGauges {
    /// Takes over the current counters of the APNs client.
    static func update(_ metrics: Metrics, from counts: APNsClient.Counts) {
        metrics.set(.hostState, to: number(of: counts.hostState))
        metrics.set(.hostPauses, to: Double(counts.pauses))
        for (reason, count) in counts.goAways {
            metrics.set(.goAways, labels: "reason=\"\(reason)\"", to: Double(count))
        }
        metrics.set(.repeatedPushes, to: Double(counts.repeated))
        metrics.set(.strangeIDs, to: Double(counts.strangeIDs))
        metrics.set(.heldBack, to: Double(counts.heldBack))
        metrics.set(.quarantinedTokens, to: Double(counts.tokensQuarantined))
        metrics.set(.quarantineRefusals, to: Double(counts.quarantineRefusals))
        metrics.set(.providerTokens, to: Double(counts.tokensSigned))
        metrics.set(.providerKey, to: Double(counts.keyPlace))
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
