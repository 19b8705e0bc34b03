import APNsClient
import Foundation
import Testing

@testable import Bench

@Suite struct LoadTests {
    @Test(
        "all pushes of a run are accepted, by each kind of server",
        arguments: BenchServer.Kind.allCases)
    func accepted(kind: BenchServer.Kind) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BenchServer.Settings(folder: folder.path)
        settings.kind = kind
        let server = try BenchServer(settings)
        let result = try await Load.run(
            LoadSettings(
                port: server.port, folder: folder.path, pushes: 1_200, connections: 2,
                streams: 50, sample: .alert, moment: 1_685_952_000))
        await server.stop()
        #expect(result.pushes == 1_200)
        #expect(result.peakMegabytes > 0)
    }

    @Test("a narrow window that comes back late lets everything through in the end")
    func narrowWindow() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = BenchServer.Settings(folder: folder.path)
        settings.delayMilliseconds = 1
        settings.window = 65_535
        let server = try BenchServer(settings)
        let result = try await Load.run(
            LoadSettings(
                port: server.port, folder: folder.path, pushes: 1_000, connections: 1,
                streams: 1_000, sample: .alert, moment: 1_685_952_000))
        await server.stop()
        #expect(result.pushes == 1_000)
    }

    @Test("a run with a single push that was not accepted fails, and says why")
    func refused() {
        let counter = OutcomeCounter()
        counter.add(2)
        counter.note(.accepted(apnsUniqueID: nil))
        counter.note(.notSent("no connection"))
        #expect(
            throws: BenchError(
                "1 pushes were not accepted; the first: not sent: no connection")
        ) { try counter.requireAllAccepted() }
    }

    @Test("the sender waits until there is room")
    func room() async {
        let counter = OutcomeCounter()
        counter.add(3)
        await counter.wait(until: 3)
        async let waiting: Void = counter.wait(until: 1)
        counter.note(.accepted(apnsUniqueID: nil))
        counter.note(.accepted(apnsUniqueID: nil))
        await waiting
        #expect(throws: Never.self) { try counter.requireAllAccepted() }
    }

    @Test("a result survives its way between two processes")
    func line() throws {
        let result = LoadResult(
            pushes: 1_000, seconds: 0.5, cpuSeconds: 0.25, startMegabytes: 10, peakMegabytes: 14.5)
        #expect(try LoadResult(line: result.line) == result)
        #expect(throws: BenchError.self) { try LoadResult(line: "killed") }
    }

    @Test("every body of a kind has the same bytes", arguments: SamplePush.allCases)
    func sameBytes(sample: SamplePush) throws {
        #expect(try sample.encoded(at: 1_700_000_000) == sample.encoded(at: 1_700_000_000))
    }
}
