/// Something that happens in a simulated world, as the judge and the trace see it.
package enum Sight: Sendable {
    /// A server begins to start.
    case starting(LifeID)
    /// A server serves, or could not start.
    case started(LifeID, failure: String?)
    /// A server died, with the machine's power or alone.
    case died(LifeID, powerLost: Bool)
    /// A server was told to stop, and has.
    case drained(LifeID)
    /// A line of a server's log.
    case logged(LifeID, [UInt8])
    /// A fault begins, by its sentence.
    case fault(TimedFault)
    /// A client's request with its response; without one if it was lost.
    case exchange(Exchange)
    /// A push left the client of a life.
    case sent(SeenPush)
    /// A push reached Apple, which accepted it or refused it.
    case reached(SeenPush, status: Int, reason: String?)
    /// The client was told this; `nil`: no response.
    case answered(SeenPush, status: Int?, reason: String?)
    /// A phone has a new token for a card, which its app has yet to report.
    case newToken(TokenSight)
    /// The server has acknowledged a registration of that token.
    case registered(TokenSight)
    /// All faults are over.
    case calm
}

/// A request of a client over the network.
package struct Exchange: Sendable {
    package enum Client: Sendable, Hashable {
        case player(Int), gameMaster, visitor
    }
    package var client: Client
    /// The party that it is about, by its place in the plan.
    package var party: Int?
    package var life: LifeID
    package var method: String
    package var path: String
    package var body: [UInt8]
    package var idempotencyKey: String?
    /// Milliseconds of the world.
    package var sentAt: Int64
    package var respondedAt: Int64?
    /// `nil`: no response came.
    package var status: Int?
    package var headers: [String: String]
    package var response: [UInt8]

    package init(
        client: Client, party: Int?, life: LifeID, method: String, path: String, body: [UInt8],
        idempotencyKey: String?, sentAt: Int64, respondedAt: Int64? = nil, status: Int? = nil,
        headers: [String: String] = [:], response: [UInt8] = []
    ) {
        self.client = client
        self.party = party
        self.life = life
        self.method = method
        self.path = path
        self.body = body
        self.idempotencyKey = idempotencyKey
        self.sentAt = sentAt
        self.respondedAt = respondedAt
        self.status = status
        self.headers = headers
        self.response = response
    }
}

/// A push as Apple sees it.
package struct SeenPush: Sendable {
    /// Counts all pushes of a run.
    package var number: Int
    package var life: LifeID
    /// Milliseconds of the world at which it left the client.
    package var at: Int64
    /// From the request's path: the device token in hex, or the channel.
    package var token: String
    /// Not to a channel.
    package var isToDevice: Bool
    package var apnsID: String
    package var pushType: String
    package var priority: Int
    package var topic: String
    package var expiration: Int64?
    package var providerToken: String
    package var body: [UInt8]

    package init(
        number: Int, life: LifeID, at: Int64, token: String, isToDevice: Bool = true,
        apnsID: String, pushType: String, priority: Int, topic: String, expiration: Int64?,
        providerToken: String, body: [UInt8]
    ) {
        self.number = number
        self.life = life
        self.at = at
        self.token = token
        self.isToDevice = isToDevice
        self.apnsID = apnsID
        self.pushType = pushType
        self.priority = priority
        self.topic = topic
        self.expiration = expiration
        self.providerToken = providerToken
        self.body = body
    }
}

/// Whose token it is.
package struct TokenSight: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        case activity, start, widget
    }
    package var token: String
    package var purpose: Purpose
    /// The player, by place in the plan.
    package var player: Int
    /// The party and hero as the API names them, of a card.
    package var party: String?
    package var hero: String?

    package init(token: String, purpose: Purpose, player: Int, party: String?, hero: String?) {
        self.token = token
        self.purpose = purpose
        self.player = player
        self.party = party
        self.hero = hero
    }
}
