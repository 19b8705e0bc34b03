internal import HTTP2

/// Requests sent together with one provider token. The transport reads heads from it and reports
/// outcomes to it, so a request in flight costs only its place here.
///
/// It is not generic, because calls through `any HTTP2Batch` are not specialised. The closures of
/// `Requests`, which are, contain what depends on the request's type.
final class RequestBatch: HTTP2Batch {
    /// The submitted requests, of any kind, by place.
    struct Requests: Sendable {
        let write: @Sendable (Int, ProviderToken, inout HTTP2RequestHead) -> Void
        let bodyCount: @Sendable (Int) -> Int
        /// Takes a request, an offset, and the buffer to fill.
        let copyBody: @Sendable (Int, Int, UnsafeMutableRawBufferPointer) -> Void
        /// Returns whether a response carries the request's own id, or none.
        let owns: @Sendable (Int, HTTP2Response) -> Bool
        let complete: @Sendable (Int, RequestResult) -> Void
        /// The time of submission on the steady clock, in milliseconds.
        let submittedAt: Int64

        init<Request: ProviderRequest>(
            _ requests: [Request], submittedAt: Int64,
            completion: @escaping @Sendable (Int, RequestResult) -> Void
        ) {
            // In place: a copy would retain and release all of the request's parts.
            write = { place, token, head in
                requests.withUnsafeBufferPointer { $0[place].write(to: &head, with: token) }
            }
            bodyCount = { place in requests.withUnsafeBufferPointer { $0[place].body.count } }
            copyBody = { place, offset, room in
                requests.withUnsafeBufferPointer {
                    room.copyBytes(from: $0[place].body[offset..<offset + room.count])
                }
            }
            owns = { place, response in
                requests.withUnsafeBufferPointer {
                    response.bears($0[place].id, in: Request.idField)
                }
            }
            complete = completion
            self.submittedAt = submittedAt
        }
    }

    let requests: Requests
    /// The places of the requests to send now.
    let places: [Int]
    let issued: ProviderTokens.Issued
    /// The number of connection renewals when they were sent.
    let renewals: Int
    /// The state of each request when they were sent.
    let delivery: Delivery
    private let sender: RequestSender

    init(
        _ requests: Requests, at places: [Int], with issued: ProviderTokens.Issued, renewals: Int,
        delivery: Delivery = Delivery(), sender: RequestSender
    ) {
        self.requests = requests
        self.places = places
        self.issued = issued
        self.renewals = renewals
        self.delivery = delivery
        self.sender = sender
    }

    var count: Int { places.count }

    func write(_ index: Int, to head: inout HTTP2RequestHead) {
        requests.write(places[index], sender.token(insteadOf: issued), &head)
    }

    func bodyCount(of index: Int) -> Int { requests.bodyCount(places[index]) }

    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer) {
        requests.copyBody(places[index], offset, room)
    }

    func completed(_ index: Int, with response: HTTP2Response) {
        let place = places[index]
        if !requests.owns(place, response) { sender.countStrangeID() }
        if Delivery.isSuccess(response) {
            return sender.succeed(requests, at: place, with: response)
        }
        var delivery = delivery
        let action = delivery.received(response)
        sender.act(
            action, on: RequestSender.InFlightRequest(batch: self, place: place, delivery: delivery)
        )
    }

    func failed(_ index: Int, as failure: HTTP2Failure) {
        var delivery = delivery
        let action = sender.afterFailure(failure, submittedAt: requests.submittedAt, &delivery)
        sender.act(
            action,
            on: RequestSender.InFlightRequest(batch: self, place: places[index], delivery: delivery)
        )
    }
}

extension HTTP2Response {
    /// Returns whether a field contains this id, in either case, or is missing.
    fileprivate func bears(_ id: PushID, in field: FieldName) -> Bool {
        checkValue(of: field) { UUIDText.isText($0, of: id.bits) } ?? true
    }
}
