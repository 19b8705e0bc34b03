@testable import PartyStore

/// Files of older schemas, made from new ones.
enum OlderFile {
    /// Turns a file into one of schema 8.
    static func makeSchema8(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try database.execute("PRAGMA foreign_keys = OFF")
        for added in Schema.addedIn9 {
            for table in added.matches(of: #/CREATE TABLE (\w+)/#) {
                try database.execute("DROP TABLE \(table.output.1)")
            }
        }
        try database.execute("PRAGMA user_version = 8")
    }
}
