internal import OptionParsing
internal import PartyStore

/// What `rangers --version` prints: the release, and the schema of the data files that it writes.
package enum ServerVersion {
    package static let text = "\(Version.current), schema \(SQLiteStore.schemaVersion)"
}
