internal import Glibc

/// A throwaway PostgreSQL in a folder of its own under `/tmp`.
///
/// A shell keeps it, and stops and removes it when our end of its input closes: also after a crash
/// of ours. PostgreSQL runs as `postgres` if we are root, and else as we do.
package final class PostgreSQLServer: Sendable {
    package struct Settings: Sendable {
        /// A port on 127.0.0.1; `nil`: only a Unix socket.
        package var port: UInt16?
        package var durability = Durability.none
        /// Further lines of `postgresql.conf`.
        package var lines: [String] = []
        /// The size of a disk of its own for a tablespace, which only root can mount; 0: none.
        package var diskMegabytes = 0

        package init() {}
    }

    package enum Durability: Sendable {
        /// `fsync = off`: a machine that loses its power damages the data.
        case none
        case fsync
    }

    private enum Origin {
        case new
        /// A copy of a running server, which follows it as a standby of this name.
        case copy(of: PostgreSQLServer, name: String)
    }

    /// Where Debian keeps the programs of a version apart from others; the newest is used.
    private static let versions = (15...20).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    /// The longest that an order takes: PostgreSQL's own limits are shorter.
    private static let orderSecondsMax: Int32 = 180

    /// What the shell does. Ctrl-C reaches it too, and must not end it before it has cleaned up.
    private static let script = """
        bin=$0; folder=$1; source=$2; lines=$3; disk=$4; cd /; umask 077; trap '' HUP INT TERM
        data=$folder/data
        as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres \
        --clear-groups "$@"; else "$@"; fi; }
        make() { if [ "$source" ]; then as "$bin/pg_basebackup" -D "$data" -R -c fast --no-sync \
        -d "$source"; else as "$bin/initdb" -D "$data" -A trust -U rangers -E UTF8 --no-sync \
        --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US; fi; }
        control() { as "$bin/pg_ctl" -w -s -t 60 -D "$data" "$@"; }
        start() { control -l "$folder/log" start; }
        pooling() { printf '%s\\n' '[databases]' "* = host=$folder" '[pgbouncer]' 'listen_addr =' \
        "unix_socket_dir = $folder" 'listen_port = 6432' 'pool_mode = transaction' \
        'auth_type = trust' "auth_file = $folder/pool.users" 'auth_user = rangers' \
        "auth_query = SELECT usename, '' FROM pg_catalog.pg_user WHERE usename = \\$1" \
        'max_client_conn = 1000' 'default_pool_size = 3' 'server_idle_timeout = 1' \
        "logfile = $folder/pool.log" "pidfile = $folder/pool.id"; }
        pool() { pooling | as tee "$folder/pool.ini" && echo '"rangers" ""' \
        | as tee "$folder/pool.users" && as pgbouncer -d -q "$folder/pool.ini" \
        && until [ -S "$folder/.s.PGSQL.6432" ]; do sleep 0.05; done; }
        said() { if [ $? = 0 ]; then echo ready; else echo wrong; fi; }
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        [ "$disk" = 0 ] || { mkdir "$folder/disk" \
        && mount -t tmpfs -o size="${disk}m",uid=postgres,mode=700 rangers "$folder/disk" \
        && as mkdir "$folder/disk/tables"; }
        make >"$folder/made" 2>&1 && printf '%s\\n' "$lines" >>"$data/postgresql.conf" \
        && start 2>>"$folder/made"
        said
        while read -r command rest; do
            case $command in
                crash) id=$(head -1 "$data/postmaster.pid")
                    kill -9 "$id" $(ps -o pid= --ppid "$id") 2>/dev/null || true ;;
                start) until start 2>>"$folder/made"; do sleep 0.2; done ;;
                stop) control -m fast stop ;;
                promote) control promote ;;
                pool) pool >>"$folder/made" 2>&1 ;;
                fill) dd if=/dev/zero of="$folder/disk/others" bs=4k 2>/dev/null || true ;;
                free) rm -f "$folder/disk/others" ;;
                set) printf '%s\\n' "$rest" >>"$data/postgresql.conf" && control reload ;;
                *) false ;;
            esac
            said
        done
        [ ! -f "$folder/pool.id" ] || kill "$(cat "$folder/pool.id")"
        control -m immediate stop 2>/dev/null
        [ "$disk" = 0 ] || umount -l "$folder/disk"
        rm -rf "$folder"
        """

    /// The folder, with the socket and the log.
    package let folder: String
    private let settings: Settings
    private let shell: RunningProgram
    private let commands: Int32
    private let answers: Int32

    /// Initializes a database cluster and starts it.
    package convenience init(_ settings: Settings = Settings()) throws(ProgramError) {
        try self.init(settings, .new)
    }

    /// Copies a running server and starts the copy as its standby. It is a synchronous one after
    /// `synchronous_standby_names` of the primary is set to its name.
    package convenience init(
        standbyOf primary: PostgreSQLServer, name: String, _ settings: Settings
    ) throws(ProgramError) {
        try self.init(settings, .copy(of: primary, name: name))
    }

    private init(_ settings: Settings, _ origin: Origin) throws(ProgramError) {
        self.settings = settings
        folder = try Self.makeFolder()
        let (orders, replies) = try (Self.makePipe(), Self.makePipe())
        (commands, answers) = (orders.writing, replies.reading)
        var program = Program(
            "/bin/sh",
            [
                "-c", Self.script, try Self.programs(), folder, Self.source(origin),
                Self.configuration(settings, origin, in: folder), "\(settings.diskMegabytes)",
            ])
        program.input = .descriptor(orders.reading)
        program.output = .descriptor(replies.writing)
        defer {
            close(orders.reading)
            close(replies.writing)
        }
        shell = try program.start()
        try waitUntilReady("start")
    }

    deinit {
        close(commands)
        close(answers)
        shell.waitForEnd()
    }

    /// What the shell can do to the server.
    package enum Order: Sendable {
        /// Kills all its processes.
        case crash
        /// Starts it, however often that fails at first.
        case start
        /// Stops it, and ends its connections.
        case stop
        /// Makes a standby the primary.
        case promote
        /// Starts PgBouncer before a server without a port, with three connections a user, which
        /// transactions of any number of clients share.
        case pool
        /// Takes all of its disk, and gives it back.
        case fill, free
        /// Changes a setting that a running server takes, as in `fsync = on`.
        case set(String)

        fileprivate var line: String {
            switch self {
            case .crash: "crash"
            case .start: "start"
            case .stop: "stop"
            case .promote: "promote"
            case .pool: "pool"
            case .fill: "fill"
            case .free: "free"
            case .set(let line): "set \(line)"
            }
        }
    }

    /// Orders the shell to do something, and waits until it is done.
    package func order(_ order: Order) throws(ProgramError) {
        let line = order.line + "\n"
        guard write(commands, line, line.utf8.count) == line.utf8.count else {
            throw ProgramError("the shell of PostgreSQL is gone")
        }
        try waitUntilReady(order.line)
    }

    /// Where a tablespace on its own disk can be.
    package var diskFolder: String { folder + "/disk/tables" }

    /// The address of its database: over TCP if it has a port.
    package var uri: String { uri(of: "postgres") }

    /// The address of another of its databases.
    package func uri(of database: String) -> String {
        guard let port = settings.port else {
            return "postgresql:///\(database)?host=\(folder)&user=rangers"
        }
        return "postgresql://rangers@127.0.0.1:\(port)/\(database)"
    }

    /// The address of its database through the pooler, for a user whose role has the settings of
    /// its sessions.
    package func pooledURI(user: String) -> String {
        "postgresql:///postgres?host=\(folder)&port=6432&user=\(user)"
    }

    /// Runs statements that an operator could run; returns what they print, a row a line.
    @discardableResult
    package func query(_ statements: String) async throws -> String {
        try await Self.query(statements, at: Self.conninfo(self))
    }

    /// Runs statements at an address.
    @discardableResult
    package static func query(_ statements: String, at address: String) async throws -> String {
        let printed = try await Program(
            try program("psql"),
            ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", statements]
        ).printed(.printed)
        guard printed.end == 0 else { throw ProgramError("psql: \(printed.text)") }
        return printed.text
    }

    private func waitUntilReady(_ command: String) throws(ProgramError) {
        var bytes = [UInt8](repeating: 0, count: 6)
        var state = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, Self.orderSecondsMax * 1000) == 1,
            read(answers, &bytes, bytes.count) == bytes.count, bytes == Array("ready\n".utf8)
        else {
            let logs = ["made", "log"].map { Self.end(of: "\(folder)/\($0)") }
            throw ProgramError("PostgreSQL: \(command) failed: \(logs.joined(separator: "\n"))")
        }
    }
}

