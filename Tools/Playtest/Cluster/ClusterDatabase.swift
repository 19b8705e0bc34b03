internal import Isolation
internal import Programs

/// The PostgreSQL of a cluster, and its synchronous standby. Nodes reach the two on two routes.
actor ClusterDatabase {
    /// The number of routes.
    static let routes = 2
    private static let standbyName = "standby"

    // PostgreSQL's own programs take their time to start and stop it.
    private let executor = QueueExecutor(label: "ClusterDatabase")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var primary: PostgreSQLServer
    private var standby: PostgreSQLServer?
    /// The port of the server on each route.
    private(set) var ports: [UInt16]
    /// The route to the primary.
    private(set) var primaryRoute = 0

    /// Starts a primary. `diskMegabytes` is the size of a disk of its own, which can be filled; 0:
    /// it has none.
    init(diskMegabytes: Int) async throws {
        let port = try LoopbackPort.free()
        var settings = Self.settings(port: port)
        settings.diskMegabytes = diskMegabytes
        primary = try PostgreSQLServer(settings)
        ports = [port, try LoopbackPort.free()]
        try await primary.query(Self.clock(aheadBy: 0))
        // Else PostgreSQL's own function comes first.
        try await primary.query("ALTER DATABASE postgres SET search_path = public, pg_catalog")
        guard diskMegabytes > 0 else { return }
        try await primary.query("CREATE TABLESPACE small LOCATION '\(primary.diskFolder)'")
        try await primary.query("ALTER DATABASE postgres SET default_tablespace = 'small'")
    }

    private static func settings(port: UInt16) -> PostgreSQLServer.Settings {
        var settings = PostgreSQLServer.Settings()
        settings.port = port
        // What is measured here is not the disk, and no machine loses its power.
        settings.lines = ["synchronous_commit = on", "wal_keep_size = '256MB'"]
        return settings
    }

    /// Adds a synchronous standby on the other route.
    func addStandby() throws(ProgramError) {
        let route = 1 - primaryRoute
        ports[route] = try LoopbackPort.free()
        standby = try PostgreSQLServer(
            standbyOf: primary, name: Self.standbyName, Self.settings(port: ports[route]))
        try primary.order(.set("synchronous_standby_names = '\(Self.standbyName)'"))
    }

    /// Kills the primary, and makes the standby the primary.
    func failOver() throws(ProgramError) {
        guard let next = standby else { return }
        try primary.order(.crash)
        try next.order(.promote)
        primary = next
        standby = nil
        primaryRoute = 1 - primaryRoute
    }

    func restart() throws(ProgramError) {
        try primary.order(.stop)
        try primary.order(.start)
    }

    /// Lets the clock show a time so many seconds ahead of the machine's.
    func setClock(aheadBy seconds: Int) async throws {
        try await primary.query(Self.clock(aheadBy: seconds))
    }

    /// The clock that the nodes read, in place of PostgreSQL's own.
    private static func clock(aheadBy seconds: Int) -> String {
        """
        CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS 'SELECT pg_catalog.clock_timestamp() + interval ''\(seconds) seconds'''
        """
    }

    /// The epoch of each node, by its name.
    func epochs() async throws -> [String: String] {
        let rows = try await query("SELECT name, epoch FROM node").split(separator: "\n")
        return Dictionary(
            rows.map { row in
                let columns = row.split(separator: "|").map(String.init)
                return (columns[0], columns[1])
            }, uniquingKeysWith: { $1 })
    }

    func fill() throws(ProgramError) { try primary.order(.fill) }
    func free() throws(ProgramError) { try primary.order(.free) }

    /// Runs statements on the primary; returns what they print.
    func query(_ statements: String) async throws -> String {
        try await primary.query(statements)
    }

    /// The address of the primary, without relays.
    var uri: String { primary.uri }
}
