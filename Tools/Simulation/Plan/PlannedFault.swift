/// What goes wrong in a simulated world. Lengths are in milliseconds.
package enum PlannedFault: Codable, Sendable, Equatable {
    /// Apple does wrong for a while, with a share of the pushes, or with those to one person.
    case apple(effect: AppleFault.Effect, share: Double, person: Int?, length: Int64)
    /// A phone's card gets a new token, which its app reports so much later.
    case newToken(person: Int, reportedAfter: Int64, old: OldToken)
    /// A server dies, and another starts after a rest.
    case death(Death)
    /// A server is told to stop, and another starts after a rest. A bit of the file, to which the
    /// log was copied, may flip meanwhile.
    case stop(rest: Int64, flips: Bool? = nil)
    /// A second server opens the file of the first.
    case secondOwner
    /// A server stands still while time goes on.
    case pause(length: Int64)
    /// The disk does wrong for a while.
    case disk(effect: DiskFault, length: Int64)
    /// The wall clock is set.
    case wallClock(step: Int64)
    /// The machine's clocks go wrong by so many millionths.
    case drift(millionths: Int64)
    /// The network between clients and server does wrong for a while.
    case network(effect: NetworkFault, length: Int64)
    /// So many people come at once, each with a party, and with so many invented push tokens.
    case crowd(people: Int, badTokens: Int?)
    /// A person sends so many requests, all at once.
    case spam(person: Int, requests: Int)
    /// All but the leader leave a party.
    case massLeave(party: Int)
    /// A pack is published, with faults or without.
    case publish(pack: String, isSound: Bool)
    /// The owner pauses all pushes.
    case pushPause(length: Int64)

    /// What Apple does with a token that was replaced.
    package enum OldToken: Codable, Sendable, Equatable {
        /// It answers 200, and no phone shows anything.
        case accepted
        /// It answers 410, with a time so much after the change; before it, if below zero.
        case unregistered(after: Int64)
    }
}

/// A death of a server.
package struct Death: Codable, Sendable, Equatable {
    /// Where it dies.
    package enum Place: Codable, Sendable, Equatable {
        /// Before one of its next jobs, so many further.
        case jobs(Int)
        /// In one of its next writes and syncs, so many further.
        case write(Int)
    }

    package var place: Place
    package var power: Power
    /// How long no server runs, in milliseconds.
    package var rest: Int64
    /// A bit of the file flips meanwhile.
    package var flips: Bool

    /// Whether the machine dies with it.
    package enum Power: String, Codable, Sendable {
        case lost, kept
    }

    package init(_ place: Place, power: Power = .kept, rest: Int64 = 500, flips: Bool = false) {
        self.place = place
        self.power = power
        self.rest = rest
        self.flips = flips
    }
}

/// What a disk does wrong.
package enum DiskFault: Codable, Sendable, Equatable {
    /// It has room for so many bytes more.
    case full(room: Int64)
    /// Each sync takes so many milliseconds.
    case slowSync(Int64)
    /// The next sync fails.
    case failedSync
    /// The next write fails.
    case failedWrite
    /// The next read fails.
    case failedRead
    /// The next page that is read has a flipped bit; the file has not.
    case flippedRead
    /// Another program has the file's lock.
    case foreignLock
}

/// What the network between clients and server does wrong.
package enum NetworkFault: Codable, Sendable, Equatable {
    /// This share of requests is lost on the way.
    case lostRequests(Double)
    /// This share of responses is lost on the way back.
    case lostResponses(Double)
    /// Each way takes up to so many milliseconds more.
    case delay(Int64)
    /// This share of requests arrives twice.
    case doubled(Double)
}

/// The classes of which a swarm draws some.
package enum FaultClass: String, Codable, Sendable, CaseIterable {
    case apns, disk, process, clock, network, people
}

/// A fault with the time at which it begins, in milliseconds from the start of a run.
package struct TimedFault: Codable, Sendable, Equatable {
    package var at: Int64
    /// What it waits for from that time on; `nil`: nothing.
    package var moment: Moment?
    package var fault: PlannedFault

    package init(at: Int64, _ fault: PlannedFault, moment: Moment? = nil) {
        self.at = at
        self.moment = moment
        self.fault = fault
    }

    /// A sentence for the story.
    package var words: String {
        let time = "\(Double(at) / 1000) s"
        guard let moment else { return "\(time): \(fault.words)." }
        return "From \(time) on, \(moment.words): \(fault.words)."
    }
}
