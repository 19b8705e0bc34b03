import Foundation

// Writes the files of a folder as Swift: `embed-files OUTPUT FOLDER`. The plugin EmbedFiles runs it
// in every build, so it depends on nothing of the package.

/// Why the files cannot be embedded.
struct EmbeddingError: Error {
    let text: String
}

/// Returns the text as a string literal of one line.
func literal(of text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": literal += "\\\(scalar)"
        case "\n": literal += "\\n"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            literal += "\\u{\(String(scalar.value, radix: 16))}"
        default: literal.unicodeScalars.append(scalar)
        }
    }
    return literal + "\""
}

/// Returns a style sheet without comments, and without spaces that mean nothing.
func compact(_ sheet: String) -> String {
    sheet.replacing(/\/\*(?s:.*?)\*\//, with: "")
        .replacing(/\s*([{};])\s*/) { String($0.1) }
        .replacing(/([:,])\s+/) { String($0.1) }.replacing(";}", with: "}")
}

/// Returns one element of the array for each file, in the order of their paths.
func elements(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { path in
        let file = folder.appending(path: path)
        guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
            return nil
        }
        guard let text = String(data: try Data(contentsOf: file), encoding: .utf8) else {
            throw EmbeddingError(text: "\(file.path) is not UTF-8: only text can be embedded")
        }
        let kept =
            switch file.pathExtension {
            case "js": Script.plain(text)
            case "css": compact(text)
            default: text
            }
        return "    (\(literal(of: path)), \(literal(of: kept))),\n"
    }
}

do {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
        throw EmbeddingError(text: "usage: embed-files OUTPUT FOLDER")
    }
    let swift = """
        /// The path and the text of each file, as they were when this was built.
        let embeddedFiles: [(path: String, text: String)] = [
        \(try elements(in: URL(filePath: arguments[2])).joined())]

        """
    try Data(swift.utf8).write(to: URL(filePath: arguments[1]))
} catch {
    let text = (error as? EmbeddingError)?.text ?? "\(error)"
    FileHandle.standardError.write(Data("embed-files: \(text)\n".utf8))
    exit(1)
}
