internal import APNsSimulator
internal import Foundation
internal import OptionParsing
internal import RangersServer

/// `rangers-tools apns-simulator`: the simulator alone, with a line of JSON for each push.
enum APNsSimulatorCommand {
    static let subcommand = Subcommand(
        "apns-simulator", "Run a local APNs", run: run)

    private static let options = Options(
        command: "rangers-tools apns-simulator",
        summary: """
            Runs a local APNs over HTTP/2 and TLS with its own CA and provider key, and prints a \
            JSON line per request. It does not reach real devices.
            """,
        [
            Option(
                "listen", "HOST:PORT", "The address of the simulated APNs; port 0 picks a free one",
                default: "127.0.0.1:8443", variable: "RANGERS_SIMULATOR_LISTEN"),
            Option(
                "management-listen", "HOST:PORT",
                "The only address that manages channels (default: the address of --listen)"),
            Option(
                "control-listen", "HOST:PORT",
                "A loopback address for the control interface; off if omitted",
                variable: "RANGERS_SIMULATOR_CONTROL_LISTEN"),
            Option(
                "data", "DIR", "The folder for the CA and the keys, created at the first start",
                default: "./apns-simulator", variable: "RANGERS_SIMULATOR_DATA"),
            Option(
                "bundle-id", "ID", "The app whose pushes are accepted",
                default: "com.example.apple-samplecode.Emoji-Rangers"),
            Option(
                "apns-key-id", "ID", "The provider key's ID",
                default: SimulatorCredentials.keyIDDefault),
            Option(
                "apns-team-id", "ID", "The team ID", default: SimulatorCredentials.teamIDDefault),
            Option(
                "environment", "sandbox|production", "The environment to simulate",
                default: "sandbox"),
            .toggle("strict-tokens", "Refuse device tokens not given by --token or --token-file"),
            Option(
                "token", "HEX", "A device token to accept", kind: .list, visibility: .secret),
            Option("token-file", "FILE", "A file of device tokens, one per line"),
            Option(
                "first-streams", "NUMBER",
                "Streams per connection until its first successful request; Apple allows 1",
                default: "1"),
            .toggle("quiet", "Print no line per push"),
            .toggle("trusting", "Accept every push without checking it: for benches"),
        ])

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let setup = try SimulatorSetup(values)
            let stop = StopSignals()
            do {
                let running = try setup.start()
                Terminal.complain(setup.greeting(running))
                await stop.wait()
                await running.stop()
                Terminal.complain(summary(of: running.simulator.counters))
                return 0
            } catch {
                Terminal.complain("rangers-tools apns-simulator: \(error)")
                return 1
            }
        }
    }

    private static func summary(of counters: Counters) -> String {
        let refused = counters.refused.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }
        return """
            requests \(counters.requests), accepted \(counters.accepted), \
            delivered \(counters.delivered), broadcasts \(counters.broadcasts), \
            with warnings \(counters.warned), repeated apns-ids \(counters.doubledIDs), \
            refused: \(refused.isEmpty ? "none" : refused.joined(separator: ", "))
            """
    }
}
