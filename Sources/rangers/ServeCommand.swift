internal import CLinux
internal import Glibc
internal import OptionParsing
internal import RangersServer

/// `rangers serve`: the server, with APNs or a simulator.
enum ServeCommand {
    static let subcommand = Subcommand(
        "serve", "Run the server", run: run)

    /// What ends a server.
    private enum End {
        case stopped
        /// Another server owns what it had.
        case replaced
    }

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
                return try await serve(configuration, until: stop)
            } catch {
                Terminal.complain("rangers serve: \(error)")
                return 1
            }
        }
    }

    /// Serves until a signal. A node that was removed joins again, with everything read anew. A
    /// server whose file was taken over ends with 75 (EX_TEMPFAIL), so that its supervisor notices.
    private static func serve(
        _ configuration: ServerConfiguration, until stop: StopSignals
    ) async throws -> Int32 {
        while true {
            let server = try await start(configuration, until: stop)
            let end = await end(of: server, or: stop)
            await server.drain()
            switch end {
            case .stopped: return 0
            case .replaced: guard configuration.isShared else { return 75 }
            }
        }
    }

    /// Starts. A signal ends the process meanwhile, because a start may wait minutes for its store,
    /// and has promised nothing yet.
    private static func start(
        _ configuration: ServerConfiguration, until stop: StopSignals
    ) async throws -> Server {
        // Cancelled at the end of the start.
        let ending = Task {
            await stop.wait()
            if !Task.isCancelled { _exit(0) }
        }
        defer { ending.cancel() }
        return try await Server(configuration)
    }

    private static func end(of server: Server, or stop: StopSignals) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask {
                await stop.wait()
                return .stopped
            }
            group.addTask {
                await server.untilReplaced()
                return .replaced
            }
            defer { group.cancelAll() }
            return await group.next() ?? .stopped
        }
    }
}
