internal import Foundation

/// A client of the HTTP API for one player or game master.
package struct GameAPI: Sendable {
    private let http: HTTPClient
    private let token: String?

    package init(_ http: HTTPClient, token: String? = nil) {
        self.http = http
        self.token = token
    }

    package func signedIn(_ token: String) -> GameAPI { GameAPI(http, token: token) }

    /// The browser phone of this client's player.
    func browserPhone(
        _ activity: String, named token: String, _ number: PhoneBook.Number, in phones: PhoneBook,
        now: @escaping @Sendable () -> Int64
    ) -> BrowserPhone? {
        self.token.map {
            BrowserPhone(
                http: http, bearer: $0, activity: activity, token: token, phones: phones,
                number: number, now: now)
        }
    }

    // MARK: Players

    package func registerPlayer() async throws -> Registration {
        try await call("POST", "/v1/players")
    }

    package func createHero(_ hero: NewHero) async throws -> HeroState {
        try await call("POST", "/v1/heroes", hero)
    }

    package func createParty(hero: String) async throws -> PartyState {
        try await call("POST", "/v1/parties", ["hero": hero])
    }

    /// Keeps the party's invite code valid, or gives it a new one.
    package func renewCode(of party: String) async throws -> PartyState {
        try await call("POST", "/v1/parties/\(party)/code")
    }

    package func join(inviteCode: String, hero: String) async throws -> PartyState {
        try await call("POST", "/v1/parties/join", ["inviteCode": inviteCode, "hero": hero])
    }

    /// Returns the party with the events after that one, in that language.
    package func party(
        _ id: String, after sequence: Int, language: String? = nil
    ) async throws -> PartyState {
        try await call("GET", "/v1/parties/\(id)?after=\(sequence)", language: language)
    }

    package func startAdventure(
        of party: String, pack: String = "classic"
    ) async throws -> PartyState {
        try await call("POST", "/v1/parties/\(party)/adventure", ["pack": pack])
    }

    /// Asks all heroes of the party for an adventure of this pack.
    package func askWhoIsReady(in party: String, for pack: String) async throws {
        try await callForNothing("POST", "/v1/parties/\(party)/ready", ["pack": pack])
    }

    package func usePotion(by hero: String, on friend: String, in party: String) async throws
        -> PartyState
    {
        try await call(
            "POST", "/v1/parties/\(party)/actions",
            ["hero": hero, "action": "usePotion", "target": friend])
    }

    // MARK: Live Activities

    package func answer(_ answer: NewAnswer, in party: String) async throws {
        try await callForNothing("POST", "/v1/parties/\(party)/answers", answer)
    }

    /// Lets the hero drink by itself when it is down.
    package func letDrink(_ hero: String) async throws {
        try await callForNothing("PUT", "/v1/heroes/\(hero)/orders", ["whenDown": "drink"])
    }

    package func put(_ activity: NewActivity, id: String) async throws {
        try await callForNothing("PUT", "/v1/activities/\(id)", activity)
    }

    package func put(_ token: NewStartToken, device: String) async throws {
        try await callForNothing("PUT", "/v1/players/me/push-to-start-tokens/\(device)", token)
    }

    package func report(_ state: String, of activity: String) async throws {
        try await callForNothing("POST", "/v1/activities/\(activity)/state", ["state": state])
    }

    /// Opens the channel of the party's spectators during an adventure; returns an open one
    /// unchanged.
    package func openChannel(of party: String, language: String) async throws -> ChannelState {
        try await call("PUT", "/v1/parties/\(party)/channel", ["language": language])
    }

    // MARK: Game masters

    package func trigger(_ command: String, in party: String) async throws -> PartyState {
        try await call("POST", "/v1/admin/parties/\(party)/\(command)")
    }

    package func decisions(of party: String, after sequence: Int) async throws -> Ledger {
        try await call("GET", "/v1/admin/parties/\(party)/decisions?after=\(sequence)")
    }

    /// Returns a code that signs in to the console once, with an owner's key.
    func sessionCode() async throws -> SessionCode {
        try await call("POST", "/v1/admin/session-codes")
    }

    package func metrics() async throws -> String {
        let response = try await http.send("GET", "/metrics")
        return String(decoding: response.body, as: UTF8.self)
    }

    package func isReady() async -> Bool {
        // No response also means not ready.
        (try? await http.send("GET", "/readyz"))?.status == 200
    }

    // MARK: Requests

    private func call<Answer: Decodable>(
        _ method: String, _ path: String, _ body: (any Encodable)? = nil, language: String? = nil
    ) async throws -> Answer {
        let response = try await send(method, path, body, language: language)
        return try JSONDecoder().decode(Answer.self, from: Data(response.body))
    }

    private func callForNothing(
        _ method: String, _ path: String, _ body: any Encodable
    ) async throws {
        _ = try await send(method, path, body)
    }

    private func send(
        _ method: String, _ path: String, _ body: (any Encodable)?, language: String? = nil
    ) async throws -> HTTPClient.Response {
        let bytes = try body.map { [UInt8](try JSONEncoder().encode($0)) }
        let response = try await http.send(
            method, path, token: token, language: language, body: bytes)
        guard (200..<300).contains(response.status) else {
            throw APIRefusal(response, request: "\(method) \(path)")
        }
        return response
    }
}

/// A response without success.
package struct APIRefusal: Error, CustomStringConvertible {
    package let status: Int
    package let request: String
    /// The problem's `detail` (RFC 9457).
    package let detail: String

    init(_ response: HTTPClient.Response, request: String) {
        struct Problem: Decodable {
            let detail: String
        }
        status = response.status
        self.request = request
        // A refusal without a problem document has its status only.
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
        detail = problem?.detail ?? ""
    }

    package var description: String { "\(request) returned \(status): \(detail)" }
}

extension HTTPClient {
    /// Throws when the text is not an HTTP URL with a host and a port that this client supports.
    init(
        urlText: String, timeoutSeconds: Int = 10, connectionsMax: Int = 16,
        counting tally: RequestTally = RequestTally()
    ) throws(TestbedError) {
        guard let url = URL(string: urlText), url.scheme == "http", url.host != nil else {
            throw .notAURL(urlText)
        }
        self.init(
            baseURL: url, timeoutSeconds: timeoutSeconds, connectionsMax: connectionsMax,
            counting: tally)
    }
}
