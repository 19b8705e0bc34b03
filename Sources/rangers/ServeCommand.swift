internal import CLinux
internal import OptionParsing
internal import RangersServer

/// `rangers serve`: the server, with APNs or a simulator.
enum ServeCommand {
    static let subcommand = Subcommand(
        "serve", "Run the server", run: run)

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await ServerConfiguration.options.run(arguments) { values throws(OptionsError) in
            // Memory has keys and tokens. They stay out of core dumps before they are read.
            guard CLinux_forbid_core_dumps() == 0 else {
                Terminal.complain(
                    "rangers serve: the system does not allow core dumps to be disabled")
                return 1
            }
            StopSignals.ignoreBrokenPipes()
            let configuration = try ServerConfiguration(values)
            let stop = StopSignals(configuration.stopsWithInput ? .andEndOfInput : .only)
            do {
                let server = try await Server(configuration)
                let code = await codeAtEnd(of: server, or: stop)
                await server.drain()
                return code
            } catch {
                Terminal.complain("rangers serve: \(error)")
                return 1
            }
        }
    }

    /// Waits for a reason to stop. A server whose file was taken over ends with 75 (EX_TEMPFAIL),
    /// so that its supervisor notices.
    private static func codeAtEnd(of server: Server, or stop: StopSignals) async -> Int32 {
        await withTaskGroup(of: Int32.self) { group in
            group.addTask {
                await stop.wait()
                return 0
            }
            group.addTask {
                await server.untilReplaced()
                return 75
            }
            defer { group.cancelAll() }
            return await group.next() ?? 0
        }
    }
}
