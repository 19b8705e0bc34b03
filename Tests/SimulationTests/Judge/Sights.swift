import Foundation

@testable import Simulation

/// Makes the sights of a small world, for tests of the judge alone.
final class Sights {
    let judge: Judge
    private(set) var now = Scheduler.start
    private var pushes = 0
    private var events: [String] = []

    init(plan: Plan = .quiet(seed: 1, minutes: 10, parties: 1)) {
        judge = Judge(plan: plan)
        judge.see(.started(1, failure: nil), at: now)
    }

    /// The codes of the invariants that did not hold.
    var found: Set<Invariant> { Set(judge.violations.map(\.invariant)) }

    func wait(_ milliseconds: Int64) { now += milliseconds }

    func see(_ sight: Sight) { judge.see(sight, at: now) }

    // MARK: - Pushes

    /// A push as a server of that life sends it. `content` is its sentence.
    func push(
        _ content: String = "a find", to token: String = "a7c3", event: String = "update",
        timestamp: Int64? = nil, priority: Int = 5, alert: String? = nil, life: LifeID = 1,
        more: String = "", provider: String? = nil
    ) -> SeenPush {
        pushes += 1
        let time = timestamp ?? now / 1000
        let alert = alert.map {
            #","alert":{"title":{"loc-key":"\#($0)"},"body":{"loc-key":"x"}}"#
        }
        let body = """
            {"aps":{"timestamp":\(time),"event":"\(event)","content-state":\
            {"currentHealthLevel":0.5,"eventDescription":"\(content)"}\(alert ?? "")\(more)}}
            """
        return SeenPush(
            number: pushes, life: life, at: now, token: token, apnsID: "id-\(pushes)",
            pushType: "liveactivity", priority: priority, topic: "t", expiration: nil,
            providerToken: provider ?? Self.providerToken(issuedAt: Scheduler.start / 1000),
            body: Array(body.utf8))
    }

    /// An end, with its dismissal in a quarter of an hour.
    func end(_ content: String = "over", to token: String = "a7c3", life: LifeID = 1) -> SeenPush {
        push(
            content, to: token, event: "end", priority: 10, life: life,
            more: #","dismissal-date":\#(now / 1000 + 900)"#)
    }

    /// Sends a push, which Apple accepts at once, and says so.
    func deliver(_ push: SeenPush, status: Int? = 200, reason: String? = nil) {
        see(.sent(push))
        if let status { see(.reached(push, status: status, reason: reason)) }
        see(.answered(push, status: status, reason: reason))
    }

    static func providerToken(issuedAt: Int64) -> String {
        let claims = Data(#"{"iss":"TEAM","iat":\#(issuedAt)}"#.utf8).base64EncodedString()
        return "bearer e30.\(claims.replacing("=", with: "")).c2ln"
    }

    // MARK: - Requests

    /// A request that was answered at once.
    func exchange(
        _ method: String, _ path: String, _ body: String = "", status: Int? = 200,
        response: String = "{}", key: String? = nil, headers: [String: String] = [:],
        took: Int64 = 0, client: Exchange.Client = .player(0)
    ) {
        see(
            .exchange(
                Exchange(
                    client: client, party: 0, life: 1, method: method, path: path,
                    body: Array(body.utf8), idempotencyKey: key, sentAt: now - took,
                    respondedAt: status == nil ? nil : now, status: status, headers: headers,
                    response: Array(response.utf8))))
    }

    /// Registers a card with that token.
    func register(_ token: String, card: String = "card-1", revision: Int = 1) {
        exchange(
            "PUT", "/v1/activities/\(card)",
            #"{"hero":"hero-1","pushToken":"\#(token)","revision":\#(revision)}"#, status: 204,
            response: "")
    }

    /// The party as a response shows it.
    func party(
        version: Int, events: [(kind: String, at: Int64)] = [], gameTime: Int64 = 0,
        phase: String = "quest", firstEvent: Int = 1, heroes: [String] = ["hero-1"]
    ) -> String {
        let list = events.enumerated().map { index, event in
            """
            {"sequence":\(firstEvent + index),"kind":"\(event.kind)","hero":"hero-1",\
            "at":\(event.at),"gameTimeMilliseconds":0}
            """
        }
        let members = heroes.map { #"{"id":"\#($0)","owner":"player-1"}"# }
        return """
            {"id":"party-1","version":\(version),"heroes":[\(members.joined(separator: ","))],\
            "adventure":{"phase":"\(phase)","gameTimeMilliseconds":\(gameTime)},\
            "events":[\(list.joined(separator: ","))]}
            """
    }
}
