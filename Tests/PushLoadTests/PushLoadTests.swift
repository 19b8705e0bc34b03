import APNsClient
import Foundation
import Isolation
import Testing

@testable import PushLoad

@Suite struct PushLoadTests {
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
        let order = Locked<[String]>([])
        async let waiting: Void = {
            await counter.wait(until: 1)
            order.withLock { $0.append("room") }
        }()
        for number in 1...2 {
            order.withLock { $0.append("outcome \(number)") }
            counter.note(.accepted(apnsUniqueID: nil))
        }
        await waiting
        #expect(order.withLock { $0 } == ["outcome 1", "outcome 2", "room"])
        #expect(throws: Never.self) { try counter.requireAllAccepted() }
    }

    @Test("a result survives its way between two processes")
    func line() throws {
        let result = LoadResult(
            pushes: 1_000, seconds: 0.5, cpuSeconds: 0.25, startMegabytes: 10, peakMegabytes: 14.5)
        #expect(try LoadResult(line: result.line) == result)
        #expect(throws: BenchError.self) { try LoadResult(line: "killed") }
    }

    @Test("what the bench tells its client is what the client understands")
    func arguments() throws {
        let settings = LoadSettings(
            port: 8443, caFile: "a folder/ca.pem", keyFile: "key=1.p8", keyID: "A", teamID: "B",
            pushes: 5_000, connections: 2, streams: 10, sample: .alert, moment: 1_700_000_000)
        #expect(settings.arguments.first == "send")
        #expect(try LoadSettings(NamedValues(settings.arguments.dropFirst())) == settings)
        let run = EncodeRun(sample: .alert, payloads: 7)
        #expect(run.arguments.first == "encode")
        #expect(try EncodeRun(NamedValues(run.arguments.dropFirst())) == run)
    }

    @Test(
        "arguments that nobody understands are refused, by name",
        arguments: [
            ["send"], ["encode", "payload=loud", "payloads=1"], ["encode", "payload=quiet"],
            ["encode", "payload=quiet", "payloads=many"], ["encode", "payload"], ["dance"], [],
            ["encode", "payload=quiet", "payload=alert", "payloads=1"],
            ["encode", "payload=quiet", "payloads=0"], ["encode", "payload=quiet", "payloads=-1"],
        ])
    func badArguments(arguments: [String]) async {
        await #expect(throws: BenchError.self) { try await LoadCommand.output(arguments) }
    }

    @Test("encoding is measured in microseconds a payload")
    func encoding() async throws {
        let output = try await LoadCommand.output(EncodeRun(sample: .quiet, payloads: 10).arguments)
        #expect(Double(output.dropLast()) != nil)
    }

    @Test("the sample's fast writer gives what a default encoder does")
    func sampleContent() throws {
        func object(_ bytes: some Sequence<UInt8>) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
        }
        let payload = try object(SamplePush.quiet.encoded(at: 1_700_000_000))
        let aps = try #require(payload?["aps"] as? NSDictionary)
        let content = try #require(aps["content-state"] as? NSDictionary)
        #expect(try content == object(JSONEncoder().encode(SamplePush.content)))
    }

    @Test("whatever the moment, bodies of a kind are equally long", arguments: SamplePush.allCases)
    func sameSize(sample: SamplePush) throws {
        #expect(
            try sample.encoded(at: 1_700_000_000).count == sample.encoded(at: 1_800_000_001).count)
    }
}
