/// What few parties have at a time, stored only where it exists.
struct PartyAside: Hashable, Sendable {
    /// A newer `leaderChanged` than the newest event of all.
    var leaderEvent: PartyEvent?
    /// Only while the party gathers.
    var readyCheck: ReadyCheck?
    /// The heroes who stay behind. Only on an adventure.
    var inn: [Hero] = []

    var isEmpty: Bool { leaderEvent == nil && readyCheck == nil && inn.isEmpty }
}

extension Party {
    /// An aside that most parties do without.
    enum Aside: Hashable, Sendable {
        case none
        indirect case some(PartyAside)

        init(_ aside: PartyAside) { self = aside.isEmpty ? .none : .some(aside) }

        var value: PartyAside {
            switch self {
            case .none: PartyAside()
            case .some(let value): value
            }
        }

        var leaderEvent: PartyEvent? {
            switch self {
            case .none: nil
            case .some(let value): value.leaderEvent
            }
        }

        var readyCheck: ReadyCheck? {
            switch self {
            case .none: nil
            case .some(let value): value.readyCheck
            }
        }

        var inn: [Hero] {
            switch self {
            case .none: []
            case .some(let value): value.inn
            }
        }

        mutating func change(_ body: (inout PartyAside) -> Void) {
            var changed = value
            body(&changed)
            self = Aside(changed)
        }
    }
}
