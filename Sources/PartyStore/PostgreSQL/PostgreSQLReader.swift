internal import Isolation

/// A reading connection on its own executor. It also decodes the rows.
actor PostgreSQLReader: SessionReader {
    private let executor = QueueExecutor(label: "PartyStore reader")
    private var connector: PostgreSQLConnector

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        _ address: PostgreSQLAddress, pauseMilliseconds: Int64, departures: HostDepartures
    ) {
        connector = PostgreSQLConnector(
            address, pauseMilliseconds: pauseMilliseconds, departures: departures)
    }

    func read<Result: Sendable>(
        _ body: @Sendable (PostgreSQLSession) throws -> Result
    ) throws(ReadFailure) -> Result {
        let result: Swift.Result<Result, ReadFailure>?
        do throws(SQLFailure) {
            result = try connector.withSession { session throws(SQLFailure) in
                do {
                    return .success(try body(session))
                } catch let failure as SQLFailure where !session.link.isUsable {
                    // A read changes nothing: it may begin again.
                    throw failure
                } catch {
                    return .failure(ReadFailure(error))
                }
            }
        } catch {
            throw .failed(error)
        }
        guard let result else { throw .refused(.closed) }
        return try result.get()
    }

    func close() { connector.close() }
}
