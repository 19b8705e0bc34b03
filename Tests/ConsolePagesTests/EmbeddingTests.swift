import ConsolePages
import Foundation
import Testing

@Suite("The embedded pages")
struct EmbeddingTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/ConsolePages/Web")

    @Test("are the files of Web, scripts and styles without comments and needless spaces")
    func areTheFiles() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { $0.split(separator: "/").last?.contains(".") == true }
        #expect(ConsolePages.files.map(\.path) == paths.sorted())
        for file in ConsolePages.files {
            let data = try Data(contentsOf: Self.folder.appending(path: file.path))
            let text = String(decoding: data, as: UTF8.self)
            let isKept =
                switch file.path.split(separator: ".").last {
                case "js": Self.keepsCode(file.text, of: text)
                case "css": Self.keepsRules(file.text, of: text)
                default: file.text == text
                }
            #expect(isKept, "\(file.path)")
        }
        // Those that a literal must escape, and some beyond ASCII.
        let text = ConsolePages.files.map(\.text).joined()
        #expect(text.contains("\"") && text.contains("\n") && text.contains("🐼"))
    }

    /// Whether each line has the words, the signs and the literals of the script's, or is empty
    /// where that is a comment.
    private static func keepsCode(_ embedded: String, of script: String) -> Bool {
        let kept = embedded.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        guard kept.count == lines.count else { return false }
        return zip(kept, lines).allSatisfy { kept, line in
            let code = line.drop { $0 == " " }
            guard !kept.isEmpty else { return code.isEmpty || "/*".contains(code.prefix(1)) }
            guard kept.filter({ $0 != " " }) == code.filter({ $0 != " " }),
                words(kept) == words(code)
            else { return false }
            // Quotes in a template are no literals.
            return code.contains("`") || literals(code) == literals(kept)
        }
    }

    private static func literals(_ code: Substring) -> [Substring] {
        code.matches(of: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/).map(\.0)
    }

    private static func words(_ code: Substring) -> [Substring] {
        code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
    }

    /// Whether the sheets differ only in comments, and in spaces beside what separates.
    private static func keepsRules(_ embedded: String, of sheet: String) -> Bool {
        func bare(_ text: String) -> String {
            text.replacing(/\/\*(?s:.*?)\*\//, with: " ").replacing(/\s+/, with: " ")
                .replacing(/\ ?([{};:,])\ ?/) { String($0.1) }.replacing(";}", with: "}")
                .trimmingCharacters(in: .whitespaces)
        }
        return embedded.utf8.count < sheet.utf8.count && bare(embedded) == bare(sheet)
    }

    @Test("lead only to files that there are, and each file is reached from a page")
    func linksLeadSomewhere() {
        let links = PageLinks(ConsolePages.files)
        #expect(links.missing == [])
        let reached = Set(PageLinks.pages.flatMap { links.closure(of: $0) })
        #expect(Set(ConsolePages.files.map(\.path)) == reached)
    }

    @Test(
        "are at most 95 KB and 20 files for each page of the console, 52 KB for those of the phone",
        arguments: [("console", 8, 95_000), ("play", 2, 52_000)])
    func weighLittle(site: String, pagesMin: Int, bytesMax: Int) throws {
        let links = PageLinks(ConsolePages.files)
        let sizes = Dictionary(
            uniqueKeysWithValues: ConsolePages.files.map { ($0.path, $0.text.utf8.count) })
        let pages = links.later(from: "\(site)/app.js")
        #expect(pages.count >= pagesMin)
        for page in pages {
            let loaded = links.atOnce(["\(site)/index.html", page])
            let bytes = loaded.reduce(0) { $0 + (sizes[$1] ?? 0) }
            #expect(bytes <= bytesMax && loaded.count <= 20, "\(page): \(bytes), \(loaded.count)")
        }
    }

    @Test("control: links of each kind are followed, and missing files are found")
    func linksAreFound() {
        let links = PageLinks([
            ("play/index.html", "<link href=\"../style/a.css\"><script src=\"app.js\"></script>"),
            ("play/app.js", "import { a } from '../lib/a.js';\nawait import(\"./b.js\");"),
            ("play/b.js", "fetch('../v1/me'); export * from './missing.js';"),
            ("style/a.css", "@import \"b.css\"; p { background: url(../icon.svg) }"),
            ("style/b.css", ""), ("icon.svg", ""), ("lib/a.js", ""), ("lib/lonely.js", ""),
        ])
        #expect(
            links.closure(of: "play/index.html") == [
                "play/index.html", "play/app.js", "play/b.js", "style/a.css", "style/b.css",
                "icon.svg", "lib/a.js",
            ])
        #expect(links.missing == ["play/b.js leads to play/missing.js"])
        #expect(links.later(from: "play/app.js") == ["play/b.js"])
        #expect(
            links.atOnce(["play/app.js"]) == ["play/app.js", "lib/a.js"])
    }
}
