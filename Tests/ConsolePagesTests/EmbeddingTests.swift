import ConsolePages
import Foundation
import Testing

@Suite("The embedded pages")
struct EmbeddingTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/ConsolePages/Web")

    @Test("are the files of Web, byte for byte")
    func areTheFiles() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { $0.split(separator: "/").last?.contains(".") == true }
        #expect(ConsolePages.files.map(\.path) == paths.sorted())
        for file in ConsolePages.files {
            let data = try Data(contentsOf: Self.folder.appending(path: file.path))
            #expect(Data(file.text.utf8) == data, "\(file.path)")
        }
        // Those that a literal must escape, and some beyond ASCII.
        let text = ConsolePages.files.map(\.text).joined()
        #expect(text.contains("\"") && text.contains("\n") && text.contains("🐼"))
    }

    @Test("lead only to files that there are, and each file is reached from a page")
    func linksLeadSomewhere() {
        let links = PageLinks(ConsolePages.files)
        #expect(links.missing == [])
        let reached = Set(PageLinks.pages.flatMap { links.closure(of: $0) })
        #expect(Set(ConsolePages.files.map(\.path)) == reached)
    }

    @Test(
        "have at most so many bytes, with all that a page loads",
        arguments: [("console/index.html", 100_000), ("play/index.html", 50_000)])
    func weighLittle(page: String, bytesMax: Int) {
        let loaded = PageLinks(ConsolePages.files).closure(of: page)
        let bytes = ConsolePages.files.filter { loaded.contains($0.path) }
            .reduce(0) { $0 + $1.text.utf8.count }
        #expect(bytes > 0)
        #expect(bytes <= bytesMax, "\(page) loads \(bytes) bytes")
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
    }
}
