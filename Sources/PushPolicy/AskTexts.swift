package import GameLogic

/// What the button of a question says. The question itself is an event, which the card tells.
package enum AskTexts {
    /// For the owner of a hero who is down, or in danger, and has a potion.
    package static let drink = LocalizableText("Use a potion")
    /// For the owner of a hero who can help another.
    package static let give = LocalizableText("Give a potion")

    /// For the owner of a hero, while the leader asks who is ready.
    package static let ready = LocalizableText("I'm ready!")

    package static func button(for kind: Ask.Kind) -> LocalizableText {
        switch kind {
        case .brace: LocalizableText("Take cover!")
        case .flee: LocalizableText("Run!")
        case .guardFriend: LocalizableText("Guard!")
        case .fork(let fork): LocalizableText("\(fork).button")
        case .loot: LocalizableText("I could use it")
        case .stop: LocalizableText("Stop here")
        }
    }

    /// Every button that the String Catalog has.
    package static let all = [
        drink, give, ready, button(for: .brace), button(for: .flee),
        button(for: .guardFriend(HeroID(""))), button(for: .loot(.sword, finder: HeroID(""))),
        button(for: .stop),
    ]
}
