/// The owner, in SQL.
extension Database {
    func epoch() throws(SQLFailure) -> Int64 {
        try integer("SELECT epoch FROM ownership WHERE id = 1")
    }

    /// Raises the epoch and returns the new one.
    func takeOwnership() throws(SQLFailure) -> Int64 {
        try run("UPDATE ownership SET epoch = epoch + 1 WHERE id = 1")
        return try epoch()
    }

    func require(_ owner: Epoch) throws {
        guard try epoch() == owner.number else { throw StoreError.notTheOwner }
    }
}
