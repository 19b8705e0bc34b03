internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/pushes`: what goes to Apple and what comes back, for all parties.
enum ShowPushStatistics {
    static let route = APIRoute(
        .get, "/v1/admin/pushes", .admin(.observer),
        Contract(
            "returns the rates, answers and latency of all pushes, and why cards wait",
            returns: .json(schema)),
        handle: respond)

    private static let schema = JSONSchema.fields(
        [
            "at": .time, "seconds": seriesSchema, "minutes": seriesSchema,
            "answers": .list(
                .fields([
                    "status": .nullable(.whole), "reason": .nullable(.text),
                    "count": .whole,
                ])),
            "latency": .fields([
                "p50": .nullable(.number(nil)), "p99": .nullable(.number(nil)),
                "buckets": .list(
                    .fields(["upTo": .nullable(.number(nil)), "count": .whole])),
            ]),
            "hosts": .list(
                .fields(
                    [
                        "host": .text, "state": .choice(["answers", "slowed", "paused"]),
                        "key": .whole, "goAways": .whole,
                    ], optional: ["node": .text])),
            "quarantined": .whole,
            "budget": .list(.fields(["upTo": .fraction, "cards": .whole])),
            "waits": .list(.fields(["reason": .text, "cards": .whole])),
            "isCut": .boolean,
            "refusals": .list(
                .fields([
                    "at": .time, "party": .text, "activity": .text,
                    "status": .nullable(.whole), "reason": .text, "means": .text,
                    "action": .text,
                ])),
        ], optional: OtherNodes.fields)

    private static let seriesSchema = JSONSchema.named(
        "PushSeries",
        .fields(["high": .list(.whole), "low": .list(.whole), "refused": .list(.whole)]))

    @Sendable private static func respond(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let game = call.game
        let survey = try await game.survey.result(in: game)
        let others = await game.reports.others(with: .statistics)
        var json = JSONWriter(reserving: 16_384)
        json.beginObject()
        json.field("at", game.wall(at: game.now))
        let own = game.shards.map.isShared ? JSONValue(self.json(of: game)) : nil
        if let own {
            MergedPushStatistics(own, of: game.settings.node?.name ?? "", others).write(to: &json)
        } else {
            write(game, to: &json)
        }
        write(survey, to: &json)
        others.writeSilent(to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    /// Returns what became of this server's own pushes.
    static func json(of game: Game) -> [UInt8] {
        var json = JSONWriter(reserving: 16_384)
        json.beginObject()
        write(game, to: &json)
        json.endObject()
        return json.bytes
    }

    private static func write(_ game: Game, to json: inout JSONWriter) {
        let statistics = game.dependencies.pushWatch.statistics
        let now = game.now
        write(statistics.seconds(at: now), as: "seconds", to: &json)
        write(statistics.minutes(at: now), as: "minutes", to: &json)
        json.array("answers", statistics.answers(at: now)) { json, found in
            json.beginObject()
            write(found.answer, to: &json)
            json.field("count", found.count)
            json.endObject()
        }
        write(latencies: statistics.latencies(at: now), to: &json)
        write(game.dependencies.senders, game, to: &json)
        json.array("refusals", statistics.refusals) { json, refusal in
            json.beginObject()
            json.field("at", game.wall(at: refusal.at))
            json.field("party", refusal.party.rawValue)
            json.field("activity", refusal.activity.rawValue)
            write(refusal.answer, to: &json)
            json.field("means", refusal.meaning)
            json.field("action", refusal.reaction)
            json.endObject()
        }
    }

    /// Writes how all cards are doing, those of other nodes too.
    private static func write(_ survey: CardSurvey.Result, to json: inout JSONWriter) {
        json.array("budget", zip(CardSurvey.shares, survey.spent).map { $0 }) { json, bin in
            json.beginObject()
            json.field("upTo", bin.0)
            json.field("cards", bin.1)
            json.endObject()
        }
        let waits = survey.waits.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        json.array("waits", waits) { json, wait in
            json.beginObject()
            json.field("reason", wait.key)
            json.field("cards", wait.value)
            json.endObject()
        }
        json.field("isCut", survey.isCut)
    }

    private static func write(
        _ counts: [PushStatistics.Count], as name: String, to json: inout JSONWriter
    ) {
        json.key(named: name)
        json.beginObject()
        json.array("high", counts) { $0.value($1.high) }
        json.array("low", counts) { $0.value($1.low) }
        json.array("refused", counts) { $0.value($1.refused) }
        json.endObject()
    }

    private static func write(_ answer: PushStatistics.Answer, to json: inout JSONWriter) {
        json.key("status")
        if answer.status > 0 { json.value(answer.status) } else { json.null() }
        json.field("reason", answer.reason)
    }

    static func write(latencies: [Int], to json: inout JSONWriter) {
        json.object("latency") { json in
            json.key("p50")
            write(PushStatistics.quantile(0.5, of: latencies), to: &json)
            json.key("p99")
            write(PushStatistics.quantile(0.99, of: latencies), to: &json)
            json.array("buckets", Array(latencies.enumerated())) { json, bucket in
                let bounds = PushStatistics.latencyBounds
                json.beginObject()
                json.key("upTo")
                let bound = bounds.indices.contains(bucket.offset) ? bounds[bucket.offset] : nil
                write(bound, to: &json)
                json.field("count", bucket.element)
                json.endObject()
            }
        }
    }

    private static func write(_ number: Double?, to json: inout JSONWriter) {
        if let number { json.value(number) } else { json.null() }
    }

    private static func write(_ senders: PushSenders, _ game: Game, to json: inout JSONWriter) {
        let environment = game.settings.shards.pushEnvironment?.rawValue
        var hosts = [(name: environment ?? "APNs", counts: senders.main.counts)]
        if let sandbox = senders.sandbox { hosts.append((name: "sandbox", counts: sandbox.counts)) }
        json.array("hosts", hosts) { json, host in
            json.beginObject()
            json.field("host", host.name)
            json.field("state", host.counts.hostState.word)
            json.field("key", host.counts.keyPlace)
            json.field("goAways", host.counts.goAways.values.reduce(0, +))
            json.endObject()
        }
        json.field("quarantined", hosts.reduce(0) { $0 + $1.counts.tokensQuarantined })
    }
}

extension APNsClient.HostState {
    fileprivate var word: String {
        switch self {
        case .working: "answers"
        case .slowed: "slowed"
        case .inTrouble: "paused"
        }
    }
}
