internal import ByteCoding
internal import GameLogic

/// A party alone, at the version at which retention has folded its journal.
struct FoldedParty: Hashable, Sendable {
    var party: Party
    let version: Int64
}

/// A row of `journal_snapshots`.
enum FoldedPartyFormat {
    static func write(_ snapshot: FoldedParty, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(snapshot.party.id)
        bytes.append(zigzag: snapshot.version)
        var roster = Roster()
        PartyFormat.append(snapshot.party, &roster, to: &bytes)
    }

    static func read(
        _ row: UnsafeRawBufferPointer, packs: any PackSource
    ) throws(FormatError) -> FoldedParty {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let id = try bytes.identifier(PartyID.self)
        let version = try bytes.zigzag(in: 0...Int64(Party.numberMax), "version")
        var roster = Roster()
        let party = try PartyFormat.next(&bytes, id: id, &roster, packs: packs)
        try bytes.finish()
        return FoldedParty(party: party, version: version)
    }
}
