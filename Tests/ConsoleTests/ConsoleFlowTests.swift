import Foundation
import Testing

@testable import Playtest

/// E2: what a game master does on the console.
extension ConsoleTests {
    @Suite struct ConsoleFlowTests {
        @Test(
            "a wrong key is refused in words; the right one signs in; signing out ends it",
            arguments: BrowserEngine.allCases)
        func signsIn(engine: BrowserEngine) async throws {
            let site = try await Site()
            let console = Console(
                browser: try await Browser.fresh(engine), url: site.url + "/console/")
            try await console.browser.open(console.url)
            try await console.isReady("signin")
            try await console.browser.type("wrong" + Key.enter, into: "#key")
            try await console.browser.wait(
                until: "document.querySelector('#reason').textContent.startsWith('No game master')")
            try await console.browser.run("document.querySelector('#key').value = ''; return true")
            try await console.signIn(key: try site.folder.adminKey())
            // The cookie is out of a script's reach, and no storage has the key.
            #expect(
                try await console.browser.run(
                    "return document.cookie + localStorage.length + sessionStorage.length") == "00")
            try await console.browser.reload()
            try await console.isReady("live")
            try await console.browser.click(".account button")
            try await console.isReady("signin")
            try await console.browser.reload()
            try await console.isReady("signin")
            await site.stop()
        }

        @Test("by keyboard alone: find a party, scrub its story, try a command out and run it")
        func keyboard() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            let browser = console.browser
            try await browser.press("/")
            try await browser.wait(until: "document.activeElement.name === 'find'")
            try await browser.press(party.inviteCode + Key.enter)
            try await console.isReady("party")
            #expect(try await browser.run("return location.hash") == "#/party/\(party.id)")

            try await browser.wait(
                until: "Number(document.querySelector('input[type=range]').max) > 2")
            try await browser.press(Key.left)
            try await browser.wait(until: "location.hash.includes('event=')")
            try await browser.press("L")
            try await browser.wait(until: "!location.hash.includes('event=')")

