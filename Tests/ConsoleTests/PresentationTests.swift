import Foundation
import Testing

/// Section 8 of the rules: what a presentation measures, whether it fits, and whether it can be read.
extension ConsoleTests {
    @Suite struct PresentationTests {
        /// The table of sizes, Apple's and ours, that the style sheet is checked against too.
        struct Table: Decodable {
            struct Size: Decodable {
                let name: String
                let narrow, wide: Double
                enum CodingKeys: String, CodingKey {
                    case name
                    case narrow = "393"
                    case wide = "430"
                }
                func value(_ device: String) -> Double { device == "393" ? narrow : wide }
            }
            let sizes: [Size]

            static let stored = Result {
                try JSONDecoder().decode(
                    Table.self, from: Repository.data("Resources/Presentations/presentations.json"))
            }
        }

        static let devices = ["393", "430"]

        /// Bounds of the content, the screen's height, and watches that the page does not draw.
        static let elsewhere: Set = [
            "screen-height", "screen-radius", "compact-content", "card-height-min",
            "card-height-max", "watch-40-width", "watch-40-height", "watch-41-width",
            "watch-41-height", "watch-44-width", "watch-44-height", "watch-49-width",
            "watch-49-height",
        ]

        private func measures(_ card: Card, _ browser: Browser) async throws -> [String: [Double]] {
            try await card.show(in: browser, then: "return measures();")
        }

        /// What differs from the table by more than 0.02 points, as a sentence each.
        private func differences(
            _ measured: [String: [Double]], _ device: String
        ) throws -> [String] {
            let table = try Table.stored.get()
            return table.sizes.filter { !Self.elsewhere.contains($0.name) }.flatMap { size in
                let values = measured[size.name] ?? []
                guard !values.isEmpty else { return ["\(size.name) is not measured"] }
                return values.filter { abs($0 - size.value(device)) > 0.02 }.map {
                    "\(size.name) is \($0), not \(size.value(device))"
                }
            }
        }

        @Test(
            "each size is that of the table, within 0.02 points", arguments: devices,
            BrowserEngine.allCases)
        func sizes(device: String, engine: BrowserEngine) async throws {
            let browser = try await Gallery.open(engine)
            let card = Card(device: device)
            let found = try differences(try await measures(card, browser), device)
            #expect(found == [])
        }

        @Test("control: half a point more is found")
        func controlOfSizes() async throws {
            let browser = try await Gallery.open()
            let measured: [String: [Double]] = try await Card(device: "393").show(
                in: browser,
                then: """
                    document.querySelector('[data-device]').style.setProperty('--compact-width', '53px');
                    return measures();
                    """)
            let found = try differences(measured, "393")
            #expect(found.contains("compact-width is 53.0, not 52.33"))
        }

        @Test("cards fit: the longest names and texts, in each language", arguments: devices)
        func fits(device: String) async throws {
            let browser = try await Gallery.open()
            let table = try Table.stored.get()
            let bounds = ["card-height-min", "card-height-max"].compactMap { name in
                table.sizes.first { $0.name == name }?.value(device)
            }
            try #require(bounds.count == 2)
            for card in Card.hardest(device) {
                let overflows: [String] = try await card.show(
                    in: browser, then: "return overflows();")
                #expect(overflows == [], "\(card.name) \(card.text)")
                let heights: [Double] = try await browser.run(
                    """
                    return [...document.querySelectorAll('[data-p=lock], [data-p=expanded]')]
                      .map(each => each.getBoundingClientRect().height);
                    """)
                #expect(heights.count == 2)
                #expect(heights.allSatisfy { $0 >= bounds[0] && $0 <= bounds[1] }, "\(heights)")
            }
        }

        @Test("control: a text of three lines, and a part that is too wide, are found")
        func controlOfFit() async throws {
            let browser = try await Gallery.open()
            let long = Card(text: String(repeating: "The kraken rises again. ", count: 6))
            let lines: [String] = try await long.show(in: browser, then: "return overflows();")
            #expect(lines.contains { $0.hasPrefix("lock: ") && $0.hasSuffix(" lines") })
            let wide: [String] = try await Card().show(
                in: browser,
                then: """
                    document.querySelector('[data-p=lock] .num').style.setProperty('min-width', '500px');
                    return overflows();
                    """)
            #expect(wide.contains { $0.hasPrefix("lock") })
        }

