package import HTTP2

extension PushRequest {
    /// Writes the head of a push to one device, in Apple's order. All pushes of the process come
    /// through here: it makes no texts of its own.
    package func write(to head: inout RequestHead, with providerToken: ProviderToken) {
        writePlain(to: &head)
        head.add(.authorization, providerToken.authorization)
    }

    /// The header fields but for `authorization`, for a person to read.
    package var plainHeaders: [HTTP2Header] {
        var head = RequestHead(authority: "")
        writePlain(to: &head)
        return HTTP2Request(head, body: []).headers
    }

    private func writePlain(to head: inout RequestHead) {
        head.begin("POST", path: "/3/device/", token.hex)
        head.add(.apnsPushType, pushType.rawValue)
        head.add(.apnsTopic, bundleID, pushType.topicSuffix)
        head.add(.apnsPriority, Int64(priority.rawValue))
        // These change with every push: in the table they would push the others out.
        head.add(.apnsID, count: UUIDText.count, indexing: .never) {
            UUIDText.write(id.bits, into: $0)
        }
        if let expiration { head.add(.apnsExpiration, expiration, indexing: .never) }
        if let collapseID { head.add(.apnsCollapseID, collapseID, indexing: .never) }
    }
}

extension FieldName {
    static let apnsPushType = FieldName("apns-push-type")
    static let apnsTopic = FieldName("apns-topic")
    static let apnsPriority = FieldName("apns-priority")
    static let apnsID = FieldName("apns-id")
    static let apnsRequestID = FieldName("apns-request-id")
    static let apnsExpiration = FieldName("apns-expiration")
    static let apnsCollapseID = FieldName("apns-collapse-id")
    static let apnsChannelID = FieldName("apns-channel-id")
    /// In answers of the sandbox.
    static let apnsUniqueID = FieldName("apns-unique-id")
}
