internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Hides names in the pushes of one party. An outbox has the names themselves: they are replaced
/// only in what leaves the server, for each player who receives it.
struct NamesInPushes {
    private let names: NamesInForce
    private let stored: StoredParty
    /// The heroes in this party whose names may be hidden from somebody.
    private let heroes: [HeroTag]

    /// `nil`: no name of this party is hidden from anybody.
    init?(_ names: NamesInForce, in stored: StoredParty) {
        let heroes = stored.party.namedHeroes.filter { names.concern($0.id) }
        guard !heroes.isEmpty else { return nil }
        self.heroes = heroes
        self.names = names
        self.stored = stored
    }

    /// Returns the push as its player should see it.
    func applied(to push: PlannedPush) -> PlannedPush {
        let view = NameView(names, of: player(of: push))
        let shown = view.replacements(of: heroes)
        guard !shown.isEmpty else { return push }
        var push = push
        push.content = LocalizableContent(
            health: push.content.health,
            text: push.content.text.mapNames { shown[$0] ?? $0 }, details: push.content.details)
        if let question = push.details?.question {
            push.details?.question?.text = question.text.mapNames { shown[$0] ?? $0 }
        }
        push.alert = push.alert?.renamed(shown)
        if case .start(let start) = push.event {
            push.event = .start(
                PlannedStart(
                    party: start.party, hero: view.hero(start.hero), sequence: start.sequence,
                    asksForPushToken: start.asksForPushToken))
        }
        return push
    }

    /// The player who receives the push; `nil`: spectators.
    private func player(of push: PlannedPush) -> PlayerID? {
        switch push.recipient {
        case .device(let device): return device.player
        case .activity(let id):
            let registration = stored.activities.first { $0.id == id }?.registration
            return registration?.recipient == .player ? registration?.player : nil
        }
    }
}

extension NameView {
    /// Returns what stands for the names of these heroes.
    fileprivate func replacements(of heroes: [HeroTag]) -> [String: String] {
        var shown: [String: String] = [:]
        for hero in heroes {
            if let replacement = replacement(of: hero.id) { shown[hero.name] = replacement }
        }
        return shown
    }

    /// Returns what stands for the names in the party's texts.
    func replacements(in party: Party) -> [String: String] {
        hidesNothing ? [:] : replacements(of: party.namedHeroes)
    }
}

extension Party {
    /// The heroes whose names its texts may have.
    fileprivate var namedHeroes: [HeroTag] {
        (heroes + (adventure?.departed ?? []).map(\.hero)).map(\.tag)
            + [lastEvent, leaderEvent].flatMap { $0?.kind.heroes ?? [] }
    }
}

extension Alert {
    fileprivate func renamed(_ shown: [String: String]) -> Alert {
        Alert(
            titleKey: titleKey, titleArguments: titleArguments.map { shown[$0] ?? $0 },
            bodyKey: bodyKey, bodyArguments: bodyArguments.map { shown[$0] ?? $0 }, sound: sound)
    }
}
