import Foundation
import PackagePlugin

/// Makes Swift of the files in a target's folder `Web`: a string literal for each of them.
///
/// `.embedInCode` would write a literal of numbers, which takes the compiler 34 seconds for 100 KB;
/// a string takes it half a second.
@main
struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Web")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPages.swift")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let files = paths.map { folder.appending(path: $0) }.filter { !$0.hasDirectoryPath }
        let tool = try context.tool(named: "embed-pages").url
        return [
            .buildCommand(
                displayName: "Embedding the pages of \(target.name)", executable: tool,
                arguments: [output.path, folder.path], inputFiles: files, outputFiles: [output])
        ]
    }
}
