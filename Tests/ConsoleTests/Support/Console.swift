import Foundation
import Playtest

/// The console of a site in a browser.
struct Console: Sendable {
    let browser: Browser
    let url: String

    /// Opens the console and signs in with the owner's key.
    static func signedIn(
        at site: Site, _ engine: BrowserEngine = .chromium
    ) async throws -> Console {
        let console = Console(browser: try await Browser.fresh(engine), url: site.url + "/console/")
        try await console.browser.open(console.url)
        try await console.signIn(key: try site.folder.adminKey())
        return console
    }

    /// Types a key into the form, and waits for the first page.
    func signIn(key: String) async throws {
        try await isReady("signin")
        try await browser.type(key + Key.enter, into: "#key")
        try await isReady("live")
    }

    /// Opens a page by its address, such as `#/party/…`, and waits until it is drawn.
    func show(_ address: String) async throws {
        try await browser.run("location.hash = given[0]; return true;", [address])
        let page = address.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        try await isReady(String(page))
    }

    func isReady(_ page: String) async throws {
        try await browser.wait(until: "document.body.dataset.ready === '\(page)'")
    }

    /// The pages, by their addresses; that of a party without an id lists all.
    static func pages(_ party: StagedParty) -> [(name: String, address: String)] {
        [
            ("live", "#/live"), ("party", "#/party/\(party.id)"), ("parties", "#/party"),
            ("pushes", "#/pushes"), ("players", "#/players"), ("content", "#/content"),
            ("audit", "#/audit"),
        ]
    }
}

extension Browser {
    /// A script that says nothing more than that it has run.
    func run(_ body: String, _ arguments: [String] = []) async throws {
        let _: Bool = try await run(body, arguments, as: Bool.self)
    }
}
