internal import Glibc

/// The memory of this process that is in RAM.
enum ResidentMemory {
    private static let textMax = 128

    /// In bytes; `nil` where the kernel does not tell it.
    static var bytes: Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: textMax) { text in
            max(0, read(file, text.baseAddress, text.count))
        }
        return bytes(inStatm: text, pageSize: sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Parses `/proc/PID/statm` (proc(5)), whose second number counts resident pages.
    static func bytes(inStatm text: String, pageSize: Int) -> Int? {
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * pageSize
    }
}
