internal import Bench
internal import Foundation
internal import OptionParsing

/// `rangers-tools bench`: see `BenchTool`.
enum BenchCommand {
    static let subcommand = Subcommand("bench", "Run the benches") { arguments in
        let folder = URL(fileURLWithPath: Executables.tools).deletingLastPathComponent().path
        return await BenchTool.run(arguments, with: BenchPrograms(folder: folder))
    }
}
