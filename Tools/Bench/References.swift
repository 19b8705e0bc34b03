internal import Foundation
internal import Programs
internal import PushLoad

/// Programs in C and Go for comparison, built before the measurements.
struct References: Sendable {
    /// The folder of their sources, relative to the working directory of Scripts/bench.
    static let folderDefault = "Scripts/bench-references"

    private let sources: URL
    private let output: URL

    /// - Parameters:
    ///   - folder: The folder of the sources.
    ///   - output: The folder for the programs and Go's cache.
    init(folder: String, output: URL) {
        sources = URL(fileURLWithPath: folder)
        self.output = output
    }

    /// Throws when the folder is missing; called before anything is written.
    static func require(folder: String) throws(BenchError) {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw BenchError("there is no folder \(folder): start the bench by Scripts/bench")
        }
    }

    /// Returns the path of a file that needs no build.
    func script(_ name: String) -> String { sources.appendingPathComponent(name).path }

    /// Compiles one C file with the optimisation of Debian's packages.
    func buildC(
        _ name: String, libraries: [String], headers: [String] = []
    ) async throws -> String {
        let program = output.appendingPathComponent(name).path
        try await run(
            .gcc,
            ["-O2", "-o", program, script(name + ".c")] + headers.map { "-I\($0)" }
                + libraries.map { "-l\($0)" })
        return program
    }

    /// Compiles one Go file that needs only Go's standard library: no network.
    func buildGo(_ name: String) async throws -> String {
        let program = output.appendingPathComponent(name).path
        try await run(.go, ["build", "-o", program, script(name + ".go")])
        return program
    }

    private func run(_ tool: Tool, _ arguments: [String]) async throws {
        try Tool.require([tool])
        var program = Program(tool.file() ?? tool.rawValue, arguments)
        program.environment = ProcessInfo.processInfo.environment.merging(
            ["GOCACHE": output.appendingPathComponent("go").path, "GO111MODULE": "off"]
        ) { $1 }
        let printed = try await program.printed(.printed)
        guard printed.end == 0 else {
            throw BenchError("\(tool.rawValue) could not build a reference: \(printed.text)")
        }
    }
}
