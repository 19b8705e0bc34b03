/// A statement that failed, grouped by what the caller does next.
struct SQLFailure: Error, Hashable {
    enum Kind: Hashable {
        /// A row with this key already exists; excludes other constraints.
        case duplicate
        /// The disk may be full, so that some room may help.
        case fullDisk
        /// The transaction as a whole cannot continue now.
        case passing
        /// What is stored is not what was written.
        case corruption
        case other
    }

    let kind: Kind
    /// What reports it: "SQLite".
    let database: String
    let code: String
    let message: String

    var isDuplicate: Bool { kind == .duplicate }
    var isFullDisk: Bool { kind == .fullDisk }
    var isCorruption: Bool { kind == .corruption }

    /// Whether the transaction as a whole cannot continue now: the disk is full, the file is busy.
    ///
    /// The database may already have rolled it back.
    var isPassing: Bool { kind == .passing || kind == .fullDisk }

    /// Returns what stands for an error that no table throws.
    static func unforeseen(_ error: any Error) -> SQLFailure {
        SQLFailure(
            kind: .other, database: "the store", code: "0",
            message: "that a statement threw a \(type(of: error))")
    }

    /// The error for the caller of the store.
    var storeError: StoreError {
        let report = "\(database) reports \(message) (code \(code))"
        if isPassing { return .unavailable(report) }
        let advice =
            isCorruption
            ? "; stop, keep a copy of the file, and restore it from a backup"
            : "; check the file and its folder, then start again"
        return .broken(report + advice)
    }
}
