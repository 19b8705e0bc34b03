import APNsClient
import HTTPServer
import Isolation
import Playtest
import Testing

@testable import RangersServer

/// PR17: no secret in a log, an error or a metric.
@Suite("Secrets stay secret", .timeLimit(.minutes(2)), .simulated)
struct SecrecyTests {
    private static let pushToken = "feedfacecafebeef0123456789abcdef"
    private static let startToken = "d15ea5ed0ddba11df00d0123456789ab"
    private static let nextToken = "0badf00ddeadc0de0123456789abcdef"
    private static let lastToken = "ca11ab1eb01dface0123456789abcdef"

    /// Everything that the server says to others than the token's owner while a party plays a
    /// whole adventure, with Apple and players making trouble.
    private func chatter() async throws -> (said: String, secrets: [String]) {
        let stage = try await Stage.make()
        let server = stage.server
        var said = ""
        #expect(await stage.panda.watch("activity-1", token: Self.pushToken).status == 204)
        said += await stage.panda.offer("tablet", token: Self.startToken).text
        for outcome in Self.troubles {
            stage.apns.answer(.at(once: outcome))
            _ = await stage.panda.send(.delete, "/v1/activities/activity-1")
            _ = await stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure")
            _ = await stage.panda.watch("activity-1", token: Self.pushToken)
            for _ in 0..<40 { await server.step() }
            let put = await stage.panda.watch("activity-1", token: Self.nextToken)
            said += put.text
            said += await stage.panda.watch("activity-1", token: Self.pushToken).text
        }
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        // The last outcome has retired the other tokens for good, and its adventure may be over.
        _ = await stage.panda.send(.delete, "/v1/activities/activity-1")
        _ = await stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure")
        said += await stage.panda.watch("activity-1", token: Self.lastToken).text
        #expect(await server.step(until: { await stage.isOver() }))
        said += await mistakes(of: stage.panda, at: server)
        said += await server.send(.get, "/metrics").text
        said += await server.admin(.get, "/v1/admin/parties").text
        said += await server.admin(.get, "/v1/admin/parties/\(stage.party)/decisions").text
        await server.server.drain()
        said += server.logged.withLock { $0 }
        return (
            said,
            [
                stage.panda.token, Self.pushToken, Self.nextToken, Self.lastToken,
                Self.startToken, TestServer.adminKey,
            ]
        )
    }

    private static let troubles: [APNsClient.Outcome] = [
        .accepted(apnsUniqueID: nil), .unknown("the connection was lost"), .notSent("no room"),
        .refused(
            APNsClient.Refusal(
                status: 400, reason: "BadTopic", timestamp: nil, action: .fixSettings)),
        .refused(
            APNsClient.Refusal(
                status: 410, reason: "Unregistered", timestamp: .max, action: .dropToken)),
    ]

    /// Requests that are refused, with secrets in every place where they do not belong.
    private func mistakes(of player: TestPlayer, at server: TestServer) async -> String {
        var said = ""
        for secret in [player.token, Self.pushToken, Self.startToken, TestServer.adminKey] {
            let body = #"{"\#(secret)":"\#(secret)","hero":1}"#
            for route in Routes.all where route.access == .player {
                let path = GarbageTests.fill(route.template, with: "x")
                for token in [player.token, TestServer.adminKey, secret + "x"] {
                    said += await server.send(route.method, path, body, as: token).text
                }
            }
        }
        return said
    }

    @Test("PR17: after a whole adventure at debug level no output contains a secret")
    func nothingIsTold() async throws {
        let (said, secrets) = try await chatter()
        #expect(said.contains("push accepted"))
        #expect(said.contains("push refused"))
        for secret in secrets { #expect(!said.contains(secret)) }
    }

    @Test("PR17: control: a secret passed to the log appears in it")
    func control() async throws {
        let server = try await TestServer()
        let answer = await server.send(.post, "/v1/players")
        #expect(answer.text.contains(try #require(answer.body["token"].string)))
        await server.server.drain()
    }
}
