/// How dangerous an adventure is: the leader's choice.
package enum Difficulty: Int, CaseIterable, Hashable, Comparable, Sendable {
    case gentle = 1
    case normal, hard, heroic, mythic

    /// The damage that foes deal, in percent of the pack's; experience follows it.
    package var percent: Int {
        switch self {
        case .gentle: 75
        case .normal: 100
        case .hard: 125
        case .heroic: 150
        case .mythic: 220
        }
    }

    /// The difficulty at which the leader's hero must have won before; `nil`: none.
    package var requires: Difficulty? {
        switch self {
        case .gentle, .normal, .hard: nil
        case .heroic: .hard
        case .mythic: .heroic
        }
    }

    package var name: String {
        switch self {
        case .gentle: "gentle"
        case .normal: "normal"
        case .hard: "hard"
        case .heroic: "heroic"
        case .mythic: "mythic"
        }
    }

    package init?(named name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    package static func < (left: Difficulty, right: Difficulty) -> Bool {
        left.rawValue < right.rawValue
    }
}
