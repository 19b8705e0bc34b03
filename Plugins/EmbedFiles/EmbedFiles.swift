import Foundation
import PackagePlugin

/// Makes Swift of the files in a target's folder `Web` or `Adventures`: a string literal for each of
/// them.
///
/// `.embedInCode` would write a literal of numbers, which takes the compiler 34 seconds for 100 KB;
/// a string takes it half a second.
@main
struct EmbedFiles: BuildToolPlugin {
    private static let folders = ["Web", "Adventures"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "embed-files").url
        return try Self.folders.compactMap { name -> Command? in
            // `Adventures` is a link: SwiftPM takes nothing from outside a target.
            let folder = target.directoryURL.appending(path: name).resolvingSymlinksInPath()
            guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
            let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let files = paths.map { folder.appending(path: $0) }.filter { !$0.hasDirectoryPath }
            // The folder too: a new file changes it, and is on no list that is older.
            return .buildCommand(
                displayName: "Embedding the files of \(target.name)", executable: tool,
                arguments: [output.path, folder.path], inputFiles: [folder] + files,
                outputFiles: [output])
        }
    }
}
