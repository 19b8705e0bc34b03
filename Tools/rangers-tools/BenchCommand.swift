internal import Bench
internal import Foundation
internal import OptionParsing
internal import RangersServer

/// `rangers-tools bench`: runs benches on this machine. `Scripts/bench` builds first and calls it.
enum BenchCommand {
    static let subcommand = Subcommand("bench", "Measure how fast everything is", run: run)

    private static let list = """
        usage: Scripts/bench NAME [options]

        benches:
          push    our client beside h2load on one core each: pushes a second, CPU, memory
          faults  our client while APNs is in trouble, beside itself undisturbed
          api     the server's HTTP API beside Go's net/http and libmicrohttpd in C
          heart   ticks, actions and memory beside a program in C that writes the same bytes
          live    the real server, from a due party to the acceptance of its pushes

        Scripts/bench NAME --help lists a bench's options. `rangers-tools bench serve`, `rangers-tools bench
        heart-run` and `push-load` are the parts that it starts; they can be run alone.
        """

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "push": return await push(rest)
        case "faults": return await faults(rest)
        case "api": return await api(rest)
        case "heart": return await heart(rest)
        case "live": return await live(rest)
        case "heart-run": return await heartRun(rest)
        case "serve": return await serve(rest)
        case nil, "--help", "-h":
            Terminal.print(list + "\n")
            return 0
        case let word?:
            Terminal.complain("rangers-tools bench: There is no bench '\(word)'.\n\n\(list)")
            return 64
        }
    }

    private static func push(_ arguments: [String]) async -> Int32 {
        await BenchOptions.push.run(arguments) { values throws(OptionsError) in
            let settings = try PushBench.Settings(values)
            return await report("push", values) {
                let bench = try PushBench(
                    settings, executable: Executables.tools, say: Terminal.complain)
                return ({ try await bench.run() }, { bench.abandon() })
            }
        }
    }

    private static func faults(_ arguments: [String]) async -> Int32 {
        await BenchOptions.faults.run(arguments) { values throws(OptionsError) in
            let settings = try FaultBench.Settings(values)
            return await report("faults", values) {
                let bench = FaultBench(settings, say: Terminal.complain)
                return ({ try await bench.run() }, {})
            }
        }
    }

    private static func api(_ arguments: [String]) async -> Int32 {
        await BenchOptions.api.run(arguments) { values throws(OptionsError) in
            let settings = try APIBench.Settings(values)
            return await report("api", values) {
                let bench = try await APIBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
                return ({ try await bench.run() }, { bench.abandon() })
            }
        }
    }

    private static func heart(_ arguments: [String]) async -> Int32 {
        await BenchOptions.heart.run(arguments) { values throws(OptionsError) in
            let settings = try HeartBench.Settings(values)
            return await report("heart", values) {
                let bench = try await HeartBench(
                    settings, executable: Executables.tools, say: Terminal.complain)
                return ({ try await bench.run() }, { bench.abandon() })
            }
        }
    }

    private static func live(_ arguments: [String]) async -> Int32 {
        await BenchOptions.live.run(arguments) { values throws(OptionsError) in
            let settings = try LiveBench.Settings(values)
            return await report("live", values) {
                let bench = try LiveBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
                return ({ try await bench.run() }, { bench.abandon() })
            }
        }
    }

    private static func heartRun(_ arguments: [String]) async -> Int32 {
        await BenchOptions.heartRun.run(arguments) { values throws(OptionsError) in
            let settings = try HeartRun.Settings(values)
            do {
                let sample = try await HeartRun.measure(settings) { Terminal.print("ready\n") }
                Terminal.print(try sample.line)
                return 0
            } catch {
                Terminal.complain("rangers-tools bench heart-run: \(error)")
                return 1
            }
        }
    }

    /// A bench's run, and what ends its servers and clients where cancelling does not.
    private typealias Runner = (
        run: @Sendable () async throws -> BenchReport, abandon: @Sendable () -> Void
    )

    /// Runs a bench and prints its report.
    private static func report(
        _ name: String, _ values: OptionValues, _ make: () async throws -> Runner
    ) async -> Int32 {
        do {
            guard let report = try await outcome(of: try await make()) else { return 130 }
            Terminal.print(values.isOn("json") ? report.jsonLine : report.table)
            return values.isOn("check") && !report.isEveryTargetMet ? 1 : 0
        } catch {
            Terminal.complain("rangers-tools bench \(name): \(error)")
            return 1
        }
    }

    /// Returns the report; `nil` when a signal came first. The servers of the bench end in any
    /// case.
    private static func outcome(of runner: Runner) async throws -> BenchReport? {
        let stop = StopSignals()
        let (run, abandon) = runner
        return try await withThrowingTaskGroup(of: BenchReport?.self) { group in
            group.addTask { try await run() }
            group.addTask {
                await stop.wait()
                abandon()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func serve(_ arguments: [String]) async -> Int32 {
        await BenchOptions.serve.run(arguments) { values throws(OptionsError) in
            let settings = try BenchServer.Settings(values)
            let stop = StopSignals()
            do {
                let server = try BenchServer(settings)
                Terminal.print("port \(server.port)\n")
                await stop.wait()
                await server.stop()
                return 0
            } catch {
                Terminal.complain("rangers-tools bench serve: \(error)")
                return 1
            }
        }
    }
}
