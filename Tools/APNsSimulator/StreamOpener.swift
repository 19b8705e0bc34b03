internal import HTTP2Server
internal import Isolation

/// Raises the stream limit of connections. The server is created after its handler, so it is
/// attached later.
final class StreamOpener: Sendable {
    private let streamsMax: UInt32
    private let state = Locked(State())

    private struct State {
        weak var server: HTTP2Server?
        /// Connections opened before `attach`.
        var early: [HTTP2Server.ConnectionID] = []
    }

    init(streamsMax: UInt32) { self.streamsMax = streamsMax }

    func attach(_ server: HTTP2Server) {
        let early = state.withLock { state in
            state.server = server
            return state.early
        }
        for connection in early { open(connection) }
    }

    func open(_ connection: HTTP2Server.ConnectionID) {
        let server = state.withLock { state in
            if state.server == nil { state.early.append(connection) }
            return state.server
        }
        server?.setMaxConcurrentStreams(streamsMax, on: connection)
    }
}
