internal import APNsSimulator
internal import Foundation
internal import Playtest
internal import Programs
internal import PushLoad

/// The real server on its core, and wrk and the simulator on the other.
struct GameServer: Sendable {
    /// What a server is told, besides what all have.
    struct Settings: Sendable {
        /// The speed of the adventures' clock.
        var speed = 1.0
        /// Where the game is: a file, or a database and how to be a node of it.
        var store: [String]
        /// The simulator's port; `nil`: one on which nothing listens.
        var apns: UInt16?
        /// `nil`: one that is free.
        var port: UInt16?
        var core = PinnedProcess.Core.server

        /// The game is in this file of the testbed.
        init(_ testbed: BenchTestbed, file: String = "rangers.db") {
            store = ["--data", "\(testbed.path)/\(file)"]
        }

        init(store: [String]) { self.store = store }
    }

    let server: PinnedServer
    /// Creates parties on it.
    let creation: PartyCreation

    /// Starts `rangers serve`; returns when it is ready.
    static func start(_ settings: Settings, in testbed: BenchTestbed) async throws -> GameServer {
        let (folder, key) = (testbed.folder, try testbed.folder.adminKey())
        let credentials = try SimulatorCredentials(
            directory: testbed.keysFolder, now: Int64(Date().timeIntervalSince1970))
        let port = try settings.port ?? LoopbackPort.free()
        let process = try testbed.start(
            testbed.programs.rangers,
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--admin-key-file", folder.adminKeyFile,
                "--apns-host", "127.0.0.1", "--apns-port", "\(settings.apns ?? 9)", "--apns-ca",
                credentials.caFile, "--apns-key", credentials.providerKeyFile, "--apns-key-id",
                credentials.keyID, "--apns-team-id", credentials.teamID, "--bundle-id",
                SamplePush.bundleID, "--speed", "\(settings.speed)", "--log-level", "error",
                "--trusted-clients", "127.0.0.1",
            ] + settings.store, on: settings.core)
        let creation = try PartyCreation(port: port, adminKey: key)
        try await creation.untilReady()
        return GameServer(server: PinnedServer(port: port, process: process), creation: creation)
    }
}

extension BenchTestbed {
    private static let listLimitSeconds = 120

    /// Starts the simulator, on the clients' core.
    func simulateAPNs() throws -> PinnedServer {
        var settings = BenchServer.Settings(folder: keysFolder)
        settings.kind = .simulator
        return try serve(settings, on: .client)
    }

    /// Repeats the same request for this many seconds.
    func repeated(_ request: String, to target: WrkTarget, seconds: Int) throws -> APIRun {
        try wrk([request], to: target, .again, seconds: seconds)
    }

    /// Sends each request of the list once.
    @discardableResult func once(_ list: [String], to target: WrkTarget) throws -> APIRun {
        let limit = Self.listLimitSeconds
        let run = try wrk(list, to: target, .once, seconds: limit)
        guard run.didFinishList else {
            throw BenchError("\(list.count) requests had no response within \(limit) seconds")
        }
        return run
    }

    /// Sends as many requests of the list as the time allows, each once.
    func begun(_ list: [String], to target: WrkTarget, seconds: Int) throws -> APIRun {
        try wrk(list, to: target, .once, seconds: seconds)
    }

    private func wrk(
        _ list: [String], to target: WrkTarget, _ mode: Wrk.Mode, seconds: Int
    ) throws -> APIRun {
        let before = target.cpuSeconds
        let wrk = Wrk(
            script: reference("requests.lua"), listFile: try write(lines: list),
            port: target.port, mode: mode, seconds: seconds, connections: target.connections)
        let running = try start(Tool.wrk.rawValue, wrk.arguments, on: .client)
        let output = try end(running, withinSeconds: seconds + 60).output
        return APIRun(
            try WrkResult(output: output, of: list.first ?? ""),
            ofList: mode == .once ? list.count : nil, connections: target.connections,
            cpuSeconds: target.cpuSeconds - before)
    }
}
