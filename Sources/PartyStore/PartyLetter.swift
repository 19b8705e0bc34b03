package import GameLogic
package import PushPolicy

/// What one transaction leaves for another party: a change of one of its Live Activities, which the
/// party's owner makes with its next write. Until then it lies in the inbox of the party's shard.
package struct PartyLetter: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// The activity's push token belongs to another one. `confirmedAt` says when it was put last:
        /// if the app has put it again since, nothing changes.
        case losesToken(confirmedAt: WallTime)
        /// A new activity of the same phone has the rest of the budget: this one keeps at most so
        /// much, in parts of `PhoneAllowance.whole`.
        case keepsShare(Int)
        /// The app has found the activity in this state.
        case isInState(ActivityState)
    }

    package let party: PartyID
    package let activity: ActivityID
    package let change: Change
    /// No other letter to the same shard has had it, or will have it.
    package let number: Int64

    package init(to party: PartyID, _ activity: ActivityID, _ change: Change, number: Int64) {
        self.party = party
        self.activity = activity
        self.change = change
        self.number = number
    }

    package var shard: Int { PartyShard.number(of: party) }

    /// Returns the number of a letter, the `index`th one that this version of a party sends: no
    /// sequence has to be shared.
    package static func number(of index: Int, from party: PartyKey, version: Int64) -> Int64 {
        // FNV-1a over the bytes of all three.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for word in [party.number, version, Int64(index)] {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash ^= UInt64(bitPattern: word) >> UInt64(shift) & 0xff
                hash &*= 0x0000_0100_0000_01b3
            }
        }
        return Int64(hash >> 1)
    }
}
