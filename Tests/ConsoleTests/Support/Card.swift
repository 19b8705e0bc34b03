import Foundation

/// A card to show in all presentations.
struct Card: Encodable {
    struct Hero: Encodable {
        let name, avatar, heroType: String
        let level: Int
    }
    struct State: Encodable {
        struct Ask: Encodable {
            let text, button: String
            let endsAt: Int?
        }
        struct Deadline: Encodable {
            let kind: String
            let at: Int
        }
        let currentHealthLevel: Double
        let eventDescription: String
        let ask: Ask?
        let deadline: Deadline?
    }
    struct Alert: Encodable {
        let title, body: String
    }

    let device, language, phase: String
    let hero: Hero
    let state: State
    let alert: Alert

    /// The moment that the gallery shows, as a default decoder reads a `Date`: seconds since 2001.
    static let now = 1_763_816_543 - 978_307_200

    var name: String { hero.name }
    var text: String { state.eventDescription }

    init(
        device: String = "393", name: String = "Power Panda", health: Double = 0.64,
        text: String = "A storm rages. Power Panda loses 12 health.", language: String = "en",
        phase: String = "active", question: String? = nil, button: String? = nil,
        endsAt: Int? = nil, secondWindAt: Int? = nil
    ) {
        self.device = device
        self.language = language
        self.phase = phase
        hero = Hero(name: name, avatar: "🐼", heroType: "Forest Dweller", level: 12)
        state = State(
            currentHealthLevel: health, eventDescription: text,
            ask: button.map {
                State.Ask(text: question ?? text, button: $0, endsAt: endsAt)
            }, deadline: secondWindAt.map { State.Deadline(kind: "secondWind", at: $0) })
        alert = Alert(title: name, body: text)
    }

    /// A sentence of 60 columns at most, the limit of texts, in scripts of each width.
    static let texts = [
        "en": "A storm rages. Power Panda loses 12 health.",
        "de": "Ein Sturm tobt. Kraft-Panda verliert 12 Lebenspunkte.",
        "ja": "嵐が吹き荒れる。パワーパンダは体力を12失った。",
    ]

    /// What is hardest to fit: long names in several scripts, emoji sequences, whole lines.
    static func hardest(_ device: String) -> [Card] {
        let names = [
            "Maximilian the Magnificently Long-Named!", "パンダパンダパンダ戦士", "👩‍👩‍👧‍👦🧑🏽‍🚀🏴‍☠️ Rangers",
            "الباندا القوي جدا في الغابة",
        ]
        let sentences =
            Array(texts.values).sorted() + [
                "Zwölf mürrische Moorhexen verwünschen Maximilian. Schlimmer!",
                "嵐が森を吹き抜ける。仲間は次の洞窟まで体力を温存して進む。",
            ]
        return names.flatMap { name in
            sentences.flatMap { text in
                [0.0, 0.18, 1].map { health in
                    Card(
                        device: device, name: name, health: health, text: text,
                        question: health == 1 ? "Zwölf Hexen! Weglaufen, Leute?" : nil,
                        button: health > 0 ? "Trank trinken" : nil)
                }
            }
        }
    }

    /// Shows the card, and returns the value of the script that follows.
    func show<Value: Decodable>(in browser: Browser, then script: String) async throws -> Value {
        let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        return try await browser.run(
            try Repository.script("gallery.js") + "\nshow(JSON.parse(given[0]));\n" + script, [json]
        )
    }
}

/// The page on which cards are shown: that of the console, with its styles and its policy.
enum Gallery {
    static func open(_ engine: BrowserEngine = .chromium) async throws -> Browser {
        let browser = try await Browser.fresh(engine)
        try await browser.open(try await Site.shared.value.url + "/console/")
        try await browser.wait(until: "document.body.dataset.ready === 'signin'")
        return browser
    }
}
