internal import Foundation
internal import OptionParsing
internal import Playtest
internal import RangersServer

/// `rangers-tools cluster torture`: faults, and what they must not do.
enum ClusterTortureCommand {
    private static let options = Options(
        command: "rangers-tools cluster torture",
        summary:
            "Plays parties on a cluster while nodes, connections and the database fail, and checks "
            + "that nothing is lost and nothing happens twice. A full disk needs root.",
        [
            Option("nodes", "NUMBER", "The number of nodes", default: "3"),
            Option("parties", "NUMBER", "The number of parties at a time", default: "600"),
            Option("seed", "NUMBER", "The seed of the dice and of the faults", default: "1"),
            Option("speed", "FACTOR", "The speed of the adventures' clock", default: "30"),
            Option("rounds", "NUMBER", "How often each fault happens", default: "20"),
            Option(
                "fault", "NAME",
                "Only this fault: "
                    + ClusterFault.allCases.map(\.rawValue).joined(separator: ", "),
                kind: .list),
            Option("data", "DIR", "Keep the logs here"),
            .toggle("short", "One round, with faults of some seconds"),
            .toggle(
                "control",
                "Run without the fence, to check that events that happen twice are found"),
        ])

    static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let seed = try values.integer("seed", in: 0...Int64.max) ?? 1
            let nodes = try values.integer("nodes", in: 1...5) ?? 3
            let parties = try values.integer("parties", in: 1...100_000) ?? 600
            let rounds = try values.integer("rounds", in: 1...1_000) ?? 20
            let speed = try values.number("speed", in: ServerConfiguration.speeds) ?? 30
            let faults = try faults(values)
            let isControl = values.isOn("control")
            do {
                let folder = try TestbedFolder(values.text("data"))
                defer { folder.removeIfTemporary() }
                var settings = ClusterTorture.Settings(
                    executable: Executables.rangers, folder: folder)
                settings.nodes = Int(nodes)
                settings.parties = Int(parties)
                settings.seed = UInt64(seed)
                settings.speed = speed
                settings.faults = faults.isEmpty ? nil : faults
                settings.rounds = values.isOn("short") ? 1 : Int(rounds)
                settings.length = values.isOn("short") ? .short : .long
                settings.fence = isControl ? .off : .on
                let violations = try await ClusterTorture(settings, say: Terminal.print).run()
                return isControl ? judge(control: violations) : judge(violations, seed: seed)
            } catch {
                Terminal.complain("rangers-tools cluster torture: seed \(seed): \(error)")
                return 1
            }
        }
    }

    private static func faults(_ values: OptionValues) throws(OptionsError) -> Set<ClusterFault> {
        var faults: Set<ClusterFault> = []
        for name in values.texts("fault") {
            guard let fault = ClusterFault(rawValue: name) else {
                let names = ClusterFault.allCases.map(\.rawValue)
                throw values.invalid(
                    "fault", value: name, expected: "one of " + names.joined(separator: ", "))
            }
            faults.insert(fault)
        }
        return faults
    }

    private static func judge(_ violations: [String], seed: Int64) -> Int32 {
        for violation in violations.prefix(50) {
            Terminal.complain("seed \(seed): \(violation)")
        }
        guard violations.isEmpty else {
            Terminal.complain("seed \(seed): \(violations.count) violations")
            return 1
        }
        Terminal.print("seed \(seed): nothing was lost, and nothing happened twice\n")
        return 0
    }

    private static func judge(control violations: [String]) -> Int32 {
        let doubles = violations.filter { $0.hasPrefix(ClusterTorture.double) }
        guard let first = doubles.first else {
            Terminal.complain(
                "the control run found no event that happened twice: the check is not effective")
            return 1
        }
        Terminal.print("control: found \(doubles.count) doubles, as in: \(first)\n")
        return 0
    }
}