        struct Contrasts: Decodable {
            let found: [String]
            let count: Int
        }

        @Test("every text has a contrast of 4.5, every shape of 3", arguments: devices)
        func contrast(device: String) async throws {
            let browser = try await Gallery.open()
            for theme in ["dark", "light"] {
                try await browser.emulate(["prefers-color-scheme": theme])
                for phase in ["active", "stale"] {
                    for luminance in ["full", "reduced"] {
                        for health in [0.18, 0.64] {
                            let card = Card(device: device, health: health, phase: phase)
                            let result: Contrasts = try await card.show(
                                in: browser,
                                then: """
                                    document.querySelector('main').dataset.luminance = '\(luminance)';
                                    return contrasts();
                                    """)
                            #expect(result.count > 20)
                            #expect(result.found == [], "\(theme), \(phase), \(luminance)")
                        }
                    }
                }
            }
        }

        @Test("control: the red of shapes as the red of a text is found")
        func controlOfContrast() async throws {
            let browser = try await Gallery.open()
            let result: Contrasts = try await Card(health: 0.18).show(
                in: browser,
                then: """
                    document.querySelector('main').style.setProperty('--red-text', '#FF453A');
                    return contrasts();
                    """)
            #expect(result.found.contains("lock “18”: 4.29"))
        }

        @Test("a number is the level's whole hundredths, as Swift truncates, and red up to 0.2")
        func numbers() async throws {
            let browser = try await Gallery.open()
            struct Number: Decodable {
                let text: String
                let low: Bool
            }
            let numbers: [Number] = try await browser.run(
                """
                const {percent, isLow} = await import(new URL('../card/card.js', location.href).href);
                return Array.from({length: 1001}, (_, level) =>
                  ({text: String(percent(level / 1000)), low: isLow(level / 1000)}));
                """)
            #expect(numbers.count == 1001)
            for (level, number) in numbers.enumerated() {
                let health = Double(level) / 1000
                #expect(number.text == String(Int(health * 100)))
                #expect(number.low == (health <= 0.2))
            }
            // The control: rounding differs, so the comparison can fail.
            #expect(Int((0.289 * 100).rounded()) != Int(0.289 * 100))
        }

        /// What a card says, and whether it has a button.
        private struct Words: Decodable, Equatable {
            let text, below, line: String
            let asks: Bool
        }

        private func words(_ card: Card, _ browser: Browser) async throws -> Words {
            try await card.show(
                in: browser,
                then: """
                    const part = name => find('lock').querySelector(name);
                    const text = name => part(name).checkVisibility() ? part(name).textContent : '';
                    return {text: text('.desc'), below: text('.news'), line: text('.type'),
                      asks: part('.ask').checkVisibility()};
                    """)
        }

        @Test("C7: a button stands beside its question, and the news below, if there is room")
        func question() async throws {
            let browser = try await Gallery.open()
            let news = "The cuckoo pecks Egghead."
            var shown = try await words(
                Card(text: news, question: "Run away?", button: "Run!", endsAt: Card.now + 42),
                browser)
            #expect(shown.text == "Run away?" && shown.below == news && shown.asks)
            #expect(shown.line.hasPrefix("⏳ 0:42 · "))
            let long = "Twelve grumpy witches are coming closer. Run away, all of you?"
            shown = try await words(Card(text: news, question: long, button: "Run!"), browser)
            #expect(shown.text == long && shown.below.isEmpty && shown.asks)
        }

        @Test("C7: at its end a question goes with its button, and on a card that is old")
        func questionIsOver() async throws {
            let browser = try await Gallery.open()
            let news = "The cuckoo pecks Egghead."
            for (end, phase, line) in [
                (0, "active", "Forest Dweller · Lv 12"), (0, "stale", "🕓 time is up"),
                (60, "stale", "🕓 no news for a while"), (60, "ended", "Forest Dweller · Lv 12"),
            ] {
                let card = Card(
                    text: news, phase: phase, question: "Run away?", button: "Run!",
                    endsAt: Card.now + end)
                let shown = try await words(card, browser)
                #expect(shown == Words(text: news, below: "", line: line, asks: false))
            }
        }

        @Test("C7: a card counts down to a second wind, and says when its time is up")
        func deadline() async throws {
            let browser = try await Gallery.open()
            var shown = try await words(Card(secondWindAt: Card.now + 725), browser)
            #expect(shown.line == "⏳ 12:05 · Forest Dweller · Lv 12")
            shown = try await words(
                Card(language: "de", phase: "stale", secondWindAt: Card.now - 1), browser)
            #expect(shown.line == "🕓 Zeit abgelaufen")
        }

