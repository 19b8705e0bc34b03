import OptionParsing
import RangersServer
import Testing

@testable import Bench

@Suite struct BenchOptionsTests {
    private func push(_ arguments: String...) throws -> PushBench.Settings {
        try PushBench.Settings(BenchOptions.push.parse(arguments, environment: [:]))
    }

    @Test("five rounds of 400,000 pushes by default")
    func defaults() throws {
        #expect(try push().rounds == 5)
        #expect(try push().pushes == 400_000)
    }

    @Test("rounds and pushes are taken")
    func given() throws {
        let settings = try push("--rounds", "3", "--pushes=5000", "--json", "--check")
        #expect(settings.rounds == 3)
        #expect(settings.pushes == 5_000)
    }

    @Test("quick means fewer rounds of fewer pushes")
    func quick() throws {
        let settings = try push("--quick")
        #expect(settings.rounds < 5)
        #expect(settings.pushes < 400_000)
    }

    @Test("no rounds, and runs too short to measure, are refused")
    func refused() {
        #expect(throws: OptionsError.self) { try push("--rounds=0") }
        #expect(throws: OptionsError.self) { try push("--pushes=999") }
    }

    @Test("faults take rounds and seconds; quick is one round of one second")
    func faults() throws {
        func settings(_ arguments: String...) throws -> FaultBench.Settings {
            try FaultBench.Settings(BenchOptions.faults.parse(arguments, environment: [:]))
        }
        #expect(try settings("--rounds=2", "--seconds=60").seconds == 60)
        #expect(try settings("--rounds=2", "--seconds=60").rounds == 2)
        #expect(try settings("--quick").rounds == 1)
        #expect(throws: OptionsError.self) { try settings("--seconds=0") }
    }

    @Test("what the bench tells its server is what the server understands")
    func serverRoundTrip() throws {
        var settings = BenchServer.Settings(folder: "keys")
        settings.streams = 100
        settings.delayMilliseconds = 50
        settings.window = 65_535
        let arguments = settings.arguments.dropFirst(2)
        let values = try BenchOptions.serve.parse(Array(arguments), environment: [:])
        #expect(try BenchServer.Settings(values) == settings)
    }

    @Test("the simulator answers at its own pace: no delay, no window")
    func simulatorHasNoDelay() throws {
        let values = try BenchOptions.serve.parse(
            ["--kind=simulator", "--data=keys", "--delay-ms=50"], environment: [:])
        #expect(throws: OptionsError.self) { try BenchServer.Settings(values) }
    }
}
