import Foundation
import Testing

/// The table of sizes and colours that the pages, their tests and docs/rules.md share.
private struct PresentationTable: Decodable {
    /// One size on both phones, with its source.
    struct Size: Decodable {
        let name: String
        let what: String
        let small: Double
        let large: Double
        let unit: String?
        let source: String

        private enum CodingKeys: String, CodingKey {
            case name, what, unit, source
            case small = "393"
            case large = "430"
        }
    }

    /// One colour, with its source.
    struct Colour: Decodable {
        let name: String
        let what: String
        let value: String
        let source: String
    }

    let devices: [String: String]
    let sources: [String: String]
    let sizes: [Size]
    let colours: [Colour]

    static func read() throws -> PresentationTable {
        let text = Repository.text(of: "Resources/Presentations/presentations.json")
        return try JSONDecoder().decode(PresentationTable.self, from: Data(text.utf8))
    }

    /// The CSS variables of a device: those for all devices, and its own over them.
    func variables(of device: KeyPath<Size, Double>) -> [String: String] {
        var variables: [String: String] = [:]
        for size in sizes {
            variables["--" + size.name] = Self.text(size[keyPath: device]) + (size.unit ?? "px")
        }
        for colour in colours { variables["--" + colour.name] = colour.value }
        return variables
    }

    /// The rows of docs/rules.md.
    var rows: [String] {
        sizes.map { size in
            "| `\(size.name)` | \(size.what) | \(Self.text(size.small)) "
                + "| \(Self.text(size.large)) | \(size.source) |"
        } + colours.map { "| `\($0.name)` | \($0.what) | `\($0.value)` | | \($0.source) |" }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// The variables of a style sheet that has nothing but blocks of variables.
private enum StyleVariables {
    /// Returns the variables that hold for a device, later blocks over earlier ones.
    static func read(_ text: String, device: String) -> [String: String] {
        var variables: [String: String] = [:]
        for block in text.matches(of: /([^{}]+)\{([^{}]*)\}/) {
            let selectors = String(block.1)
            guard selectors.contains(":root") || selectors.contains("\"\(device)\"") else {
                continue
            }
            for line in block.2.split(separator: ";") {
                let parts = line.split(separator: ":", maxSplits: 1).map {
                    $0.trimmingCharacters(in: .whitespacesAndNewlines)
                }
                if parts.count == 2 { variables[parts[0]] = parts[1] }
            }
        }
        return variables
    }
}

@Suite("Presentations have Apple's sizes, from one table")
struct PresentationTests {
    private static let styles = Repository.text(
        of: "Sources/ConsolePages/Web/style/presentations.css")

    @Test(
        "V4, V5, V6: the style sheet has the sizes of the table for both phones, and nothing else")
    func stylesHaveTheSizes() throws {
        let table = try PresentationTable.read()
        #expect(table.sizes.count >= 36)
        #expect(StyleVariables.read(Self.styles, device: "393") == table.variables(of: \.small))
        #expect(StyleVariables.read(Self.styles, device: "430") == table.variables(of: \.large))
    }

    @Test("each size and colour has a source that the table names")
    func sourcesAreNamed() throws {
        let table = try PresentationTable.read()
        let sources = table.sizes.map(\.source) + table.colours.map(\.source)
        #expect(sources.filter { table.sources[$0] == nil } == [])
        #expect(Set(table.devices.keys) == ["393", "430"])
    }

    @Test("docs/rules.md has every row of the table, and no other")
    func rulesHaveTheRows() throws {
        let section =
            Repository.text(of: "docs/rules.md")
            .components(separatedBy: "### Sizes of presentations").last ?? ""
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
            .map(String.init).filter { $0.hasPrefix("| `") }
        #expect(rows == (try PresentationTable.read().rows))
    }

    @Test("the sizes agree with one another as Apple's do")
    func sizesAgree() throws {
        let table = try PresentationTable.read()
        for device in [\PresentationTable.Size.small, \.large] {
            let sizes = Dictionary(
                uniqueKeysWithValues: table.sizes.map { ($0.name, $0[keyPath: device]) })
            func size(_ name: String) throws -> Double { try #require(sizes[name]) }
            let camera = try size("island-width") - 2 * size("compact-width")
            #expect(abs(try size("camera-width") - camera) < 0.005)
            let free = try (size("screen-width") - size("lock-width")) / 2
            #expect(try size("free-space") == free)
            #expect(try size("expanded-width") == size("lock-width"))
        }
    }

    @Test("control: another width, a missing variable and one too many are found")
    func faultsAreFound() throws {
        let wanted = try PresentationTable.read().variables(of: \.small)
        func read(_ text: String) -> [String: String] { StyleVariables.read(text, device: "393") }
        #expect(read(Self.styles.replacing("52.33px", with: "53px")) != wanted)
        #expect(read(Self.styles.replacing("  --island-radius: 44px;\n", with: "")) != wanted)
        #expect(read(Self.styles + ":root { --extra: 1px; }") != wanted)
    }
}
