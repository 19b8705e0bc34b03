internal import Foundation
internal import OptionParsing
internal import Playtest
internal import RangersServer

/// `rangers-tools cluster`: several nodes over one PostgreSQL, on one machine. `cluster torture`
/// gives them faults.
enum ClusterCommand {
    static let subcommand = Subcommand(
        "cluster", "Run several nodes over a throwaway PostgreSQL, and play on them", run: run)

    private static let options = Options(
        command: "rangers-tools cluster",
        summary:
            "Starts PostgreSQL, a simulated APNs and several nodes, and plays parties through all "
            + "of them. `cluster torture` gives them faults.",
        [
            Option("nodes", "NUMBER", "The number of nodes, 1 to 5", default: "3"),
            Option("parties", "NUMBER", "The number of parties at a time", default: "30"),
            Option("seed", "NUMBER", "The seed of the dice", default: "1"),
            Option("speed", "FACTOR", "The speed of the adventures' clock", default: "6"),
            Option("seconds", "NUMBER", "Stop after this time; Ctrl-C stops it sooner"),
            Option("data", "DIR", "Keep the logs here"),
            .toggle("kill", "Kill a node, and show how the others take over"),
        ])

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        if arguments.first == "torture" {
            return await ClusterTortureCommand.run(Array(arguments.dropFirst()))
        }
        return await options.run(arguments) { values throws(OptionsError) in
            let nodes = try values.integer("nodes", in: 1...5) ?? 3
            let parties = try values.integer("parties", in: 1...10_000) ?? 30
            let seed = try values.integer("seed", in: 0...Int64.max) ?? 1
            let speed = try values.number("speed", in: ServerConfiguration.speeds) ?? 6
            let seconds = try values.integer("seconds", in: 1...86_400)
            guard nodes > 1 || !values.isOn("kill") else {
                throw values.invalid(
                    "kill", expected: "omitted with --nodes 1: no other node could take over")
            }
            let stop = StopSignals()
            do {
                let folder = try TestbedFolder(values.text("data"))
                defer { folder.removeIfTemporary() }
                var settings = ClusterShow.Settings(
                    executable: Executables.rangers, folder: folder)
                settings.nodes = Int(nodes)
                settings.parties = Int(parties)
                settings.seed = UInt64(seed)
                settings.speed = speed
                settings.seconds = seconds.map(Double.init)
                settings.kill = values.isOn("kill") ? .once : .never
                let show = ClusterShow(
                    settings, say: Terminal.print, untilStopped: { await stop.wait() })
                return try await show.run() ? 0 : 1
            } catch {
                Terminal.complain("rangers-tools cluster: \(error)")
                return 1
            }
        }
    }
}
