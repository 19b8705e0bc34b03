package import GameLogic

/// The shards into which parties are divided, for ever.
package enum PartyShard {
    /// How many there are, so that several nodes can share them.
    package static let count = 4096

    /// Returns the shard of a party: FNV-1a over the UTF-8 of its id.
    package static func number(of party: PartyID) -> Int {
        let hash = party.rawValue.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return Int(hash % UInt64(count))
    }
}
