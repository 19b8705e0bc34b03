import Foundation
import Playtest
import Testing

/// The browser phone at a real server: what it shows is what the server pushed.
extension ConsoleTests {
    @Suite struct PlayTests {
        @Test(
            "a hero founds a party, sets out, and its card is there",
            arguments: BrowserEngine.allCases)
        func setsOut(engine: BrowserEngine) async throws {
            let browser = try await PlayPage.onAdventure(.shared.value, on: engine).browser
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
            let page = try await PlayPage.onAdventure(.shared.value)
            let browser = page.browser
            try await page.toggle("Walk into the woods")
            try await browser.wait(
                until: "document.querySelector('.state').textContent === 'in the woods'")
            let before = try await browser.run(
                "return document.querySelectorAll('[aria-label=Pushes] li').length", as: Int.self)
            try await page.toggle("Walk into the woods")
            try await browser.wait(
                until: """
                    document.querySelector('.state').textContent === 'connected' &&
                    (document.querySelectorAll('[aria-label=Pushes] li').length > \(min(before, 5)))
                    """)
        }

        @Test("the server is killed: the page says so, comes back, and the story ends")
        func killed() async throws {
            let site = try await Site(speed: 180)
            let browser = try await PlayPage.onAdventure(site).browser
            site.testbed.server.kill()
            try await browser.wait(until: PlayPage.says("does not respond", in: ".trouble"))
            #expect(try await !browser.text(of: ".phonebody .lock .desc").isEmpty)
            try await site.testbed.server.restart()
            try await browser.wait(
                until: "document.querySelector('.trouble').hidden && document.body.dataset.phase")
            try await browser.wait(until: "document.body.dataset.phase === 'ended'")
            try await browser.wait(until: PlayPage.says("The adventure is over", in: ".side"))
            await site.stop()
        }

        @Test("a name is text, whatever is in it")
        func names() async throws {
            let browser = try await PlayPage.join(.shared.value, "<img src=x>").browser
            #expect(try await browser.text(of: "h1 bdi") == "<img src=x>")
            #expect(
                try await browser.run("return document.images.length", as: Int.self) == 0)
            #expect(try await browser.log() == [])
        }

        @Test("nothing scrolls sideways, from 360 pixels on", arguments: [360, 800, 1280, 3840])
        func widths(width: Int) async throws {
            let browser = try await PlayPage.onAdventure(.shared.value).browser
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
            let page = try await PlayPage.form(.shared.value, code: "")
            let browser = page.browser
            try await browser.emulate(["prefers-color-scheme": theme])
            #expect(try await Accessibility.violations(in: browser) == [])
            try await page.submit()
            try await page.press("Set out")
            try await browser.wait(until: PlayPage.isActive)
            #expect(try await Accessibility.violations(in: browser) == [])
            try await browser.click("[data-view=held]")
            #expect(try await Accessibility.violations(in: browser) == [])
        }
    }
}
