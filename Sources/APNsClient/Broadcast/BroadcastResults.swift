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
    func result<Request: ProviderRequest>(
        of request: Request, refusing problem: (Request) -> APNsClient.Refusal?
    ) async -> RequestResult {
        await withCheckedContinuation { continuation in
            send([request], refusing: problem) { continuation.resume(returning: $1) }
        }
    }
}

extension BroadcastRoute.Sign {
    /// What a broadcast's result says of the host.
    init(_ result: RequestResult) {
        self =
            switch result {
            case .success: .knowsBroadcasts
            case .failure(.refused(let refusal)):
                refusal.status == 404 ? .badPath : .knowsBroadcasts
            case .failure(.notSent): .unreachable
            case .failure(.unknown), .failure(.heldBack): .silent
            }
    }
}

extension APNsClient.Configuration.Identity {
    /// Where the tokens come from; keys are read here.
    func tokens() throws(APNsConfigurationError) -> ProviderTokens {
        switch self {
        case .keys(let keys): try ProviderTokens(keys)
        case .shared(let tokens): tokens
        }
    }
}
