import Foundation
import Testing

/// axe-core, which checks a page for what keeps people from using it (https://www.deque.com/axe/).
/// `Scripts/axe` fetches it.
enum Accessibility {
    static var isFetched: Bool { (try? script()) != nil }

    private static func script() throws -> String {
        String(decoding: try Repository.data(".build/axe/axe.min.js"), as: UTF8.self)
    }

    /// Returns each violation on the page that is open, or within an element, as a sentence.
    static func violations(in browser: Browser, within selector: String = "html") async throws
        -> [String]
    {
        // WebDriver runs scripts that the page's policy would refuse.
        try await browser.command(
            "POST", "/execute/sync", Script(script: try script(), args: []))
        return try await browser.run(
            """
            const result = await axe.run(given[0], {resultTypes: ['violations']});
            return result.violations.map(each =>
              `${each.id}: ${each.help}: ${each.nodes.map(node => node.html).join(', ')}`);
            """, [selector])
    }

    private struct Script: Encodable {
        let script: String
        let args: [String]
    }
}
