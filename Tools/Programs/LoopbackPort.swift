internal import Glibc

/// TCP ports on 127.0.0.1, for servers that cannot choose their own.
package enum LoopbackPort {
    /// Returns a port that was free just now.
    package static func free() throws(ProgramError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) | getsockname(descriptor, generic, &length)
            }
        }
        guard descriptor >= 0, status == 0 else {
            throw ProgramError("no port of 127.0.0.1 is free: \(String(cString: strerror(errno)))")
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns whether a connection to the port is accepted.
    package static func isOpen(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port: port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, length) == 0
            }
        }
    }

    /// Returns an address of 127.0.0.`host`.
    static func address(port: UInt16, host: UInt8 = 1) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + UInt32(host)).bigEndian
        return address
    }
}
