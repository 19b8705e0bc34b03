internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// What Live Activities that have ended left to the next one of their phone. It is kept in memory
/// only: after a restart a phone has a full budget at most once.
final class PhoneAllowances: Sendable {
    /// The most phones remembered.
    static let phonesMax = 1 << 18

    struct Left: Sendable {
        let phone: PhoneKey
        let allowance: PhoneAllowance
    }

    /// The registration of a new activity, from its request to its change.
    struct Ticket: Sendable {
        let phone: PhoneKey
        fileprivate let number: Int
    }

    private struct State {
        var left: [PhoneKey: PhoneAllowance] = [:]
        /// Registrations under way, which may take from each other until they are granted.
        var pending: [PhoneKey: [Pending]] = [:]
        var nextNumber = 0
        /// The number of phones at which those that need nothing are forgotten.
        var tidyCount = 1024

        mutating func note(_ allowance: PhoneAllowance, of phone: PhoneKey) {
            guard allowance.share > 0 else { return }
            left[phone] = left[phone]?.merged(with: allowance) ?? allowance
        }

        mutating func takeLeft(to phone: PhoneKey, at now: WallTime) -> PhoneAllowance? {
            let oldest = now.adding(seconds: -PhoneAllowance.worthSeconds)
            return left.removeValue(forKey: phone).flatMap { $0.asOf > oldest ? $0 : nil }
        }
    }

    private struct Pending {
        let number: Int
        var given: Given
        var isGranted = false
    }

    private let state = Locked(State())

    func note(_ all: [Left]) {
        guard let now = all.last?.allowance.asOf else { return }
        state.withLock { state in
            for one in all { state.note(one.allowance, of: one.phone) }
            guard state.left.count >= state.tidyCount else { return }
            let oldest = now.adding(seconds: -PhoneAllowance.worthSeconds)
            state.left = state.left.filter { $0.value.asOf > oldest }
            if state.left.count >= Self.phonesMax { state.left = [:] }
            state.tidyCount = max(1024, 2 * state.left.count)
        }
    }

    /// Begins a registration: it gets what is left to the phone, and half of what others under way
    /// have.
    func begin(for phone: PhoneKey, at now: WallTime) -> Ticket {
        state.withLock { state in
            var given = Given(left: state.takeLeft(to: phone, at: now))
            var others = state.pending[phone] ?? []
            let open = others.indices.filter { !others[$0].isGranted }
            if !open.isEmpty { given.fresh = 0 }
            for index in open { given.take(others[index].given.giveHalf(at: now)) }
            others.append(Pending(number: state.nextNumber, given: given))
            state.pending[phone] = others
            state.nextNumber += 1
            return Ticket(phone: phone, number: state.nextNumber - 1)
        }
    }

    /// Adds what a living activity of the phone gives.
    func add(_ allowance: PhoneAllowance, to ticket: Ticket) {
        change(ticket) { $0.given.take(Given(living: allowance, fresh: 0)) }
    }

    /// Adds what another node gives; `isRegistering`: the phone registers there too.
    func add(_ given: Given, isRegistering: Bool, to ticket: Ticket) {
        change(ticket) { pending in
            if isRegistering { pending.given.fresh /= 2 }
            pending.given.take(given)
        }
    }

    /// Returns what this node gives to a registration at another one, and whether the phone
    /// registers here too.
    func give(to phone: PhoneKey, at now: WallTime) -> (given: Given, isRegistering: Bool) {
        let ticket = begin(for: phone, at: now)
        defer { end(ticket, isUsed: true) }
        var given = grant(ticket, at: now)
        let isRegistering = given.fresh != PhoneAllowance.whole
        // The other node has a share of its own.
        given.fresh = 0
        return (given, isRegistering)
    }

    /// Returns what the new activity gets: the same each time. From now on no other takes of it.
    ///
    /// What the phone's others have left since the registration began is part of it: with the whole
    /// budget of a phone on which none lives, it would count twice if the next one got it.
    func grant(_ ticket: Ticket, at now: WallTime) -> Given {
        state.withLock { state in
            let index = state.pending[ticket.phone]?.firstIndex { $0.number == ticket.number }
            guard let index, var pending = state.pending[ticket.phone]?[index] else {
                return Given()
            }
            if !pending.isGranted {
                pending.isGranted = true
                pending.given.take(Given(left: state.takeLeft(to: ticket.phone, at: now), fresh: 0))
                state.pending[ticket.phone, default: []][index] = pending
            }
            return pending.given
        }
    }

    /// Ends the registration. What it did not use is left to the phone.
    func end(_ ticket: Ticket, isUsed: Bool) {
        state.withLock { state in
            guard
                let index = state.pending[ticket.phone]?.firstIndex(where: {
                    $0.number == ticket.number
                }), let pending = state.pending[ticket.phone]?.remove(at: index)
            else { return }
            if state.pending[ticket.phone]?.isEmpty == true {
                state.pending.removeValue(forKey: ticket.phone)
            }
            guard !isUsed else { return }
            for unused in [pending.given.living, pending.given.left] {
                if let unused { state.note(unused, of: ticket.phone) }
            }
        }
    }

