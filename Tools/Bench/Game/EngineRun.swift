internal import Content
internal import GameLogic
internal import Glibc
internal import Playtest

/// The engine alone: adventures of forest-quest without a server, on one thread.
struct EngineRun: Hashable, Sendable {
    /// Steps of the story and blows of fights, for each hero.
    let heroSteps: Int
    let stepSeconds: Double
    /// The CPU seconds of as many adventures with players who answer, as `playtest balance` plays.
    let balanceSeconds: Double

    private static let heroes = 4

    var heroStepsPerSecond: Double {
        stepSeconds > 0 ? Double(heroSteps) / stepSeconds : 0
    }

    init(heroSteps: Int, stepSeconds: Double, balanceSeconds: Double) {
        self.heroSteps = heroSteps
        self.stepSeconds = stepSeconds
        self.balanceSeconds = balanceSeconds
    }

    /// Plays this many adventures, and as many again with players.
    init(adventures: Int) {
        guard let pack = EmbeddedPacks.document(named: "forest-quest")?.pack else {
            preconditionFailure("the program has no forest-quest")
        }
        var steps = 0
        let alone = Self.cpuSeconds {
            for seed in 1...adventures { steps += Self.play(pack, seed: UInt64(seed)) }
        }
        let setting = BalancePlay.Setting(pack, heroes: Self.heroes, .one)
        let balance = Self.cpuSeconds {
            for seed in 1...adventures { _ = BalancePlay(setting, seed: UInt64(seed)) }
        }
        self.init(
            heroSteps: steps * Self.heroes, stepSeconds: alone, balanceSeconds: balance)
    }

    /// Plays one adventure to its end. Returns its steps.
    private static func play(_ pack: Pack, seed: UInt64) -> Int {
        var party = Party(id: PartyID("bench"))
        do {
            for number in 0..<heroes {
                let hero = Hero(
                    id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                    name: "Hero \(number)", avatar: "🐸", heroType: "Forest Dweller")
                _ = try party.apply(.join(hero), at: .zero)
            }
            _ = try party.apply(.start(seed: seed, pack, Departure()), at: .zero)
        } catch {
            preconditionFailure("a party cannot set out: \(error)")
        }
        while let change = party.nextChangeAt { _ = party.advance(to: change) }
        return party.adventure?.course.told ?? 0
    }

    private static func cpuSeconds(of work: () -> Void) -> Double {
        let before = clock()
        work()
        return Double(clock() - before) / Double(CLOCKS_PER_SEC)
    }
}
