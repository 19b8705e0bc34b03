package import GameLogic

/// The words of questions: the sentence that asks, and the button that says yes.
package enum AskTexts {
    // MARK: Buttons

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

    // MARK: Sentences

    package static let flee = LocalizableText("ask.flee")
    package static let stop = LocalizableText("ask.stop")
    package static let isReady = LocalizableText("ask.ready")

    package static func isDown(_ hero: HeroTag) -> LocalizableText { text("ask.drink", hero) }

    package static func isInDanger(_ hero: HeroTag) -> LocalizableText {
        text("ask.endangered", hero)
    }

    package static func needsPotion(_ friend: HeroTag) -> LocalizableText {
        text("ask.give", friend)
    }

    package static func guarding(_ friend: HeroTag) -> LocalizableText { text("ask.guard", friend) }

    package static func loot(of finder: HeroTag) -> LocalizableText { text("ask.loot", finder) }

    /// The boss's warning asks to take cover, in the words in which it was told.
    package static func brace(
        before boss: Boss, in telling: Telling = .first
    ) -> LocalizableText {
        EventTexts.text(for: .bossGathers(boss), telling)
    }

    package static func question(at fork: Fork) -> LocalizableText {
        EventTexts.text(for: .forkAsked(fork))
    }

    /// Every sentence that is no pack's own.
    package static func sentences(of hero: HeroTag, with friend: HeroTag) -> [LocalizableText] {
        [
            isDown(hero), isInDanger(hero), needsPotion(friend), guarding(friend),
            loot(of: friend), flee, stop, isReady,
        ] + Boss.base.map { brace(before: $0) }
    }

    private static func text(_ key: String, _ hero: HeroTag) -> LocalizableText {
        LocalizableText(key, .name(hero.name))
    }
}
