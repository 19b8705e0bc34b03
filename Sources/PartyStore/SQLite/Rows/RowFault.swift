internal import Foundation

/// A row that is not what was written.
struct RowFault: Error, Hashable {
    let table: String
    let key: String
    let detail: String
}

/// How values become text in a row, and back.
enum RowCoding {
    static func encode(_ value: some Encodable) throws(StoreError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(value))
        } catch {
            throw .broken("a \(type(of: value)) cannot be written as JSON")
        }
    }

    /// Decodes a text whose checksum has been found right.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], table: String, key: String
    ) throws(RowFault) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            // The error itself may quote the row, which may hold a token.
            throw RowFault(table: table, key: key, detail: "its JSON is not a \(type)")
        }
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
