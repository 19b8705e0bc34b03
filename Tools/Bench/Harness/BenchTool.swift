internal import Foundation
internal import OptionParsing
internal import PushLoad
internal import RangersServer

/// `rangers-tools bench`: runs benches on this machine. `Scripts/bench` builds first and calls it.
package enum BenchTool {
    static let benches: [any RunnableBench.Type] = [
        PushBench.self, APIBench.self, HeartBench.self, LiveBench.self, ClusterBench.self,
    ]

    private static var help: String {
        let lines = benches.map { bench in
            let gap = String(repeating: " ", count: 9 - bench.about.name.count)
            return "  \(bench.about.name)\(gap)\(bench.about.summary)"
        }
        return """
            usage: Scripts/bench NAME [options]

            benches:
            \(lines.joined(separator: "\n"))

            Scripts/bench NAME --help lists a bench's options. The benches start
            `rangers-tools bench heart-run JSON`, `rangers-tools bench serve JSON` and `push-load`.
            """
    }

    /// Runs the bench that the arguments name, or what a bench starts; returns the exit code.
    package static func run(_ arguments: [String], with programs: BenchPrograms) async -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case nil, "--help", "-h":
            Terminal.print(help + "\n")
            return 0
        case "heart-run": return await part("heart-run") { try await runHeart(rest) }
        case "serve": return await part("serve") { try await serve(rest) }
        case let word?:
            guard let bench = benches.first(where: { $0.about.name == word }) else {
                Terminal.complain("rangers-tools bench: There is no bench '\(word)'.\n\n\(help)")
                return 64
            }
            return await run(bench, rest, programs)
        }
    }

    // MARK: Benches

    private static func run(
        _ type: any RunnableBench.Type, _ arguments: [String], _ programs: BenchPrograms
    ) async -> Int32 {
        let about = type.about
        return await about.table.run(arguments) { values throws(OptionsError) in
            let bench = try type.init(values)
            let rounds = try about.rounds.value(values)
            let machine = Machine.own
            var findings = Findings(
                name: about.name, conditions: try about.conditions(values, on: machine))
            findings.notes += [machine.disturbance].compactMap(\.self)
            return await part(about.name) { [findings] in
                try Tool.require(about.tools)
                let testbed = try BenchTestbed(programs)
                guard let findings = try await measure(bench, in: testbed, rounds, findings) else {
                    return 130
                }
                Terminal.print(values.isOn("json") ? findings.jsonLine : findings.table)
                return values.isOn("check") && !findings.isEveryTargetMet ? 1 : 0
            }
        }
    }

    /// Returns the findings; `nil` when a signal came first. The programs of the bench end in any
    /// case.
    private static func measure(
        _ bench: any RunnableBench, in testbed: BenchTestbed, _ rounds: Int, _ findings: Findings
    ) async throws -> Findings? {
        let stop = StopSignals()
        defer { testbed.abandon() }
        return try await withThrowingTaskGroup(of: Findings?.self) { group in
            group.addTask {
                try await BenchThread().measure(
                    bench, in: testbed, rounds: rounds, findings, tell: Terminal.complain)
            }
            group.addTask {
                await stop.wait()
                testbed.abandon()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    // MARK: What benches start

    /// Returns the work's exit code, or complains and returns 1.
    private static func part(_ name: String, _ work: () async throws -> Int32) async -> Int32 {
        do { return try await work() } catch {
            Terminal.complain("rangers-tools bench \(name): \(error)")
            return 1
        }
    }

    private static func runHeart(_ arguments: [String]) async throws -> Int32 {
        let settings: HeartRun.Settings = try BenchArgument.value(in: arguments)
        let sample = try await HeartRun.measure(settings) { Terminal.print("ready\n") }
        Terminal.print(try BenchArgument.text(sample) + "\n")
        return 0
    }

    private static func serve(_ arguments: [String]) async throws -> Int32 {
        let stop = StopSignals()
        let server = try BenchServer(try BenchArgument.value(in: arguments))
        Terminal.print("port \(server.port)\n")
        await stop.wait()
        await server.stop()
        return 0
    }
}

/// A value in JSON, which a bench passes to its programs as their only argument.
enum BenchArgument {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(in arguments: [String]) throws -> Value {
        guard arguments.count == 1 else { throw BenchError("one argument is needed: JSON") }
        return try JSONDecoder().decode(Value.self, from: Data(arguments[0].utf8))
    }
}
