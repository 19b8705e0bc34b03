import APNsClient
import Testing

@testable import APNsSimulator

/// What each fault does on the wire, seen by our client: nothing is doubled, nothing hangs.
@Suite("Faults on the wire") struct FaultWireTests {
    /// Sends pushes one after the other; what became of them, in words.
    private func story(
        _ fault: Fault, pushes: Int = 3,
        configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) async throws -> (outcomes: [String], counters: Counters) {
        let scene = try WireScene()
        scene.simulator.add(fault)
        let client = try scene.client(configure: configure)
        var outcomes: [String] = []
        for _ in 0..<pushes { outcomes.append(Self.word(await client.send(scene.push()))) }
        await client.shutdown(graceMilliseconds: 1_000)
        let counters = scene.simulator.counters
        await scene.stop()
        return (outcomes, counters)
    }

    private static func word(_ outcome: APNsClient.Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .refused(let refusal): "\(refusal.status) \(refusal.reason)"
        case .notSent, .heldBack: "not sent"
        case .unknown: "unknown"
        }
    }

    @Test("two GOAWAYs in a row lose and double nothing")
    func goAwayTwice() async throws {
        let fault = Fault(.goAwayTwice(reason: "Shutdown", pauseMilliseconds: 5), every: 2)
        let (outcomes, counters) = try await story(fault, pushes: 6)
        #expect(outcomes == Array(repeating: "accepted", count: 6))
        #expect(counters.accepted == 6)
        #expect(counters.doubledIDs == 0)
    }

    @Test("the limit of streams may go to 1 and up again")
    func streamLimits() async throws {
        let scene = try WireScene()
        scene.simulator.add(Fault(.limitStreams(1), skipping: 5, times: 1))
        scene.simulator.add(Fault(.limitStreams(1_000), skipping: 10, times: 1))
        let client = try scene.client()
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<40 { group.addTask { Self.word(await client.send(scene.push())) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: "accepted", count: 40))
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("answers that come out of order find their pushes")
    func outOfOrder() async throws {
        let scene = try WireScene()
        // Every third is refused: a mixed-up answer would show.
        scene.simulator.add(Fault(.shuffle(milliseconds: 0...20)))
        let client = try scene.client()
        let ids = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<30 {
                let token = String(repeating: number % 3 == 0 ? "ab" : "cd", count: 32)
                if number == 0 { scene.simulator.unregister(token, at: 7) }
                group.addTask {
                    let word = Self.word(await client.send(scene.push(token: token)))
                    return word == (number % 3 == 0 ? "410 Unregistered" : "accepted")
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ids == Array(repeating: true, count: 30))
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("trailers behind the answer do no harm")
    func trailers() async throws {
        let (outcomes, counters) = try await story(Fault(.trailers))
        #expect(outcomes == ["accepted", "accepted", "accepted"])
        #expect(counters.accepted == 3)
    }

    @Test("bytes of another protocol end the connection, and the push is unknown or sent again")
    func http1() async throws {
        let (outcomes, counters) = try await story(Fault(.garbage(.http1), times: 1))
        #expect(outcomes.dropFirst() == ["accepted", "accepted"])
        #expect(outcomes[0] == "unknown")
        #expect(counters.accepted == 2)
    }

    @Test("noise ends the connection")
    func noise() async throws {
        let (outcomes, _) = try await story(Fault(.garbage(.noise), times: 1))
        #expect(outcomes == ["unknown", "accepted", "accepted"])
    }

    @Test(
        "a bad answer is no acceptance, and the next push goes well",
        arguments: [InvalidResponse.brokenJSON, .foreignJSON, .oddStatus, .longStatus])
    func badAnswers(garbage: InvalidResponse) async throws {
        let (outcomes, counters) = try await story(Fault(.garbage(garbage), times: 1))
        #expect(outcomes[0] != "accepted")
        #expect(outcomes.dropFirst() == ["accepted", "accepted"])
        #expect(counters.accepted == 2)
    }

    @Test("421: the push goes once more, on a fresh connection, and is accepted once")
    func misdirected() async throws {
        let scene = try WireScene()
        scene.simulator.add(Fault(.answer(status: 421, body: []), times: 1))
        let client = try scene.client()
        #expect(Self.word(await client.send(scene.push())) == "accepted")
        #expect(Self.word(await client.send(scene.push())) == "accepted")
        await client.shutdown(graceMilliseconds: 1_000)
        let connections = scene.recent.after(0, max: 10).records.map(\.record.connection)
        #expect(connections == [1, 2, 2])
        #expect(scene.simulator.counters.accepted == 2)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await scene.stop()
    }
}
