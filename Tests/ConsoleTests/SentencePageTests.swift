import Content
import PushPolicy
import PushPolicy
import Testing

@testable import Playtest

/// E2: the page that plays every sentence of a pack on a card.
extension ConsoleTests {
    @Suite struct SentencePageTests {
        @Test("it plays all sentences of a pack in a language, each on the card")
        func plays() async throws {
            let site = try await Site()
            let console = try await Console.signedIn(at: site)
            let browser = console.browser
            try await console.show("#/content")
            try await choose("training/1", in: "pack", browser)
            try await choose("de", in: "language", browser)
            let training = try #require(EmbeddedPacks.document(named: "training"))
            let texts = training.texts.texts.values.compactMap { $0[.german] }
            let count = texts.map(\.count).reduce(0, +)
            try await browser.wait(
                until: "document.querySelectorAll('.sentences li').length === \(count)")
            // Each of them, one after another.
            let shown: [String] = try await browser.run(
                """
                const next = document.querySelector('.stories [aria-label="Next sentence"]');
                const seen = [];
                for (const item of document.querySelectorAll('.sentences li')) {
                  const card = document.querySelector('.stories .card .desc').textContent;
                  if (item.ariaCurrent !== 'true' || item.textContent !== card) return [card];
                  seen.push(card);
                  next.click();
                }
                return seen;
                """)
            #expect(shown.count == count && Set(shown).count == count, "\(shown)")
            #expect(shown.first == training.texts.text("title", in: .german))
            await site.stop()
        }

        @Test("those of every story are added, and a question has its button")
        func questions() async throws {
            let site = try await Site()
            let console = try await Console.signedIn(at: site)
            let browser = console.browser
            try await console.show("#/content")
            try await choose("stolen-pie/2", in: "pack", browser)
            try await browser.wait(until: "document.querySelectorAll('.sentences li').length > 50")
            try await browser.click(".stories [name=all]")
            try await browser.wait(until: "document.querySelectorAll('.sentences li').length > 400")
            let pie = try #require(EmbeddedPacks.document(named: "stolen-pie"))
            let ask = try #require(pie.texts.text("hedge.ask", in: .english))
            let card: [String] = try await browser.run(
                """
                [...document.querySelectorAll('.sentences button')]
                  .find(each => each.textContent === given[0]).click();
                const card = document.querySelector('.stories .card');
                return [card.querySelector('.desc').textContent, card.querySelector('.ask span').textContent];
                """, [ask])
            #expect(card == [ask, try #require(pie.texts.text("hedge.button", in: .english))])
            await site.stop()
        }

        private func choose(
            _ value: String, in name: String, _ browser: Browser
        ) async throws {
            try await browser.run(
                """
                const select = document.querySelector(`.stories [name=${given[1]}]`);
                select.value = given[0];
                select.dispatchEvent(new Event('change'));
                return select.value === given[0];
                """, [value, name])
        }
    }
}
