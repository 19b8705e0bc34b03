internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `PUT /v1/parties/{party}/channel` opens the party's broadcast channel for spectators (A8) during
/// an adventure. If one is already open, returns it unchanged.
enum PutChannel {
    static let route = APIRoute(
        .put, "/v1/parties/{party}/channel", .player,
        Contract(
            "opens the party's channel for spectators", body: Input.self,
            returns: .json(ChannelView.schema), problems: [409]),
        handle: respond)

    private struct Input: BodyFields {
        /// All spectators read the same language.
        let language: String

        enum CodingKeys: CodingKey, CaseIterable {
            case language
        }

        static var narrower: [String: JSONSchema] {
            [
                "language": Text.languageSchema
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let language = try Text.language(Body.decode(Input.self, from: request).language)
        try await call.requireMembership(of: party)
        let seen = try await call.game.snapshot(of: party).stored
        if let open = seen.spectators { return ChannelView.response(open) }
        guard let channels = call.game.dependencies.channels else { throw Problem.noChannels }
        // Before the adventure Apple need not be asked. During it, the change below decides.
        guard seen.party.isOnAdventure else { throw RuleError.noAdventure }
        let opener = try call.player
        // Each opening creates a channel at Apple, and an app may have 10,000 of them.
        try call.game.takeChannel(opener, request.client)
        let name = try await create(by: channels, for: opener, at: request.client, in: call.game)
        let environment = call.game.settings.channelEnvironment
        let open: ActivityRegistration?
        do {
            // If another one was opened meanwhile, it is the party's. A refusal is not thrown in
            // here: a change that throws would not record the channel.
            open = try await call.game.shards.change(party) { change in
                change.open(name, in: environment, by: opener, language: language)
            }
        } catch StoreError.unavailable(let detail) {
            // The store may have recorded it. If not, the sweeper finds an orphan.
            throw StoreError.unavailable(detail)
        } catch {
            // Nothing recorded the channel. Deleted now, it takes no place.
            await delete(name, by: channels, in: call.game)
            throw error
        }
        // The sweeper would delete a channel that is not needed. Deleted now, it takes no place.
        if open?.channel != name { await delete(name, by: channels, in: call.game) }
        guard let open else {
            try await call.requireMembership(of: party)
            throw RuleError.noAdventure
        }
        return ChannelView.response(open)
    }

    /// Creates a channel at Apple. Until the commit it exists only at Apple: if the server dies
    /// before, the sweeper finds an orphan.
    private static func create(
        by channels: any ChannelService, for player: PlayerID, at address: ClientAddress,
        in game: Game
    ) async throws(Problem) -> ChannelName {
        let log = game.dependencies.log
        switch await channels.create(PushEncoding.channelPolicy) {
        case .done(let channel): return ChannelName(channel.id.base64)
        case .refused(let refusal):
            game.channelRoom.giveBack()
            log.warning("APNs refuses a new channel", ["reason": refusal.reason])
            throw Problem.refusal(byAppleOfChannel: refusal.reason)
        case .notSent(let why), .heldBack(let why, _):
            // Apple has created nothing, so the player keeps the try.
            game.channelRoom.giveBack()
            game.limits.giveBack(.channelsOfPlayer, .player(player, at: address))
            game.limits.giveBack(.channelsOfAddress, .address(address))
            throw notCreated(why, log)
        case .unknown(let why): throw notCreated(why, log)
        }
    }

    private static func delete(
        _ channel: ChannelName, by channels: any ChannelService, in game: Game
    ) async {
        let id = ChannelID(base64: channel.rawValue)
        guard case .done = await channels.delete(id) else { return }
        game.channelRoom.giveBack()
        game.dependencies.log.debug("deleted a channel that is not needed")
    }

    private static func notCreated(_ why: String, _ log: Log) -> Problem {
        log.warning("a channel cannot be created", ["why": why])
        return .unavailable("APNs cannot open a channel now: try again soon.")
    }
}

/// A channel in the API's JSON.
enum ChannelView {
    static let schema = JSONSchema.named(
        "Channel",
        .fields([
            "channel": .text,
            "environment": .choice(PushEnvironment.allCases.map(\.rawValue)),
            "language": .choice(Language.allCases.map(\.rawValue)),
        ]))

    static func response(_ spectators: ActivityRegistration) -> Response {
        response(
            spectators.channel ?? ChannelName(""), spectators.environment, spectators.language)
    }

    static func response(
        _ channel: ChannelName, _ environment: PushEnvironment, _ language: Language
    ) -> Response {
        var json = JSONWriter()
        json.beginObject()
        json.field("channel", channel.rawValue)
        json.field("environment", environment.rawValue)
        json.field("language", language.rawValue)
        json.endObject()
        return .json(json.bytes)
    }
}

extension Game {
    /// Takes the place of one more channel, as far as Apple's limit and the rates allow.
    fileprivate func takeChannel(
        _ player: PlayerID, _ address: ClientAddress
    ) throws(Problem) {
        guard channelRoom.take() else { throw Problem.noRoomForChannels }
        do throws(Problem) {
            try limits.spend(.channelsOfPlayer, .player(player, at: address))
            try limits.spend(
                .channels, .everybody(at: address),
                and: .channelsOfAddress, .address(address))
        } catch {
            channelRoom.giveBack()
            throw error
        }
    }
}

extension Problem {
    fileprivate static let noRoomForChannels = Problem.conflict(
        "All channels of this app are in use: try again when other adventures are over.")

    fileprivate static let noChannels = Problem.conflict(
        "Channels are off on this server: its operator can enable them with --channels on.")

    /// Returns the problem for Apple's reason, with what to do about it.
    fileprivate static func refusal(byAppleOfChannel reason: String) -> Problem {
        switch reason {
        case "CannotCreateChannelConfig":
            .conflict(
                "Apple creates no more channels for this app: an operator must delete those "
                    + "that are not in use.")
        case "FeatureNotEnabled":
            .conflict(
                "Broadcasts are off for this app: its owner can enable the broadcast "
                    + "capability at developer.apple.com.")
        default: .unavailable("APNs cannot open a channel now: try again soon.")
        }
    }
}
