internal import GameLogic

/// A row that is not what was written.
struct RowFault: Error, Hashable {
    let table: String
    let key: String
    let detail: String
    /// The party that must not be served because of it.
    var party: PartyID?

    init(table: String, key: String, detail: String) {
        self.table = table
        self.key = key
        self.detail = detail
    }

    func of(_ party: PartyID?) -> RowFault {
        var fault = self
        fault.party = party
        return fault
    }

    static func check(
        _ stored: Int64, _ checksum: Checksum, table: String, key: String
    ) throws(RowFault) {
        guard stored == checksum.value else {
            let detail = "its checksum is \(checksum.value), but \(stored) was stored"
            throw RowFault(table: table, key: key, detail: detail)
        }
    }
}
