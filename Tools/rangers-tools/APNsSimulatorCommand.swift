internal import APNsSimulator
internal import Foundation
internal import OptionParsing
internal import RangersServer

/// `rangers-tools apns-simulator`: the simulator alone, with a line of JSON for each push.
enum APNsSimulatorCommand {
    static let subcommand = Subcommand(
        "apns-simulator", "Play Apple's side on this machine", run: run)

    private static let options = Options(
        command: "rangers-tools apns-simulator",
        summary: """
            Plays Apple's side over HTTP/2 and TLS with a CA and a provider key of its own, and \
            prints one line of JSON for each push. Never reachable by real devices.
            """,
        [
            Option(
                "listen", "HOST:PORT", "Where to be APNs; port 0 picks a free one",
                default: "127.0.0.1:8443", variable: "RANGERS_SIMULATOR_LISTEN"),
            Option(
                "management-listen", "HOST:PORT",
                "Where channels are managed, and nowhere else; without it where all is"),
            Option(
                "control-listen", "HOST:PORT",
                "Where faults are scripted over HTTP; a loopback address; without it nowhere",
                variable: "RANGERS_SIMULATOR_CONTROL_LISTEN"),
            Option(
                "data", "DIR", "Where CA and keys are kept, and made the first time",
                default: "./apns-simulator", variable: "RANGERS_SIMULATOR_DATA"),
            Option(
                "bundle-id", "ID", "The app that may be pushed to",
                default: "com.example.apple-samplecode.Emoji-Rangers"),
            Option(
                "apns-key-id", "ID", "The provider key's id",
                default: SimulatorCredentials.keyIDDefault),
            Option(
                "apns-team-id", "ID", "The team's id", default: SimulatorCredentials.teamIDDefault),
            Option("environment", "sandbox|production", "Which APNs to be", default: "sandbox"),
            .toggle("strict-tokens", "Refuse device tokens that were not named by --token"),
            Option(
                "token", "HEX", "A device token that exists", kind: .list, visibility: .secret),
            Option("token-file", "FILE", "More of them, one a line"),
            Option(
                "first-streams", "NUMBER",
                "Streams of a connection until its first good push; Apple allows 1",
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
                Terminal.complain(farewell(running.simulator.counters))
                return 0
            } catch {
                Terminal.complain("rangers-tools apns-simulator: \(error)")
                return 1
            }
        }
    }

    private static func farewell(_ counters: Counters) -> String {
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
