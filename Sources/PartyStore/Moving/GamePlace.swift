internal import Glibc

/// Where a game is kept.
package enum GamePlace: Hashable, Sendable {
    case file(String)
    case database(PostgreSQLAddress)

    /// Opens the game to read it, even while a server runs on it, and changes nothing of it.
    package func openReadOnly(
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws(StoreError) -> any TableStore {
        switch self {
        case .file(let path):
            try await SQLiteStore.openReadOnly(path: path, onEvent: onEvent)
        case .database(let address):
            try await PostgreSQLStore.openReadOnly(address, onEvent: onEvent)
        }
    }
}

extension GamePlace: CustomStringConvertible {
    /// The file with its whole path, or the address of the database.
    package var description: String {
        switch self {
        case .database(let address): address.description
        case .file(let path):
            if path.hasPrefix("/") { path } else { Self.folder + "/" + path }
        }
    }

    private static var folder: String {
        guard let folder = getcwd(nil, 0) else { return "." }
        defer { free(folder) }
        return String(cString: folder)
    }
}
