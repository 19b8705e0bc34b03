internal import Foundation
internal import OptionParsing
internal import Playtest
internal import RangersServer

/// `rangers-tools playtest`: plays with bots and checks the invariants. `playtest balance` plays
/// without a server.
enum PlaytestCommand {
    static let subcommand = Subcommand(
        "playtest", "Play parties with bots, and check what every phone would show", run: run)

    private static let options = Options(
        command: "rangers-tools playtest",
        summary:
            "Plays parties through the HTTP API and checks the product's invariants. "
            + "`playtest balance` counts how often parties win a pack.",
        [
            Option("parties", "NUMBER", "The number of parties", default: "10"),
            Option("seed", "NUMBER", "The seed of the dice of bots and adventures", default: "1"),
            Option(
                "speed", "FACTOR",
                "The speed of the adventures' clock; at 10 people could play, and an adventure "
                    + "takes about 3 minutes",
                default: String(Int(Playtest.Settings.usualSpeed))),
            Option(
                "kills", "NUMBER", "How often to kill the server (SIGKILL) during play",
                default: "0"),
            Option("data", "DIR", "Keep the database and the server's log here"),
            Option("server", "URL", "Play against this running server instead of starting one"),
            Option("admin-key-file", "FILE", "The file with the admin key of --server"),
            .toggle(
                "check",
                "Fail if ten parties or more have no alert, or if a knock-down takes over a second "
                    + "to APNs (p99)"),
            .toggle("check-alerts", "Fail for the first of the two only"),
        ])

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        if arguments.first == "balance" {
            return await BalanceCommand.run(Array(arguments.dropFirst()))
        }
        return await options.run(arguments) { values throws(OptionsError) in
            let parties = try values.integer("parties", in: 1...100_000) ?? 10
            let seed = try values.integer("seed", in: 0...Int64.max) ?? 1
            let kills = try values.integer("kills", in: 0...10_000) ?? 0
            let speed =
                try values.number("speed", in: ServerConfiguration.speeds)
                ?? Playtest.Settings.usualSpeed
            let check: Report.Check =
                values.isOn("check")
                ? .alertsAndTimes : values.isOn("check-alerts") ? .alerts : .nothing
            let url = values.text("server")
            guard url == nil || kills == 0 else {
                throw values.invalid(
                    "kills", expected: "0 with --server: a playtest kills only its own server")
            }
            let keyFile = url == nil ? "" : try values.required("admin-key-file")
            do {
                let folder = try TestbedFolder(values.text("data"))
                defer { folder.removeIfTemporary() }
                var settings = Playtest.Settings(executable: Executables.rangers, folder: folder)
                settings.parties = Int(parties)
                settings.seed = UInt64(seed)
                settings.kills = Int(kills)
                settings.speed = speed
                let playtest = Playtest(settings)
                let report: Report
                if let url {
                    report = try await playtest.run(
                        against: url, adminKey: try TestbedFolder.adminKey(in: keyFile))
                } else {
                    report = try await playtest.run()
                }
                return print(report, seed: seed, check)
            } catch {
                Terminal.complain("rangers-tools playtest: seed \(seed): \(error)")
                return 1
            }
        }
    }

    private static func print(_ report: Report, seed: Int64, _ check: Report.Check) -> Int32 {
        Terminal.print(report.summary + "\n")
        let failures = report.failures(of: check)
        for failure in failures { Terminal.complain("seed \(seed): \(failure)") }
        guard !report.violations.isEmpty else {
            Terminal.print("seed \(seed): every invariant held\n")
            return failures.isEmpty ? 0 : 1
        }
        for violation in report.violations.prefix(50) {
            Terminal.complain("seed \(seed): \(violation)")
        }
        Terminal.complain("seed \(seed): \(report.violations.count) violations")
        return 1
    }
}
