internal import Foundation
internal import OptionParsing
internal import Playtest
internal import RangersServer

/// `rangers-tools demo`: the product in one terminal.
enum DemoCommand {
    static let subcommand = Subcommand(
        "demo", "Play an adventure in this terminal: server, phones and Apple's side", run: run)

    private static let options = Options(
        command: "rangers-tools demo",
        summary: "Plays a party of four through an adventure, and tells the story.",
        [
            Option("seed", "NUMBER", "The dice: another number, another story", default: "7"),
            Option(
                "speed", "FACTOR", "How fast the adventure's clock runs; 30 takes about a minute",
                default: "30"),
            Option("data", "DIR", "Keep everything here, and go on from it the next time"),
            .toggle("keep-serving", "Leave the server running when the adventure is over"),
        ])

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let seed = try values.integer("seed", in: 0...Int64.max) ?? 7
            let speed = try values.number("speed", in: ServerConfiguration.speeds) ?? 30
            let stop = StopSignals()
            do {
                let folder = try StageFolder(values.text("data"))
                defer { folder.removeIfTemporary() }
                var settings = Demo.Settings(
                    executable: Executables.rangers, folder: folder)
                settings.seed = UInt64(seed)
                settings.speed = speed
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
