internal import Foundation
internal import Programs
internal import PushLoad

/// Programs in C and Go that a bench sets beside ours, built before it measures.
struct References: Sendable {
    /// The folder of their sources, from where Scripts/bench stands.
    static let folderDefault = "Scripts/bench-references"

    private let sources: URL
    private let output: URL

    /// - Parameters:
    ///   - folder: Where the sources lie.
    ///   - output: Where the programs, and Go's cache, are written.
    init(folder: String, output: URL) {
        sources = URL(fileURLWithPath: folder)
        self.output = output
    }

    /// Throws when there is no such folder; asked before anything is written.
    static func require(folder: String) throws(BenchError) {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw BenchError("there is no folder \(folder): start the bench by Scripts/bench")
        }
    }

    /// A file that is used as it is.
    func script(_ name: String) -> String { sources.appendingPathComponent(name).path }

    /// Compiles one file of C with the optimisation that Debian's packages have.
    func buildC(_ name: String, libraries: [String]) async throws -> String {
        let program = output.appendingPathComponent(name).path
        try await run(
            .gcc, ["-O2", "-o", program, script(name + ".c")] + libraries.map { "-l\($0)" })
        return program
    }

    /// Compiles one file of Go that needs nothing but Go's own library: no network.
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
