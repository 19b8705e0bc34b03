import Foundation
import Testing

@testable import Playtest

/// What somebody does on the browser phone: answer, drink, help, hear, swipe, look away.
extension ConsoleTests {
    @Suite struct PlayerTests {
        /// A browser phone on an adventure that goes on only as game masters make it.
        private struct Player {
            let site: Site
            let page: PlayPage
            let party, hero: String

            var browser: Browser { page.browser }

            /// Joins that party, or sets out alone.
            init(_ site: Site, with other: StagedParty? = nil) async throws {
                self.site = site
                if let other {
                    page = try await PlayPage.join(site, code: other.inviteCode)
                    try await page.browser.wait(until: PlayPage.isActive)
                } else {
                    page = try await PlayPage.onAdventure(site)
                }
                party = try await page.browser.run("return JSON.parse(sessionStorage.seat).party")
                hero = try await page.browser.run("return JSON.parse(sessionStorage.seat).hero")
            }

            func state() async throws -> PartyState {
                struct Detail: Decodable { let party: PartyState }
                return try await site.ask("GET", "parties/\(party)", as: Detail.self).party
            }

            /// Raises storms until a hero is down; `healed` gets its health back after each.
            func fell(_ hero: String, healing healed: String? = nil) async throws {
                for _ in 0..<60 {
                    let party = try await site.testbed.admin.trigger("storm", in: party)
                    if party.hero(hero)?.isKnockedDown == true { return }
                    guard let healed else { continue }
                    try await site.command(
                        Site.Command(name: "heal", hero: healed, amount: 1000, wake: true),
                        at: self.party)
                }
                Issue.record("\(hero) never fell")
            }

            /// Presses the question's button on the Lock Screen's card, once it is that one.
            func pressCard(_ title: String) async throws {
                let button = "document.querySelector('.phonebody .lock .ask')"
                try await browser.wait(
                    until:
                        "\(button).offsetWidth > 0 && \(button).textContent.startsWith('\(title)')")
                try await browser.click(".phonebody .lock .ask")
            }

            func stop() async { await site.stop() }
        }

        private static let volumes = "heard.filter(volume => volume > 0)"

        @Test("a fallen hero's alert rings when sound is on, and the card's button drinks")
        func drinks() async throws {
            let player = try await Player(try await Site(speed: 1))
            // What the page's sound would play.
            try await player.browser.run(
                """
                window.heard = [];
                const node = {connect: next => next, start() {}, stop() {}, frequency: {}};
                const gain = {...node, gain: {setValueAtTime: volume => heard.push(volume), linearRampToValueAtTime() {}}};
                window.AudioContext = class {
                  currentTime = 0;
                  resume() {}
                  createOscillator() { return node; }
                  createGain() { return gain; }
                };
                return true;
                """)
            try await player.site.command(
                Site.Command(name: "loot", hero: player.hero, potions: 2), at: player.party)
            let alerts =
                "document.querySelectorAll('[aria-label=Pushes] [aria-label=alert]').length"
            try await player.fell(player.hero)
            try await player.browser.wait(until: "\(alerts) === 1")
            // The control: without the switch it is silent.
            #expect(try await player.browser.run("return \(Self.volumes).length") == 0)
            try await player.pressCard("Use a potion")
            try await player.browser.wait(
                until: "Number(document.querySelector('.lock .num').textContent) > 0")
            #expect(try await player.state().events.contains { $0.kind == "potionUsed" })

            try await player.page.toggle("Sound")
            try await player.fell(player.hero)
            try await player.browser.wait(until: "\(Self.volumes).length > 0")
            await player.stop()
        }

        @Test("a friend without a potion is helped from the card")
        func helps() async throws {
            let site = try await Site(speed: 1)
            let friends = try await StagedParty.onAdventure(at: site, languages: ["en"])
            let player = try await Player(site, with: friends)
            let friend = friends.bots[0]
            try await site.command(
                Site.Command(name: "loot", hero: player.hero, potions: 1), at: player.party)
            // The friend's own are drunk before they are needed.
            _ = try await site.testbed.admin.trigger("storm", in: player.party)
            while try await player.state().hero(friend.hero)?.potions ?? 0 > 0 {
                _ = try await friend.api.usePotion(
                    by: friend.hero, on: friend.hero, in: player.party)
                _ = try await site.testbed.admin.trigger("storm", in: player.party)
            }
            try await player.fell(friend.hero, healing: player.hero)
            try await player.browser.wait(until: PlayPage.button("Help \(friend.heroName)"))
            try await player.pressCard("")
            try await player.browser.wait(until: "!(\(PlayPage.button("Help \(friend.heroName)")))")
            #expect(try await player.state().hero(friend.hero)?.isKnockedDown == false)
            await player.stop()
        }

        @Test("a question of the way is answered from the card, and the answer can be changed")
        func answers() async throws {
            // The question is open for 12 seconds: a browser on a busy machine takes some of them.
            let site = try await Site(speed: 5)
            let friends = try await StagedParty.onAdventure(
                at: site, languages: ["en"], pack: "stolen-pie")
            let player = try await Player(site, with: friends)
            try await player.pressCard("Hedge!")
            // As the server has noted it: the page reads the party again.
            let answer = "document.querySelector('.acts [aria-pressed=true]')?.textContent"
            try await player.browser.wait(until: "\(answer) === 'Hedge!'")
            try await player.page.press("No")
            try await player.browser.wait(until: "\(answer) === 'No'")
            await player.stop()
        }

