internal import OptionParsing
internal import RangersServer

/// What to use for a PostgreSQL database where a command is for data files.
enum DatabaseTools {
    enum Purpose {
        case backup, restore
    }

    /// An option that these commands take to say what to use instead.
    static let option = Option(
        "store", "URI", "Not for databases: PostgreSQL has its own tools for these",
        visibility: .secret)

    /// Returns what to do if `--store` names a database.
    static func advice(
        _ values: OptionValues, on purpose: Purpose
    ) throws(OptionsError) -> String? {
        guard try PlaceOptions.isDatabase(values) else { return nil }
        return switch purpose {
        case .backup:
            """
            A database is backed up by PostgreSQL's own tools: pg_dump --format=custom for a copy \
            of one moment, or pg_basebackup with WAL archiving. `rangers replay --store` and \
            `rangers doctor --store` verify what was restored from it.
            """
        case .restore:
            """
            A database is restored by PostgreSQL's own tools: stop all servers, then pg_restore \
            into an empty database. `rangers replay --store` and `rangers doctor --store` verify \
            it before you start a server.
            """
        }
    }
}
