import Foundation
import Testing

@testable import Playtest

/// The console's card at every event is what the phone showed then: at least 300 states.
extension ConsoleTests {
    @Suite struct MomentTests {
        /// What the page shows at an event.
        private struct Shown: Decodable {
            let event: Int
            /// That of the push; `nil`: nothing was accepted before.
            let timestamp: Int64?
            let text, number: String
            let low: Bool
        }

        private static let statesMin = 300

        /// Shows some events of the story on a phone's tab, and reads its Lock Screen.
        private static let read = """
            const [party, hero, from, to, rounding] = given;
            const truncate = Math.trunc;
            if (rounding) Math.trunc = Math.round;
            const lock = document.querySelector('.stage .column > figure:last-child');
            const moments = [];
            const drawn = event => new Promise((done, fail) => {
              const look = () => document.body.dataset.moment === String(event) ? done() : requestAnimationFrame(look);
              look();
              setTimeout(() => fail(`event ${event} is not drawn: ${document.body.dataset.moment}, `
                + `${location.hash}, ${document.querySelector('.toast').textContent}`), 20000);
            });
            location.hash = `#/party/${party}/hero/${hero}?event=${from}`;
            for (let event = Number(from); event < Number(to); event += 1) {
              await drawn(event);
              const timestamp = document.querySelector('.json figcaption span').textContent.match(/\\d+/);
              moments.push({event, timestamp: timestamp && Number(timestamp[0]),
                text: lock.querySelector('.desc').textContent, number: lock.querySelector('.num').textContent,
                low: lock.querySelector('.num').classList.contains('red')});
              if (event + 1 < Number(to)) document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
            }
            Math.trunc = truncate;
            return moments;
            """

        /// Reads what the page shows at every event but the newest, which is live.
        private func moments(
            _ hero: String, _ party: StagedParty, _ console: Console, rounding: Bool = false
        ) async throws -> [Shown] {
            try await console.show("#/party/\(party.id)/hero/\(hero)")
            let last: Int = try await console.browser.run(
                "return Number(document.querySelector('input[type=range]').max)")
            var moments: [Shown] = []
            // A few at a time: each is an answer of the server.
            for from in stride(from: 1, to: last, by: 10) {
                moments += try await console.browser.run(
                    Self.read,
                    [party.id, hero, "\(from)", "\(min(from + 10, last))", rounding ? "yes" : ""])
            }
            return moments
        }

        /// What differs from the pushes that the phone got, as a sentence each.
        private func differences(_ moments: [Shown], _ phone: Phone) -> [String] {
            moments.compactMap { moment -> String? in
                guard let timestamp = moment.timestamp else { return nil }
                let states = phone.received.filter { $0.aps.timestamp == timestamp }
                    .compactMap(\.aps.content)
                guard let state = states.last else {
                    return "event \(moment.event): no push has the timestamp \(timestamp)"
                }
                // A question is gone at its end, without a push.
                let isText = moment.text == state.eventDescription || moment.text == state.ask?.text
                let isRight =
                    isText
                    && moment.number == String(Int(state.currentHealthLevel * 100))
                    && moment.low == (state.currentHealthLevel <= 0.2)
                return isRight
                    ? nil : "event \(moment.event): “\(moment.text)” at \(moment.number)"
            }
        }

        @Test("each of 300 moments shows what the phone got; control: rounding is found")
        func moments() async throws {
            let site = try await Site(speed: 240)
            let party = try await StagedParty.onAdventure(
                at: site, languages: ["en", "ja", "de", "fr", "es"])
            let console = try await Console.signedIn(at: site)
            try await console.show("#/party/\(party.id)")
            try await console.browser.wait(
                until: """
                    document.querySelector('.stage .column > figure:last-child .card')
                      ?.dataset.phase === 'ended'
                    """)
            var states = 0
            for (bot, number) in zip(party.bots, party.phones) {
                let moments = try await moments(bot.hero, party, console)
                let found = differences(moments, site.testbed.phones[number])
                #expect(found == [])
                states += moments.count { $0.timestamp != nil }
            }
            let rounded = try await moments(party.bots[0].hero, party, console, rounding: true)
            #expect(!differences(rounded, site.testbed.phones[party.phones[0]]).isEmpty)
            #expect(states >= Self.statesMin)
            await site.stop()
        }
    }
}
