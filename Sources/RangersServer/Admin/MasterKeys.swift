internal import APNsClient
internal import FoundationEssentials
internal import JSONReader
internal import JSONWriter

/// The keys of game masters, as `rangers masters` manages them on a running server.
package struct MasterKeys: Sendable {
    private let client: AdminClient

    package init(_ client: AdminClient) { self.client = client }

    /// Creates a key and returns it; it cannot be read again.
    package func create(_ name: String, role: String) throws(AdminClient.Failure) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", name)
        json.field("role", role)
        json.endObject()
        let created = try client.call("POST", "/v1/admin/keys", body: json.bytes)
        guard let key = created?["key"]?.text else {
            throw AdminClient.Failure(description: "the server returned no key")
        }
        return key
    }

    /// Returns a line for each key.
    package func list() throws(AdminClient.Failure) -> String {
        let keys = try client.call("GET", "/v1/admin/keys")?["keys"]?.elements ?? []
        return keys.map { key in
            let name = key["name"]?.text ?? ""
            let role = key["role"]?.text ?? ""
            let seconds = Double(key["createdAt"]?.integer ?? 0) / 1000
            let date = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
            return "\(name): \(role), created \(date) by \(key["createdBy"]?.text ?? "")"
        }.joined(separator: "\n")
    }

    package func revoke(_ name: String) throws(AdminClient.Failure) {
        let known = name.utf8.allSatisfy { (0x2d...0x7a).contains($0) && $0 != 0x2f }
        guard known, !name.isEmpty else {
            throw AdminClient.Failure(description: "There is no key \(name).")
        }
        _ = try client.call("DELETE", "/v1/admin/keys/\(name)")
    }
}
