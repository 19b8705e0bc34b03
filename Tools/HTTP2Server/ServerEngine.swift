internal import HTTP2

/// A server's listening socket and its connections, on the loop's thread.
final class ServerEngine: EventHandler {
    private enum Limit {
        /// The pause in accepting after the process ran out of descriptors.
        static let acceptPauseMilliseconds: Int64 = 100
        static let acceptsATurn = 64
    }

    private enum Phase {
        case serving
        case stopping
        case stopped
    }

    let loop: EventLoop
    let settings: HTTP2Server.Settings
    let handler: HTTP2Server.Handler
    private var context: TLSContext
    private var reception = HTTP2Server.Reception()
    /// Clients that wait for TLS to begin, or for ever.
    private var waiting: Set<Int32> = []
    private let descriptor: Int32
    private var phase = Phase.serving
    private var connections: [HTTP2Server.ConnectionID: ServerConnection] = [:]
    private var lastID = 0
    private var goAwayTimer: EventLoop.TimerID?

    /// Takes over a listening descriptor.
    init(
        loop: EventLoop, listening descriptor: Int32, context: TLSContext,
        settings: HTTP2Server.Settings, handler: @escaping HTTP2Server.Handler
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.context = context
        self.settings = settings
        self.handler = handler
        listen()
    }

    func connection(_ id: HTTP2Server.ConnectionID) -> ServerConnection? { connections[id] }

    /// All connections.
    var all: some Collection<ServerConnection> { connections.values }

    /// Applies from the next connection on. Clients held in silence keep waiting.
    func receive(as reception: HTTP2Server.Reception, _ context: TLSContext) {
        self.reception = reception
        self.context = context
    }

    func ready(_ events: UInt32) {
        for _ in 0..<Limit.acceptsATurn where phase == .serving {
            do {
                guard let client = try ServerSocket.accept(descriptor) else { return }
                admit(client)
            } catch {
                return pauseAccepting()
            }
        }
    }

    /// Stops listening, sends GOAWAY, and ends the loop when every request has its response or the
    /// time is up.
    func stop(graceMilliseconds: Int) {
        guard phase != .stopped else { return }
        if phase == .serving {
            phase = .stopping
            loop.unregister(descriptor)
            ServerSocket.close(descriptor)
            for connection in connections.values { connection.drain() }
            waiting.forEach(ServerSocket.close)
            waiting = []
        }
        loop.schedule(afterMilliseconds: Int64(graceMilliseconds)) { [weak self] in
            guard let self else { return }
            for connection in connections.values { connection.end(because: "the server stops") }
            endIfEmpty()
        }
        endIfEmpty()
    }

    func connectionEnded(_ id: HTTP2Server.ConnectionID) {
        connections[id] = nil
        endIfEmpty()
    }

    private func endIfEmpty() {
        guard phase == .stopping, connections.isEmpty else { return }
        phase = .stopped
        loop.stop()
    }

    private func admit(_ client: Int32) {
        guard connections.count + waiting.count < settings.connectionsMax else {
            return ServerSocket.close(client)
        }
        switch reception.opening {
        case .usual, .invalidBytes:
            serve(client)
        case .late(let milliseconds):
            waiting.insert(client)
            loop.schedule(afterMilliseconds: Int64(milliseconds)) { [weak self] in
                guard let self, waiting.remove(client) != nil else { return }
                serve(client)
            }
        case .silent:
            waiting.insert(client)
        }
    }

    private func serve(_ client: Int32) {
        lastID += 1
        do {
            connections[lastID] = try ServerConnection(
                id: lastID, descriptor: client, context: context, engine: self,
                reception: reception)
        } catch {
            // The client cannot be served; its connection ends.
            ServerSocket.close(client)
        }
    }

    private func listen() {
        do {
            try loop.register(descriptor, for: .reading, handler: self)
        } catch {
            pauseAccepting()
        }
    }

    /// Pauses when out of descriptors or memory, because a level-triggered socket would spin.
    private func pauseAccepting() {
        loop.unregister(descriptor)
        loop.schedule(afterMilliseconds: Limit.acceptPauseMilliseconds) { [weak self] in
            guard let self, phase == .serving else { return }
            listen()
        }
    }
}

// MARK: - GOAWAY

extension ServerEngine {
    func goAway(to audience: HTTP2Server.Audience, debugData: [UInt8]) {
        // Connections in their handshake cannot receive GOAWAY.
        let open = all.filter { $0.session != nil && !$0.isGoingAway }
        let hearers =
            switch audience {
            case .everyConnection: open
            case .oldestConnection: Array(open.min { $0.id < $1.id }.map { [$0] } ?? [])
            }
        for connection in hearers { connection.drain(debugData: debugData) }
    }

    func goAway(
        everyMilliseconds interval: Int?, to audience: HTTP2Server.Audience, debugData: [UInt8]
    ) {
        if let timer = goAwayTimer { loop.cancel(timer) }
        goAwayTimer = interval.map { milliseconds in
            loop.schedule(afterMilliseconds: Int64(max(1, milliseconds))) { [weak self] in
                self?.goAway(to: audience, debugData: debugData)
                self?.goAway(everyMilliseconds: milliseconds, to: audience, debugData: debugData)
            }
        }
    }
}
