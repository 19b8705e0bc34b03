import OptionParsing
import Foundation
import HTTPServer
import Testing

@testable import RangersServer

/// The pages in `docs` and the server say the same.
@Suite("Documents and the server agree")
struct DocumentTests {
    @Test("docs/api.md lists every route, with its method and who may call it")
    func everyRouteIsDocumented() throws {
        let documented = try Self.rows(of: "api.md", under: "## Routes").map { row in
            "\(row[0]) \(row[1]) \(row[2])"
        }
        let served = Routes.all.map { route in
            "\(route.method.rawValue) \(route.template) \(Self.words(for: route.access))"
        }
        #expect(documented.sorted() == served.sorted())
    }

    @Test("docs/operations.md lists every metric, with its kind")
    func everyMetricIsDocumented() throws {
        let documented = try Self.rows(of: "operations.md", under: "## What to watch")
            .filter { $0[0].hasPrefix("rangers_") && $0.count == 3 && !$0[1].contains(" ") }
            .map { "\($0[0]) \($0[1])" }
        #expect(documented == Metric.allCases.map { "\($0.rawValue) \($0.kind)" })
    }

    @Test("docs/operations.md lists every setting, with its variable")
    func everySettingIsDocumented() throws {
        let documented = try Self.rows(of: "operations.md", under: "## Settings")
            .map { "\($0[0]) \($0[1])" }
        let options = ServerConfiguration.options.options
        #expect(documented == options.map { "\($0.flag) \($0.variable)" })
    }

    private static func words(for access: Access) -> String {
        switch access {
        case .anyone: "anyone"
        case .player: "player"
        case .gameMaster: "game master"
        }
    }

    /// The cells of the tables under a heading, without headers and backticks.
    private static func rows(of page: String, under heading: String) throws -> [[String]] {
        let docs = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")
        let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") || $0.hasPrefix("| GET") || isChange($0) }
            .map { line in
                line.split(separator: "|").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                }
            }
    }

    private static func isChange(_ line: String) -> Bool {
        ["| POST", "| PUT", "| DELETE"].contains { line.hasPrefix($0) }
    }
}
