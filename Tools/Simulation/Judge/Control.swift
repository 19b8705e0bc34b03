package import RangersServer

/// A deliberate fault of the world, beside those of a server (`Sabotage`), which an invariant must
/// find.
package enum Control: String, Codable, CaseIterable, Sendable {
    /// Syncs do nothing, and say that they did.
    case lyingDisk
    /// Apple swallows some pushes that it has accepted.
    case swallowingApple
    /// Some pushes reach Apple twice.
    case doublingApple
    /// A task of the world reads the real clock.
    case realClock
    /// The world depends on what the process has done before.
    case unevenWorld
}

/// A control with what must find it, in at most twenty seeds.
package struct ControlCase: Sendable, Hashable {
    package let name: String
    /// Any of them.
    package let invariants: Set<Invariant>
    private let control: Control?
    private let sabotage: Sabotage?

    /// A fault of the world.
    package init(_ control: Control) {
        name = control.rawValue
        self.control = control
        sabotage = nil
        invariants =
            switch control {
            case .lyingDisk: [.IN6, .IN8, .IN10]
            case .swallowingApple: [.IN16]
            case .doublingApple: [.IN20]
            case .realClock: [.IN22]
            case .unevenWorld: [.IN21]
            }
    }

    /// A fault of the server.
    package init(_ sabotage: Sabotage) {
        name = sabotage.rawValue
        control = nil
        self.sabotage = sabotage
        invariants = Self.invariants(of: sabotage)
    }

    package static let all = Control.allCases.map(Self.init) + Sabotage.allCases.map(Self.init)

    package static func named(_ name: String) -> ControlCase? { all.first { $0.name == name } }

    /// Returns the plan with the fault.
    package func applied(to plan: Plan) -> Plan {
        var plan = plan
        plan.control = control
        plan.sabotage = sabotage
        if sabotage == .endlessQueue { Self.crowd(&plan) }
        return plan
    }

    /// Lets the leader of the only party send more than may wait, while commits take their time.
    private static func crowd(_ plan: inout Plan) {
        plan.parties = Array(plan.parties.prefix(1))
        guard let person = plan.people.first?.number else { return }
        plan.laneDelay = 200
        plan.faults = [TimedFault(at: 120_000, .spam(person: person, requests: 600))]
    }

    private static func invariants(of sabotage: Sabotage) -> Set<Invariant> {
        switch sabotage {
        case .stuckTimestamp: [.IN1]
        case .overlappingPushes: [.IN2]
        case .pushAfterEnd: [.IN3]
        case .oldTokenKept: [.IN4]
        case .deadTokenForgotten: [.IN4, .IN12]
        case .otherPriority: [.IN5]
        case .lostEvent: [.IN7, .IN18]
        case .earlySnapshot: [.IN8, .IN6]
        case .endlessQueue: [.IN9]
        case .earlyPush: [.IN10]
        case .internalError: [.IN11]
        case .hastyParties: [.IN13]
        case .errorLine: [.IN14]
        case .inFlightKept: [.IN16, .IN17]
        case .outcomeForgotten: [.IN16, .IN17]
        case .endlessRetry: [.IN17]
        case .incompleteJournal: [.IN18]
        case .endlessTask: [.IN19]
        case .acceptedForgotten: [.IN20]
        }
    }
}
