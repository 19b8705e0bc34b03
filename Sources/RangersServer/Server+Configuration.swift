internal import HTTPServer
internal import APNsClient
internal import Isolation
internal import PartyStore

extension Server {
    /// Starts the server that the settings describe: SQLite, the system's clock, APNs. Refuses to
    /// when a phone would not understand its pushes.
    package convenience init(_ configuration: ServerConfiguration) async throws {
        try PayloadCheck(words: .embedded()).run()
        let clock = ServerClock.system()
        let log = Log(level: configuration.logLevel, now: clock.now, write: StandardError.write)
        let sender = try APNsClient(configuration.apns)
        let channels = try configuration.channels.map { try configuration.desk($0, sender) }
        let store = try await SQLiteStore.open(path: configuration.dataFile) { log.note($0) }
        let dependencies = Dependencies(
            store: store, clock: clock,
            adventureSeed: Self.seeds(from: configuration.adventureSeed),
            sender: sender, channels: channels, log: log, metrics: Metrics())
        try await self.init(configuration.settings, dependencies)
        log.info(
            "the server is ready",
            [
                "listen": "\(configuration.settings.http.host):\(port)",
                "apns": "\(configuration.apns.host):\(configuration.apns.port)",
            ])
    }

    /// The dice of new adventures: counted up from a seed, or the system's.
    private static func seeds(from first: UInt64?) -> @Sendable () -> UInt64 {
        guard let first else { return { UInt64.random(in: .min ... .max) } }
        let next = Locked(first)
        return {
            next.withLock { seed in
                defer { seed &+= 1 }
                return seed
            }
        }
    }
}
