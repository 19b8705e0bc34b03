/// A row that is not what was written.
struct RowFault: Error, Hashable {
    let table: String
    let key: String
    let detail: String

    static func check(
        _ stored: Int64, _ checksum: Checksum, table: String, key: String
    ) throws(RowFault) {
        guard stored == checksum.value else {
            let detail = "its checksum is \(checksum.value), but \(stored) was stored"
            throw RowFault(table: table, key: key, detail: detail)
        }
    }
}
