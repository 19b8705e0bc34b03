internal import JSONReader

/// A push as the judge reads it.
struct JudgedPush {
    let seen: SeenPush
    /// Apple's `timestamp`, in seconds since 1970; `nil`: the push has none.
    let timestamp: Int64?
    let event: String
    /// Exactly as the phone gets it.
    let content: JSONValue?
    let alert: JSONValue?
    /// Seconds since 1970.
    let staleDate, dismissalDate: Int64?
    let relevance: Double?

    init(_ seen: SeenPush) {
        self.seen = seen
        let aps = JSONValue(seen.body)?["aps"]
        timestamp = aps?["timestamp"]?.integer
        event = aps?["event"]?.text ?? ""
        content = aps?["content-state"]
        alert = aps?["alert"]
        staleDate = aps?["stale-date"]?.integer
        dismissalDate = aps?["dismissal-date"]?.integer
        relevance = aps?["relevance-score"]?.number
    }

    var token: String { seen.token }
    var isLiveActivity: Bool { seen.pushType == "liveactivity" && timestamp != nil }
    /// A push of a card: neither a start nor a widget's.
    var isOfCard: Bool { isLiveActivity && event != "start" }
    var isEnd: Bool { event == "end" }
    var health: Double? { content?["currentHealthLevel"]?.number }
    var description: String { content?["eventDescription"]?.text ?? "nothing" }
    /// The English words of the alert's title: "%@ is knocked down!".
    var alertTitle: String? { alert?["title"]?["loc-key"]?.text }

    /// Whether a phone that has one of both learns nothing from the other.
    func says(sameAs other: JudgedPush) -> Bool {
        content == other.content && staleDate == other.staleDate && relevance == other.relevance
    }

    /// "card …a7c312: “Power Panda found a sword!” at 0.79"
    var words: String { "\(card): “\(description)” at \(health ?? -1)" }
    var card: String { "card …\(token.suffix(6))" }
}

/// A request and its response as the judge reads them.
struct JudgedExchange {
    let seen: Exchange
    let body: JSONValue?
    /// Of a 2xx.
    let response: JSONValue?
    /// The path's parts, without "v1" and the query: `["parties", "p-1"]`.
    let parts: [Substring]

    init(_ seen: Exchange) {
        self.seen = seen
        body = seen.body.isEmpty ? nil : JSONValue(seen.body)
        let isGood = seen.status.map { (200..<300).contains($0) } ?? false
        response = isGood && !seen.response.isEmpty ? JSONValue(seen.response) : nil
        let path = seen.path.prefix { $0 != "?" }
        let parts = path.split(separator: "/")
        self.parts = parts.first == "v1" ? Array(parts.dropFirst()) : parts
    }

    var isAcknowledged: Bool { seen.status.map { (200..<300).contains($0) } ?? false }
    var at: Int64 { seen.respondedAt ?? seen.sentAt }
    /// "POST /v1/parties/join"
    var call: String { "\(seen.method.uppercased()) \(seen.path.prefix { $0 != "?" })" }

    /// Returns whether it is such a call; "*" is any part.
    func isCall(_ method: String, _ pattern: String...) -> Bool {
        guard seen.method.uppercased() == method, parts.count == pattern.count else { return false }
        return zip(parts, pattern).allSatisfy { $1 == "*" || $0 == $1 }
    }

    /// The party in the response, if it is one in full.
    var party: JSONValue? {
        guard let response else { return nil }
        let party = response["party"].flatMap { $0["events"] == nil ? nil : $0 } ?? response
        return party["events"] != nil && party["version"] != nil ? party : nil
    }
}
