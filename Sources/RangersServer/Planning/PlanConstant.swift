/// A number that plans are computed from, and where it comes from.
package struct PlanConstant: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// By the bench named here; `measurements` says on which machine, and when.
        case measured(String)
        /// For the reason named here. Replace it by what you know of your own game.
        case assumed(String)
    }

    package let name: String
    package let value: Double
    package let origin: Origin

    private init(_ name: String, _ value: Double, _ origin: Origin) {
        self.name = name
        self.value = value
        self.origin = origin
    }

    /// All of them, in the order of the table.
    package static let all = [
        activitiesPerParty, nodeMicroseconds, pushMicroseconds, databaseMicroseconds,
        connectionTicksPerSecond, pushesPerTick, forwardedMicroseconds, secondsBetweenChanges,
        changeMicroseconds, changeDatabaseMicroseconds, logBytesPerChange, logBytesPerTick,
        pageBytesPerParty, indexBytesPerParty, secondsBetweenCheckpoints,
        coresPerNode, loopsPerNode,
        coreShare, spareNodes, bytesPerActivity, bytesPerNode, streamsPerConnection,
        streamShare, answerSeconds, connectionsPerNode, payloadBytes, frameBytes,
        secondsBetweenRequests, requestBytes, logBytesPerSecondMax,
    ]

    /// Where and when measured constants were measured.
    static let measurements =
        "AMD EPYC, 2 cores: `cluster` at 474e71ca, `changes` at 73be2b0b, `push` at 32f6044, "
        + "`takeover` at 2906f21c"

    // MARK: Work

    static let activitiesPerParty = PlanConstant(
        "Live Activities per party", 4, .assumed("a full party"))
    static let nodeMicroseconds = PlanConstant(
        "CPU µs of a node per tick", 75, .measured(cluster("node_cpu_us")))
    static let pushMicroseconds = PlanConstant(
        "CPU µs of a node per push", 3.1, .measured("`push`, `cpu_s_per_100k`"))
    static let databaseMicroseconds = PlanConstant(
        "CPU µs of the database per tick", 30, .measured(cluster("database_cpu_us")))
    static let connectionTicksPerSecond = PlanConstant(
        "ticks a second per connection", 32_000, .measured(cluster("store_rows_per_s")))
    static let pushesPerTick = PlanConstant(
        "pushes per tick", 3.89, .measured(cluster("pushes_per_tick")))

    static let forwardedMicroseconds = PlanConstant(
        "CPU µs of the nodes per forwarded request", 202,
        .measured("`changes`, `forward_cpu_us`"))

    // MARK: Players' changes

    static let secondsBetweenChanges = PlanConstant(
        "seconds between changes of a player", 900,
        .assumed("four an hour: a join or an answer, a Live Activity, its new token, a purchase"))
    static let changeMicroseconds = PlanConstant(
        "CPU µs of the nodes per change of a player", 1577,
        .measured("`changes`, `activity_node_cpu_us_4`"))
    static let changeDatabaseMicroseconds = PlanConstant(
        "CPU µs of the database per change of a player", 1443,
        .measured("`changes`, `activity_database_cpu_us_4`"))
    static let logBytesPerChange = PlanConstant(
        "bytes of WAL per change of a player", 1622, .measured("`changes`, `activity_log_bytes`"))

    // MARK: The database's log

    static let logBytesPerTick = PlanConstant(
        "bytes of WAL per tick", 1273, .measured(cluster("log_bytes")))
    static let pageBytesPerParty = PlanConstant(
        "bytes of whole pages per party, after each checkpoint", 1368,
        .measured(cluster("page_bytes")))
    static let indexBytesPerParty = PlanConstant(
        "bytes of index pages per party, after each checkpoint", 8192,
        .assumed("after some hours a party fills a page of the journal's index alone"))
    static let secondsBetweenCheckpoints = PlanConstant(
        "seconds between checkpoints", 900, .assumed("`checkpoint_timeout = 15min`"))
    static let logBytesPerSecondMax = PlanConstant(
        "bytes of WAL per second that one primary keeps up with", 200e6,
        .assumed("a fast local disk, and a standby on a network of 10 Gbit/s"))

    // MARK: Nodes

    static let coresPerNode = PlanConstant(
        "cores per node", 2, .assumed("the machine of the measurements"))
    static let loopsPerNode = PlanConstant(
        "loops per node that tick", 1, .assumed("`--shard-loops` for two cores"))
    static let coreShare = PlanConstant(
        "share of a core that is used", 0.5, .assumed("the rest is for peaks"))
    static let spareNodes = PlanConstant(
        "nodes that may be lost", 1, .assumed("the others carry its parties"))
    static let bytesPerActivity = PlanConstant(
        "bytes of memory per Live Activity", 1929,
        .measured("`takeover`, `party_bytes` ÷ 4"))
    static let bytesPerNode = PlanConstant(
        "bytes of memory of a node without parties", 38.13e6,
        .measured("`takeover`, `empty_node_mb`"))

    // MARK: APNs

    static let streamsPerConnection = PlanConstant(
        "streams per connection to APNs", 1000, .assumed("what APNs has allowed"))
    static let streamShare = PlanConstant(
        "share of these that the client keeps busy", 0.94, .measured("`push`, `delay50_4conn`"))
    static let answerSeconds = PlanConstant(
        "seconds until APNs responds", 0.05, .assumed("a server in the same region"))
    static let connectionsPerNode = PlanConstant(
        "connections to APNs per node, at least", 2, .assumed("the default"))
    static let payloadBytes = PlanConstant(
        "bytes of a push's payload", 199, .measured(cluster("payload_bytes")))
    static let frameBytes = PlanConstant(
        "bytes of its headers, frames and TLS record", 150,
        .assumed("path, id and token of about 100 bytes, which HPACK does not shorten much"))

    // MARK: Between nodes

    static let secondsBetweenRequests = PlanConstant(
        "seconds between requests for a Live Activity", 60,
        .assumed("apps read when they are open; pushes do the rest"))
    static let requestBytes = PlanConstant(
        "bytes of a forwarded request with its response", 3000,
        .assumed("a party of four as JSON, and the headers"))

    /// Names a figure of the cluster bench.
    private static func cluster(_ figure: String) -> String { "`cluster`, `\(figure)`" }
}