            try await browser.run(
                """
                [...document.querySelectorAll('button')]
                  .find(each => each.textContent.startsWith('Storm')).focus();
                return true;
                """)
            try await browser.press(Key.enter)
            try await browser.wait(
                until: "document.querySelector('dialog.dry button[type=submit]:enabled')")
            #expect(
                try await browser.run("return document.activeElement.closest('dialog') !== null"))
            // The dialog gives the focus back to what opened it, and then goes: what follows must not
            // take it for the next one.
            try await browser.press(Key.escape)
            try await browser.wait(
                until: "!document.querySelector('dialog')"
                    + " && document.activeElement.textContent.startsWith('Storm')")
            try await browser.press(Key.enter)
            try await browser.wait(
                until: "document.querySelector('dialog.dry button[type=submit]:enabled')")
            try await browser.press(Key.tab)
            // When the party has moved on, the dialog shows the new dry run, and waits for a press.
            let isDone = "!document.querySelector('dialog')"
            let hasMoved = "document.querySelector('.difference')?.hidden === false"
            let isReady = "document.activeElement.matches('dialog button[type=submit]:enabled')"
            repeat {
                try await browser.press(Key.enter)
                try await browser.wait(until: "\(isDone) || (\(hasMoved) && \(isReady))")
            } while try await !browser.run("return \(isDone)", as: Bool.self)
            try await browser.wait(
                until: "document.querySelector('.toast').textContent.includes('storm')")
            let state = try await party.bots[0].api.party(party.id, after: 0)
            #expect(state.events.contains { $0.kind == "stormRaised" })
            await site.stop()
        }

        @Test(
            "a storm is on the page within a second of its commit",
            arguments: BrowserEngine.allCases)
        func soon(engine: BrowserEngine) async throws {
            let site = try await Site(speed: 4)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site, engine)
            try await console.show("#/party/\(party.id)")
            try await console.browser.wait(
                until: "document.querySelector('.state').dataset.state === 'live'")
            let stormed = try await site.testbed.admin.trigger("storm", in: party.id)
            try await console.browser.wait(
                until: "Number(document.body.dataset.version) >= \(stormed.version)")
            await site.stop()
        }

        @Test(
            "after a kill -9 the page says so, comes back, and its story has no gap and no double")
        func killed() async throws {
            let site = try await Site(speed: 8)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            try await console.show("#/party/\(party.id)")
            let isLive = "document.querySelector('.state').dataset.state === 'live'"
            try await console.browser.wait(until: isLive)
            site.testbed.server.kill()
            try await console.browser.wait(
                until: "document.querySelector('.state').dataset.state === 'reconnecting'")
            try await site.testbed.server.restart()
            try await console.browser.wait(until: isLive)
            let stormed = try await site.testbed.admin.trigger("storm", in: party.id)
            let newest = try #require(stormed.events.last?.sequence)
            try await console.browser.wait(
                until: "Number(document.querySelector('input[type=range]').max) >= \(newest)")
            let state = try await party.bots[0].api.party(party.id, after: 0)
            #expect(state.events.map(\.sequence) == Array(1...state.events.count))
            await site.stop()
        }

        @Test("a card that the stream brings while the page reads them all stays on the page")
        func crossing() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            // The page reads the cards a second time when the stream begins: that answer waits.
            try await console.browser.run(
                """
                const send = window.fetch;
                const count = {cards: 0, decisions: 0};
                window.held = new Promise(done => { window.letGo = done; });
                window.count = count;
                window.fetch = async (...given) => {
                  const response = await send(...given);
                  const kind = String(given[0]).split('?')[0].split('/').at(-1);
                  if (kind in count) count[kind] += 1;
                  if (kind === 'cards' && count.cards === 2) await window.held;
                  return response;
                };
                return true;
                """)
            try await console.show("#/party/\(party.id)")
            try await console.browser.wait(until: "count.cards === 2")
            let stormed = try await site.testbed.admin.trigger("storm", in: party.id)
            let newest = try #require(stormed.events.last?.sequence)
            let isShown =
                "Number(document.querySelector('[role=tabpanel]').dataset.at) >= \(newest)"
            try await console.browser.wait(until: isShown)
            // After the cards the page reads the decisions, and draws what it has read.
            let read = try await console.browser.run(
                "const read = count.decisions; letGo(); return read", as: Int.self)
            try await console.browser.wait(until: "count.decisions > \(read)")
            try await console.browser.run(
                "return new Promise(done => setTimeout(() => requestAnimationFrame(() => done(true))))"
            )
            #expect(try await console.browser.run("return \(isShown)", as: Bool.self))
            await site.stop()
        }

        @Test("each card on the page is what its phone got last")
        func cards() async throws {
            let site = try await Site(speed: 120)
            let party = try await StagedParty.onAdventure(at: site, pack: "stolen-pie")
            let console = try await Console.signedIn(at: site)
            for (bot, number) in zip(party.bots, party.phones) {
                try await console.show("#/party/\(party.id)/hero/\(bot.hero)")
                let lock = "document.querySelector('.stage .column > figure:last-child .card')"
                // The story is over: nothing changes any more.
                try await console.browser.wait(until: "\(lock)?.dataset.phase === 'ended'")
                let content = try #require(site.testbed.phones[number].content)
                let shown = try await console.browser.run(
                    """
                    const card = \(lock);
                    return ['.desc', '.num'].map(each => card.querySelector(each).textContent);
                    """,
                    as: [String].self)
                let health = String(Int(content.currentHealthLevel * 100))
                #expect(shown == [content.eventDescription, health])
            }
            await site.stop()
        }

        @Test(
            "behind nginx with the ready file, the pages, the cookie and the stream work",
            arguments: Proxy.Place.allCases)
        func proxied(place: Proxy.Place) async throws {
            let proxy = Proxy(place)
            let site = try await Site(
                speed: 8,
                arguments: ["--public-url", proxy.url + "/"])
            try await proxy.start(to: site.url)
            let party = try await StagedParty.onAdventure(at: site)
            let console = Console(browser: try await Browser.fresh(), url: proxy.url + "/console/")
            try await console.browser.open(console.url)
            // Nobody has signed in yet, which the browser logs.
            try await console.isReady("signin")
            _ = try await console.browser.log()
            try await console.signIn(key: try site.folder.adminKey())
            try await console.show("#/party/\(party.id)")
            try await console.browser.wait(
                until: "document.querySelector('.state').dataset.state === 'live'")
            let cookie = try #require(try await console.browser.cookies().first)
            let name = place == .root ? "__Host-rangers" : "__Secure-rangers"
            #expect(cookie.name == name && cookie.path == proxy.path)
            #expect(cookie.secure && cookie.httpOnly && cookie.sameSite == "Strict")
            // The stream is not buffered: a change arrives while it is open.
            let stormed = try await site.testbed.admin.trigger("storm", in: party.id)
            try await console.browser.wait(
                until: "Number(document.body.dataset.version) >= \(stormed.version)")
            let logged = try await console.browser.log()
            #expect(logged == [])
            try await proxy.stop()
            await site.stop()
        }

        @Test("a page of another origin changes nothing, with the cookie or without")
        func foreign() async throws {
            let site = try await Site(speed: 4)
            let party = try await StagedParty.onAdventure(at: site)
            let console = try await Console.signedIn(at: site)
            // A page without an origin of its own, and without a policy that stops it.
            try await console.browser.open("data:text/html,<p>Elsewhere</p>")
            let outcomes: [String] = try await console.browser.run(
                """
                const address = given[0];
                const send = options => fetch(address, {method: 'POST', credentials: 'include', ...options})
                  .then(response => String(response.status), () => 'no response');
                return [
                  await send({mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, body: '{}'}),
                  await send({headers: {'Content-Type': 'application/json'}, body: '{}'}),
                ];
                """, [site.url + "/v1/admin/parties/\(party.id)/loot"])
            // The page learns nothing of the first; the browser does not even send the second.
            #expect(outcomes.count == 2)
            #expect(outcomes.allSatisfy { $0 == "0" || $0 == "no response" })
            let after = try await party.bots[0].api.party(party.id, after: 0)
            #expect(!after.events.contains { $0.kind == "lootForAll" })
            #expect(!after.isOver)
            await site.stop()
        }
    }
}
