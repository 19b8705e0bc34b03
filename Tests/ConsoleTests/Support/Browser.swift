import Foundation
import Isolation
import Playtest
import Testing

/// A real browser, driven over W3C WebDriver (https://www.w3.org/TR/webdriver2/).
///
/// One browser serves all tests of a run, one test at a time; `fresh` gives each test a window
/// without cookies. A wait ends when its condition holds or after `timeoutSeconds`; nothing sleeps.
final class Browser: Sendable {
    /// The longest that a page may take for one step of a test, in seconds.
    static let timeoutSeconds = 60

    let engine: BrowserEngine
    private let driver: BrowserDriver
    private let client: HTTPClient
    private let session: String

    private static let chromium = Task { try await Browser(.chromium) }
    private static let webKit = Task { try await Browser(.webKit) }

    /// Returns the run's browser, started at its first use, with nothing left of the last test.
    static func fresh(_ engine: BrowserEngine = .chromium) async throws -> Browser {
        let browser =
            switch engine {
            case .chromium: try await chromium.value
            case .webKit: try await webKit.value
            }
        try await browser.reset()
        return browser
    }

    private init(_ engine: BrowserEngine) async throws {
        self.engine = engine
        driver = try BrowserDriver(engine)
        let client = HTTPClient(
            baseURL: try #require(URL(string: "http://127.0.0.1:\(driver.port)")),
            timeoutSeconds: 2 * Self.timeoutSeconds)
        self.client = client
        let begun = try await client.send(
            "POST", "/session", body: Array(engine.capabilities.utf8))
        struct Session: Decodable { let sessionId: String }
        session = try Self.value(Session.self, of: begun).sessionId
        try await command("POST", "/timeouts", ["script": Self.timeoutSeconds * 1000])
    }

    /// Closes nothing, but forgets cookies, storage, the log, and emulated settings.
    private func reset() async throws {
        switch engine {
        case .chromium:
            try await developerTools("Network.clearBrowserCookies")
            try await emulate([:])
            try await developerTools("Emulation.clearDeviceMetricsOverride")
        case .webKit:
            try await command("DELETE", "/cookie")
        }
        try await resize(width: 1440, height: 1000)
        try await open("about:blank")
        if engine == .chromium { _ = try await log() }
    }

    // MARK: Pages

    func open(_ url: String) async throws { try await command("POST", "/url", ["url": url]) }

    func url() async throws -> String { try await read("GET", "/url") }

    func reload() async throws { try await command("POST", "/refresh", [String: String]()) }

    func resize(width: Int, height: Int) async throws {
        try await command("POST", "/window/rect", ["width": width, "height": height])
    }

    /// Returns the value of a JavaScript function's body, which may `return` a value or a promise.
    func run<Value: Decodable>(
        _ body: String, _ arguments: [String] = [], as type: Value.Type = Value.self
    ) async throws -> Value {
        let script = """
            const done = arguments[arguments.length - 1];
            const given = Array.from(arguments).slice(0, -1);
            (async (...given) => { \(body) })(...given).then(
              value => done({value: value ?? null}), error => done({error: String(error)}));
            """
        let result: ScriptResult<Value> = try await read(
            "POST", "/execute/async", Script(script: script, args: arguments))
        if let error = result.error { throw BrowserError.script(error) }
        guard let value = result.value else { throw BrowserError.noValue(body) }
        return value
    }

    /// Waits until a JavaScript expression is true, which the page computes before each frame.
    func wait(until condition: String) async throws {
        let isMet: Bool = try await run(
            """
            return new Promise((done, fail) => {
              const look = () => (\(condition)) ? done(true) : requestAnimationFrame(look);
              look();
              setTimeout(() => fail(`${given[0]} never came true at ${location.hash}, with the focus `
                + `on ${document.activeElement.outerHTML.slice(0, 200)}, on a page that reads `
                + document.body.innerText.slice(0, 4000)), \(Self.timeoutSeconds / 2 * 1000));
            });
            """, [condition])
        #expect(isMet)
    }

    // MARK: Elements

    /// The first element that a CSS selector finds.
    func element(_ selector: String) async throws -> Element {
        struct Found: Decodable {
            let id: String
            // The name is the standard's (section 12.2).
            enum CodingKeys: String, CodingKey { case id = "element-6066-11e4-a52e-4f735466cecf" }
        }
        let found: Found = try await read(
            "POST", "/element", ["using": "css selector", "value": selector])
        return Element(browser: self, id: found.id)
    }

    func click(_ selector: String) async throws { try await element(selector).click() }

    /// Types into an element; `Key` names keys without a character.
    func type(_ text: String, into selector: String) async throws {
        try await element(selector).type(text)
    }

    /// Presses keys one after another, wherever the focus is.
    func press(_ keys: String) async throws {
        let strokes = keys.flatMap { key in
            ["keyDown", "keyUp"].map { Stroke(type: $0, value: String(key)) }
        }
        try await command("POST", "/actions", Actions(strokes))
    }

    func text(of selector: String) async throws -> String {
        try await run("return document.querySelector(given[0]).textContent", [selector])
    }