        @Test("a hero's name is text, whatever it contains")
        func markup() async throws {
            let browser = try await Gallery.open()
            let name = "<img src=x onerror=\"document.title='run'\">"
            _ = try await browser.log()
            let shown: String = try await Card(name: name).show(
                in: browser,
                then: "return document.querySelector('[data-p=lock] .name').textContent;")
            #expect(shown == name)
            #expect(try await browser.run("return document.querySelector('img') === null"))
            #expect(try await browser.log() == [])
        }

        @Test("a sentence runs from left to right, whatever the name at its beginning")
        func direction() async throws {
            let browser = try await Gallery.open()
            let card = Card(name: "שלום", text: "\u{2068}שלום\u{2069} is up again.")
            let ends: [[Double]] = try await card.show(
                in: browser,
                then: """
                    const left = (text, index) => {
                      const range = document.createRange();
                      range.setStart(text, index);
                      range.setEnd(text, index + 1);
                      return range.getBoundingClientRect().left;
                    };
                    return ['[data-p=lock] .desc', '[data-p=watch-alert] .desc'].map(selector => {
                      const text = document.querySelector(selector).firstChild;
                      return [left(text, text.data.indexOf('ש')), left(text, text.length - 1)];
                    });
                    """)
            #expect(ends.count == 2)
            for end in ends { #expect(end[0] < end[1]) }
        }

        @Test("the console's own sentences isolate names")
        func names() async throws {
            let browser = try await Gallery.open()
            let said: String = try await Card().show(
                in: browser,
                then: """
                    const run = {
                      sum: {pushes: 1, alerts: 1, highPriority: 1},
                      events: [{kind: 'knockedDown', hero: 'hero-1'}],
                    };
                    const {sentence} = await import(at('pages/dryrun.js'));
                    return sentence(run, {heroes: [{id: 'hero-1', name: 'שלום'}]});
                    """)
            #expect(said.hasSuffix(" \u{2068}שלום\u{2069} falls."))
        }

        @Test("nothing moves with reduced motion, or when the screen is dimmed")
        func motion() async throws {
            let browser = try await Gallery.open()
            let move = """
                const bar = document.querySelector('[data-p=lock] .hp i');
                const width = () => bar.getBoundingClientRect().width;
                width();
                bar.parentElement.style.setProperty('--level', '10%');
                width();
                return document.getAnimations().length;
                """
            // The control: without the setting, a bar glides.
            #expect(try await Card().show(in: browser, then: move) > 0)
            let dimmed = "document.querySelector('main').dataset.luminance = 'reduced';\n" + move
            #expect(try await Card().show(in: browser, then: dimmed) == 0)
            try await browser.emulate(["prefers-reduced-motion": "reduce"])
            #expect(try await Card().show(in: browser, then: move) == 0)
        }

        @Test(
            "axe-core finds nothing wrong with a card; control: a button without a name",
            .enabled(if: Accessibility.isFetched))
        func accessible() async throws {
            let browser = try await Gallery.open()
            let _: Bool = try await Card(button: "Drink").show(in: browser, then: "return true;")
            #expect(try await Accessibility.violations(in: browser, within: "main") == [])
            let _: Bool = try await Card().show(
                in: browser,
                then: """
                    document.querySelector('main').append(document.createElement('button'));
                    return true;
                    """)
            let found = try await Accessibility.violations(in: browser, within: "main")
            #expect(found.contains { $0.hasPrefix("button-name: ") })
        }

        @Test(
            "pictures of a card in every presentation are kept",
            arguments: ["dark", "light"], devices)
        func pictures(theme: String, device: String) async throws {
            let browser = try await Gallery.open()
            try await browser.emulate(["prefers-color-scheme": theme])
            // The page gets 143 points less: the rest is Chromium's window.
            try await browser.resize(width: 1180, height: 650)
            for (language, text) in Card.texts {
                let card = Card(
                    device: device, health: language == "ja" ? 0.18 : 0.64, text: text,
                    language: language)
                let _: Bool = try await card.show(in: browser, then: "return true;")
                try Repository.keep(
                    try await browser.screenshot(), as: "card-\(theme)-\(device)-\(language)")
            }
        }
    }
}
