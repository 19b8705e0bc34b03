import Testing
import HTTPServer

/// A player at a test server, with one hero.
struct TestPlayer: Sendable {
    let server: TestServer
    let token: String
    let id: String
    let hero: String
    let name: String
    /// From where the player sends; `nil`: this machine.
    var address: String?

    static func make(
        _ name: String, at server: TestServer, from address: String? = nil
    ) async throws -> TestPlayer {
        let player = await server.send(.post, "/v1/players", from: address).body
        let nobody = TestPlayer(
            server: server, token: try #require(player["token"].string),
            id: try #require(player["player"].string), hero: "", name: "", address: address)
        return try await nobody.anotherHero(name)
    }

    /// The same player with another hero.
    func anotherHero(_ name: String) async throws -> TestPlayer {
        let hero = await send(
            .post, "/v1/heroes", #"{"name":"\#(name)","avatar":"🐼","heroType":"Forest Dweller"}"#)
        return TestPlayer(
            server: server, token: token, id: id, hero: try #require(hero.body["id"].string),
            name: name, address: address)
    }

    /// The same player at another server.
    func moved(to server: TestServer) -> TestPlayer {
        TestPlayer(
            server: server, token: token, id: id, hero: hero, name: name, address: address)
    }

    func send(
        _ method: Method, _ path: String, _ body: String? = nil, key: String? = nil
    ) async -> TestServer.Answer {
        await server.send(method, path, body, as: token, key: key, from: address)
    }

    /// Founds a party; returns its id and its invite code.
    func found() async throws -> (id: String, code: String) {
        let answer = await send(.post, "/v1/parties", #"{"hero":"\#(hero)"}"#)
        return (
            try #require(answer.body["id"].string), try #require(answer.body["inviteCode"].string)
        )
    }

    func join(_ code: String) async -> TestServer.Answer {
        await send(
            .post, "/v1/parties/join", #"{"inviteCode":"\#(code)","hero":"\#(hero)"}"#)
    }

    /// Hands over a device's push-to-start token.
    @discardableResult
    func offer(
        _ device: String, token: String, osVersion: String = "18.1", language: String = "en",
        environment: String = "sandbox", attributesType: String = "AdventureAttributes"
    ) async -> TestServer.Answer {
        await send(
            .put, "/v1/players/me/push-to-start-tokens/\(device)",
            #"{"pushToStartToken":"\#(token)","attributesType":"\#(attributesType)","#
                + #""environment":"\#(environment)","frequentPushesEnabled":true,"#
                + #""language":"\#(language)","osVersion":"\#(osVersion)"}"#)
    }

    /// Stands for the activity's own push token.
    private static let ownToken = "own"

    /// Each activity has another one; that of "activity-1" is "abcd".
    static func token(of activity: String) -> String {
        guard activity != "activity-1" else { return "abcd" }
        return activity.utf8.map { String($0, radix: 16) }.joined()
    }

    /// Reports what has changed of a Live Activity.
    func report(_ fields: String, of activity: String) async -> TestServer.Answer {
        await send(.put, "/v1/activities/\(activity)", "{\(fields)}")
    }

    /// Hands over a Live Activity.
    func watch(
        _ activity: String, token: String? = ownToken, language: String = "en",
        device: String? = nil, environment: String = "sandbox", frequentPushes: Bool = true,
        more: String = ""
    ) async -> TestServer.Answer {
        let pushToken =
            (token == Self.ownToken ? Self.token(of: activity) : token)
            .map { #""pushToken":"\#($0)","# } ?? ""
        let device = device.map { #","device":"\#($0)""# } ?? ""
        return await send(
            .put, "/v1/activities/\(activity)",
            #"{"hero":"\#(hero)",\#(pushToken)"environment":"\#(environment)","#
                + #""frequentPushesEnabled":\#(frequentPushes),"language":"\#(language)","#
                + #""osVersion":"18.1"\#(device)\#(more)}"#
        )
    }
}
