import Testing

@testable import Playtest

/// Roles: what a game master may not do is not offered, and the server refuses it anyway.
extension ConsoleTests {
    @Suite struct ObserverTests {
        private struct Key: Decodable { let key: String }

        private func console(
            _ role: String, at site: Site
        ) async throws -> Console {
            let key = try await site.ask(
                "POST", "keys", ["name": role, "role": role], as: Key.self)
            let console = Console(browser: try await Browser.fresh(), url: site.url + "/console/")
            try await console.browser.open(console.url)
            try await console.signIn(key: key.key)
            return console
        }

        /// What the page of a player, and the wall, offer to do.
        private func offers(
            _ console: Console, _ party: StagedParty
        ) async throws -> [String] {
            var offers: [String] = try await console.browser.run(
                "return [...document.querySelectorAll('.top nav a')].map(each => each.textContent)")
            let player = try await party.bots[0].api.party(party.id, after: 0).heroes[0].owner
            for address in ["#/live", "#/players/\(player)"] {
                try await console.show(address)
                offers += try await console.browser.run(
                    """
                    return [...document.querySelectorAll('main button, .scope select, [aria-label^=Command]')]
                      .map(each => each.getAttribute('aria-label') ?? each.textContent);
                    """)
            }
            return offers
        }

        /// Opens a command's dialog; returns the buttons that it shows.
        private func dialog(
            _ console: Console, _ party: StagedParty
        ) async throws -> [String] {
            try await console.show("#/party/\(party.id)")
            try await console.browser.run(
                """
                [...document.querySelectorAll('.acts button')]
                  .find(each => each.textContent === 'Storm').click();
                return true;
                """)
            try await console.browser.wait(
                until: "document.querySelector('dialog.dry .summary')?.textContent.includes('push')"
            )
            return try await console.browser.run(
                """
                return [...document.querySelectorAll('dialog footer button')]
                  .filter(each => each.offsetWidth > 0).map(each => each.textContent);
                """)
        }

        @Test("an observer sees what would happen, and is offered nothing more")
        func observes() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await console("observer", at: site)
            let offered = try await offers(console, party)
            #expect(offered.contains("Live") && !offered.contains("Audit"))
            #expect(offered.filter { $0.hasPrefix("Command") || $0.hasSuffix("…") } == [])
            #expect(try await dialog(console, party) == ["Cancel"])
            #expect(
                try await console.browser.text(of: "dialog footer").contains("Your role may look"))
            await site.stop()
        }

        @Test("control: an owner is offered it")
        func owns() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            let offered = try await offers(console, party)
            #expect(offered.contains("Audit"))
            #expect(offered.contains("Revoke the bearer token…") && offered.contains("End…"))
            #expect(offered.contains("Command for these parties"))
            #expect(try await dialog(console, party) == ["Cancel", "Raise the storm"])
            await site.stop()
        }

        /// Sends what a page with that session could send, past its buttons; returns the statuses.
        private func statuses(
            _ console: Console, _ party: StagedParty
        ) async throws -> [Int] {
            try await console.browser.run(
                """
                const [party, activity] = given;
                const send = (method, path, body) => fetch('../v1/admin/' + path, {
                  method, headers: {'Content-Type': 'application/json'},
                  body: body && JSON.stringify(body)}).then(response => response.status);
                return [
                  await send('POST', 'commands', {command: {name: 'storm'}, party}),
                  await send('POST', 'commands', {command: {name: 'storm'}, cohort: {}}),
                  await send('POST', `parties/${party}/loot`, {}),
                  await send('DELETE', `activities/${activity}`),
                  await send('POST', 'keys', {name: 'mine', role: 'owner'}),
                  await send('GET', 'audit'),
                ];
                """, [party.id, party.bots[1].activity])
        }

        @Test("the server refuses an observer without the page's help; control: an owner may")
        func refused() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            let observer = try await console("observer", at: site)
            #expect(try await statuses(observer, party) == [403, 403, 403, 403, 403, 403])
            let before = try await party.bots[0].api.party(party.id, after: 0)
            #expect(!before.events.contains { $0.kind == "stormRaised" || $0.kind == "lootForAll" })
            let owner = try await Console.signedIn(at: site)
            let allowed = try await statuses(owner, party)
            #expect(allowed == [200, 200, 200, 204, 201, 200])
            let after = try await party.bots[0].api.party(party.id, after: 0)
            #expect(after.events.contains { $0.kind == "stormRaised" })
            await site.stop()
        }
    }
}
