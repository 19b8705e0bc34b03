internal import Bench
internal import Foundation
internal import OptionParsing
internal import Simulation

/// `rangers-tools simulate outage`: outages of APNs, each with all of its Live Activities owed
/// (promise PR6).
enum OutageCommand {
    private static let options = Options(
        command: "rangers-tools simulate outage",
        summary:
            "Plays outages of APNs in virtual time, with all Live Activities owed a push. Takes "
            + "some minutes for each hour.",
        [
            Option("seed", "NUMBER", "The seed of everything", default: "1"),
            Option("seconds", "NUMBER", "The length of an outage", default: "3600"),
            Option(
                "parties", "NUMBER", "Parties, with four Live Activities each", default: "25000"),
            Option(
                "kind", OutageKind.allCases.map(\.rawValue).joined(separator: "|"),
                "What APNs does; without it, one after another"),
            .toggle("json", "Print one line of JSON instead of the table"),
            .toggle("check", "Exit with 1 when a target is missed"),
        ])

    static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let parties = try values.integer("parties", in: 1...100_000) ?? 25_000
            var settings = OutagePlay.Settings(
                parties: Int(parties),
                seconds: try values.integer("seconds", in: 120...100_000) ?? 3600,
                kind: .unreachable, data: "")
            settings.seed = UInt64(try values.integer("seed", in: 0...Int64.max) ?? 1)
            let kinds = try values.choice("kind", of: OutageKind.self).map { [$0] }
            var findings = Findings(
                name: "outage",
                conditions: [
                    "in one process, in virtual time",
                    "seed \(settings.seed), seconds \(settings.seconds), parties \(settings.parties)",
                ])
            do {
                for kind in kinds ?? OutageKind.allCases {
                    settings.kind = kind
                    try withFile { file in
                        settings.data = file
                        try OutagePlay.measure(settings).add(to: &findings)
                    }
                }
            } catch {
                Terminal.complain("rangers-tools simulate outage: \(error)")
                return 1
            }
            Terminal.print(values.isOn("json") ? findings.jsonLine : findings.table)
            return values.isOn("check") && !findings.isEveryTargetMet ? 1 : 0
        }
    }

    private static func withFile(_ body: (String) throws -> Void) throws {
        let file = NSTemporaryDirectory() + "/outage-\(UUID().uuidString).db"
        defer {
            for ending in ["", "-wal", "-shm"] {
                // What is left is in the folder of temporary files.
                try? FileManager.default.removeItem(atPath: file + ending)
            }
        }
        try body(file)
    }
}
