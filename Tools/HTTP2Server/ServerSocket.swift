internal import Glibc
internal import HTTP2

/// TCP sockets of a server.
enum ServerSocket {
    private static let kind = Int32(
        SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    /// Listens on the host's first address; returns the descriptor and the bound port.
    static func listen(_ host: String, port: UInt16) throws -> (Int32, UInt16) {
        let addresses = try NetworkAddress.lookUp(host, port: port).get()
        guard let address = addresses.first else {
            throw LookupFailure(description: "'\(host)' has no address")
        }
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw LoopError(call: "socket", code: errno) }
        do {
            try bind(descriptor, to: address)
            return (descriptor, try boundPort(descriptor))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Accepts one client, non-blocking; `nil` when none waits.
    static func accept(_ descriptor: Int32) throws(LoopError) -> Int32? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return accepted
            }
            switch errno {
            case EAGAIN, EWOULDBLOCK: return nil
            // The client has left; the next one may be waiting.
            case EINTR, ECONNABORTED: continue
            default: throw LoopError(call: "accept4", code: errno)
            }
        }
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    private static func bind(_ descriptor: Int32, to address: NetworkAddress) throws(LoopError) {
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw LoopError(call: "bind", code: errno)
        }
        guard Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            throw LoopError(call: "listen", code: errno)
        }
    }

    private static func boundPort(_ descriptor: Int32) throws(LoopError) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutableBytes(of: &address) { raw in
            getsockname(
                descriptor, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        guard status == 0 else { throw LoopError(call: "getsockname", code: errno) }
        // The port has the same position in both families.
        return UInt16(bigEndian: address.sin6_port)
    }
}
