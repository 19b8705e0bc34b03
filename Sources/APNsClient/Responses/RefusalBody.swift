internal import FoundationEssentials

/// The JSON body of a response other than 200. Decoding never fails, because the status alone is
/// sufficient.
struct RefusalBody: Hashable, Sendable {
    /// Apple's `reason`; empty if absent or unreadable.
    let reason: String
    /// With 410: since when the token is invalid, in milliseconds since 1970.
    let timestamp: Int64?

    init(body: [UInt8]) {
        let fields = Self.fields(of: body)
        reason = fields?.reason.flatMap(Self.printable) ?? ""
        timestamp = fields?.timestamp
    }

    /// Returns the refusal for this body and a status.
    func refusal(status: Int) -> APNsClient.Refusal {
        APNsClient.Refusal(
            status: status, reason: reason.isEmpty ? "(no reason)" : reason,
            timestamp: timestamp, action: APNsReason.action(status: status, reason: reason))
    }

    private struct Fields: Decodable {
        let reason: String?
        let timestamp: Int64?

        enum CodingKeys: CodingKey {
            case reason, timestamp
        }

        /// A key of the wrong type counts as absent, so that the other one is kept.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            reason = try? container.decode(String.self, forKey: .reason)
            timestamp = try? container.decode(Int64.self, forKey: .timestamp)
        }
    }

    private static func fields(of body: [UInt8]) -> Fields? {
        guard body.count <= bodyBytesMax else { return nil }
        return try? JSONDecoder().decode(Fields.self, from: Data(body))
    }

    /// Returns a reason that is short and printable: reasons go to logs and metrics.
    private static func printable(_ reason: String) -> String? {
        guard reason.utf8.count <= reasonBytesMax,
            reason.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return reason
    }

    private static let bodyBytesMax = 4096
    private static let reasonBytesMax = 64
}
