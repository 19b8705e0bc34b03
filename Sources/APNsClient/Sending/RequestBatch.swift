internal import HTTP2

/// Requests on their way together, with one provider token. This is what the transport asks for
/// heads and tells of ends: a request in flight costs nothing but its place in here.
///
/// Not generic, because calls through `any HTTP2Batch` would not be specialised: what depends on
/// the requests' type is in the closures of `Requests`, which are.
final class RequestBatch: HTTP2Batch {
    /// The requests that were handed in together, whatever they are about, by their places.
    struct Requests: Sendable {
        let write: @Sendable (Int, ProviderToken, inout RequestHead) -> Void
        let bodyCount: @Sendable (Int) -> Int
        /// A request, an offset, and as much room as is to be filled.
        let copyBody: @Sendable (Int, Int, UnsafeMutableRawBufferPointer) -> Void
        /// Whether an answer bears the request's own id, or none.
        let owns: @Sendable (Int, HTTP2Answer) -> Bool
        let complete: @Sendable (Int, RequestResult) -> Void
        /// On the steady clock, in milliseconds.
        let handedInAt: Int64

        init<Request: ProviderRequest>(
            _ requests: [Request], handedInAt: Int64,
            completion: @escaping @Sendable (Int, RequestResult) -> Void
        ) {
            // Where they lie: to copy a request would count the references of all its parts.
            write = { place, token, head in
                requests.withUnsafeBufferPointer { $0[place].write(to: &head, with: token) }
            }
            bodyCount = { place in requests.withUnsafeBufferPointer { $0[place].body.count } }
            copyBody = { place, offset, room in
                requests.withUnsafeBufferPointer {
                    room.copyBytes(from: $0[place].body[offset..<offset + room.count])
                }
            }
            owns = { place, answer in
                requests.withUnsafeBufferPointer { answer.bears($0[place].id, in: Request.idField) }
            }
            complete = completion
            self.handedInAt = handedInAt
        }
    }

    let requests: Requests
    /// The places of those that leave now.
    let places: [Int]
    let issued: ProviderTokens.Issued
    /// How often connections had been renewed when they left.
    let renewals: Int
    /// Where each of them stood when they left.
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

    func write(_ index: Int, to head: inout RequestHead) {
        requests.write(places[index], sender.token(insteadOf: issued), &head)
    }

    func bodyCount(of index: Int) -> Int { requests.bodyCount(places[index]) }

    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer) {
        requests.copyBody(places[index], offset, room)
    }

    func answered(_ index: Int, with answer: HTTP2Answer) {
        let place = places[index]
        if !requests.owns(place, answer) { sender.noteStrangeID() }
        if Delivery.isSuccess(answer) { return sender.succeed(requests, at: place, with: answer) }
        var delivery = delivery
        let action = delivery.answered(answer)
        sender.act(action, on: RequestSender.Flight(batch: self, place: place, delivery: delivery))
    }

    func failed(_ index: Int, as failure: HTTP2Failure) {
        var delivery = delivery
        let action = sender.afterFailure(failure, handedInAt: requests.handedInAt, &delivery)
        sender.act(
            action,
            on: RequestSender.Flight(batch: self, place: places[index], delivery: delivery))
    }
}

extension HTTP2Answer {
    /// Whether a field holds this id, in letters of either case, or is missing.
    fileprivate func bears(_ id: PushID, in field: FieldName) -> Bool {
        checkValue(of: field) { UUIDText.isText($0, of: id.bits) } ?? true
    }
}
