internal import APNsClient
internal import OptionParsing
internal import RangersServer

/// `rangers channels`: an app's broadcast channels from a terminal.
enum ChannelsCommand {
    static let subcommand = Subcommand(
        "channels", "Create, read, list or delete broadcast channels", run: run)

    private static let options = Options(
        command: "rangers channels",
        summary: """
            Manages an app's broadcast channels at APNs. Exits with 0 if APNs accepts the \
            request. You cannot change a channel's policy or undo its deletion.
            """,
        operands: "create | read ID | list | delete ID",
        PushOptions.modes
            + [
                Option("policy", "0|1", "For create: 0 stores no message, 1 stores the newest one"),
                Option(
                    "apns-management-host", "HOST", "The APNs host for channels",
                    default: BroadcastHosts.sandbox.management.host),
                Option(
                    "apns-management-port", "PORT",
                    "Its port: 2195 for the sandbox, 2196 for production",
                    default: "\(BroadcastHosts.sandbox.management.port)"),
            ] + PushOptions.identity)

    private static let usage: Int32 = 64

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            guard let operation = try operation(values) else {
                Terminal.complain(
                    "rangers channels: Give an operation: create, read ID, list or delete ID.")
                return usage
            }
            let order = ChannelOrder(operation, bundleID: try APNsOptions(values).bundleID())
            let sender = try APNsSession(values, .management)
            return await CommandResult.of("rangers channels") {
                try order.validate()
                guard !values.isOn("dry-run") else { return .done(try sender.show(order.parts)) }
                return try await sender.carryOut(order)
            }
        }
    }

    /// Returns the operation; `nil`: the words after the options name none.
    private static func operation(
        _ values: OptionValues
    ) throws(OptionsError) -> ChannelOrder.Operation? {
        let words = values.operands
        let id = words.dropFirst().first.map(ChannelID.init(base64:))
        switch (words.first, id, words.count) {
        case ("create", nil, 1): return .create(try policy(values))
        case ("read", let id?, 2): return .read(id)
        case ("list", nil, 1): return .list
        case ("delete", let id?, 2): return .delete(id)
        default: return nil
        }
    }

    private static func policy(_ values: OptionValues) throws(OptionsError) -> ChannelPolicy {
        _ = try values.required("policy")
        let number = try values.integer("policy", in: 0...1) ?? 0
        return number == 0 ? .noStorage : .mostRecent
    }
}
