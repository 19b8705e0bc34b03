import Foundation
import Playtest
import Testing

/// The browser phone at a real server: what it shows is what the server pushed.
extension ConsoleTests {
    @Suite struct PlayTests {
        /// Opens the page in a tab without a seat.
        private func form(
            _ site: Site, code: String, on engine: BrowserEngine = .chromium
        ) async throws -> Browser {
            let browser = try await Browser.fresh(engine)
            try await browser.open(site.url + "/play/" + (code.isEmpty ? "" : "#\(code)"))
            try await browser.run("sessionStorage.clear(); return true", as: Bool.self)
                .isExpected()
            try await browser.reload()
            try await browser.wait(until: "document.body.dataset.ready === 'form'")
            return browser
        }

        /// Joins with a new hero: a party of its own without a code.
        private func join(
            _ site: Site, _ name: String = "Power Panda", code: String = "",
            on engine: BrowserEngine = .chromium
        ) async throws -> Browser {
            let browser = try await form(site, code: code, on: engine)
            try await browser.type(name, into: "input[name=name]")
            try await browser.click("button.do")
            try await browser.wait(until: "document.body.dataset.ready === 'phone'")
            return browser
        }

        private func press(_ title: String, in browser: Browser) async throws {
            try await browser.wait(until: Self.button(title))
            try await browser.run("\(Self.button(title)).click(); return true", as: Bool.self)
                .isExpected()
        }

        private static func button(_ title: String) -> String {
            "[...document.querySelectorAll('button')].find(each => each.textContent === '\(title)')"
        }

        private static func isShown(_ selector: String) -> String {
            "document.querySelector('\(selector)').offsetWidth > 0"
        }

        private static func says(_ words: String, in selector: String) -> String {
            "document.querySelector('\(selector)').textContent.includes('\(words)')"
        }

        private static let isActive = "document.body.dataset.phase === 'active'"

        @Test(
            "a hero founds a party, sets out, and its card is there",
            arguments: BrowserEngine.allCases)
        func setsOut(engine: BrowserEngine) async throws {
            let browser = try await join(.shared.value, on: engine)
            try await press("Set out", in: browser)
            try await browser.wait(until: Self.isActive)
            let words = try await browser.text(of: ".phonebody .lock .desc")
            #expect(!words.isEmpty)
            #expect(try await browser.text(of: ".phonebody .lock .name") == "Power Panda")
            #expect(try await browser.text(of: ".state") == "connected")
            // In another app, and on touch and hold.
            try await browser.click("[data-view=app]")
            try await browser.wait(
                until: "document.querySelector('.home .compact').offsetWidth > 0")
            try await browser.click("[data-view=held]")
            try await browser.wait(
                until: "document.querySelector('.home .expanded').offsetWidth > 0")
            if engine == .chromium { #expect(try await browser.log() == []) }
        }

        @Test("in the woods nothing arrives; back in the open the newest state does")
        func woods() async throws {
            let browser = try await join(.shared.value)
            try await press("Set out", in: browser)
            try await browser.wait(until: Self.isActive)
            let woods = "[...document.querySelectorAll('input[type=checkbox]')][0]"
            try await browser.run("\(woods).click(); return true", as: Bool.self).isExpected()
            try await browser.wait(
                until: "document.querySelector('.state').textContent === 'in the woods'")
            let before = try await browser.run(
                "return document.querySelectorAll('[aria-label=Pushes] li').length", as: Int.self)
            try await browser.run("\(woods).click(); return true", as: Bool.self).isExpected()
            try await browser.wait(
                until: """
                    document.querySelector('.state').textContent === 'connected' &&
                    (document.querySelectorAll('[aria-label=Pushes] li').length > \(min(before, 5)))
                    """)
        }

        @Test("the server is killed: the page says so, comes back, and the story ends")
        func killed() async throws {
            let site = try await Site(speed: 180)
            let browser = try await join(site)
            try await press("Set out", in: browser)
            try await browser.wait(until: Self.isActive)
            site.testbed.server.kill()
            try await browser.wait(until: Self.says("does not respond", in: ".trouble"))
            #expect(try await !browser.text(of: ".phonebody .lock .desc").isEmpty)
            try await site.testbed.server.restart()
            try await browser.wait(
                until: "document.querySelector('.trouble').hidden && document.body.dataset.phase")
            try await browser.wait(until: "document.body.dataset.phase === 'ended'")
            #expect(
                try await browser.text(of: ".side").contains("The adventure is over"))
            await site.stop()
        }

        @Test("a name is text, whatever is in it")
        func names() async throws {
            let browser = try await join(.shared.value, "<img src=x>")
            #expect(try await browser.text(of: "h1 bdi") == "<img src=x>")
            #expect(
                try await browser.run("return document.images.length", as: Int.self) == 0)
            #expect(try await browser.log() == [])
        }

        @Test("nothing scrolls sideways, from 360 pixels on", arguments: [360, 800, 1280, 3840])
        func widths(width: Int) async throws {
            let browser = try await join(.shared.value)
            try await press("Set out", in: browser)
            try await browser.wait(until: Self.isActive)
            try await browser.resize(width: width, height: 1200)
            let overhang = try await browser.run(
                "return document.documentElement.scrollWidth - innerWidth", as: Int.self)
            #expect(overhang <= 0)
            try await browser.resize(width: 1280, height: 1000)
        }

        @Test(
            "axe-core finds nothing wrong with the form and the phone",
            .enabled(if: Accessibility.isFetched), arguments: ["dark", "light"])
        func accessible(theme: String) async throws {
            let browser = try await form(.shared.value, code: "")
            try await browser.emulate(["prefers-color-scheme": theme])
            #expect(try await Accessibility.violations(in: browser) == [])
            try await browser.type("Panda", into: "input[name=name]")
            try await browser.click("button.do")
            try await press("Set out", in: browser)
            try await browser.wait(until: Self.isActive)
            #expect(try await Accessibility.violations(in: browser) == [])
            try await browser.click("[data-view=held]")
            #expect(try await Accessibility.violations(in: browser) == [])
        }

        @Test("an unknown code is explained")
        func unknownCode() async throws {
            let browser = try await form(.shared.value, code: "ZZZZZZZZ")
            try await browser.type("Panda", into: "input[name=name]")
            try await browser.click("button.do")
            try await browser.wait(until: Self.says("No party has this code", in: ".reason"))
        }
    }
}

extension Bool {
    fileprivate func isExpected() { #expect(self) }
}
