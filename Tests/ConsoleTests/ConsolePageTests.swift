import Playtest
import Testing

/// E2: every page of the console, with a party on an adventure behind it.
extension ConsoleTests {
    @Suite struct ConsolePageTests {
        private static let site = Task {
            let site = try await Site(speed: 4)
            let party = try await StagedParty.onAdventure(at: site)
            // A story worth looking at.
            for command in ["loot", "storm", "loot", "storm", "boss", "storm"] {
                _ = try await site.testbed.admin.trigger(command, in: party.id)
            }
            return (site, party)
        }

        private func console(
            _ engine: BrowserEngine = .chromium
        ) async throws -> (Console, StagedParty) {
            let (site, party) = try await Self.site.value
            return (try await Console.signedIn(at: site, engine), party)
        }

        @Test("each page opens in both engines", arguments: BrowserEngine.allCases)
        func opens(engine: BrowserEngine) async throws {
            let (console, party) = try await console(engine)
            for (name, address) in Console.pages(party) {
                try await console.show(address)
                #expect(
                    try await console.browser.run(
                        "return document.querySelector('[role=alert]:not([hidden])') === null"),
                    "\(name) shows a fault")
            }
        }

        @Test("no page breaks the Content-Security-Policy or logs an error; control: inline style")
        func log() async throws {
            let (console, party) = try await console()
            _ = try await console.browser.log()
            for (name, address) in Console.pages(party) {
                try await console.show(address)
                let logged = try await console.browser.log()
                #expect(logged == [], "\(name)")
            }
            try await console.browser.run(
                """
                const element = document.createElement('p');
                element.setAttribute('style', 'color: red');
                document.body.append(element);
                return true;
                """)
            #expect(
                try await console.browser.log().contains { $0.contains("Content Security Policy") })
        }

        @Test(
            "axe-core finds nothing on any page, dark or light",
            .enabled(if: Accessibility.isFetched))
        func accessible() async throws {
            let (console, party) = try await console()
            for theme in ["dark", "light"] {
                try await console.browser.emulate(["prefers-color-scheme": theme])
                for (name, address) in Console.pages(party) {
                    try await console.show(address)
                    let found = try await Accessibility.violations(in: console.browser)
                    #expect(found == [], "\(name), \(theme)")
                }
            }
        }

        @Test(
            "no page scrolls sideways at 360 points, nor at twice the size", arguments: [360, 720])
        func narrow(width: Int) async throws {
            let (console, party) = try await console()
            try await console.browser.resize(width: width, height: 900)
            for (name, address) in Console.pages(party) {
                try await console.show(address)
                let overhang: Int = try await console.browser.run(
                    """
                    const root = document.documentElement;
                    return root.scrollWidth - root.clientWidth;
                    """)
                #expect(overhang <= 0, "\(name)")
            }
        }

        @Test("nothing moves on any page with reduced motion")
        func motion() async throws {
            let (console, party) = try await console()
            try await console.browser.emulate(["prefers-reduced-motion": "reduce"])
            for (name, address) in Console.pages(party) {
                try await console.show(address)
                #expect(
                    try await console.browser.run("return document.getAnimations().length") == 0,
                    "\(name)")
            }
        }

        @Test("pictures of each page are kept", arguments: ["dark", "light"])
        func pictures(theme: String) async throws {
            let (console, party) = try await console()
            try await console.browser.emulate(["prefers-color-scheme": theme])
            for (name, address) in Console.pages(party) {
                try await console.show(address)
                try Repository.keep(
                    try await console.browser.screenshot(), as: "page-\(theme)-\(name)")
            }
        }
    }
}
