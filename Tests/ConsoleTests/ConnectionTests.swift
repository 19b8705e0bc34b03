import Playtest
import Testing

/// What the bar says of the connection.
extension ConsoleTests {
    @Suite struct ConnectionTests {
        /// Notes everything that the bar says from now on.
        private static let note = """
            const bar = document.querySelector('.state');
            window.said = [];
            new MutationObserver(() => said.push(bar.dataset.state + ': ' + bar.textContent))
              .observe(bar, {attributes: true, childList: true, characterData: true, subtree: true});
            return true;
            """
        private static let isLive = "document.querySelector('.state').dataset.state === 'live'"

        @Test("hurrying through the pages is no lost connection; control: a killed server is one")
        func hurries() async throws {
            let site = try await Site(speed: 4)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            try await console.browser.wait(until: Self.isLive)
            try await console.browser.run(Self.note)
            for _ in 1...2 {
                for (_, address) in Console.pages(party) { try await console.show(address) }
            }
            let said: [String] = try await console.browser.run("return said")
            #expect(said.filter { !$0.hasPrefix("live: live") } == [])
            // The pages' own streams are there after the hurry.
            try await console.show("#/live")
            try await console.browser.wait(
                until: "document.querySelector('.counters dd')?.textContent === '1'")

            site.testbed.server.kill()
            try await console.browser.wait(
                until: "said.some(each => each.startsWith('reconnecting'))")
            try await site.testbed.server.restart()
            try await console.browser.wait(until: Self.isLive)
            await site.stop()
        }

        @Test("a list of parties follows the server too")
        func list() async throws {
            let site = try await Site(speed: 4)
            let console = try await Console.signedIn(at: site)
            try await console.show("#/party")
            // As the first page of a session.
            try await console.browser.reload()
            try await console.isReady("party")
            try await console.browser.wait(until: Self.isLive)
            await site.stop()
        }
    }
}
