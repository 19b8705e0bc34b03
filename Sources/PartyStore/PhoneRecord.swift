package import PushPolicy

/// What the store knows of a phone's budget: what its ended Live Activities have left to the next
/// one, and the parties whose living ones give a part of theirs.
package struct PhoneRecord: Hashable, Sendable {
    package let key: PhoneKey
    /// How often the phone's row was written; 0: it has none. A change that takes what is left is
    /// refused if somebody has written the row since.
    package let version: Int64
    /// `nil`: nothing.
    package let left: PhoneAllowance?
    /// Those in which the player has a hero.
    package let parties: [StoredParty]
    /// The letters to these parties that their owners have not taken yet.
    package let letters: [PartyLetter]

    package init(
        key: PhoneKey, version: Int64, left: PhoneAllowance?, parties: [StoredParty],
        letters: [PartyLetter]
    ) {
        self.key = key
        self.version = version
        self.left = left
        self.parties = parties
        self.letters = letters
    }
}

/// What a party's change does to the row of a phone.
package enum PhoneChange: Hashable, Sendable {
    /// A new Live Activity takes what is left there. Refused with `.staleDevice` when the row has
    /// another version.
    case takes(PhoneKey, version: Int64, at: WallTime)
    /// One that has ended leaves this to the next one.
    case leaves(PhoneKey, of: ActivityID, PhoneAllowance)

    package var phone: PhoneKey {
        switch self {
        case .takes(let phone, version: _, at: _), .leaves(let phone, of: _, _): phone
        }
    }
}
