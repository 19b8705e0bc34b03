internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A Live Activity in the API's JSON, as the server knows it. Its push token is secret, even from
/// its own player.
struct ActivityView {
    let registration: ActivityRegistration
    /// When the activity reaches its age limit; `nil`: it has ended.
    let endsBy: WallTime?
    /// How a boss rush would come now; `nil`: the activity has ended.
    private let rush: Rush?
    let game: Game

    /// The two levels of frequency.
    private enum Rush {
        case full
        /// Blows have low priority: until this time, or `nil`: until the player allows frequent
        /// updates.
        case quiet(until: WallTime?)
    }

    static let schema = JSONSchema.named(
        "Activity",
        .fields([
            "id": .text, "hero": .text, "party": .text,
            "state": .choice(ActivityState.allCases.map(\.rawValue)), "device": .nullable(.text),
            "page": .boolean,
            "environment": .choice(PushEnvironment.allCases.map(\.rawValue)),
            "frequentPushesEnabled": .boolean,
            "language": .choice(Language.allCases.map(\.rawValue)), "osVersion": .text,
            "stateVersion": .whole, "revision": .nullable(.whole),
            "quietHours": .nullable(
                .fields(["utcOffsetMinutes": .integer(nil), "from": .whole, "to": .whole])),
            "hasPushToken": .boolean, "tokenRegisteredAt": .nullable(.time),
            "registeredAt": .time, "endsBy": .nullable(.time),
            "rush": .nullable(
                .fields(["speed": .choice(["full", "quiet"]), "fullAt": .nullable(.time)])),
        ]))

    init(_ activity: LiveActivity, _ game: Game) {
        self.game = game
        registration = activity.registration
        endsBy =
            registration.state.isFinal
            ? nil
            : activity.outbox?.startedAt.adding(seconds: ActivityOutbox.ageMaxSeconds)
        rush = activity.outbox.map { outbox in
            guard activity.registration.frequentPushesEnabled else { return .quiet(until: nil) }
            let full = outbox.budgetFullAt(for: activity.registration, at: game.now)
            return full.map { .quiet(until: $0) } ?? .full
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeFields(to: &json)
        json.endObject()
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("id", registration.id.rawValue)
        json.field("hero", registration.hero.rawValue)
        json.field("party", registration.party.rawValue)
        json.field("state", registration.state.rawValue)
        json.field("device", registration.device?.rawValue)
        json.field("page", registration.screen == .page)
        json.field("environment", registration.environment.rawValue)
        json.field("frequentPushesEnabled", registration.frequentPushesEnabled)
        json.field("language", registration.language.rawValue)
        json.field("osVersion", registration.osVersion)
        json.field("stateVersion", registration.stateVersion.rawValue)
        json.key("revision")
        if registration.revision > 0 { json.value(registration.revision) } else { json.null() }
        json.key("quietHours")
        if let hours = registration.quietHours {
            json.beginObject()
            json.field("utcOffsetMinutes", hours.utcOffsetMinutes)
            json.field("from", hours.from)
            json.field("to", hours.to)
            json.endObject()
        } else {
            json.null()
        }
        let hasToken = registration.pushToken != nil
        json.field("hasPushToken", hasToken)
        json.field(
            "tokenRegisteredAt", hasToken ? game.wall(at: registration.tokenRegisteredAt) : nil)
        json.field("registeredAt", game.wall(at: registration.createdAt))
        json.field("endsBy", game.wall(at: endsBy))
        write(registration.state.isFinal ? nil : rush, to: &json)
    }
}

extension ActivityView {
    private func write(_ rush: Rush?, to json: inout JSONWriter) {
        json.key("rush")
        guard let rush else { return json.null() }
        json.beginObject()
        switch rush {
        case .full:
            json.field("speed", "full")
            json.field("fullAt", nil as WallTime?)
        case .quiet(until: let full):
            json.field("speed", "quiet")
            json.field("fullAt", game.wall(at: full))
        }
        json.endObject()
    }
}

extension StoredParty {
    /// The player's own Live Activities here, in the order of their registration.
    func activities(of player: PlayerID) -> [LiveActivity] {
        activities.filter {
            $0.registration.player == player && $0.registration.recipient == .player
        }
    }
}

extension JSONWriter {
    /// A text, or `null`.
    mutating func field(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// A time in milliseconds since 1970, or `null`.
    mutating func field(_ name: StaticString, _ time: WallTime?) {
        key(name)
        if let time { value(time.milliseconds) } else { null() }
    }
}
