internal import OptionParsing
internal import RangersServer

/// `rangers doctor`: checks the machine, the file, APNs and the running server.
enum DoctorCommand {
    static let subcommand = Subcommand(
        "doctor", "Check settings, store, disk, clock, DNS, APNs and the running server", run: run)

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await Doctor.options.run(arguments) { values throws(OptionsError) in
            if values.isOn("nginx") { return await printNginxFile(Doctor(values)) }
            let findings = await Doctor(values).findings()
            if values.isOn("json") {
                Terminal.print(DoctorFinding.json(findings) + "\n")
            } else {
                for finding in findings { Terminal.print(finding.line + "\n") }
            }
            return findings.contains { $0.status == .problem } ? 1 : 0
        }
    }

    private static func printNginxFile(_ doctor: Doctor) async -> Int32 {
        do {
            Terminal.print(try await doctor.nginxFile())
            return 0
        } catch {
            Terminal.complain("rangers doctor: \(error)")
            return 1
        }
    }
}
