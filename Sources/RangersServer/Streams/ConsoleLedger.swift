internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// The ledger of a watched party as it grows: the messages `decision` and `push`.
struct ConsoleLedger {
    let party: PartyID
    let game: Game

    static let decisionSchema = JSONSchema.named(
        "ConsoleDecision", ShowLedger.schema.adding(["party": .text]))

    static let pushSchema = JSONSchema.named(
        "ConsolePush",
        .fields([
            "party": .text, "activity": .text, "timestamp": .whole, "form": .text,
            "priority": .integer(5...10), "alert": .boolean, "dueSince": .time,
            "readyAt": .time, "answeredAt": .time, "status": .nullable(.whole),
            "reason": .nullable(.text),
        ]))

    init(of party: PartyID, _ game: Game) {
        self.party = party
        self.game = game
    }

    func messages(_ row: PartyNews.Row) -> [[UInt8]] {
        switch row {
        case .committed(let finished): decisions(in: finished.commit)
        case .answered(let outcome, let response): [push(outcome, response)]
        }
    }

    private func decisions(in commit: PartyCommit) -> [[UInt8]] {
        commit.decisions.map { decision in
            let kind = commit.events.first { $0.sequence == decision.sequence }?.kind
            let logged = LoggedDecision(
                sequence: decision.sequence, activity: decision.activity,
                disposition: decision.disposition, priority: decision.priority,
                carriesAlert: decision.carriesAlert, rule: decision.rule(for: kind),
                at: commit.at, kind: kind)
            var json = JSONWriter(reserving: 384)
            json.beginObject()
            json.field("party", party.rawValue)
            ShowLedger.writeFields(of: logged, game, to: &json)
            json.endObject()
            return StreamPiece.message(.decision, json.bytes)
        }
    }

    private func push(_ outcome: ReportedOutcome, _ response: PushResponse) -> [UInt8] {
        let push = outcome.sent.pushes[outcome.index].push
        let logged = JournalPush(push)
        var json = JSONWriter(reserving: 256)
        json.beginObject()
        json.field("party", party.rawValue)
        json.field("activity", logged.activity.rawValue)
        json.field("timestamp", logged.timestamp)
        json.field("form", logged.form.rawValue)
        json.field("priority", logged.priority.rawValue)
        json.field("alert", logged.carriesAlert)
        json.field("dueSince", game.wall(at: push.times.dueSince))
        json.field("readyAt", game.wall(at: push.times.readyAt))
        json.field("answeredAt", game.wall(at: response.at))
        json.field("status", response.status == 0 ? nil : response.status)
        json.field("reason", response.reason.isEmpty ? nil : response.reason)
        json.endObject()
        return StreamPiece.message(.push, json.bytes)
    }
}
