/// A response.
package struct HTTP2Response: Hashable, Sendable {
    package internal(set) var status = 0
    package internal(set) var body: [UInt8] = []
    private var fields = HeaderFields()

    /// The memory kept for the next body; more is released.
    private static let keptBytes = 1_024

    init() {}

    /// Creates a response for a server or a test.
    package init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.body = body
        fields = HeaderFields(headers)
    }

    /// The fields as text. How the peer had them indexed is not kept.
    package var headers: [HTTP2Header] { fields.texts }

    /// Returns the first value of a field, by its lower-case name.
    package func header(_ name: String) -> String? { fields.value(of: name) }

    /// Returns the first value of a field as text, by a name known at compile time.
    package func value(of name: FieldName) -> String? {
        fields.first { field, value in
            name.isSame(as: field) ? String(decoding: value, as: UTF8.self) : nil
        }
    }

    /// Checks the first value of a field in place; `nil`: it is absent. (Not generic: it would not
    /// be specialised for its callers, and every response uses it.)
    package func checkValue(
        of name: FieldName, _ isGood: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        fields.first { field, value in name.isSame(as: field) ? isGood(value) : nil }
    }

    /// Adds a response header. The final response overwrites informational ones (1xx).
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard name.first == UInt8(ascii: ":") else { return fields.append(name, value) }
        guard FieldName.status.isSame(as: name) else { return }
        // nghttp2 has verified the three digits.
        status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
        fields.removeAll()
    }

    /// Empties it for the next response. Copies are unaffected.
    mutating func clear() {
        status = 0
        fields.removeAll()
        if !body.isEmpty { body.removeAll(keepingCapacity: body.capacity <= Self.keptBytes) }
    }
}