        @Test("each kind of question is a pair of buttons, but a guard's is not for its own hero")
        func asks() async throws {
            let page = try await PlayPage.form(.shared.value, code: "")
            struct Button: Decodable, Equatable {
                let title: String
                let yes: Bool?
            }
            func buttons(_ kind: String, about hero: String) async throws -> [String] {
                let found: [Button] = try await page.browser.run(
                    """
                    const {actionsOf} = await import(new URL('actions.js', location.href).href);
                    const party = {id: 'p', leader: 'someone', heroes: [
                      {id: 'mine', owner: 'me', name: 'Panda', potions: 0, condition: 'standing'},
                      {id: 'theirs', owner: 'them', name: 'Fox', potions: 0, condition: 'standing'}],
                      adventure: {phase: 'quest', asks: [
                        {id: 3, kind: given[0], hero: given[1], button: 'Do it', yes: [], no: []}]}};
                    return actionsOf(party, 'mine').map(({title, body}) => ({title, yes: body.yes}));
                    """, [kind, hero])
                return found.map { "\($0.title): \($0.yes == true)" }
            }
            for kind in ["fork", "flee", "stop", "brace", "loot", "guard"] {
                #expect(
                    try await buttons(kind, about: "theirs") == ["Do it: true", "No: false"],
                    "\(kind)")
            }
            #expect(try await buttons("guard", about: "mine") == [])
        }

        private struct Cards: Decodable {
            struct Card: Decodable {
                let activity, state: String
                let kind: String?
            }
            let cards: [Card]
        }

        @Test("a card that is swiped away is dismissed on the server, and may come back")
        func swipes() async throws {
            let player = try await Player(try await Site(speed: 1))
            func cards() async throws -> [String] {
                try await player.site.ask("GET", "parties/\(player.party)/cards", as: Cards.self)
                    .cards.map(\.state)
            }
            #expect(try await cards() == ["active"])
            try await player.page.press("Swipe the card away")
            try await player.browser.wait(until: PlayPage.phase("dismissed"))
            #expect(try await cards() == ["dismissed"])
            #expect(
                try await player.browser.run(
                    "return getComputedStyle(document.querySelector('.lock .card')).visibility")
                    == "hidden")
            try await player.page.press("Start the card again")
            try await player.browser.wait(until: PlayPage.isActive)
            #expect(try await cards().contains("active"))
            await player.stop()
        }

        @Test("Always-On dims the phone, and nothing on it moves")
        func alwaysOn() async throws {
            let player = try await Player(try await Site(speed: 1))
            let color =
                "return getComputedStyle(document.querySelector('.lock .card')).backgroundColor"
            let move = """
                const bar = document.querySelector('.lock .hp');
                const width = () => bar.firstChild.getBoundingClientRect().width;
                bar.style.setProperty('--level', '90%');
                width();
                document.getAnimations().forEach(each => each.finish());
                bar.style.setProperty('--level', '10%');
                width();
                return document.getAnimations().length;
                """
            let bright: String = try await player.browser.run(color)
            #expect(try await player.browser.run(move, as: Int.self) > 0)
            try await player.page.toggle("Always-On")
            #expect(try await player.browser.run(color) != bright)
            #expect(try await player.browser.run(move, as: Int.self) == 0)
            await player.stop()
        }

        @Test("a card in the woods is out of date from its date on, and comes back")
        func stale() async throws {
            let player = try await Player(try await Site(speed: 1))
            let browser = player.browser
            try await player.page.toggle("Walk into the woods")
            // The page's clock, before and after the date that the last push has.
            try await browser.run(
                """
                window.clock = Date.now;
                window.stale = JSON.parse(document.querySelector('details pre').textContent).aps['stale-date'] * 1000;
                window.shows = at => {
                  Date.now = () => at;
                  const time = new Date(at);
                  window.time = `${time.getHours()}:${String(time.getMinutes()).padStart(2, '0')}`;
                };
                shows(stale - 1);
                return true;
                """)
            try await browser.wait(
                until: "document.querySelector('.lock .clock').textContent === time")
            #expect(try await browser.run("return document.body.dataset.phase") == "active")
            try await browser.run("shows(stale); return true")
            try await browser.wait(until: PlayPage.phase("stale"))
            #expect(try await browser.text(of: ".lock .type").contains("no news for a while"))
            try await browser.run("Date.now = clock; return true")
            try await player.page.toggle("Walk into the woods")
            try await browser.wait(until: PlayPage.isActive)
            try await browser.wait(
                until: "document.querySelector('.state').textContent === 'connected'")
            #expect(try await !browser.text(of: ".lock .type").contains("🕓"))
            await player.stop()
        }

        @Test("an unknown code, a full party and a server without browser phones are explained")
        func refused() async throws {
            let site = try await Site(speed: 1, hasBrowserPhones: false)
            let unknown = try await PlayPage.form(site, code: "ZZZZZZZZ")
            try await unknown.submit()
            try await unknown.browser.wait(
                until: PlayPage.says("No party has this code", in: ".reason"))
            let party = try await StagedParty.onAdventure(
                at: site, languages: Array(repeating: "en", count: 8))
            let full = try await PlayPage.form(site, code: party.inviteCode)
            try await full.submit()
            try await full.browser.wait(until: PlayPage.says("The party is full", in: ".reason"))
            let off = try await PlayPage.join(site)
            try await off.browser.wait(
                until: PlayPage.says("Browser phones are off on this server", in: ".trouble"))
            await site.stop()
        }
    }
}
