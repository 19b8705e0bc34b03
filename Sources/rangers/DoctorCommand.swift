internal import OptionParsing
internal import RangersServer

/// `rangers doctor`: checks the machine, the file, APNs and the running server.
enum DoctorCommand {
    static let subcommand = Subcommand(
        "doctor", "Check settings, store, disk, clock, DNS, APNs and the running server", run: run)

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await Doctor.options.run(arguments) { values throws(OptionsError) in
            let findings = await Doctor(values).findings()
            if values.isOn("json") {
                Terminal.print(DoctorFinding.json(findings) + "\n")
            } else {
                for finding in findings { Terminal.print(finding.line + "\n") }
            }
            return findings.contains { $0.status == .problem } ? 1 : 0
        }
    }
}
