/// A party of bots saved between two runs. It contains their bearer tokens, so its file is readable
/// by its owner only.
struct SavedParty: Codable, Sendable {
    let party: String
    let bots: [SavedBot]

    struct SavedBot: Codable, Sendable {
        let hero: String
        let heroName: String
        let activity: String
        let language: String
        let pushToken: String
        let bearer: String
        /// The push-to-start token of a bot whose activity is started by push.
        let startToken: String?
        let osVersion: String?
        let revision: Int?

        func bot(_ api: GameAPI) -> Bot {
            Bot(
                api: api.signedIn(bearer), hero: hero, heroName: heroName, activity: activity,
                language: language, pushToken: pushToken, bearer: bearer, startToken: startToken,
                osVersion: osVersion ?? "18.1", revision: revision ?? 1)
        }
    }

    init(party: String, bots: [Bot]) {
        self.party = party
        self.bots = bots.map {
            SavedBot(
                hero: $0.hero, heroName: $0.heroName, activity: $0.activity,
                language: $0.language, pushToken: $0.pushToken, bearer: $0.bearer,
                startToken: $0.startToken, osVersion: $0.osVersion,
                revision: $0.revision)
        }
    }
}
