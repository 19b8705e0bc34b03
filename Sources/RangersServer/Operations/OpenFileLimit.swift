internal import Glibc
internal import HTTPServer

/// The process's limit of open files: each connection is one.
enum OpenFileLimit {
    /// Open files besides clients' connections: the data file, APNs, refused connections.
    private static let otherFiles = 512
    private static let connectionsMin = 16

    /// Raises the limit as far as the system allows; returns it.
    static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Returns the settings with so few connections and streams that they leave files for all else.
    static func fitted(_ http: HTTPServer.Settings, in files: Int) -> HTTPServer.Settings {
        let room = files - min(otherFiles, files / 2)
        let wanted = http.connectionsMax + http.streamsMax
        guard room < wanted else { return http }
        var fitted = http
        fitted.connectionsMax = max(connectionsMin, room * http.connectionsMax / wanted)
        fitted.streamsMax = max(0, room - fitted.connectionsMax)
        return fitted
    }
}
