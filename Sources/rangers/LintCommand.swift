internal import APNsClient
internal import FoundationEssentials
internal import OptionParsing

/// `rangers lint`: checks a payload before it is sent.
enum LintCommand {
    static let subcommand = Subcommand(
        "lint", "Report what APNs or a device would refuse or ignore in a payload", run: run)

    private static let options = Options(
        command: "rangers lint",
        summary: """
            Reports what APNs would refuse in a payload and what a device would drop or \
            misinterpret, one line per finding. Exits with 0 without findings, with 1 \
            with findings, and with 66 if a file cannot be read. Dates are seconds since \
            1970, or +SECONDS from now.
            """,
        operands: "FILE … (- for standard input)",
        [
            Option(
                "schema", "NAME|FILE", "adventure, none, or a file with a schema",
                default: "adventure"),
            Option("push-type", "TYPE", "apns-push-type", default: "liveactivity"),
            Option("priority", "10|5|1", "apns-priority", default: "10"),
            .toggle("broadcast", "The payload goes to a broadcast channel"),
            Option("now", "DATE", "The time of sending; by default the payload's timestamp"),
            Option(
                "event-ended-at", "DATE", "The time of the activity's end; by default the timestamp"
            ),
            .toggle("dismiss-at-once", "Accept a dismissal date in the past"),
            .toggle("json", "Print a line of JSON for each file"),
        ])

    // From `sysexits.h`: a wrong command line, and an unreadable input file.
    private static let usage: Int32 = 64
    private static let noInput: Int32 = 66

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            guard !values.operands.isEmpty else {
                Terminal.complain("rangers lint: Give the files to read, or - for standard input.")
                return usage
            }
            let linter = PayloadLinter(schema: try LintSchema.named(in: values))
            let context = try context(values)
            var reports: [LintReport] = []
            for file in values.operands {
                guard let payload = OptionFile.bytes(file) else {
                    Terminal.complain("rangers lint: \(file) cannot be read")
                    return noInput
                }
                let findings = linter.findings(in: payload, context: context)
                reports.append(LintReport(file: file, findings: findings))
            }
            Terminal.print(
                values.isOn("json") ? LintReport.json(reports) : LintReport.text(reports))
            return reports.allSatisfy(\.findings.isEmpty) ? 0 : 1
        }
    }

    // MARK: Settings

    private static func context(
        _ values: OptionValues
    ) throws(OptionsError) -> PayloadLinter.Context {
        var context = PayloadLinter.Context()
        context.priority = Int(try values.integer("priority", in: 1...10) ?? 10)
        guard let type = PushRequest.PushType(rawValue: try values.required("push-type")) else {
            let known = PushRequest.PushType.allCases.map(\.rawValue).joined(separator: ", ")
            throw values.invalid("push-type", expected: "one of \(known)")
        }
        context.pushType = type
        if values.isOn("broadcast") { context.destination = .broadcast }
        if values.isOn("dismiss-at-once") { context.dismissal = .atOnce }
        let dates = OptionDates(values, now: Int64(Date().timeIntervalSince1970))
        context.now = try dates.date("now")
        context.endedAt = try dates.date("event-ended-at")
        return context
    }
}
