internal import GameLogic
internal import JSONWriter
package import PartyStore
internal import PushPolicy

/// A party's row as JSON for an operator, with the names of the program's own types. Clients must
/// not rely on them. Tokens are redacted.
package enum StoredPartyView {
    /// Reads a party, even while a server runs on its game.
    ///
    /// - Throws: What is wrong with the store or the row, or that the party does not exist.
    package static func json(ofParty party: String, in place: GamePlace) async throws -> String {
        let store = try await place.openReadOnly()
        let stored: StoredParty?
        do {
            stored = try await store.party(PartyID(party))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        guard let stored else { throw Unreadable(description: "There is no party \(party).") }
        return json(of: stored)
    }

    static func json(of stored: StoredParty) -> String {
        var json = JSONWriter(reserving: 8192)
        write(stored, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Why the party cannot be shown.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    private static func write(_ value: Any, to json: inout JSONWriter) {
        switch value {
        case let text as String: json.value(text)
        case let truth as Bool: json.value(truth)
        case let number as any BinaryInteger: json.value(number)
        case let id as any Identifier: json.value(id.rawValue)
        case let token as PushToken: json.value(token.description)
        default: write(Mirror(reflecting: value), of: value, to: &json)
        }
    }

    private static func write(_ mirror: Mirror, of value: Any, to json: inout JSONWriter) {
        switch mirror.displayStyle {
        case .optional:
            guard let some = mirror.children.first else { return json.null() }
            write(some.value, to: &json)
        case .collection, .set:
            json.beginArray()
            for child in mirror.children { write(child.value, to: &json) }
            json.endArray()
        case .enum where mirror.children.isEmpty:
            json.value("\(value)")
        case .struct where mirror.children.count == 1:
            // A number or a text with its own type.
            for child in mirror.children { write(child.value, to: &json) }
        default:
            json.beginObject()
            for (index, child) in mirror.children.enumerated() {
                json.key(named: child.label ?? "\(index)")
                write(child.value, to: &json)
            }
            json.endObject()
        }
    }
}
