/// A statement that failed, grouped by what the caller does next.
struct SQLFailure: Error, Hashable {
    enum Kind: Hashable {
        /// A row with this key already exists; excludes other constraints.
        case duplicate
        /// The disk may be full, so that some room may help.
        case fullDisk
        /// The transaction as a whole cannot continue now.
        case passing
        /// Another transaction was in the way: the same one may succeed now.
        case conflict
        /// What is stored is not what was written.
        case corruption
        case other
    }

    /// What reports it.
    enum Reporter: String {
        case sqlite = "SQLite"
        case postgreSQL = "PostgreSQL"
        case store = "The store"
    }

    let kind: Kind
    let reporter: Reporter
    let code: String
    let message: String

    var isDuplicate: Bool { kind == .duplicate }
    var isFullDisk: Bool { kind == .fullDisk }
    var isCorruption: Bool { kind == .corruption }
    var isConflict: Bool { kind == .conflict }

    /// Whether the transaction as a whole cannot continue now: the disk is full, the file is busy.
    ///
    /// The database may already have rolled it back.
    var isPassing: Bool { kind == .passing || kind == .fullDisk || kind == .conflict }

    /// Returns what stands for an error that no table throws.
    static func unforeseen(_ error: any Error) -> SQLFailure {
        SQLFailure(
            kind: .other, reporter: .store, code: "0",
            message: "a statement threw a \(type(of: error))")
    }

    /// The error for the caller of the store.
    var storeError: StoreError {
        let report = "\(reporter.rawValue) reports: \(message) (code \(code))"
        return isPassing ? .unavailable(report) : .broken("\(report); \(advice)")
    }

    private var advice: String {
        switch (reporter, isCorruption) {
        case (.postgreSQL, true): "stop, and restore the database from a backup"
        case (.postgreSQL, false): "check the database and the rights of its user, then start again"
        case (_, true): "stop, keep a copy of the file, and restore it from a backup"
        case (_, false): "check the file and its folder, then start again"
        }
    }
}
