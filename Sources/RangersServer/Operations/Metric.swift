/// Every metric of the server, with its description. One has the name that Prometheus gives it for
/// every process.
package enum Metric: String, CaseIterable, Sendable {
    case ticks = "rangers_ticks_total"
    case failedTicks = "rangers_failed_ticks_total"
    case events = "rangers_events_total"
    case decisions = "rangers_decisions_total"
    case alerts = "rangers_alerts_total"
    case pushes = "rangers_pushes_total"
    case starts = "rangers_starts_total"
    case pushesInFlight = "rangers_pushes_in_flight"
    case pushesPaused = "rangers_pushes_paused"
    case newTokensSlowed = "rangers_new_tokens_slowed"
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
    case limited = "rangers_limited_requests_total"
    case streams = "rangers_streams"
    case consoleStreams = "rangers_console_streams"
    case streamsCut = "rangers_streams_cut_total"
    case streamsDisplaced = "rangers_streams_displaced_total"
    case partiesFrozen = "rangers_parties_frozen"
    case shardsOwned = "rangers_shards_owned"
    case nodeClockDifference = "rangers_node_clock_difference_seconds"
    case requestsRedirected = "rangers_requests_redirected_total"
    case corruptRows = "rangers_corrupt_rows_total"
    case channels = "rangers_channels"
    case batches = "rangers_batches_total"
    case batchedChanges = "rangers_batched_changes_total"
    case batchesOut = "rangers_batches_out"
    case partiesInMemory = "rangers_parties_in_memory"
    case requestsUnderWay = "rangers_requests_under_way"
    case backlogSeconds = "rangers_backlog_seconds"
    case wallClockOffset = "rangers_wall_clock_offset_seconds"
    case wallClockSteps = "rangers_wall_clock_steps_total"
    case journalRowsFolded = "rangers_journal_rows_folded_total"
    case widgetPushes = "rangers_widget_pushes_total"
    case partiesLeftAlone = "rangers_parties_left_alone_total"
    case accountsUnused = "rangers_accounts_unused_total"
    case residentMemory = "process_resident_memory_bytes"
    case tickLateness = "rangers_tick_lateness_seconds"
    case commitTime = "rangers_commit_seconds"
    case pushLatency = "rangers_push_latency_seconds"
    case pushWait = "rangers_push_wait_seconds"
    case knockdownLatency = "rangers_knockdown_latency_seconds"
    case requestTime = "rangers_http_request_seconds"

    var help: String {
        switch self {
        case .ticks: "Advances of a party by the timer."
        case .failedTicks: "Ticks that failed; the server retries them."
        case .events: "Events committed."
        case .decisions: "Decisions of the push policy, by verdict."
        case .alerts: "Alerts that APNs accepted."
        case .pushes: "Pushes by priority, status (empty without a response) and reason."
        case .starts: "Live Activities to start by push, by result; reported: one followed."
        case .pushesInFlight: "Pushes without an outcome yet."
        case .pushesPaused: "1 while an owner has paused all pushes."
        case .newTokensSlowed: "1 while first pushes to new tokens are slowed because many are bad."
        case .hostState: "State of the APNs host: 0 works, 1 slowed, 2 no request succeeds."
        case .hostPauses: "Pauses because every request to APNs failed."
        case .goAways: "Connections closed by APNs with GOAWAY, by reason."
        case .repeatedPushes: "Pushes retried because APNs cannot have processed them."
        case .strangeIDs: "Responses of APNs with another push's apns-id."
        case .heldBack: "Pushes held back because of the state of the APNs host."
        case .quarantinedTokens: "Quarantined device tokens, which APNs rejected."
        case .quarantineRefusals: "Pushes not sent because their token is quarantined."
        case .providerTokens: "Provider tokens signed."
        case .providerKey: "The provider key in use: 1 for --apns-key, 2 for --apns-key-next."
        case .channelRequests: "Requests for channels and broadcasts, by host, status and reason."
        case .channelHostState: "State of these hosts: 0 works, 1 slowed, 2 every request fails."
        case .channelHostPauses: "Pauses because every request to one of these hosts failed."
        case .requests: "HTTP requests by route and status."
        case .limited: "Requests refused by a rate limit, by limit."
        case .streams: "Open event streams of players."
        case .consoleStreams: "Open event streams of consoles."
        case .streamsCut: "Event streams closed because their client read too slowly."
        case .streamsDisplaced: "Streams closed for one of another network, because all were taken."
        case .partiesFrozen: "Parties frozen because their row or their ticks fail."
        case .shardsOwned: "Shards of parties that this server has, of 4096."
        case .nodeClockDifference: "The machine's wall clock minus the database's."
        case .requestsRedirected: "Requests of parties that other nodes have, by result."
        case .corruptRows: "Corrupt rows found at startup, by reads and by the check of all rows."
        case .channels:
            "Broadcast channels: living, over, missing at Apple, orphan; listed: all at Apple."
        case .batches: "Batches of changes passed to the writer."
        case .batchedChanges: "Changes in those batches."
        case .batchesOut: "Batches at the writer."
        case .partiesInMemory: "Parties in the shards' memory."
        case .requestsUnderWay: "Changes with a waiting caller."
        case .journalRowsFolded: "Journal rows folded because of their age."
        case .widgetPushes: "Pushes that reload leaderboard widgets, by result."
        case .partiesLeftAlone: "Parties ended because their players stayed away, by reason."
        case .accountsUnused: "Accounts removed because they were never in a party."
        case .wallClockOffset: "The wall clock minus the server's time, which never steps."
        case .wallClockSteps: "Steps of the wall clock by a second or more."
        case .residentMemory: "Resident memory of the process."
        case .backlogSeconds: "Lateness of the most overdue party."
        case .tickLateness: "Lateness of the timer."
        case .commitTime: "Duration of a party's commit, including the wait."
        case .pushLatency: "Time from when a push may leave until APNs accepts it, by priority."
        case .pushWait: "Time from an event's commit until its push may leave, by priority."
        case .knockdownLatency: "Time from a knock-down until APNs accepts its first push."
        case .requestTime: "Duration of an HTTP request."
        }
    }

    package var isHistogram: Bool { kind == "histogram" }

    var kind: String {
        switch self {
        case .ticks, .failedTicks, .events, .decisions, .alerts, .pushes, .starts, .requests,
            .limited, .hostPauses, .goAways, .repeatedPushes, .channelRequests, .channelHostPauses,
            .strangeIDs, .heldBack, .quarantineRefusals, .providerTokens, .batches,
            .batchedChanges, .journalRowsFolded, .partiesLeftAlone, .widgetPushes, .streamsCut,
            .streamsDisplaced, .accountsUnused, .wallClockSteps, .corruptRows, .requestsRedirected:
            "counter"
        case .pushesInFlight, .pushesPaused, .newTokensSlowed, .partiesFrozen, .hostState,
            .quarantinedTokens,
            .providerKey,
            .channels, .channelHostState, .batchesOut, .partiesInMemory, .requestsUnderWay,
            .backlogSeconds, .streams, .consoleStreams, .wallClockOffset, .shardsOwned,
            .nodeClockDifference, .residentMemory:
            "gauge"
        case .tickLateness, .commitTime, .pushLatency, .pushWait, .knockdownLatency, .requestTime:
            "histogram"
        }
    }

    /// The names of its labels. `environment` is only there when a server has two hosts.
    package var labels: [String] {
        switch self {
        case .decisions: ["verdict"]
        case .pushes: ["priority", "status", "reason"]
        case .pushLatency, .pushWait: ["priority"]
        case .starts: ["result"]
        case .goAways: ["environment", "reason"]
        case .hostState, .hostPauses, .repeatedPushes, .strangeIDs, .heldBack, .quarantinedTokens,
            .quarantineRefusals, .providerTokens, .providerKey:
            ["environment"]
        case .channelRequests: ["host", "status", "reason"]
        case .channelHostState, .channelHostPauses: ["host"]
        case .requests: ["route", "status"]
        case .limited: ["limit"]
        case .channels: ["state"]
        case .batchesOut, .partiesInMemory, .requestsUnderWay, .backlogSeconds: ["loop"]
        case .partiesLeftAlone: ["reason"]
        case .widgetPushes, .requestsRedirected: ["result"]
        case .ticks, .failedTicks, .events, .alerts, .pushesInFlight, .pushesPaused,
            .newTokensSlowed, .streams, .consoleStreams, .streamsCut, .streamsDisplaced,
            .accountsUnused, .partiesFrozen, .batches, .batchedChanges,
            .journalRowsFolded, .tickLateness, .commitTime, .knockdownLatency, .requestTime,
            .wallClockOffset, .wallClockSteps, .corruptRows, .shardsOwned, .nodeClockDifference,
            .residentMemory:
            []
        }
    }
}
