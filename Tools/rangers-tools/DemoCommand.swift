internal import Foundation
internal import OptionParsing
internal import Playtest
internal import RangersServer

/// `rangers-tools demo`: the product in one terminal.
enum DemoCommand {
    static let subcommand = Subcommand(
        "demo", "Play an adventure in this terminal, with server, phones and APNs", run: run)

    private static let options = Options(
        command: "rangers-tools demo",
        summary: "Plays a party of four through an adventure, and prints its events and pushes.",
        [
            Option(
                "seed", "NUMBER", "The seed of the dice; another number plays another adventure",
                default: "\(Demo.Settings.usualSeed)"),
            Option(
                "speed", "FACTOR",
                "The speed of the adventure's clock; 6 plays the stolen pie in about a minute",
                default: "6"),
            Option(
                "pack", "ID", "The adventure pack, as GET /v1/adventures lists it",
                default: "stolen-pie"),
            Option("data", "DIR", "Keep all files here; the next run continues from them"),
            .toggle("keep-serving", "Keep the server running when the adventure is over"),
        ])

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let seed = try values.integer("seed", in: 0...Int64.max)
            let speed = try values.number("speed", in: ServerConfiguration.speeds) ?? 6
            let stop = StopSignals()
            do {
                let folder = try TestbedFolder(values.text("data"))
                defer { folder.removeIfTemporary() }
                var settings = Demo.Settings(
                    executable: Executables.rangers, folder: folder)
                if let seed { settings.seed = UInt64(seed) }
                settings.speed = speed
                settings.pack = try values.required("pack")
                if values.isOn("keep-serving") { settings.afterwards = .keepServing }
                let demo = Demo(
                    settings, say: Terminal.print, untilStopped: { await stop.wait() })
                return try await demo.run() ? 0 : 1
            } catch {
                Terminal.complain("rangers-tools demo: \(error)")
                return 1
            }
        }
    }
}
