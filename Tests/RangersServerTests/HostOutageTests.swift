import APNsClient
import Foundation
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import RangersServer
import Testing

/// What an outage of APNs costs the server, and what follows it.
@Suite("PR6: an outage of APNs costs nothing but time", .timeLimit(.minutes(5)), .simulated)
struct HostOutageTests {
    /// What a host answers that takes nothing.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case noConnection, unavailable, forbidden, badKey, tooManyRequests

        var outcome: APNsClient.Outcome {
            switch self {
            case .noConnection: .notSent("no connection")
            case .unavailable: refusal(503, "ServiceUnavailable")
            case .forbidden: refusal(403, "Forbidden")
            case .badKey: refusal(403, "InvalidProviderToken")
            case .tooManyRequests: refusal(429, "TooManyRequests")
            }
        }

        var testDescription: String { rawValue }
    }

    private static let accepted = APNsClient.Outcome.accepted(apnsUniqueID: nil)

    /// So many parties of one at a server whose game runs at its own speed, and whose client holds
    /// pushes back as the real one does.
    private func begin(_ parties: Int, loops: Int = 1) async throws -> TestServer {
        let server = try await TestServer(speed: 1000, loops: loops)
        server.apns.behaveAsClient(by: server.clock)
        for number in 0..<parties {
            let player = try await TestPlayer.make("Hero \(number)", at: server)
            let party = try await player.found()
            _ = await player.watch("activity-\(number)", token: String(1000 + number))
            _ = await player.send(.post, "/v1/parties/\(party.id)/adventure")
        }
        await server.step(forSeconds: 1)
        return server
    }

    private func tokens(_ pushes: ArraySlice<FakeAPNs.Push>) -> Set<String> {
        Set(pushes.map(\.request.token.hex))
    }

    @Test("one push tries each 1 to 8 seconds, whatever the outage is", arguments: Kind.allCases)
    func tries(in kind: Kind) async throws {
        let server = try await begin(30)
        server.apns.answer(.at(once: kind.outcome))
        // All stories are the same here, so failures come together: it takes two of their steps.
        await server.step(forSeconds: 130)
        let (began, ticks) = (server.apns.pushes.count, server.metrics.value(.ticks))
        await server.step(forSeconds: 120)
        let times = server.apns.pushes[began...].compactMap(\.at?.milliseconds)
        #expect(times.count >= 15)
        let distances = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(distances.count >= 14)
        #expect(distances.allSatisfy { (1_000...8_250).contains($0) }, "\(distances)")
        // The stories go on: a step each 30 to 60 seconds. Nothing else is committed but the tries.
        let commits = server.metrics.value(.ticks) - ticks
        #expect(commits <= 30 * 4 + Double(times.count) + 10, "\(commits)")
        await server.server.drain()
    }

    @Test(
        "after an outage each activity is current within 10 seconds, by one push",
        arguments: [Kind.noConnection, .forbidden, .badKey, .tooManyRequests])
    func recovers(from kind: Kind) async throws {
        let server = try await begin(30)
        server.apns.answer(.at(once: kind.outcome))
        await server.step(forSeconds: 300)
        server.apns.answer(.at(once: Self.accepted))
        let healed = server.apns.pushes.count
        await server.step(forSeconds: 10)
        let pushes = server.apns.pushes[healed...]
        #expect(tokens(pushes).count == 30)
        // The stories go on meanwhile.
        #expect(pushes.count <= 30 + 15)
        await server.server.drain()
    }

    @Test(
        "two parties show that the host refuses every push", arguments: [Kind.forbidden, .badKey])
    func few(kind: Kind) async throws {
        let server = try await begin(2)
        server.apns.answer(.at(once: kind.outcome))
        await server.step(forSeconds: 130)
        server.apns.answer(.at(once: Self.accepted))
        let healed = server.apns.pushes.count
        await server.step(forSeconds: 10)
        #expect(tokens(server.apns.pushes[healed...]).count == 2)
        await server.server.drain()
    }

    @Test(
        "two loops learn from each other's tries, and share them",
        arguments: [Kind.noConnection, .forbidden, .tooManyRequests])
    func loops(kind: Kind) async throws {
        let server = try await begin(30, loops: 2)
        server.apns.answer(.at(once: kind.outcome))
        await server.step(forSeconds: 60)
        let began = server.apns.pushes.count
        await server.step(forSeconds: 120)
        #expect((15...34).contains(server.apns.pushes.count - began))
        server.apns.answer(.at(once: Self.accepted))
        let healed = server.apns.pushes.count
        await server.step(forSeconds: 10)
        #expect(tokens(server.apns.pushes[healed...]).count == 30)
        await server.server.drain()
    }

    @Test("the devices of one party that get too many pushes rest for a minute, and hold up nobody")
    func onePartysDevices() async throws {
        let server = try await TestServer(speed: 1000)
        server.apns.behaveAsClient(by: server.clock)
        let busy = try await TestPlayer.make("Power Panda", at: server)
        let other = try await TestPlayer.make("Egghead", at: server)
        let (parties) = (try await busy.found().id, try await other.found().id)
        for number in 0..<4 { _ = await busy.watch("busy-\(number)", token: "ab0\(number)") }
        _ = await other.watch("other", token: "cdef")
        server.apns.answer(
            .by { $0.token.hex == "cdef" ? Self.accepted : Kind.tooManyRequests.outcome })
        for (player, party) in [(busy, parties.0), (other, parties.1)] {
            _ = await player.send(.post, "/v1/parties/\(party)/adventure")
        }
        await server.step(forSeconds: 58)
        #expect(server.apns.pushes.count { $0.request.token.hex != "cdef" } == 4)
        #expect(server.apns.pushes.count { $0.request.token.hex == "cdef" } >= 2)
        await server.step(forSeconds: 30)
        #expect(server.apns.pushes.count { $0.request.token.hex != "cdef" } == 8)
        await server.server.drain()
    }

    @Test("one line a minute says so, and one says when it is over", arguments: Kind.allCases)
    func log(of kind: Kind) async throws {
        let server = try await begin(30)
        let before = lines(of: server).count
        server.apns.answer(.at(once: kind.outcome))
        await server.step(forSeconds: 300)
        let during = lines(of: server).dropFirst(before)
        #expect((4...6).contains(during.count), "\(during)")
        #expect(during.allSatisfy { $0.contains("\"others\"") })
        server.apns.answer(.at(once: Self.accepted))
        await server.step(forSeconds: 10)
        let over = lines(of: server).filter { $0.contains("APNs accepts pushes again") }
        #expect(over.count == 1 && over.first?.contains("\"seconds\"") == true, "\(over)")
        await server.server.drain()
    }

    /// The lines about pushes that an operator sees.
    private func lines(of server: TestServer) -> [Substring] {
        server.logged.withLock { $0 }.split(separator: "\n").filter {
            $0.contains("push") && !$0.contains("\"debug\"")
        }
    }

    @Test("the metric says that the host fails, when it refuses every push, too")
    func metric() async throws {
        let server = try await begin(10)
        server.apns.answer(.at(once: Kind.tooManyRequests.outcome))
        await server.step(forSeconds: 120)
        let text = await server.send(.get, "/metrics").text
        #expect(text.contains("\nrangers_apns_host_state 2\n"))
        server.apns.answer(.at(once: Self.accepted))
        await server.step(forSeconds: 10)
        let later = await server.send(.get, "/metrics").text
        #expect(later.contains("\nrangers_apns_host_state 0\n"))
        await server.server.drain()
    }

    @Test("when the server stops in an outage, nothing waits")
    func drains() async throws {
        let server = try await begin(3)
        server.apns.answer(.at(once: Kind.tooManyRequests.outcome))
        await server.step(forSeconds: 40)
        await server.server.drain()
        #expect(server.metrics.value(.pushesInFlight) == 0)
    }
}

private func refusal(_ status: Int, _ reason: String) -> APNsClient.Outcome {
    .refused(
        APNsClient.Refusal(
            status: status, reason: reason, timestamp: nil,
            action: APNsReason.action(status: status, reason: reason)))
}
