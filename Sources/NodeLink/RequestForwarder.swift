internal import CCurl
package import HTTPServer
internal import Isolation
internal import Synchronization

/// Forwards clients' requests to other nodes, over kept connections on one thread of libcurl.
///
/// It works from `init` to `stop`; releasing it does not stop it.
package final class RequestForwarder: Sendable {
    /// The nodes' key, the authority of their certificates, and the limits.
    package struct Settings: Sendable {
        package var key: NodeKey
        /// Certificates in PEM: a node must show one that these have signed. `nil`: plain HTTP,
        /// which goes to loopback addresses only.
        package var authority: String?
        /// The most requests under way, to all nodes and to one; each has a connection.
        package var requestsMax = 256
        package var requestsPerNodeMax = 128
        /// The most streams, each with a connection, which do not count among the requests.
        package var streamsMax = 1000
        /// The most connections kept without a request, and how long. A listener keeps them longer,
        /// because a request on a connection that closes just then has an unknown outcome.
        package var idleConnectionsMax = 64
        package var idleSecondsMax = 30
        package var connectTimeout = Duration.seconds(1)
        /// From `forward` to the end of the response, or to the begin of a stream.
        package var responseTimeout = Duration.seconds(10)
        /// The longest silence of a stream; its heartbeats come more often.
        package var streamSilenceMax = Duration.seconds(60)
        package var responseBytesMax = 8 << 20
        /// What is kept for a client that reads its stream slowly.
        package var streamBytesMax = 64 * 1024

        package init(key: NodeKey) { self.key = key }
    }

    /// What was forwarded since the start, and what is under way.
    package struct Counts: Hashable, Sendable {
        package let forwarded: Int
        package let requests: Int
        package let streams: Int
    }

    private let shared: ForwardShared
    private let nextID = Atomic<UInt64>(1)
    private let running: Task<Void, Never>

    /// libcurl's own state, once a process.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    package init(_ settings: Settings) throws(NodeLinkError) {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw .cannotStart("libcurl has no memory")
        }
        curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, settings.idleConnectionsMax)
        let shared = ForwardShared(
            settings: settings, inbox: ForwardInbox(waking: multi),
            load: Locked(ForwardLoad(settings)))
        self.shared = shared
        let bits = UInt(bitPattern: multi)
        // `stop` waits for it.
        running = Task { await ForwardThread().run(bits, shared) }
    }

    /// Sends a client's request to the node at `address`, and returns its response, whatever its
    /// status. That of a stream has a stream, which ends when either side ends.
    ///
    /// `hop` is how the request came to this node. The other node gets the request as it arrived,
    /// with the client's address; headers of one connection stay here, in both directions. HEAD is
    /// sent as GET, which is how a handler sees it. Cancelling the task ends the wait.
    package func forward(
        _ request: Request, to address: NodeAddress, hop: Hop
    ) async throws(ForwardFault) -> Response {
        guard let next = hop.next else { throw .tooManyHops }
        guard shared.settings.authority != nil || address.isLoopback else {
            throw .notReached("\(address) needs TLS, and this node has no authority for it")
        }
        guard !Task.isCancelled else { throw .notReached("nobody waits for the response") }
        guard shared.load.withLock({ $0.begin(to: address) }) else { throw .overloaded }
        let id = nextID.add(1, ordering: .relaxed).oldValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                send(
                    OutgoingRequest(
                        id: id, request: request, address: address, hop: next,
                        continuation: continuation))
            }
        } onCancel: {
            shared.inbox.post(.drop(id))
        }
        return try result.get()
    }

    private func send(_ outgoing: OutgoingRequest) {
        guard !shared.inbox.post(.send(outgoing)) else { return }
        shared.load.withLock { $0.end(to: outgoing.address) }
        outgoing.continuation.resume(returning: .failure(.notReached("this node stops")))
    }

    package var counts: Counts {
        shared.load.withLock {
            Counts(forwarded: $0.forwarded, requests: $0.requests, streams: $0.streams)
        }
    }

    /// Ends everything under way, and waits for the thread. Calls of `forward` from now on fail.
    package func stop() async {
        shared.inbox.post(.stop)
        await running.value
    }
}
