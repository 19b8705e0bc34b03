package import HTTP2

extension ChannelOrder: ProviderRequest {
    package static let idField = FieldName.apnsRequestID
}

extension BroadcastRequest: ProviderRequest {
    package static let idField = FieldName.apnsRequestID
    package var body: [UInt8] { payload }
}

extension ChannelOrder {
    /// The answer that APNs would certainly give.
    var problem: APNsClient.Refusal? {
        do { try validate() } catch { return error.refusal }
        return nil
    }
}

extension BroadcastRequest {
    /// The answer that APNs would certainly give.
    var problem: APNsClient.Refusal? {
        do { try validate() } catch { return error.refusal }
        return nil
    }
}

extension RequestSender {
    /// Sends one request and waits for what becomes of it.
    func result(of request: some ProviderRequest) async -> RequestResult {
        await withCheckedContinuation { continuation in
            send([request], refusing: { _ in nil }) { continuation.resume(returning: $1) }
        }
    }
}
