internal import Glibc

/// Copies files that contain push tokens: only the server's user can read the copies.
struct FileCopy {
    private static let chunkBytes = 1 << 20

    private let calls: any FileCalls

    init(on disk: Disk) { calls = disk.calls }

    /// Copies a file, if it exists, to a new one with mode 0600. A failed copy leaves nothing.
    func copy(_ path: String, to target: String) throws(FileFailure) {
        let source = calls.open(path, O_RDONLY | O_CLOEXEC, mode: 0)
        guard source >= 0 else {
            if errno == ENOENT { return }
            throw FileFailure("opened", path)
        }
        defer { calls.close(source) }
        // Complete or absent: a stop in the middle leaves only the unfinished name.
        let unfinished = target + ".unfinished"
        do throws(FileFailure) {
            try write(from: source, path, to: unfinished)
            guard calls.rename(unfinished, to: target) == 0 else {
                throw FileFailure("written", target)
            }
            try syncFolder(of: target)
        } catch {
            calls.remove(unfinished)
            throw error
        }
    }

    private func write(
        from source: Int32, _ path: String, to target: String
    ) throws(FileFailure) {
        let copy = calls.open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o600)
        guard copy >= 0 else { throw FileFailure("written", target) }
        defer { calls.close(copy) }
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        var position: Int64 = 0
        while true {
            let count = chunk.withUnsafeMutableBytes { [calls] in
                calls.read(source, into: $0, at: position)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure("read", path) }
            guard count > 0 else { break }
            try write(chunk[..<count], to: copy, target)
            position += Int64(count)
        }
        guard calls.sync(copy) == 0 else { throw FileFailure("written", target) }
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
    ) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { [calls] in calls.write(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("written", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes the names in a file's folder durable.
    func syncFolder(of path: String) throws(FileFailure) {
        let folder = Disk.folder(of: path)
        let descriptor = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else { throw FileFailure("opened", folder) }
        defer { calls.close(descriptor) }
        guard calls.sync(descriptor) == 0 else { throw FileFailure("written", folder) }
    }
}
