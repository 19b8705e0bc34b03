internal import CPostgreSQL
internal import Glibc

/// One connection to PostgreSQL through libpq, which never blocks longer than its limits.
///
/// It is not `Sendable`: the actor that opened it keeps it on its own executor. After a failure of
/// the connection itself it is of no more use (`isUsable`).
final class PostgreSQLLink {
    /// How long one host may take to accept a connection.
    static let connectMillisecondsMax: Int64 = 5000
    /// How long PostgreSQL may work on a statement.
    static let statementMillisecondsMax: Int64 = 10_000
    /// How long a transaction may wait for its next statement: the locks of a node that is paused
    /// or cut off are free after that.
    static let idleMillisecondsMax: Int64 = 3000
    /// How much longer than a statement its answer may take, on its way too.
    static let answerMillisecondsBeyond: Int64 = 5000

    /// How long an answer may take.
    var answerMilliseconds = statementMillisecondsMax + answerMillisecondsBeyond
    private let handle: OpaquePointer
    private var names: StatementNames
    /// Statements without parameters that go out with the next one.
    private var deferred: [String] = []
    /// Whether an answer is missing, so that what comes next belongs to nothing.
    private var isOutOfStep = false
    /// Whether the server takes no writes any more: another host may.
    private(set) var isReadOnly = false
    /// The size of all parameters that were sent since its owner has set it to 0, in bytes.
    var bytesSent: Int64 = 0
    /// What the server has warned of since the last statement was sent.
    private(set) var warning: String?

    /// Connects to the first host that takes writes.
    init(_ address: PostgreSQLAddress) throws(SQLFailure) {
        let connection = try Self.connected(address)
        handle = connection.handle
        names = StatementNames(connection.isDirect ? .withoutArrays : .never)
        noteWarnings()
    }

    private typealias Connection = (handle: OpaquePointer, isDirect: Bool)

    private static func connected(
        _ address: PostgreSQLAddress
    ) throws(SQLFailure) -> Connection {
        var failures: [SQLFailure] = []
        for host in address.hosts {
            do throws(SQLFailure) {
                return try connected(host)
            } catch {
                failures.append(error)
            }
        }
        guard let last = failures.last else {
            throw .lost("the address \(address.description) has no host")
        }
        throw failures.count == 1 ? last : failure(last, of: address.hosts, failures)
    }

    /// Returns the last host's failure with the messages of all: the first host may be the one that
    /// an operator has to mend.
    private static func failure(
        _ last: SQLFailure, of hosts: [[String: String]], _ failures: [SQLFailure]
    ) -> SQLFailure {
        let messages = zip(hosts, failures).map { host, failure in
            "\(host["host"] ?? "a host") port \(host["port"] ?? "5432"): \(failure.message)"
        }
        return SQLFailure(
            kind: last.kind, reporter: last.reporter, code: last.code,
            message: messages.joined(separator: "; "))
    }

    deinit { PQfinish(handle) }

