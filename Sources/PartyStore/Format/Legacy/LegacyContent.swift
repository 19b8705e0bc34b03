internal import GameLogic
internal import PushPolicy

// The content of activities, and words that the policy's rows share, as JSON of schemas 1 to 6.

/// The content of an activity.
struct LegacyContent: Decodable {
    struct Phrase: Decodable {
        enum Argument: Decodable {
            case name(String)
            case word(String)
        }

        let key: String
        let arguments: [Argument]
    }

    let health: Int
    let phrase: Phrase

    var content: LocalizableContent {
        LocalizableContent(
            health: Health(thousandths: health),
            text: LocalizableText(
                key: phrase.key, arguments: phrase.arguments.map(\.argument)))
    }
}

extension LegacyContent.Phrase.Argument {
    fileprivate var argument: LocalizableText.Argument {
        switch self {
        case .name(let name): .name(name)
        case .word(let word): .word(word)
        }
    }
}

/// The alert of a push.
struct LegacyAlert: Decodable {
    let titleKey: String
    let titleArguments: [String]
    let bodyKey: String
    let bodyArguments: [String]
    let sound: String?

    var alert: Alert {
        Alert(
            titleKey: titleKey, titleArguments: titleArguments, bodyKey: bodyKey,
            bodyArguments: bodyArguments, sound: sound)
    }
}

/// `apns-priority`.
enum LegacyPriority: Int, Decodable {
    case low = 5
    case high = 10

    var priority: PushPriority {
        switch self {
        case .low: .low
        case .high: .high
        }
    }
}

/// A language by its code.
enum LegacyLanguage: String, Decodable {
    case english = "en"
    case japanese = "ja"

    var language: Language {
        switch self {
        case .english: .english
        case .japanese: .japanese
        }
    }
}

/// Apple's environment of a token.
enum LegacyEnvironment: String, Decodable {
    case sandbox, production

    var environment: PushEnvironment {
        switch self {
        case .sandbox: .sandbox
        case .production: .production
        }
    }
}
