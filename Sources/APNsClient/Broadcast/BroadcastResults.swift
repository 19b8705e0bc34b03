package import HTTP2

extension ChannelOrder: ProviderRequest {
    package static let idField = FieldName.apnsRequestID
}

extension BroadcastRequest: ProviderRequest {
    package static let idField = FieldName.apnsRequestID
    package var body: [UInt8] { payload }
}

extension ChannelOrder {
    /// The refusal that APNs would certainly return.
    var problem: APNsClient.Refusal? {
        do { try validate() } catch { return error.refusal }
        return nil
    }
}

extension BroadcastRequest {
    /// The refusal that APNs would certainly return.
    var problem: APNsClient.Refusal? {
        do { try validate() } catch { return error.refusal }
        return nil
    }
}

extension RequestSender {
    /// Sends one request and returns its result.
    func result(of request: some ProviderRequest) async -> RequestResult {
        await withCheckedContinuation { continuation in
            send([request], refusing: { _ in nil }) { continuation.resume(returning: $1) }
        }
    }
}
