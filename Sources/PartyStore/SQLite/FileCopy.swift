internal import Glibc

/// Copies files that contain push tokens: only the server's user can read the copies.
enum FileCopy {
    private static let chunkBytes = 1 << 20

    /// Copies a file, if it exists, to a new one with mode 0600. A failed copy leaves nothing.
    static func copy(_ path: String, to target: String) throws(FileFailure) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            if errno == ENOENT { return }
            throw FileFailure("opened", path)
        }
        defer { close(source) }
        // Complete or absent: a stop in the middle leaves only the unfinished name.
        let unfinished = target + ".unfinished"
        do throws(FileFailure) {
            try write(from: source, path, to: unfinished)
            guard rename(unfinished, target) == 0 else { throw FileFailure("written", target) }
            try syncFolder(of: target)
        } catch {
            unlink(unfinished)
            throw error
        }
    }

    private static func write(
        from source: Int32, _ path: String, to target: String
    ) throws(FileFailure) {
        let copy = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw FileFailure("written", target) }
        defer { close(copy) }
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = read(source, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure("read", path) }
            guard count > 0 else { break }
            try write(chunk[..<count], to: copy, target)
        }
        guard fsync(copy) == 0 else { throw FileFailure("written", target) }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
    ) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("written", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes the names in a file's folder durable.
    static func syncFolder(of path: String) throws(FileFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure("written", folder) }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
