import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import RangersServer
import Testing

@testable import PushPolicy

/// PR13: stopping is clean.
@Suite("Draining", .timeLimit(.minutes(2)), .simulated)
struct DrainTests {
    @Test(
        "PR13: changes acknowledged while the server drains survive the restart",
        arguments: 1...5)
    func underLoad(round: Int) async throws {
        let stage = try await Stage.make()
        let server = stage.server
        try await stage.start()
        let tokens = await withTaskGroup(of: String?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    if number == 4 * round {
                        await server.server.drain()
                        return nil
                    }
                    let answer = await server.send(.post, "/v1/players")
                    guard answer.status == 201 else {
                        #expect(answer.status == 503)
                        return nil
                    }
                    return answer.body["token"].string
                }
            }
            return await group.reduce(into: [String]()) { tokens, token in
                if let token { tokens.append(token) }
            }
        }
        let back = try await TestServer(file: server.file)
        for token in tokens {
            #expect(await back.send(.get, "/v1/heroes", as: token).status == 200)
        }
        await back.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test("PR13: changes of one party that were acknowledged while the server drained are kept")
    func onePartyUnderLoad() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let kept = await withTaskGroup(of: String?.self) { group in
            for number in 2..<12 {
                group.addTask {
                    let id = "activity-\(number)"
                    return await stage.panda.watch(id).status == 204 ? id : nil
                }
            }
            group.addTask {
                await server.server.drain()
                return nil
            }
            return await group.reduce(into: [String]()) { kept, id in
                if let id { kept.append(id) }
            }
        }
        let back = try await TestServer(file: server.file)
        let panda = stage.moved(to: back).panda
        for id in kept {
            let answer = await panda.send(
                .post, "/v1/activities/\(id)/state", #"{"state":"active"}"#)
            #expect(answer.status == 204)
        }
        await back.server.drain()
    }

    @Test("PR13: outcomes that arrive while the server drains are written")
    func lateAnswers() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(1)
        // Draining waits for the sender, which answers what it holds.
        stage.apns.answerShutdown(.accepted(apnsUniqueID: nil))
        await stage.server.server.drain()
        let store = try await SQLiteStore.open(path: stage.server.file)
        let isKnown = try await store.knowsOfAcceptance(in: PartyID(stage.party))
        #expect(isKnown)
        await store.close()
    }

    @Test("PR13: after draining nothing is taken and nothing is pushed")
    func nothingAfter() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.server.server.drain()
        let pushed = stage.apns.pushes.count
        #expect(await stage.server.send(.post, "/v1/players").status == 503)
        let leave = #"{"hero":"\#(stage.panda.hero)","action":"leave"}"#
        let path = "/v1/parties/\(stage.party)/actions"
        #expect(await stage.panda.send(.post, path, leave).status == 503)
        #expect(stage.apns.pushes.count == pushed)
    }
}