    /// Whether further statements may succeed.
    var isUsable: Bool { !isOutOfStep && !isReadOnly && PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, sound or not.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Returns why the last attempt to connect failed.
    private static func failure(_ handle: OpaquePointer) -> SQLFailure {
        guard PQconnectionNeedsPassword(handle) == 0 else {
            return SQLFailure(
                state: "28P01",
                message: "a password is needed: set PGPASSFILE or PGPASSWORD")
        }
        return .lost(message(of: handle))
    }

    /// Keeps warnings. Otherwise libpq would print them, and notices.
    private func noteWarnings() {
        PQsetNoticeReceiver(
            handle,
            { link, notice in
                guard let link, let warning = PostgreSQLResult.warning(of: notice) else { return }
                Unmanaged<PostgreSQLLink>.fromOpaque(link).takeUnretainedValue().warning = warning
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func message(of handle: OpaquePointer) -> String {
        String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
            .joined(separator: " ")
    }
}

// MARK: Connecting

extension PostgreSQLLink {
    private static func connected(
        _ options: [String: String]
    ) throws(SQLFailure) -> Connection {
        let deadline = Deadline(milliseconds: connectMillisecondsMax)
        guard let handle = begin(options) else { throw .lost("no memory for a connection") }
        do throws(SQLFailure) {
            try finish(handle, until: deadline)
            guard PQsetnonblocking(handle, 1) == 0 else { throw failure(handle) }
            return (handle, try isDirect(handle, until: deadline))
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    /// Returns whether no pooler is between. PostgreSQL names its process when it accepts a
    /// connection; a pooler names none, because each transaction may get another one.
    private static func isDirect(
        _ handle: OpaquePointer, until deadline: Deadline
    ) throws(SQLFailure) -> Bool {
        guard PQsendQuery(handle, "SELECT pg_backend_pid()::text") == 1 else {
            throw failure(handle)
        }
        var process: Int64?
        while let result = try nextResult(of: handle, until: deadline) {
            if let failure = result.failure { throw failure }
            process = result.rows.first.flatMap { Int64($0.text(0)) }
        }
        return process == Int64(PQbackendPID(handle))
    }

    private static func begin(_ options: [String: String]) -> OpaquePointer? {
        let options = options.sorted { $0.key < $1.key }
        let texts = options.map { (strdup($0.key), strdup($0.value)) }
        defer {
            for (keyword, value) in texts {
                free(keyword)
                free(value)
            }
        }
        let keywords = texts.map { UnsafePointer($0.0) } + [nil]
        let values = texts.map { UnsafePointer($0.1) } + [nil]
        return PQconnectStartParams(keywords, values, 0)
    }

    private static func finish(
        _ handle: OpaquePointer, until deadline: Deadline
    ) throws(SQLFailure) {
        guard PQstatus(handle) != CONNECTION_BAD else { throw failure(handle) }
        var events = POLLOUT
        while true {
            try wait(for: events, on: handle, until: deadline)
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: events = POLLIN
            case PGRES_POLLING_WRITING: events = POLLOUT
            default: throw failure(handle)
            }
        }
    }

    /// Waits until the socket is ready.
    private static func wait(
        for events: Int32, on handle: OpaquePointer, until deadline: Deadline
    ) throws(SQLFailure) {
        while true {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let ready = poll(&descriptor, 1, deadline.millisecondsLeft)
            if ready > 0 { return }
            if ready == 0 { throw .lost("no response in time") }
            guard errno == EINTR else {
                throw .lost("poll failed: \(String(cString: strerror(errno)))")
            }
        }
    }
}

// MARK: Statements

extension PostgreSQLLink {
    /// Sends a statement with the next one, in one round trip; that one throws its failure.
    func runWithNext(_ sql: String) { deferred.append(sql) }

    /// Runs the statements that wait for the next one.
    func runDeferred() throws(SQLFailure) {
        if !deferred.isEmpty { _ = try run(pipeline: []) }
    }

    /// Drops the statements that wait for the next one.
    func dropDeferred() { deferred = [] }

    /// Runs texts without parameters, separated by semicolons, in one transaction.
    func run(script: String) throws(SQLFailure) {
        try runDeferred()
        guard PQsendQuery(handle, script) == 1 else { throw lost() }
        let deadline = Deadline(milliseconds: answerMilliseconds)
        var refusal: SQLFailure?
        while let result = try nextResult(until: deadline) {
            refusal = refusal ?? result.failure
        }
        if let refusal { throw refusal }
    }

    /// Runs one statement in one round trip.
    func run(_ sql: [CChar], _ parameters: PostgreSQLParameters) throws(SQLFailure)
        -> PostgreSQLResult
    {
        // A name and what it stands for are two messages.
        guard deferred.isEmpty, !names.isNew(sql, parameters) else {
            return try run(pipeline: [(sql, parameters)])[0]
        }
        _ = try send(sql, parameters)
        let deadline = Deadline(milliseconds: answerMilliseconds)
        var answer: PostgreSQLResult?
        while let result = try nextResult(until: deadline) { answer = answer ?? result }
        guard let answer else { throw lost() }
        if let failure = answer.failure { throw failure }
        return answer
    }

    /// Runs statements in one round trip. The first that fails ends them.
    func run(
        pipeline further: [(sql: [CChar], parameters: PostgreSQLParameters)]
    ) throws(SQLFailure) -> [PostgreSQLResult] {
        let earlier = deferred.map {
            (sql: Array($0.utf8CString), parameters: PostgreSQLParameters.none)
        }
        deferred = []
        let statements = earlier + further
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        var sent: [Sent] = []
        for statement in statements { sent += try send(statement.sql, statement.parameters) }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        let deadline = Deadline(milliseconds: answerMilliseconds)
        var answers: [PostgreSQLResult] = []
        var refusal: SQLFailure?
        for sent in sent {
            guard let answer = try nextResult(until: deadline) else { throw lost() }
            refusal = refusal ?? answer.failure
            switch sent {
            case .statement: answers.append(answer)
            case .name(let name): if answer.failure != nil { names.forget(name) }
            }
            while try nextResult(until: deadline) != nil {}
        }
        // The end of the pipeline, which has no further result.
        guard try nextResult(until: deadline) != nil, PQexitPipelineMode(handle) == 1 else {
            throw lost()
        }
        if let refusal { throw refusal }
        return Array(answers.dropFirst(earlier.count))
    }

    /// What PostgreSQL answers.
    private enum Sent {
        case name(StatementNames.Name)
        case statement
    }

    private func send(
        _ sql: [CChar], _ parameters: PostgreSQLParameters
    ) throws(SQLFailure) -> [Sent] {
        warning = nil
        bytesSent += Int64(parameters.byteCount)
        let name = names.name(of: sql, parameters)
        let isSent = parameters.withPointers { count, types, values, lengths, formats in
            guard let name else {
                return PQsendQueryParams(handle, sql, count, types, values, lengths, formats, 1)
                    == 1
            }
            return
                (!name.isNew || PQsendPrepare(handle, name.text, sql, count, types) == 1)
                && PQsendQueryPrepared(
                    handle, name.text, count, values, lengths, formats, 1) == 1
        }
        guard isSent else { throw lost() }
        guard let name, name.isNew else { return [.statement] }
        return [.name(name), .statement]
    }

    /// Returns the next result; `nil`: the statement has no more.
    private func nextResult(until deadline: Deadline) throws(SQLFailure) -> PostgreSQLResult? {
        do throws(SQLFailure) {
            let result = try Self.nextResult(of: handle, until: deadline)
            if result?.failure?.code == SQLFailure.readOnly { isReadOnly = true }
            if result?.failure?.isOfNames == true { isOutOfStep = true }
            return result
        } catch {
            isOutOfStep = true
            throw error
        }
    }

    private static func nextResult(
        of handle: OpaquePointer, until deadline: Deadline
    ) throws(SQLFailure) -> PostgreSQLResult? {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw .lost(message(of: handle)) }
            guard unsent > 0 || PQisBusy(handle) == 1 else { break }
            try wait(for: unsent > 0 ? POLLIN | POLLOUT : POLLIN, on: handle, until: deadline)
            guard PQconsumeInput(handle) == 1 else { throw .lost(message(of: handle)) }
        }
        return PQgetResult(handle).map(PostgreSQLResult.init)
    }

    /// Returns why libpq refuses to go on.
    private func lost() -> SQLFailure {
        isOutOfStep = true
        return .lost(Self.message(of: handle))
    }
}

/// A moment on the monotonic clock until which something may take.
struct Deadline {
    private let nanoseconds: Int64

    init(milliseconds: Int64) { nanoseconds = Self.now + milliseconds * 1_000_000 }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// What is left, rounded up, for `poll`.
    var millisecondsLeft: Int32 {
        Int32(clamping: max(0, (nanoseconds - Self.now + 999_999) / 1_000_000))
    }
}
