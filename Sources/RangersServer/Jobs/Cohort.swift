internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// The parties on an adventure that a game master means; without a field all of them.
struct Cohort: BodyFields {
    /// `quest` or `boss`.
    let phase: String?
    /// The level of the party's most experienced hero: from, to.
    let level: [Int]?
    /// The number of heroes: from, to.
    let size: [Int]?
    /// Of one of the party's Live Activities.
    let language: String?
    /// A share of all parties, always the same ones.
    let percent: Int?

    enum CodingKeys: CodingKey, CaseIterable {
        case phase, level, size, language, percent
    }

    static var narrower: [String: JSONSchema] {
        [
            "phase": .choice(phases),
            "level": .array(.integer(1...JSONSchema.integerMax), countMax: 2),
            "size": .array(.integer(1...JSONSchema.integerMax), countMax: 2),
            "percent": .integer(1...100),
        ]
    }

    private static let phases = ["quest", "boss"]

    /// The cohort with its fields checked.
    struct Filter: Sendable {
        fileprivate let phase: String?
        fileprivate let level: ClosedRange<Int>
        fileprivate let size: ClosedRange<Int>
        fileprivate let language: Language?
        fileprivate let percent: Int

        /// Every party on an adventure.
        static let all = Filter(
            phase: nil, level: 1...Int.max, size: 1...Party.sizeMax, language: nil, percent: 100)
    }

    func filter() throws(Problem) -> Filter {
        if let phase, !Self.phases.contains(phase) {
            throw Problem.badRequest("The field \"phase\" must be \"quest\" or \"boss\".")
        }
        if let percent, !(1...100).contains(percent) {
            throw Problem.badRequest(
                "The field \"percent\" must be a whole number from 1 to 100.")
        }
        return Filter(
            phase: phase, level: try Self.range(level, "level") ?? Filter.all.level,
            size: try Self.range(size, "size") ?? Filter.all.size,
            language: try language.map { text throws(Problem) in try Text.language(text) },
            percent: percent ?? 100)
    }

    private static func range(
        _ ends: [Int]?, _ field: String
    ) throws(Problem) -> ClosedRange<Int>? {
        guard let ends else { return nil }
        guard ends.count == 2, 1 <= ends[0], ends[0] <= ends[1],
            ends[1] <= JSONSchema.integerMax
        else {
            throw Problem.badRequest(
                "The field \"\(field)\" must be two whole numbers, from and to, of 1 or more.")
        }
        return ends[0]...ends[1]
    }
}

extension Cohort.Filter {
    func takes(_ stored: StoredParty) -> Bool {
        let party = stored.party
        guard let adventure = party.adventure, party.isOnAdventure,
            phase == nil || phase == adventure.phase.name,
            level.contains(party.members.map(\.hero.level).max() ?? 0),
            size.contains(party.members.count),
            Shards.shard(of: party.id) % 100 < percent
        else { return false }
        guard let language else { return true }
        return stored.activities.contains {
            $0.registration.language == language && $0.registration.state.isLiving
        }
    }

    /// Returns the parties that the filter takes now, in the order of their keys; at most one more
    /// than `limit` and a page.
    func parties(of store: any Store, limit: Int) async throws -> [CohortPlans.Party] {
        var found: [CohortPlans.Party] = []
        var after: PartyKey?
        repeat {
            let page = try await store.awakeParties(after: after, limit: Self.pageSize)
            found += page.parties.filter(takes).map {
                CohortPlans.Party(id: $0.id, version: $0.version)
            }
            after = page.next
        } while after != nil && found.count <= limit
        return found
    }

    private static var pageSize: Int { 200 }
}
