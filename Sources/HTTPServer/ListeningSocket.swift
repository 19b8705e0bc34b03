internal import Glibc

/// A listening TCP socket. Its owner must close it; a `Daemon` does so once started.
struct ListeningSocket {
    let descriptor: Int32
    /// The bound port, also if 0 was requested.
    let port: UInt16

    /// Binds and listens. `host` is an address; names are not resolved.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        guard status == 0, let address = found else {
            throw .cannotListen("\(host) is not an IPv4 or IPv6 address; give one, not a name")
        }
        defer { freeaddrinfo(found) }
        let kind =
            address.pointee.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw Self.failure("socket", host, port) }
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(descriptor, SOMAXCONN) == 0
        else {
            let failure = Self.failure("bind", host, port)
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        self.port = Self.boundPort(of: descriptor)
    }

    /// Makes the kernel refuse connections without the knowledge of threads that poll the
    /// descriptor. The descriptor stays open as another socket, on which nothing ever arrives.
    ///
    /// If no such socket can be created, new clients wait until the descriptor is closed.
    func refuse() {
        let silent = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard silent >= 0 else { return }
        // Atomic for all threads: none can find the number free or reused.
        dup2(silent, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        close(silent)
    }

    private static func failure(
        _ step: String, _ host: String, _ port: UInt16
    ) -> HTTPServerError {
        let reason = String(cString: strerror(errno))
        return .cannotListen(
            "\(host) port \(port): \(reason) (\(step)); choose another address or port")
    }

    private static func boundPort(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return 0 }
                // The port has the same position in the IPv4 and IPv6 structures.
                return UnsafeRawPointer(address).load(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }
}
