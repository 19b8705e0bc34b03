internal import Content
internal import GameLogic
internal import HTTPServer
internal import PushPolicy

/// The texts of a game master's message, by language.
struct MessageBody: BodyFields {
    private let texts: [Language: String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case de, en, es, fr, ja
        case simplifiedChinese = "zh-Hans"
    }

    static var narrower: [String: JSONSchema] {
        Dictionary(
            uniqueKeysWithValues: CodingKeys.allCases.map {
                ($0.rawValue, .string(pattern: nil, lengths: 1...bytesMax))
            })
    }

    /// In UTF-8, as those of names.
    private static let bytesMax = 8 * Message.lengthMax(in: Message.fallback)

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        var texts: [Language: String] = [.english: try fields.decode(String.self, forKey: .en)]
        for key in CodingKeys.allCases where key != .en {
            guard let language = Language(rawValue: key.rawValue) else { continue }
            texts[language] = try fields.decodeIfPresent(String.self, forKey: key)
        }
        self.texts = texts
    }

    /// Returns the message, or refuses what does not fit a card, cannot be shown, or advertises
    /// (rule Q13).
    func message(_ rules: NameRules) throws(Problem) -> Message {
        var checked: [String: String] = [:]
        for (language, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            checked[language.rawValue] = try Self.checked(text, in: language, rules)
        }
        guard let message = Message(checked) else {
            throw Problem.badRequest("The field \"texts.en\" is missing.")
        }
        return message
    }

    private static func checked(
        _ text: String, in language: Language, _ rules: NameRules
    ) throws(Problem) -> String {
        let field = "texts.\(language.rawValue)"
        let shown = try DisplayName.checked(
            text, field: field, limit: Message.lengthMax(in: language.rawValue),
            bytesMax: bytesMax)
        if let found = Advertising.found(in: shown) {
            throw Problem.badRequest(
                "The field \"\(field)\" has \(found): a card must not advertise.")
        }
        guard shown.split(whereSeparator: \.isWhitespace).allSatisfy({ rules.allows(String($0)) })
        else { throw Problem.badRequest("The field \"\(field)\" has a word that is not allowed.") }
        return shown
    }
}

extension Message {
    /// What a card has room for, in characters: those of Chinese and Japanese are twice as wide.
    static func lengthMax(in language: String) -> Int {
        switch Language(rawValue: language) {
        case .japanese, .simplifiedChinese: 32
        case .english, .german, .spanish, .french, nil: 60
        }
    }
}
