internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// The cohorts of dry runs, so that a command can run on exactly those parties. They are kept in
/// memory: after a restart, make the dry run again.
final class CohortPlans: Sendable {
    /// The most plans; the oldest goes first.
    static let countMax = 8
    /// The most parties of all plans.
    static let partiesMax = 2 * CommandJob.partiesMax
    /// How long a plan is kept, in seconds.
    static let keptSeconds: Int64 = 15 * 60
    /// The share of phones that may fall below their reserve without `force`, in percent.
    static let belowReservePercentMax = 5
    private static let idLength = 16

    /// A party as the dry run saw it.
    struct Party: Hashable, Sendable {
        let id: PartyID
        let version: Int64
    }

    struct Plan: Sendable {
        let id: String
        let command: Command
        let filter: Cohort.Filter
        let parties: [Party]
        let sum: CommandPlan.Sum
        let madeAt: WallTime
    }

    private let plans = Locked<[Plan]>([])

    /// Keeps a plan. Returns its id.
    func keep(
        _ command: Command, on parties: [Party], of filter: Cohort.Filter, sum: CommandPlan.Sum,
        at now: WallTime
    ) -> String {
        let plan = Plan(
            id: "plan-" + RandomText.name(length: Self.idLength), command: command,
            filter: filter, parties: parties, sum: sum, madeAt: now)
        plans.withLock { plans in
            plans.append(plan)
            while plans.count > Self.countMax
                || plans.reduce(0, { $0 + $1.parties.count }) > Self.partiesMax
            {
                plans.removeFirst()
            }
        }
        return plan.id
    }

    /// Returns the plan, if it is still kept.
    func plan(_ id: String, at now: WallTime) -> Plan? {
        plans.withLock { plans in
            plans.removeAll { plan in
                now < plan.madeAt || now >= plan.madeAt.adding(seconds: Self.keptSeconds)
            }
            return plans.first { $0.id == id }
        }
    }
}