    private func change(_ ticket: Ticket, _ body: (inout Pending) -> Void) {
        state.withLock { state in
            let index = state.pending[ticket.phone]?.firstIndex { $0.number == ticket.number }
            guard let index else { return }
            body(&state.pending[ticket.phone, default: []][index])
        }
    }
}

extension PhoneAllowances {
    /// What a new activity gets from its phone's others.
    struct Given: Sendable {
        /// From those that live in other parties.
        var living: PhoneAllowance?
        /// From those that have ended.
        var left: PhoneAllowance?
        /// Its share if no other one lives, in parts of `PhoneAllowance.whole`: registrations at the
        /// same time halve it.
        var fresh = PhoneAllowance.whole

        /// Returns all of it, with what those in the same party give; `nil`: a whole new budget.
        func total(with here: PhoneAllowance?, at now: WallTime) -> PhoneAllowance? {
            if let shared = PhoneAllowance.merged(living, here) {
                return PhoneAllowance.merged(shared, left)
            }
            if let left { return left.with(share: fresh) }
            return fresh == PhoneAllowance.whole ? nil : .unspent(share: fresh, at: now)
        }

        mutating func take(_ other: Given) {
            living = PhoneAllowance.merged(living, other.living)
            left = PhoneAllowance.merged(left, other.left)
            fresh += other.fresh
        }

        mutating func giveHalf(at now: WallTime) -> Given {
            let half = Given(
                living: living?.giveHalf(at: now), left: left?.giveHalf(at: now), fresh: fresh / 2)
            fresh -= half.fresh
            return half
        }
    }
}

extension Game {
    /// Runs the registration of an activity in this party, a new one with what its phone's others
    /// give. `register` returns whether it has used that.
    func registering(
        on phone: PhoneKey, known: Bool, in party: PartyID,
        _ register: (PhoneAllowances.Ticket?) async throws -> Bool
    ) async throws {
        // Before anything is taken: the request goes to the party's owner.
        try shards.requireHere(party)
        if known { return _ = try await register(nil) }
        let phones = dependencies.phones
        let ticket = phones.begin(for: phone, at: now)
        var isUsed = false
        defer { phones.end(ticket, isUsed: isUsed) }
        let others = Set(try await dependencies.store.memberships(of: phone.player).values)
            .subtracting([party])
        // An activity that has ended left its part where its party is.
        let visited =
            forwarding == nil
            ? [] : try await dependencies.store.partiesVisited(by: phone.player)
        // One by one: others that register meanwhile take of it.
        await giveHere(to: phone, in: others) { phones.add($0, to: ticket) }
        if let forwarding {
            for answer in await forwarding.allowances(for: phone, in: others, visited) {
                phones.add(answer.given, isRegistering: answer.isRegistering, to: ticket)
            }
        }
        isUsed = try await register(ticket)
    }

    /// Takes from the phone's activities in those parties that this node has what another one gets.
    func giveHere(
        to phone: PhoneKey, in parties: Set<PartyID>, _ add: (PhoneAllowance) -> Void
    ) async {
        for party in parties where shards.map.isHere(party) {
            // A party that takes no change now gives nothing.
            let part = try? await shards.change(party) { $0.giveAllowance(to: phone) }
            if let part = part.flatMap(\.self) { add(part) }
        }
    }
}

extension ChangeParts {
    /// Removes the outbox of an activity that has ended, and notes what it leaves to its phone.
    mutating func noteEnd(of activity: inout LiveActivity, at now: WallTime) {
        let registration = activity.registration
        if registration.recipient == .player,
            let left = activity.outbox?.giveAllowance(all: true, for: registration, at: now)
        {
            allowances.append(.init(phone: PhoneKey(of: registration), allowance: left))
        }
        activity.outbox = nil
    }
}

extension StoredParty {
    /// Takes from the phone's activities here what another one gets.
    mutating func giveAllowance(to phone: PhoneKey, at now: WallTime) -> PhoneAllowance? {
        var given: PhoneAllowance?
        for index in activities.indices {
            let registration = activities[index].registration
            guard registration.recipient == .player, PhoneKey(of: registration) == phone,
                let outbox = activities[index].outbox,
                let part = activities[index].outbox?.giveAllowance(
                    all: outbox.isEnding || outbox.isRollingOver, for: registration, at: now),
                part.share > 0
            else { continue }
            given = given?.merged(with: part) ?? part
        }
        return given
    }

    /// Returns what a new activity gets from its phone's others; `nil`: the activity is known, or
    /// the phone has had none lately.
    mutating func allowance(
        for registration: ActivityRegistration, besides elsewhere: PhoneAllowances.Given?,
        at now: WallTime
    ) -> PhoneAllowance? {
        guard registration.recipient == .player,
            !activities.contains(where: { $0.id == registration.id })
        else { return nil }
        let here = giveAllowance(to: PhoneKey(of: registration), at: now)
        return (elsewhere ?? PhoneAllowances.Given()).total(with: here, at: now)
    }
}
