/// Keeps one session with PostgreSQL, and connects again after a failure.
struct PostgreSQLConnector {
    /// How long nothing is tried after a connection that failed, in milliseconds: calls fail
    /// at once meanwhile.
    static let pauseMilliseconds: Int64 = 500

    let address: PostgreSQLAddress
    private let pauseMilliseconds: Int64
    private let departures: HostDepartures
    private var session: PostgreSQLSession?
    /// The number of departures before the session began.
    private var departuresBefore = 0
    private var pause: (until: Deadline, reason: SQLFailure)?
    private var isClosed = false

    init(
        _ address: PostgreSQLAddress, pauseMilliseconds: Int64, departures: HostDepartures
    ) {
        self.address = address
        self.departures = departures
        self.pauseMilliseconds = pauseMilliseconds
    }

    /// Runs `body` with a session in which no transaction is open; `nil` after `close`. If the
    /// connection dies with it, `body` runs once more with a new one: it must commit nothing, or only
    /// what may be committed twice.
    mutating func withSession<Result>(
        _ body: (PostgreSQLSession) throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result? {
        guard !isClosed else { return nil }
        let known = session != nil
        do throws(SQLFailure) {
            return try body(try connected())
        } catch {
            guard known, session?.link.isUsable == false else { throw error }
            return try body(try connected())
        }
    }

    private mutating func connected() throws(SQLFailure) -> PostgreSQLSession {
        if let session {
            if session.link.isReadOnly { departures.add(after: departuresBefore) }
            if session.link.isUsable, departures.number == departuresBefore { return session }
        }
        session = nil
        if let pause, pause.until.millisecondsLeft > 0 { throw pause.reason }
        departuresBefore = departures.number
        do throws(SQLFailure) {
            let opened = try PostgreSQLSession(address)
            (session, pause) = (opened, nil)
            return opened
        } catch {
            pause = (Deadline(milliseconds: pauseMilliseconds), error)
            throw error
        }
    }

    mutating func close() {
        session = nil
        isClosed = true
    }
}
