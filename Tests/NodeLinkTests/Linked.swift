import HTTPServer
import Isolation
import NodeLink
import Secrets
import Testing

/// Two nodes: `front` forwards all that clients send to it to `listener`, whose handler responds.
struct Linked: Sendable {
    let listener: NodeListener
    let forwarder: RequestForwarder
    let front: HTTPServer

    var address: NodeAddress { loopback(listener.port) }

    func forward(
        _ request: Request, hop: Hop = Hop(at: .players)
    ) async throws(ForwardFault) -> Response {
        try await forwarder.forward(request, to: address, hop: hop)
    }
}

let sharedKey = Secret("0123456789abcdef0123456789abcdef")

func loopback(_ port: UInt16) -> NodeAddress {
    guard let address = NodeAddress(host: "127.0.0.1", port: port) else {
        preconditionFailure("no port \(port)")
    }
    return address
}

/// Runs two nodes for the length of `body`.
func linked(
    listener configureListener: (inout HTTPServer.Settings) -> Void = { _ in },
    forwarder configureForwarder: (inout RequestForwarder.Settings) -> Void = { _ in },
    _ handler: @escaping NodeListener.Handler, _ body: (Linked) async throws -> Void
) async throws {
    var settings = NodeListener.settings
    settings.requestTimeoutSeconds = 60
    configureListener(&settings)
    let listener = try NodeListener(settings, key: NodeKey(sharedKey), handler: handler)
    try await forwarding(configureForwarder) { forwarder in
        let address = loopback(listener.port)
        var settings = HTTPServer.Settings()
        settings.requestTimeoutSeconds = 60
        settings.bodyBytesMax = 1 << 20
        let front = try HTTPServer(settings) { request in
            do throws(ForwardFault) {
                return try await forwarder.forward(request, to: address, hop: Hop(at: .players))
            } catch {
                return error.problem.response
            }
        }
        let result = await Result {
            try await body(Linked(listener: listener, forwarder: forwarder, front: front))
        }
        await front.stop(graceSeconds: 5)
        await listener.stop(graceSeconds: 5)
        try result.get()
    }
}

/// Runs a forwarder for the length of `body`.
func forwarding(
    _ configure: (inout RequestForwarder.Settings) -> Void = { _ in },
    _ body: (RequestForwarder) async throws -> Void
) async throws {
    var settings = try RequestForwarder.Settings(key: NodeKey(sharedKey))
    settings.connectTimeout = .seconds(30)
    settings.responseTimeout = .seconds(60)
    configure(&settings)
    let forwarder = try RequestForwarder(settings)
    let result = await Result { try await body(forwarder) }
    await forwarder.stop()
    try result.get()
}

extension Result where Failure == any Error {
    /// The result of an asynchronous function.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The fault of a request that must have one.
func fault(_ body: () async throws -> Response) async -> ForwardFault? {
    do {
        let response = try await body()
        Issue.record("there is a response with status \(response.status)")
    } catch let fault as ForwardFault {
        return fault
    } catch {
        Issue.record(error)
    }
    return nil
}

extension ForwardFault {
    var isNotReached: Bool { if case .notReached = self { true } else { false } }
    var isUnknownOutcome: Bool { if case .unknownOutcome = self { true } else { false } }
}

/// A gate that opens once, and what passes it waits for that.
final class OpenOnce: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Locked(State.closed([]))

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard case .closed(let waiting) = state else { return true }
                state = .closed(waiting + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
