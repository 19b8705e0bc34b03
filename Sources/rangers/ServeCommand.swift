internal import Foundation
internal import RangersServer

/// `rangers serve`: the server alone, against the simulator or against Apple, by settings only.
enum ServeCommand {
    static let command = Command(
        "serve", "Run the server alone", run: run)

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await ServerConfiguration.options.run(arguments) { values throws(OptionsError) in
            let configuration = try ServerConfiguration(values)
            let stop = StopSignals(configuration.stopsWithInput ? .andEndOfInput : .only)
            do {
                let server = try await Server(configuration)
                await stop.wait()
                await server.drain()
                return 0
            } catch {
                Terminal.complain("rangers serve: \(error)")
                return 1
            }
        }
    }
}
