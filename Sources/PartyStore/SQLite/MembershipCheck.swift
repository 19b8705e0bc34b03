internal import GameLogic

/// Compares a party's members with the rows of `memberships`, which have no checksum: a missing row
/// would let a hero join a second party.
struct MembershipCheck {
    static let table = "memberships"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Throws a `RowFault` with the first difference.
    func compare(_ stored: StoredParty) throws {
        let members = Set(stored.party.heroes.map(\.id.rawValue))
        let rows = Set(
            try database.rows(
                "SELECT hero FROM memberships WHERE party = ?1", [.integer(stored.key.number)]
            ) { $0.text(0) })
        if let hero = members.subtracting(rows).min() {
            throw fault(stored, "the member \(hero) has no row")
        }
        if let hero = rows.subtracting(members).min() {
            throw fault(stored, "the row of \(hero), who is not a member")
        }
    }

    private func fault(_ stored: StoredParty, _ detail: String) -> RowFault {
        RowFault(table: Self.table, key: "of party \(stored.id)", detail: detail)
    }
}
