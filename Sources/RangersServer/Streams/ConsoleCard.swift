internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A card of a watched party, as it is now: the message `card`.
struct ConsoleCard {
    let activity: LiveActivity
    let at: WallTime
    let game: Game

    static let schema = JSONSchema.named(
        "ConsoleCard",
        .fields(
            [
                "party": .text, "activity": .text, "hero": .text,
                "kind": .choice(["device", "channel", "page"]), "language": .text,
                "osVersion": .text,
                "state": .text, "frequentPushes": .boolean,
                "shown": .nullable(.fields(["contentState": PartyView.cardSchema])),
                "budget": .nullable(
                    .fields(["left": .whole, "burst": .whole, "hourly": .whole])),
            ]))

    init(_ activity: LiveActivity, at: WallTime, _ game: Game) {
        self.activity = activity
        self.at = at
        self.game = game
    }

    var message: [UInt8] { StreamPiece.message(.card, json) }

    private var json: [UInt8] {
        let registration = activity.registration
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("party", registration.party.rawValue)
        json.field("activity", registration.id.rawValue)
        json.field("hero", registration.hero.rawValue)
        json.field("kind", registration.kindName)
        json.field("language", registration.language.rawValue)
        json.field("osVersion", registration.osVersion)
        json.field("state", registration.state.rawValue)
        json.field("frequentPushes", registration.frequentPushesEnabled)
        json.key("shown")
        if let content = activity.outbox?.snapshot.accepted?.content {
            json.beginObject()
            json.object("contentState") { json in
                json.field("currentHealthLevel", Double(content.health.thousandths) / 1000)
                json.field(
                    "eventDescription", game.words.text(content.text, in: registration.language))
            }
            json.endObject()
        } else {
            json.null()
        }
        writeBudget(to: &json)
        json.endObject()
        return json.bytes
    }

    private func writeBudget(to json: inout JSONWriter) {
        json.key("budget")
        guard let outbox = activity.outbox, activity.registration.channel == nil else {
            return json.null()
        }
        let size = outbox.budgetSize(for: activity.registration)
        json.beginObject()
        json.field("left", outbox.budgetLeft(for: activity.registration, at: at))
        json.field("burst", size.burst)
        json.field("hourly", size.hourly)
        json.endObject()
    }
}

extension ActivityRegistration {
    /// Where the card is shown, in a word.
    fileprivate var kindName: String {
        guard channel == nil else { return "channel" }
        return switch screen {
        case .device: "device"
        case .page: "page"
        }
    }
}
