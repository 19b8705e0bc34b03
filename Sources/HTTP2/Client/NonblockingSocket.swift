internal import Glibc

/// TCP sockets of a client.
enum NonblockingSocket {
    /// Starts a connect without waiting; the loop reports the result.
    static func connect(to address: NetworkAddress) throws(LoopError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw LoopError(call: "socket", code: errno) }
        let status = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
        guard status != 0, errno != EINPROGRESS else { return descriptor }
        let code = errno
        close(descriptor)
        throw LoopError(call: "connect", code: code)
    }
}
