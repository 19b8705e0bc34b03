/// Every metric of the server, with its description.
package enum Metric: String, CaseIterable, Sendable {
    case ticks = "rangers_ticks_total"
    case failedTicks = "rangers_failed_ticks_total"
    case events = "rangers_events_total"
    case decisions = "rangers_decisions_total"
    case alerts = "rangers_alerts_total"
    case pushes = "rangers_pushes_total"
    case starts = "rangers_starts_total"
    case pushesInFlight = "rangers_pushes_in_flight"
    case hostState = "rangers_apns_host_state"
    case hostPauses = "rangers_apns_host_pauses_total"
    case goAways = "rangers_apns_goaways_total"
    case repeatedPushes = "rangers_apns_repeated_total"
    case strangeIDs = "rangers_apns_strange_ids_total"
    case heldBack = "rangers_apns_held_back_total"
    case quarantinedTokens = "rangers_apns_quarantined_tokens"
    case quarantineRefusals = "rangers_apns_quarantine_refusals_total"
    case providerTokens = "rangers_apns_provider_tokens_total"
    case providerKey = "rangers_apns_key"
    case channelRequests = "rangers_apns_channel_requests_total"
    case channelHostState = "rangers_apns_channel_host_state"
    case channelHostPauses = "rangers_apns_channel_host_pauses_total"
    case requests = "rangers_http_requests_total"
    case partiesFrozen = "rangers_parties_frozen"
    case channels = "rangers_channels"
    case batches = "rangers_batches_total"
    case batchedChanges = "rangers_batched_changes_total"
    case batchesOut = "rangers_batches_out"
    case partiesInMemory = "rangers_parties_in_memory"
    case requestsUnderWay = "rangers_requests_under_way"
    case backlogSeconds = "rangers_backlog_seconds"
    case journalRowsFolded = "rangers_journal_rows_folded_total"
    case tickLateness = "rangers_tick_lateness_seconds"
    case commitTime = "rangers_commit_seconds"
    case tickToAcceptance = "rangers_tick_to_acceptance_seconds"
    case requestTime = "rangers_http_request_seconds"

    var help: String {
        switch self {
        case .ticks: "Times a party's story was told on by the timer."
        case .failedTicks: "Ticks that failed and will be tried again."
        case .events: "Events that were committed."
        case .decisions: "What was decided of an event for an activity, by verdict."
        case .alerts: "Alerts that APNs accepted."
        case .pushes: "Pushes by priority, status and reason; status is empty without an answer."
        case .starts: "Cards to be begun by push: sent, pending, held; reported by their app."
        case .pushesInFlight: "The backlog: pushes handed to the APNs client, not yet answered."
        case .hostState: "How APNs does: 0 working, 1 sending is slowed, 2 in trouble."
        case .hostPauses: "Times APNs failed at everything and was given a pause."
        case .goAways: "Connections that APNs has ended by GOAWAY, by its reason."
        case .repeatedPushes: "Pushes that were sent again because nothing can have arrived."
        case .strangeIDs: "Answers of APNs that bear another push's apns-id."
        case .heldBack: "Pushes that were held back for APNs' state."
        case .quarantinedTokens: "Device tokens that APNs has called bad: not sent to."
        case .quarantineRefusals: "Pushes that did not leave because of their token."
        case .providerTokens: "Provider tokens that were signed."
        case .providerKey: "The provider key in use: 1 for --apns-key, 2 for --apns-key-next."
        case .channelRequests:
            "Requests to the hosts of channels and broadcasts, by host, status and reason."
        case .channelHostState: "How these hosts do: 0 working, 1 slowed, 2 in trouble."
        case .channelHostPauses: "Times one of these hosts failed at everything and got a pause."
        case .requests: "HTTP requests by route and status."
        case .partiesFrozen: "Parties that are frozen because their row or their tick fails."
        case .channels:
            "Broadcast channels: living, over, missing (at Apple), orphan (not ours); listed: all."
        case .batches: "Batches of parties' changes that were handed to the writer."
        case .batchedChanges: "Changes in those batches: divided by them, the size of a batch."
        case .batchesOut: "Batches that the writer has at the moment."
        case .partiesInMemory: "Parties that the shards have in memory."
        case .requestsUnderWay: "Changes that callers wait for."
        case .journalRowsFolded: "Rows of the journal that were folded for their age."
        case .backlogSeconds: "How long the party that is due longest has waited."
        case .tickLateness: "How late the timer was."
        case .commitTime: "How long a party's commit took, waiting included."
        case .tickToAcceptance: "From an event's commit to APNs' acceptance of its push."
        case .requestTime: "How long an HTTP request took."
        }
    }

    var kind: String {
        switch self {
        case .ticks, .failedTicks, .events, .decisions, .alerts, .pushes, .starts, .requests,
            .hostPauses, .goAways, .repeatedPushes, .channelRequests, .channelHostPauses,
            .strangeIDs, .heldBack, .quarantineRefusals, .providerTokens, .batches,
            .batchedChanges, .journalRowsFolded:
            "counter"
        case .pushesInFlight, .partiesFrozen, .hostState, .quarantinedTokens, .providerKey,
            .channels, .channelHostState, .batchesOut, .partiesInMemory, .requestsUnderWay,
            .backlogSeconds:
            "gauge"
        case .tickLateness, .commitTime, .tickToAcceptance, .requestTime: "histogram"
        }
    }
}
