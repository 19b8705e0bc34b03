internal import Foundation
internal import Glibc

/// A directory accessible to its owner only. Files are written atomically.
struct PrivateFolder {
    private let directory: URL

    enum Secrecy: Hashable {
        case open, secret

        var mode: mode_t {
            switch self {
            case .open: 0o644
            case .secret: 0o600
            }
        }
    }

    /// Creates the directory with mode 0700, if it does not exist.
    init(_ path: String) throws(CredentialsError) {
        directory = URL(fileURLWithPath: path, isDirectory: true).absoluteURL
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CredentialsError(
                "the directory \(path) cannot be created: \(error.localizedDescription)")
        }
        guard let mode = Self.mode(of: directory.path), mode & 0o022 == 0 else {
            throw CredentialsError("other users may write to \(path): chmod 700 it")
        }
    }

    func path(of name: String) -> String { directory.appending(path: name).path }

    /// Returns a file's text; `nil` when it does not exist.
    func read(_ name: String) throws(CredentialsError) -> String? {
        let path = path(of: name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw CredentialsError("\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// Returns a secret file's text; throws if others can read the file.
    func readSecret(_ name: String) throws(CredentialsError) -> String? {
        guard let text = try read(name) else { return nil }
        let path = path(of: name)
        guard let mode = Self.mode(of: path), mode & 0o077 == 0 else {
            throw CredentialsError("\(path) can be read by other users: chmod 600 it")
        }
        return text
    }

    func write(_ name: String, _ text: String, _ secrecy: Secrecy) throws(CredentialsError) {
        let path = path(of: name)
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, secrecy.mode)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            fchmod(descriptor, secrecy.mode) == 0, fsync(descriptor) == 0,
            rename(draft, path) == 0
        else {
            let failure = Self.failure(path)
            unlink(draft)
            throw failure
        }
    }

    private static func failure(_ path: String) -> CredentialsError {
        CredentialsError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : nil
    }
}
