internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A party's story with every hero's health, what each phone showed at any event, and each push
/// with its content: told again from the journal, which has none of it.
enum ShowMoments {
    static let routes = [
        APIRoute(
            .get, "/v1/admin/parties/{party}/story", .admin(.observer),
            Contract(
                "tells a party's story, with the health of every hero after each event",
                query: [
                    .after, Contract.Parameter(name: "limit", schema: .integer(1...eventsMax)),
                ],
                returns: .json(
                    .fields([
                        "heroes": .list(
                            .fields(["id": .text, "name": .text, "avatar": .text])),
                        "events": .list(
                            .named(
                                "EventWithHealths",
                                PartyView.eventSchema.adding([
                                    "healths": .list(.nullable(.integer(0...1000)))
                                ]))),
                        "next": .nullable(.whole),
                    ]))),
            handle: story),
        APIRoute(
            .get, "/v1/admin/parties/{party}/cards", .admin(.observer),
            Contract(
                "returns what each phone of a party shows, or showed while an event was the newest",
                query: [Contract.Parameter(name: "at", schema: .integer(1...Int(Int32.max)))],
                returns: .json(
                    .fields([
                        "at": .nullable(.whole), "time": .nullable(.time),
                        "cards": .list(MomentView.cardSchema),
                    ]))),
            handle: cards),
        APIRoute(
            .get, "/v1/admin/parties/{party}/pushes", .admin(.observer),
            Contract(
                "lists a party's pushes with what they showed and what APNs responded",
                query: [
                    Contract.Parameter(name: "activity", schema: .text),
                    Contract.Parameter(name: "after", schema: .integer(0...Int(Int32.max))),
                    Contract.Parameter(name: "limit", schema: .integer(1...pushesMax)),
                ],
                returns: .json(.fields(["pushes": .list(MomentView.pushSchema)]))),
            handle: pushes),
    ]

    /// The most events of a page.
    static let eventsMax = 1000
    /// The most pushes of a page.
    static let pushesMax = 500

    @Sendable private static func story(_ request: Request, _ call: Call) async throws -> Response {
        let (id, game) = (PartyID(try request.parameter("party")), call.game)
        let after = try request.number("after", in: 0...Int(Int32.max)) ?? 0
        let limit = try request.number("limit", in: 1...eventsMax) ?? eventsMax
        let stored = try await game.snapshot(of: id).stored
        let story = try await game.moments.run { reader in
            try await reader.story(of: id, after: after, limit: limit, in: game)
        }
        let names = call.names
        let view = PartyView(
            stored: stored, wallOffsets: game.dependencies.clock.wallOffsets, names: names,
            words: game.words, language: request.language)
        var json = JSONWriter(reserving: 256 * (story.moments.count + 4))
        json.beginObject()
        json.array("heroes", story.heroes) { json, hero in
            let hero = names.hero(hero)
            json.beginObject()
            json.field("id", hero.id.rawValue)
            json.field("name", hero.name)
            json.field("avatar", hero.avatar)
            json.endObject()
        }
        json.array("events", story.moments) { json, moment in
            json.beginObject()
            view.writeFields(of: moment.event, to: &json)
            json.array("healths", moment.healths) { json, health in
                if let health { json.value(health) } else { json.null() }
            }
            json.endObject()
        }
        json.key("next")
        if story.isCut, let last = story.moments.last {
            json.value(last.event.event.sequence)
        } else {
            json.null()
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func cards(_ request: Request, _ call: Call) async throws -> Response {
        let (id, game) = (PartyID(try request.parameter("party")), call.game)
        let event = try request.number("at", in: 1...Int(Int32.max))
        let cards = try await game.moments.run { reader in
            try await reader.cards(of: id, at: event, in: game)
        }
        let view = MomentView(of: cards.party, in: game)
        let time = cards.time ?? game.now
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.key("at")
        if let event { json.value(event) } else { json.null() }
        json.field("time", game.wall(at: cards.time))
        json.array("cards", cards.cards) { json, card in
            let activity =
                event == nil ? cards.party.activities.first { $0.id == card.phone.id } : nil
            json.beginObject()
            view.writeFields(card, activity, after: event, at: time, to: &json)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func pushes(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let (id, game) = (PartyID(try request.parameter("party")), call.game)
        let activity = request.query["activity"].map { ActivityID($0) }
        let after = try request.number("after", in: 0...Int(Int32.max)).map(Int64.init)
        let limit = try request.number("limit", in: 1...pushesMax) ?? pushesMax
        let (pushes, stored) = try await game.moments.run { reader in
            try await reader.pushes(of: id, to: activity, after: after, limit: limit, in: game)
        }
        let view = MomentView(of: stored, in: game)
        var json = JSONWriter(reserving: 512 * (pushes.count + 1))
        json.beginObject()
        json.array("pushes", pushes) { json, push in view.write(push, to: &json) }
        json.endObject()
        return .json(json.bytes)
    }
}
