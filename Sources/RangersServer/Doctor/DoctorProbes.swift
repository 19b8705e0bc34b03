internal import APNsClient
internal import Glibc
internal import JSONReader
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// How `rangers doctor` looks at the outside world.
package struct DoctorProbes: Sendable {
    /// A file from outside.
    struct File {
        let bytes: Int64
        /// Whether other users may read or write it.
        let isOpenToOthers: Bool
    }

    /// The file; `nil`: there is none.
    var file: @Sendable (String) -> File?
    /// Whether SQLite pads the commits in a data file's log.
    var padsCommits: @Sendable (String) -> Bool
    /// The free bytes for this user on the folder's disk; `nil`: it cannot be examined.
    var freeBytes: @Sendable (String) -> Int64?
    var now: @Sendable () -> WallTime
    /// The addresses of a host.
    var resolve: @Sendable (String) -> [String]
    /// Sends one push over a connection of its own.
    var send: @Sendable (APNsClient.Configuration, PushRequest) async -> APNsClient.Outcome
    /// The response of the server; `nil`: there is none.
    var get: @Sendable (_ host: String, _ port: UInt16, _ path: String) -> AdminClient.Page?
    /// Opens so many event streams at a URL.
    var streams: @Sendable (_ url: String, _ token: Secret, _ count: Int) -> StreamTrial.Outcome
    /// How many files this process may open.
    var openFilesMax: @Sendable () -> Int
    /// The frozen parties with their faults, the first few; `nil`: the server does not tell.
    var frozenParties: @Sendable (_ host: String, _ port: UInt16, _ key: String) -> [String]?
}

extension DoctorProbes {
    /// How long a request waits for a connection, in milliseconds.
    private static let patienceMilliseconds = 5_000

    package static let system = DoctorProbes(
        file: { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return File(
                bytes: Int64(status.st_size), isOpenToOthers: status.st_mode & 0o077 != 0)
        },
        padsCommits: { SQLiteStore.padsCommits(inFile: $0) },
        freeBytes: { folder in
            var status = statvfs()
            guard statvfs(folder, &status) == 0 else { return nil }
            return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        },
        now: { .system }, resolve: addresses,
        send: { apns, request in
            var configuration = apns
            configuration.connections = 1
            configuration.connectTimeoutMilliseconds = patienceMilliseconds
            configuration.queueWaitMilliseconds = patienceMilliseconds
            do {
                let client = try APNsClient(configuration)
                let outcome = await client.send(request)
                await client.shutdown(graceMilliseconds: 1_000)
                return outcome
            } catch {
                return .notSent("\(error)")
            }
        },
        get: { host, port, path in
            try? AdminClient(host: host, port: port, key: "").page(path)
        },
        streams: { url, token, count in StreamTrial(url: url, token: token).run(count) },
        openFilesMax: { OpenFileLimit.raise() },
        frozenParties: { host, port, key in
            let client = AdminClient(host: host, port: port, key: key)
            let list = try? client.call("GET", "/v1/admin/frozen-parties?limit=5")
            guard let parties = list?["parties"]?.elements else { return nil }
            return parties.map { party in
                "\(party["party"]?.text ?? "?") (\(party["fault"]?.text ?? "?"))"
            }
        })

    /// Returns the addresses of a host as text, each once.
    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var texts: [String] = []
        var next = found
        while let address = next?.pointee {
            next = address.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address.ai_addr, address.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { continue }
            let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            if !texts.contains(name) { texts.append(name) }
        }
        return texts
    }
}
