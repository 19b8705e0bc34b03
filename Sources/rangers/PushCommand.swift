internal import APNsClient
internal import FoundationEssentials
internal import OptionParsing

/// `rangers push`: one push or broadcast from a terminal, sent or only shown.
enum PushCommand {
    static let subcommand = Subcommand(
        "push", "Send one push, or print it with its curl command", run: run)

    private static let options = Options(
        command: "rangers push",
        summary: """
            Sends one push to a token, or one broadcast to a channel. Exits with 0 if APNs \
            accepts it. Dates are seconds since 1970, or +SECONDS from now.
            """,
        PushOptions.modes
            + [.toggle("print-provider-token", "Print a new provider token and exit")]
            + PushOptions.content + PushOptions.start + PushOptions.alert + PushOptions.delivery
            + PushOptions.identity)

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let sender = try APNsSession(values, .pushes)
            if values.isOn("print-provider-token") {
                return await CommandResult.of("rangers push") {
                    .done(try sender.providerToken().jwt)
                }
            }
            let now = Int64(Date().timeIntervalSince1970)
            let message = try PushDraft(values, now: now).message()
            let isDry = values.isOn("dry-run")
            return await CommandResult.of("rangers push") {
                switch message {
                case .push(let request):
                    guard !isDry else {
                        warn { try request.validate() }
                        return .done(try sender.show(request.parts))
                    }
                    try request.validate()
                    return try await sender.send(request)
                case .broadcast(let request):
                    guard !isDry else {
                        warn { try request.validate() }
                        return .done(try sender.show(request.parts))
                    }
                    try request.validate()
                    return try await sender.publish(request)
                }
            }
        }
    }

    /// Warns that APNs would refuse the request, which is shown anyway.
    private static func warn(_ validate: () throws -> Void) {
        do { try validate() } catch {
            Terminal.complain("rangers push: APNs would refuse this: \(error)")
        }
    }
}