    /// A cookie of the page that is open (section 14).
    struct Cookie: Decodable {
        let name, path, sameSite: String
        let secure, httpOnly: Bool
    }

    func cookies() async throws -> [Cookie] { try await read("GET", "/cookie") }

    /// A PNG of the window.
    func screenshot() async throws -> [UInt8] {
        let text: String = try await read("GET", "/screenshot")
        guard let data = Data(base64Encoded: text) else { throw BrowserError.noValue("screenshot") }
        return Array(data)
    }

    // MARK: Only Chromium

    /// What the browser has logged since the last call, with every violation of the CSP.
    func log() async throws -> [String] {
        struct Entry: Decodable { let message: String }
        let entries: [Entry] = try await read("POST", "/se/log", ["type": "browser"])
        return entries.map(\.message)
    }

    /// Lets pages believe in media features: `prefers-color-scheme`, `prefers-reduced-motion`.
    func emulate(_ features: [String: String]) async throws {
        struct Feature: Encodable { let name, value: String }
        struct Media: Encodable { let features: [Feature] }
        try await developerTools(
            "Emulation.setEmulatedMedia",
            Media(features: features.map { Feature(name: $0.key, value: $0.value) }))
    }

    private func developerTools(
        _ name: String, _ parameters: some Encodable = [String: String]()
    ) async throws {
        try await command(
            "POST", "/goog/cdp/execute", DeveloperToolsCommand(cmd: name, params: parameters))
    }

    // MARK: The protocol

    private struct Script: Encodable {
        let script: String
        let args: [String]
    }

    private struct Stroke: Encodable { let type, value: String }

    private struct Actions: Encodable {
        struct Source: Encodable {
            let type = "key"
            let id = "keyboard"
            let actions: [Stroke]
        }
        let actions: [Source]
        init(_ strokes: [Stroke]) { actions = [Source(actions: strokes)] }
    }

    private struct DeveloperToolsCommand<Parameters: Encodable>: Encodable {
        let cmd: String
        let params: Parameters
    }

    private struct ScriptResult<Value: Decodable>: Decodable {
        let value: Value?
        let error: String?
    }

    private struct Answer<Value: Decodable>: Decodable { let value: Value }

    /// Why the driver refused a command (section 6.6).
    private struct Reason: Decodable { let error, message: String }

    private static func value<Value: Decodable>(
        _ type: Value.Type, of response: HTTPClient.Response
    ) throws -> Value {
        let body = Data(response.body)
        guard response.status == 200 else {
            let reason = try JSONDecoder().decode(Answer<Reason>.self, from: body).value
            throw BrowserError.refused(reason.error, reason.message)
        }
        return try JSONDecoder().decode(Answer<Value>.self, from: body).value
    }

    /// Sends a command of the session and reads its value.
    func read<Value: Decodable>(
        _ method: String, _ path: String, as type: Value.Type = Value.self
    ) async throws -> Value {
        try Self.value(type, of: try await client.send(method, "/session/\(session)\(path)"))
    }

    func read<Value: Decodable>(
        _ method: String, _ path: String, _ body: some Encodable, as type: Value.Type = Value.self
    ) async throws -> Value {
        let bytes = Array(try JSONEncoder().encode(body))
        return try Self.value(
            type, of: try await client.send(method, "/session/\(session)\(path)", body: bytes))
    }

    func command(_ method: String, _ path: String, _ body: some Encodable) async throws {
        let _: Ignored = try await read(method, path, body)
    }

    private func command(_ method: String, _ path: String) async throws {
        let _: Ignored = try await read(method, path)
    }

    /// A value that no test reads, whatever it is.
    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }
}

/// An element of the page that a browser shows.
struct Element: Sendable {
    let browser: Browser
    let id: String

    /// A rectangle in CSS pixels.
    struct Rectangle: Decodable, Hashable { let x, y, width, height: Double }

    func click() async throws {
        try await browser.command("POST", "/element/\(id)/click", [String: String]())
    }

    func type(_ text: String) async throws {
        try await browser.command("POST", "/element/\(id)/value", ["text": text])
    }

    func rectangle() async throws -> Rectangle {
        try await browser.read("GET", "/element/\(id)/rect")
    }

    /// Its role for assistive technology.
    func role() async throws -> String {
        try await browser.read("GET", "/element/\(id)/computedrole")
    }

    /// Its name for assistive technology.
    func label() async throws -> String {
        try await browser.read("GET", "/element/\(id)/computedlabel")
    }
}

/// Keys without a character, as WebDriver writes them (section 15.4.2).
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let escape = "\u{E00C}"
    static let space = "\u{E00D}"
    static let left = "\u{E012}"
    static let right = "\u{E014}"
}

enum BrowserError: Error, CustomStringConvertible {
    case notInstalled(String)
    case didNotStart(String)
    case refused(String, String)
    case script(String)
    case noValue(String)

    var description: String {
        switch self {
        case .notInstalled(let path): "\(path) is missing: run Scripts/setup test"
        case .didNotStart(let path): "\(path) ended before it said its port"
        case .refused(let error, let message): "\(error): \(message)"
        case .script(let error): "the page's script failed: \(error)"
        case .noValue(let script): "no value of: \(script)"
        }
    }
}
