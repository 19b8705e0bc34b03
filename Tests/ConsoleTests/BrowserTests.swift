import Testing

/// The tool of the other tests: a browser that reports what a page does.
extension ConsoleTests {
    @Suite struct BrowserTests {
        @Test("a page is opened, clicked, typed into and read", arguments: BrowserEngine.allCases)
        func drives(engine: BrowserEngine) async throws {
            let browser = try await Browser.fresh(engine)
            try await browser.open(
                "data:text/html,<button onclick=\"document.title='clicked'\">Press</button><input>")
            #expect(try await browser.element("button").role() == "button")
            #expect(try await browser.element("button").label() == "Press")
            try await browser.click("button")
            try await browser.wait(until: "document.title === 'clicked'")
            try await browser.type("panda", into: "input")
            #expect(
                try await browser.run("return document.querySelector('input').value") == "panda")
            #expect(try await browser.screenshot().starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }

        @Test("control: a script that fails, an element that is missing, an error in the log")
        func reports() async throws {
            let browser = try await Browser.fresh()
            try await browser.open("data:text/html,<p>Nothing here</p>")
            await #expect(throws: BrowserError.self) {
                let _: Int = try await browser.run("throw new Error('as expected')")
            }
            await #expect(throws: BrowserError.self) { _ = try await browser.element("button") }
            try await browser.open("data:text/html,<script>console.error('as expected')</script>")
            #expect(try await browser.log().contains { $0.contains("as expected") })
        }
    }
}
