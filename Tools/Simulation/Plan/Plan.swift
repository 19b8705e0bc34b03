internal import Foundation
package import RangersServer

/// All of a run, but for what the dice of its seed say: who plays, on what, and what goes wrong.
/// Kept as JSON, so that a run that failed can be played when code has changed.
package struct Plan: Codable, Sendable, Equatable {
    /// What all dice come from.
    package var seed: UInt64
    /// How long people play and things go wrong; then comes the rest.
    package var minutes: Int64
    package var parties: [PartyPlan]
    package var masters: [MasterPlan]
    /// Game milliseconds per second.
    package var speed: Int64
    /// The loops of the server among which parties are divided.
    package var loops: Int
    /// How long the blocking work of a lane may take, in milliseconds; 0: it takes no time.
    package var laneDelay: Int64
    /// The bytes that the server keeps free for a full disk.
    package var ballast: Int64
    /// Whether the server has broadcast channels; `nil`: it has none.
    package var channels: Bool?
    package var rates: Rates
    package var calm: Calm
    package var mode: Scheduler.Mode
    /// From that step on jobs run in their order.
    package var fifoFromStep: Int?
    package var faults: [TimedFault]
    package var sabotage: Sabotage?
    package var control: Control?

    /// How adventures come to their end when people cease to play.
    package enum Calm: String, Codable, Sendable {
        case byThemselves
        /// A game master ends them, which takes a minute.
        case byMaster
    }

    /// How often clients may do what.
    package enum Rates: String, Codable, Sendable {
        /// As an operator gets them.
        case standard
        /// Never the reason for a refusal.
        case high
    }

    package init(
        seed: UInt64, minutes: Int64, parties: [PartyPlan], masters: [MasterPlan] = [],
        speed: Int64 = 1000, faults: [TimedFault] = []
    ) {
        self.seed = seed
        self.minutes = minutes
        self.parties = parties
        self.masters = masters
        self.speed = speed
        loops = 2
        laneDelay = 0
        ballast = 0
        rates = .high
        calm = .byThemselves
        mode = .uniform
        self.faults = faults
    }

    /// A plan in which nothing goes wrong.
    package static func quiet(
        seed: UInt64, minutes: Int64, parties: Int, heroes: Int = 4
    ) -> Plan {
        Plan(
            seed: seed, minutes: minutes,
            parties: (0..<parties).map { number in
                PartyPlan(
                    number: number,
                    people: (0..<heroes).map {
                        PersonPlan(number: number * PartyPlan.peopleMax + $0)
                    })
            })
    }

    package var people: [PersonPlan] { parties.flatMap(\.people) }

    /// Whether the machine's clocks go wrong at any time.
    package var hasDrift: Bool {
        faults.contains {
            if case .drift = $0.fault { true } else { false }
        }
    }

    // MARK: - As JSON

    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Plan.self, from: Data(json))
    }

    /// Readable, with its keys in order.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            preconditionFailure("a plan cannot be written: \(error)")
        }
    }
}

/// A party and its people.
package struct PartyPlan: Codable, Sendable, Equatable {
    /// The most people of a party: the server's limit.
    package static let peopleMax = 8
    /// What can be played only while a game master's event is open.
    package static let worldBossPack = "kraken-tide"

    /// Its name, which stays when others are left out.
    package var number: Int
    /// When its people come, in milliseconds from the start.
    package var arrives: Int64
    package var people: [PersonPlan]
    package var pack: String
    package var difficulty: String
    package var beginning: Beginning

    /// How its adventures begin.
    package enum Beginning: String, Codable, Sendable, CaseIterable {
        case atOnce, withReadyCheck
    }

    package init(number: Int, people: [PersonPlan]) {
        self.number = number
        self.people = people
        arrives = 0
        pack = "forest-quest"
        difficulty = "normal"
        beginning = .atOnce
    }
}

/// A player with one hero.
package struct PersonPlan: Codable, Sendable, Equatable {
    /// Its name, which stays when others are left out.
    package var number: Int
    package var temper: Temper
    package var habits: [Habit]
    /// The newest version of the content state that the app decodes.
    package var stateVersion: Int
    package var language: String

    /// How much a person does.
    package enum Temper: String, Codable, Sendable, CaseIterable {
        /// Does not look, and has cards started by push.
        case asleep
        /// Looks now and then.
        case awake
        /// Looks all the time.
        case eager
    }

    /// What a person does now and then.
    package enum Habit: String, Codable, Sendable, CaseIterable {
        /// Leaves the party, and comes back.
        case leaves
        /// Ends the app, and asks on its return what has become of everything.
        case forceQuits
        /// Has a second phone.
        case twoPhones
        /// Reports new tokens long after they came.
        case reportsLate
        /// Sends everything twice.
        case sendsTwice
        /// Dismisses cards.
        case dismisses
        /// Has a widget.
        case hasWidget
        /// Does not answer.
        case isSilent
        /// Leaves standing orders.
        case givesOrders
        /// Follows the party by an event stream.
        case streams
        /// Has turned frequent updates off.
        case refusesFrequent
        /// Opens the party's channel for spectators.
        case sharesChannel
    }

    package init(number: Int) {
        self.number = number
        temper = .awake
        habits = []
        stateVersion = 2
        language = "en"
    }
}

/// A game master.
package struct MasterPlan: Codable, Sendable, Equatable {
    package var number: Int
    /// The time between two deeds, in milliseconds.
    package var every: Int64
    package var deeds: [Deed]

    /// What a game master does.
    package enum Deed: String, Codable, Sendable, CaseIterable {
        case boss, storm, loot, heal, pause, message, end, ban, job, rename, look, worldBoss, watch
    }

    package init(number: Int, every: Int64, deeds: [Deed]) {
        self.number = number
        self.every = every
        self.deeds = deeds
    }
}
