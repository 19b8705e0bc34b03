internal import JSONReader

/// A Live Activity as its app has registered it, by what the server has acknowledged.
struct SeenCard {
    let activity: String
    let client: Exchange.Client
    var hero: String
    var tokens: [String] = []
    var revision: Int64 = 0
    var language = "en"
    var allowsFrequent = false
    var registeredAt: Int64
    /// When the newest token was acknowledged.
    var tokenAt: Int64?
    /// When the app's report that it is gone was acknowledged.
    var goneAt: Int64?
    var stateVersion: Int64 = 1
    var hasChangedLanguage = false

    var token: String? { tokens.last }
}

/// All Live Activities of a run.
struct SeenCards {
    private(set) var cards: [String: SeenCard] = [:]
    /// Whose each token is.
    private(set) var activities: [String: String] = [:]
    /// When the token's retirement was acknowledged.
    private(set) var retiredAt: [String: Int64] = [:]
    /// When a registration of the token left last, whatever came of it.
    private(set) var putAt: [String: Int64] = [:]
    /// Tokens of a registration without a response, which may hold or not.
    private(set) var unclear: Set<String> = []

    func card(of token: String) -> SeenCard? { activities[token].flatMap { cards[$0] } }
    /// In the order of their ids.
    var all: [SeenCard] { cards.values.sorted { $0.activity < $1.activity } }

    mutating func see(_ exchange: JudgedExchange) {
        if exchange.isCall("PUT", "activities", "*") {
            put(String(exchange.parts[1]), exchange)
        } else if exchange.isAcknowledged {
            if exchange.isCall("DELETE", "activities", "*") {
                leave(String(exchange.parts[1]), at: exchange.at)
            } else if exchange.isCall("DELETE", "activities", "*", "push-token") {
                retireTokens(of: String(exchange.parts[1]), at: exchange.at)
            } else if exchange.isCall("POST", "activities", "*", "state"),
                ["ended", "dismissed"].contains(exchange.body?["state"]?.text ?? "")
            {
                leave(String(exchange.parts[1]), at: exchange.at)
            } else if exchange.isCall("POST", "me", "reconcile") {
                for id in exchange.response?["retired"]?.elements ?? [] {
                    leave(id.text ?? "", at: exchange.at)
                }
                // The server takes over what the app says of each.
                for card in exchange.body?["activities"]?.elements ?? []
                where ["ended", "dismissed"].contains(card["state"]?.text ?? "") {
                    leave(card["id"]?.text ?? "", at: exchange.at)
                }
            }
        }
    }

    private mutating func put(_ activity: String, _ exchange: JudgedExchange) {
        let body = exchange.body
        let token = body?["pushToken"]?.text
        if let token { putAt[token] = max(exchange.seen.sentAt, putAt[token] ?? 0) }
        guard exchange.isAcknowledged else {
            if exchange.seen.status == nil || exchange.seen.status == 503, let token {
                unclear.insert(token)
            }
            return
        }
        var card =
            cards[activity]
            ?? SeenCard(
                activity: activity, client: exchange.seen.client,
                hero: body?["hero"]?.text ?? "", registeredAt: exchange.at)
        let revision = body?["revision"]?.integer ?? card.revision
        // The response to an older request, which came late.
        guard revision >= card.revision else { return }
        card.revision = revision
        card.hero = body?["hero"]?.text ?? card.hero
        let language = body?["language"]?.text ?? card.language
        if cards[activity] != nil, language != card.language { card.hasChangedLanguage = true }
        card.language = language
        if case .truth(let frequent) = body?["frequentPushesEnabled"] ?? .null {
            card.allowsFrequent = frequent
        }
        card.stateVersion = body?["stateVersion"]?.integer ?? card.stateVersion
        // One that was given up may be registered again.
        if let token {
            retiredAt[token] = nil
            card.goneAt = nil
        }
        if let token, card.token != token {
            for old in card.tokens { retiredAt[old] = retiredAt[old] ?? exchange.at }
            card.tokens.append(token)
            card.tokenAt = exchange.at
            if let older = activities[token], older != activity { cards[older]?.tokenAt = nil }
            activities[token] = activity
            retiredAt[token] = nil
            unclear.remove(token)
        }
        cards[activity] = card
    }

    private mutating func leave(_ activity: String, at: Int64) {
        let goneAt = cards[activity]?.goneAt
        cards[activity]?.goneAt = goneAt ?? at
        retireTokens(of: activity, at: at)
    }

    private mutating func retireTokens(of activity: String, at: Int64) {
        for token in cards[activity]?.tokens ?? [] where retiredAt[token] == nil {
            retiredAt[token] = at
        }
    }
}
