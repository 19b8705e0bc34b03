internal import FoundationEssentials

/// The JSON body of an answer other than 200, read with tolerance: whatever comes, it never
/// fails, because the status alone says enough.
struct APNsAnswer: Hashable, Sendable {
    /// Apple's `reason`; empty when there is none that can be read.
    let reason: String
    /// With 410: since when the token is dead, milliseconds since 1970.
    let timestamp: Int64?

    init(body: [UInt8]) {
        let fields = Self.fields(of: body)
        reason = fields?.reason.flatMap(Self.printable) ?? ""
        timestamp = fields?.timestamp
    }

    /// What the answer amounts to.
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

        /// A key of the wrong type counts as absent: the other one may still be good.
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

    /// Reasons go to logs and metrics: only short, printable ones do.
    private static func printable(_ reason: String) -> String? {
        guard reason.utf8.count <= reasonBytesMax,
            reason.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return reason
    }

    private static let bodyBytesMax = 4096
    private static let reasonBytesMax = 64
}
