internal import APNsSimulator
internal import Foundation
internal import HTTP2
internal import HTTP2Server
internal import PushLoad
internal import RangersServer

/// A bench's server, in a separate process.
package final class BenchServer: Sendable {
    /// The kind of server.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// Returns 200 for everything: the cheapest possible.
        case plain
        /// The simulator, which trusts every push: its checks are not what a bench measures.
        case simulator
    }

    /// The server's kind and behaviour.
    package struct Settings: Hashable, Codable, Sendable {
        package var kind = Kind.plain
        /// The folder of certificates and the provider key, created if missing.
        package var folder: String
        package var streams = 1_000
        /// The delay of a response. For the plain server only, as is the window.
        package var delayMilliseconds = 0
        /// The window of each connection, replenished `delayMilliseconds` after bytes arrived, as
        /// by a peer at that distance. 0: large, and replenished at once.
        package var window = 0

        package init(folder: String) { self.folder = folder }
    }

    private enum Server {
        case plain(HTTP2Server)
        case simulator(APNsSimulator)
    }

    private let server: Server

    /// The port on 127.0.0.1.
    package var port: UInt16 {
        switch server {
        case .plain(let server): server.port
        case .simulator(let simulator): simulator.port
        }
    }

    /// Creates the server and starts listening.
    package init(_ settings: Settings) throws {
        // Client and server load the same folder, so they trust each other.
        let credentials = try SimulatorCredentials(
            directory: settings.folder, now: Int64(Date().timeIntervalSince1970))
        let identity = credentials.settings(bundleID: SamplePush.bundleID, schema: .adventure)
        switch settings.kind {
        case .plain: server = .plain(try Self.plain(settings, identity))
        case .simulator: server = .simulator(try Self.simulator(settings, identity))
        }
    }

    /// Stops at once; the client has all responses by then.
    package func stop() async {
        switch server {
        case .plain(let server): await server.stop(graceMilliseconds: 0)
        case .simulator(let simulator): await simulator.stop(graceMilliseconds: 0)
        }
    }

    private static func plain(_ settings: Settings, _ identity: APNsSimulator.Settings) throws
        -> HTTP2Server
    {
        var wanted = HTTP2Server.Settings(identity.identity)
        wanted.maxConcurrentStreams = UInt32(settings.streams)
        let delay = settings.delayMilliseconds
        let response = HTTP2Response(status: 200)
        let server = try HTTP2Server(wanted) { _, _ in .respond(response, delayMilliseconds: delay)
        }
        if settings.window > 0 {
            var reception = HTTP2Server.Reception()
            reception.initialWindowSize = UInt32(settings.window)
            reception.replenishing = .after(milliseconds: delay)
            try server.receive(as: reception)
        }
        return server
    }

    private static func simulator(_ settings: Settings, _ identity: APNsSimulator.Settings) throws
        -> APNsSimulator
    {
        var wanted = identity
        wanted.mode = .trusting
        wanted.streamsMax = UInt32(settings.streams)
        return try APNsSimulator(wanted, now: { Int64(Date().timeIntervalSince1970 * 1_000) })
    }
}