extension PostgreSQLServer {
    /// Returns the path of one of PostgreSQL's programs.
    package static func program(_ name: String) throws(ProgramError) -> String {
        try programs() + "/" + name
    }

    private static func programs() throws(ProgramError) -> String {
        guard let programs = versions.first(where: { Program.isInstalled($0 + "/initdb") }) else {
            throw ProgramError("PostgreSQL is missing: run Scripts/setup test")
        }
        return programs
    }

    private static func source(_ origin: Origin) -> String {
        switch origin {
        case .new: ""
        case .copy(let primary, let name): conninfo(primary) + " application_name=\(name)"
        }
    }

    /// Returns how libpq reaches a server through its socket.
    private static func conninfo(_ server: PostgreSQLServer) -> String {
        "host=\(server.folder) port=\(server.settings.port ?? 5432) user=rangers dbname=postgres"
    }

    private static func configuration(
        _ settings: Settings, _ origin: Origin, in folder: String
    ) -> String {
        var lines = [
            "unix_socket_directories = '\(folder)'",
            "listen_addresses = '\(settings.port == nil ? "" : "127.0.0.1")'",
            "max_connections = 200",
        ]
        if let port = settings.port { lines += ["port = \(port)"] }
        switch settings.durability {
        case .none: lines += ["fsync = off"]
        case .fsync: lines += ["fsync = on"]
        }
        // A copy has the primary's lines too, and waits for no standby of its own.
        if case .copy = origin { lines += ["synchronous_standby_names = ''"] }
        return (lines + settings.lines).joined(separator: "\n")
    }

    private static func makeFolder() throws(ProgramError) -> String {
        var template = Array("/tmp/rangers-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ProgramError("no folder in /tmp: \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes a pipe that no other program inherits.
    private static func makePipe() throws(ProgramError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProgramError("no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Returns the last lines of a log.
    private static func end(of path: String) -> String {
        let bytesMax = 4096
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        lseek(file, max(0, size - bytesMax), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(file, &bytes, bytesMax)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
