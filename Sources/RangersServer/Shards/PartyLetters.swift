internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// What passes between parties: letters, and the budgets of phones with activities in several of
/// them.
extension PartyChange {
    /// Carries out letters to the party, which the commit deletes. What a letter says of an activity
    /// that has changed since changes nothing.
    mutating func take(_ letters: [PartyLetter]) {
        parts.takenLetters += letters
        for letter in letters {
            guard var registration = registration(letter.activity) else { continue }
            switch letter.change {
            case .keepsShare(let share): stored.keep(share, by: letter.activity, at: now)
            case .losesToken(let confirmedAt):
                guard !registration.state.isFinal, registration.pushToken != nil,
                    registration.tokenConfirmedAt == confirmedAt
                else { continue }
                registration.pushToken = nil
                update(registration)
            case .isInState(let state):
                guard !registration.state.isFinal, registration.state != state else { continue }
                registration.state = state
                update(registration)
            }
        }
    }

    /// Lets another activity of the player's, in another party, lose the token that one here gets.
    mutating func takeToken(from holder: ActivityRegistration) {
        guard holder.party != stored.id else { return }
        send(.losesToken(confirmedAt: holder.tokenConfirmedAt), to: holder.party, holder.id)
    }

    private mutating func send(
        _ change: PartyLetter.Change, to party: PartyID, _ activity: ActivityID
    ) {
        let number = PartyLetter.number(
            of: parts.letters.count, from: stored.key, version: stored.version)
        parts.letters.append(PartyLetter(to: party, activity, change, number: number))
    }

    // MARK: The budget of a phone

    /// The phones whose budgets new activities share.
    var sharedPhones: [PhoneKey] { Array(Set(starts.reported.map(PhoneKey.init(of:)))) }

    /// Gives new activities what their phones' others give, and what ended ones have left.
    mutating func shareBudgets(of phones: [PhoneRecord]) {
        for new in starts.reported {
            let key = PhoneKey(of: new)
            var living = stored.giveAllowance(to: new, at: now)
            var left: PhoneAllowance?
            if let phone = phones.first(where: { $0.key == key }) {
                left = phone.left(at: now)
                for gift in phone.gifts(to: new, at: now) {
                    living = PhoneAllowance.merged(living, gift.allowance)
                    send(.keepsShare(gift.kept), to: gift.party, gift.activity)
                }
                // First: what ends with this change is left to the next one.
                parts.phones.insert(.takes(key, version: phone.version, at: now), at: 0)
            }
            let index = stored.activities.firstIndex { $0.id == new.id }
            // One that is alone on its phone has all of it.
            let allowance =
                living.flatMap { PhoneAllowance.merged($0, left) }
                ?? left?.with(share: PhoneAllowance.whole)
            guard let index, let allowance else { continue }
            stored.activities[index].outbox?.take(allowance, at: now)
        }
    }
}

extension StoredParty {
    /// Lets an activity keep at most this share of its phone's budget. A new one has the rest.
    mutating func keep(_ share: Int, by activity: ActivityID, at now: WallTime) {
        for index in activities.indices where activities[index].id == activity {
            _ = activities[index].giveAllowance(keeping: share, at: now)
        }
    }

    /// Takes from the activities of the same phone here what a new one gets.
    fileprivate mutating func giveAllowance(
        to new: ActivityRegistration, at now: WallTime
    ) -> PhoneAllowance? {
        var given: PhoneAllowance?
        for index in activities.indices where activities[index].isBeside(new) {
            given = PhoneAllowance.merged(given, activities[index].giveAllowance(at: now))
        }
        return given
    }
}

extension LiveActivity {
    /// Whether the activity has a part of the budget of a new one's phone.
    fileprivate func isBeside(_ new: ActivityRegistration) -> Bool {
        registration.id != new.id && registration.recipient == .player
            && PhoneKey(of: registration) == PhoneKey(of: new)
    }
}

extension PhoneRecord {
    /// What an activity of another party gives to a new one.
    fileprivate struct Gift {
        let party: PartyID
        let activity: ActivityID
        /// The share that it keeps.
        let kept: Int
        let allowance: PhoneAllowance
    }

    /// Returns what ended activities have left, if it still matters.
    fileprivate func left(at now: WallTime) -> PhoneAllowance? {
        left.flatMap { $0.asOf.adding(seconds: PhoneAllowance.worthSeconds) > now ? $0 : nil }
    }

    /// Returns what the activities of other parties give, as these were committed last and as letters
    /// on their way will leave them.
    fileprivate func gifts(to new: ActivityRegistration, at now: WallTime) -> [Gift] {
        var gifts: [Gift] = []
        for var party in parties where party.id != new.party {
            for letter in letters where letter.party == party.id {
                guard case .keepsShare(let share) = letter.change else { continue }
                party.keep(share, by: letter.activity, at: now)
            }
            for var activity in party.activities where activity.isBeside(new) {
                guard let given = activity.giveAllowance(at: now) else { continue }
                gifts.append(
                    Gift(
                        party: party.id, activity: activity.id,
                        kept: activity.outbox?.budgetShare ?? 0, allowance: given))
            }
        }
        return gifts
    }
}
