internal import Bench
internal import Foundation
internal import OptionParsing
internal import RangersServer

/// `rangers-tools bench`: runs benches on this machine. `Scripts/bench` builds first and calls it.
enum BenchCommand {
    static let subcommand = Subcommand("bench", "Run the benches", run: run)

    private static let list = """
        usage: Scripts/bench NAME [options]

        benches:
          push    our client against h2load, on one core each: pushes a second, CPU, memory
          faults  our client during APNs faults, against itself undisturbed
          api     the server's HTTP API against Go's net/http and libmicrohttpd in C
          heart   ticks, actions and memory against a C program that writes the same bytes
          live    the real server, from a due party to the acceptance of its pushes
          game    boards, world boss, packs and answers compared with Go and SQLite; the engine
          console what consoles' and players' event streams cost, and whether they delay pushes
          cluster ticks over PostgreSQL: the node, the database, and a C program beside them
          changes what players change on one, two and four nodes, beside pgbench with the same rows
          takeover  three nodes with 100,000 parties, of which one is killed: memory, start, takeover
          outage  APNs outages in virtual time, with 100,000 Live Activities owed

        Scripts/bench NAME --help lists a bench's options. The benches start `rangers-tools bench serve`,
        `rangers-tools bench heart-run` and `push-load`, which also run alone.
        """

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "push":
            return await report("push", BenchOptions.push, rest) { values throws(OptionsError) in
                let settings = try PushBench.Settings(values)
                return {
                    try PushBench(
                        settings, executable: Executables.tools, say: Terminal.complain)
                }
            }
        case "faults":
            return await report("faults", BenchOptions.faults, rest) {
                values throws(OptionsError) in
                let settings = try FaultBench.Settings(values)
                return { FaultBench(settings, say: Terminal.complain) }
            }
        case "api":
            return await report("api", BenchOptions.api, rest) { values throws(OptionsError) in
                let settings = try APIBench.Settings(values)
                return {
                    try await APIBench(
                        settings, rangers: Executables.rangers, tools: Executables.tools,
                        say: Terminal.complain)
                }
            }
        case "heart":
            return await report("heart", BenchOptions.heart, rest) { values throws(OptionsError) in
                let settings = try HeartBench.Settings(values)
                return {
                    try await HeartBench(
                        settings, executable: Executables.tools, say: Terminal.complain)
                }
            }
        case "live":
            return await report("live", BenchOptions.live, rest) { values throws(OptionsError) in
                let settings = try LiveBench.Settings(values)
                return {
                    try LiveBench(
                        settings, rangers: Executables.rangers, tools: Executables.tools,
                        say: Terminal.complain)
                }
            }
        case "game": return await game(rest)
        case "console": return await console(rest)
        case "cluster": return await cluster(rest)
        case "changes": return await changes(rest)
        case "takeover": return await takeover(rest)
        case "outage": return await outage(rest)
        case let part? where parts.contains(part): return await run(part, rest)
        case nil, "--help", "-h":
            Terminal.print(list + "\n")
            return 0
        case let word?:
            Terminal.complain("rangers-tools bench: There is no bench '\(word)'.\n\n\(list)")
            return 64
        }
    }

    private static func game(_ arguments: [String]) async -> Int32 {
        await report("game", BenchOptions.game, arguments) { values throws(OptionsError) in
            let settings = try GameBench.Settings(values)
            return {
                try await GameBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
            }
        }
    }

    private static func console(_ arguments: [String]) async -> Int32 {
        await report("console", BenchOptions.console, arguments) {
            values throws(OptionsError) in
            let settings = try ConsoleBench.Settings(values)
            return {
                try ConsoleBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
            }
        }
    }

    private static func cluster(_ arguments: [String]) async -> Int32 {
        await report("cluster", BenchOptions.cluster, arguments) {
            values throws(OptionsError) in
            let settings = try ClusterBench.Settings(values)
            return {
                try await ClusterBench(
                    settings, executable: Executables.tools, say: Terminal.complain)
            }
        }
    }

    private static func changes(_ arguments: [String]) async -> Int32 {
        await report("changes", BenchOptions.changes, arguments) {
            values throws(OptionsError) in
            let settings = try ChangesBench.Settings(values)
            return {
                try await ChangesBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
            }
        }
    }

    private static func takeover(_ arguments: [String]) async -> Int32 {
        await report("takeover", BenchOptions.takeover, arguments) {
            values throws(OptionsError) in
            let settings = try TakeoverBench.Settings(values)
            return {
                try TakeoverBench(
                    settings, rangers: Executables.rangers, tools: Executables.tools,
                    say: Terminal.complain)
            }
        }
    }

    private static func outage(_ arguments: [String]) async -> Int32 {
        await report("outage", BenchOptions.outage, arguments) { values throws(OptionsError) in
            let settings = try OutageBench.Settings(values)
            return { OutageBench(settings, say: Terminal.complain) }
        }
    }

    /// What benches start, and what also runs alone.
    private static let parts = ["heart-run", "serve", "read-streams"]

    private static func run(_ part: String, _ arguments: [String]) async -> Int32 {
        switch part {
        case "heart-run": await heartRun(arguments)
        case "serve": await serve(arguments)
        default: await readStreams(arguments)
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

    /// Runs a bench and prints its report.
    private static func report(
        _ name: String, _ options: Options, _ arguments: [String],
        _ prepare: (OptionValues) throws(OptionsError) -> () async throws -> any RunnableBench
    ) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let make = try prepare(values)
            do {
                guard let report = try await outcome(of: try await make()) else { return 130 }
                Terminal.print(values.isOn("json") ? report.jsonLine : report.table)
                return values.isOn("check") && !report.isEveryTargetMet ? 1 : 0
            } catch {
                Terminal.complain("rangers-tools bench \(name): \(error)")
                return 1
            }
        }
    }

    /// Returns the report; `nil` when a signal came first. The servers of the bench end in any
    /// case.
    private static func outcome(of bench: any RunnableBench) async throws -> BenchReport? {
        let stop = StopSignals()
        return try await withThrowingTaskGroup(of: BenchReport?.self) { group in
            group.addTask { try await bench.run() }
            group.addTask {
                await stop.wait()
                bench.abandon()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func readStreams(_ arguments: [String]) async -> Int32 {
        await BenchOptions.readStreams.run(arguments) { values throws(OptionsError) in
            let settings = try StreamReading.Settings(values)
            do {
                try StreamReading(settings).run(say: Terminal.print)
                return 0
            } catch {
                Terminal.complain("rangers-tools bench read-streams: \(error)")
                return 1
            }
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
