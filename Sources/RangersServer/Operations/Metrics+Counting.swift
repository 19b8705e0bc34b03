internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// What the loop and the dispatcher count.
extension Metrics {
    private static let reasons = Set(APNsReason.table.map(\.reason))

    func count(_ commit: PartyCommit, took milliseconds: Int64) {
        observe(.commitTime, milliseconds: milliseconds)
        if !commit.events.isEmpty { add(.events, Double(commit.events.count)) }
        for decision in commit.decisions {
            add(.decisions, labels: "verdict=\"\(decision.verdict.rawValue)\"")
        }
    }

    func count(_ order: PushOrder, _ outcome: APNsClient.Outcome, now: WallTime) {
        switch outcome {
        case .accepted:
            countPush(order, status: "200", reason: "")
            if order.alert != nil { add(.alerts) }
            let latency = now.milliseconds - order.dueSince.milliseconds
            observe(.tickToAcceptance, milliseconds: latency)
        case .refused(let refusal):
            // Only reasons of Apple's table become labels: their number must stay bounded.
            let reason = Self.reasons.contains(refusal.reason) ? refusal.reason : "other"
            countPush(order, status: "\(refusal.status)", reason: reason)
        case .notSent: countPush(order, status: "", reason: "not sent")
        case .unknown: countPush(order, status: "", reason: "unknown fate")
        }
    }

    func countUnsendable(_ order: PushOrder) {
        countPush(order, status: "", reason: "cannot be written")
    }

    private func countPush(_ order: PushOrder, status: String, reason: String) {
        let priority = order.priority.rawValue
        add(
            .pushes,
            labels: "priority=\"\(priority)\",status=\"\(status)\",reason=\"\(reason)\"")
    }
}
