import APNsClient
import APNsSimulator
import Foundation
import PushLoad
import PushPolicy
import RangersServer
import Testing

@testable import Bench

@Suite(.serialized) struct PushBenchTests {
    /// Calls the body with a folder for keys, and removes it.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    /// Sends pushes to a server with these settings; returns how many were accepted.
    private func pushes(to settings: BenchServer.Settings) async throws -> Int {
        let server = try BenchServer(settings)
        let credentials = try SimulatorCredentials(
            directory: settings.folder, validity: .century, now: 1_685_952_000)
        let result = try await Load.run(
            LoadSettings(
                port: server.port, credentials, pushes: 1_200, connections: 2, streams: 50,
                sample: .alert, moment: 1_685_952_000))
        await server.stop()
        return result.pushes
    }

    @Test(
        "all pushes of a run are accepted, by each kind of server",
        arguments: BenchServer.Kind.allCases)
    func accepted(kind: BenchServer.Kind) async throws {
        try await withFolder { folder in
            var settings = BenchServer.Settings(folder: folder)
            settings.kind = kind
            let accepted = try await pushes(to: settings)
            #expect(accepted == 1_200)
        }
    }

    @Test("a narrow window that comes back late lets everything through in the end")
    func narrowWindow() async throws {
        try await withFolder { folder in
            var settings = BenchServer.Settings(folder: folder)
            (settings.delayMilliseconds, settings.window) = (1, 65_535)
            let accepted = try await pushes(to: settings)
            #expect(accepted == 1_200)
        }
    }

    @Test("the sample is what the game's own content would be on the wire")
    func sampleIsTheGames() throws {
        let state = ContentState(
            currentHealthLevel: 0.941,
            eventDescription: "Power Panda took a critical hit from the dragon!")
        let payload = LiveActivityPayload.update(
            at: 1_700_000_000, state: state, staleDate: 1_700_000_900, relevanceScore: 75)
        #expect(try SamplePush.quiet.encoded(at: 1_700_000_000) == payload.encoded())
    }

    // MARK: h2load

    private let said = """
        starting benchmark...
        finished in 2.05s, 195121.95 req/s, 12.34MB/s
        requests: 400000 total, 400000 started, 400000 done, 400000 succeeded, 0 failed, 0 errored
        status codes: 400000 2xx, 0 3xx, 0 4xx, 0 5xx

        """

    @Test("requests a second are read from h2load's last words")
    func rate() throws {
        #expect(try H2Load.rate(in: said, requests: 400_000) == 195_121.95)
    }

    @Test("an answer that is not 2xx, or output that says nothing, makes a run worthless")
    func refusals() {
        let refused = said.replacing("400000 2xx, 0 3xx, 0 4xx", with: "399999 2xx, 0 3xx, 1 4xx")
        for output in [refused, "what?"] {
            #expect(throws: BenchError.self) { try H2Load.rate(in: output, requests: 400_000) }
        }
    }

    @Test("h2load sends as many requests over as many connections and streams, with our headers")
    func arguments() {
        let arguments = H2Load.arguments(
            H2Load.Settings(
                port: 8443, requests: 1_000, connections: 4, streams: 100, bodyFile: "body",
                headers: ["apns-priority: 10", "apns-topic: x"]))
        #expect(
            arguments == [
                "--threads=1", "--requests=1000", "--clients=4", "--max-concurrent-streams=100",
                "--data=body", "--header", "apns-priority: 10", "--header", "apns-topic: x",
                "https://127.0.0.1:8443/3/device/\(SamplePush.token)",
            ])
    }

    @Test("a run's figures are rates and shares of a core, and ratios are taken within a round")
    func figures() {
        var findings = Findings(name: "push", conditions: [])
        for (ours, theirs) in [(100.0, 100.0), (40, 50), (300, 600)] {
            let runs = [ours, theirs].map {
                PushRun(requests: Int($0 * 2), seconds: 2, clientCPU: 1, serverCPU: 0.5)
            }
            PushBench.add(ours: runs[0], h2load: runs[1], to: &findings)
        }
        #expect(findings.value("ratio_to_h2load") == 0.8)
        #expect(findings.value("client_busy") == 0.5)
        #expect(findings.value("server_busy") == 0.25)
        #expect(findings["rss_mb"] == nil)
        #expect(PushBench.streamsLimit(connections: 4) == 80_000)
    }

    // MARK: Faults

    @Test("PR7: a storm of GOAWAYs loses no push, and both sides count the same")
    func goAways() async throws {
        try await withFolder { folder in
            // Silence needs the client's own timeouts, which take longer than a test should.
            let sample = try await FaultPlay(.goAways, folder: folder).measure(seconds: 0.3)
            #expect(sample.count.accepted > 0)
            #expect(sample.lost == 0)
            #expect(sample.doubled == 0)
        }
    }

    @Test("a storm is compared with what was undisturbed, and silence has 15 seconds")
    func faultFigures() {
        var findings = Findings(name: "push", conditions: [])
        FaultSample(fault: .goAways, rates: (100, 69)).add(to: &findings)
        FaultSample(fault: .silence, gapSeconds: 15).add(to: &findings)
        #expect(findings.value("goaway_ratio") == 0.69)
        #expect(findings.missed == ["goaway_ratio"])
    }

    @Test(
        "what one side knows and the other does not is lost, and so is what has no outcome",
        arguments: [
            (10, 10, 0, 0, 0), (10, 9, 0, 0, 1), (10, 11, 1, 0, 0), (10, 11, 0, 0, 1),
            (2, 2, 0, 1, 1),
        ])
    func lost(accepted: Int, known: Int, unknown: Int, silent: Int, lost: Int) {
        var reported = FaultTally.Count()
        (reported.accepted, reported.unknown) = (accepted, unknown)
        reported.submitted = accepted + unknown + silent
        #expect(reported.lost(known: known) == lost)
    }

    @Test("outcomes are reported apart, and the longest time without an acceptance is kept")
    func tally() {
        let tally = FaultTally()
        tally.begin(at: 1_000)
        tally.add(4)
        tally.note(.notSent("no connection"), at: 1_001)
        tally.note(.unknown("lost"), at: 1_002)
        #expect(!tally.now.isAccepting)
        for time in [1_060.0, 1_061] { tally.note(.accepted(apnsUniqueID: nil), at: time) }
        #expect(tally.now.longestGap == 60)
        #expect(tally.now.count.accepted == 2)
        #expect(tally.now.count.lost(known: 2) == 0)
    }
}
