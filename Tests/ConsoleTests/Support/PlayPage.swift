import Testing

/// The browser phone's page in a browser.
struct PlayPage: Sendable {
    let browser: Browser

    static let isActive = phase("active")

    /// Opens the page in a tab without a seat.
    static func form(
        _ site: Site, code: String, on engine: BrowserEngine = .chromium
    ) async throws -> PlayPage {
        let browser = try await Browser.fresh(engine)
        try await browser.open(site.url + "/play/" + (code.isEmpty ? "" : "#\(code)"))
        // What the page does meanwhile must not write its seat again.
        try await browser.run(
            "sessionStorage.clear(); Storage.prototype.setItem = () => {}; return true")
        try await browser.reload()
        try await browser.wait(until: "document.body.dataset.ready === 'form'")
        return PlayPage(browser: browser)
    }

    /// Joins with a new hero: a party of its own without a code.
    static func join(
        _ site: Site, _ name: String = "Power Panda", code: String = "",
        on engine: BrowserEngine = .chromium
    ) async throws -> PlayPage {
        let page = try await form(site, code: code, on: engine)
        try await page.submit(name)
        try await page.browser.wait(until: "document.body.dataset.ready === 'phone'")
        return page
    }

    /// Joins a party of its own, and sets out.
    static func onAdventure(
        _ site: Site, on engine: BrowserEngine = .chromium
    ) async throws -> PlayPage {
        let page = try await join(site, on: engine)
        try await page.press("Set out")
        try await page.browser.wait(until: isActive)
        return page
    }

    func submit(_ name: String = "Power Panda") async throws {
        try await browser.type(name, into: "input[name=name]")
        try await browser.click("button.do")
    }

    /// Presses the button with that title as soon as it is there.
    func press(_ title: String) async throws {
        try await browser.wait(until: Self.button(title))
        try await browser.run("\(Self.button(title)).click(); return true")
    }

    /// Switches something of the phone on, or off again.
    func toggle(_ title: String) async throws {
        try await browser.run(
            """
            [...document.querySelectorAll('label.check')]
              .find(each => each.textContent.startsWith(given[0])).querySelector('input').click();
            return true;
            """, [title])
    }

    static func button(_ title: String) -> String {
        """
        [...document.querySelectorAll('button:not(:disabled)')]
          .find(each => each.textContent.startsWith('\(title)'))
        """
    }

    static func phase(_ phase: String) -> String { "document.body.dataset.phase === '\(phase)'" }

    static func says(_ words: String, in selector: String) -> String {
        "document.querySelector('\(selector)').textContent.includes('\(words)')"
    }
}
