package import Glibc

/// A socket address, ready for `connect` and `bind`.
package struct NetworkAddress: Hashable, Sendable {
    /// The bytes of a `sockaddr_in` or `sockaddr_in6`.
    let bytes: [UInt8]

    /// `AF_INET` or `AF_INET6`.
    package var family: Int32 {
        withSocketAddress { address, _ in Int32(address.pointee.sa_family) }
    }

    /// Returns whether the text is an IPv4 or IPv6 address, which needs no lookup.
    package static func isLiteral(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }

    /// Queries the system's resolver: not cached in this process, and blocking unless the host is
    /// an address.
    package static func lookUp(_ host: String, port: UInt16) -> Result<
        [NetworkAddress], LookupFailure
    > {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isLiteral(host) ? AI_NUMERICHOST : 0)
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &first)
        defer { if let first { freeaddrinfo(first) } }
        guard status == 0 else {
            let reason = String(cString: gai_strerror(status))
            return .failure(LookupFailure(description: "cannot look up '\(host)': \(reason)"))
        }
        var found: [NetworkAddress] = []
        var next = first
        while let entry = next {
            let raw = UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            found.append(NetworkAddress(bytes: Array(raw)))
            next = entry.pointee.ai_next
        }
        return .success(found)
    }

    /// Passes the address to a C function.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { raw in
            raw.copyBytes(from: bytes.prefix(raw.count))
            // `sockaddr_storage` is aligned for, and as large as, every address family.
            guard let start = raw.baseAddress else { preconditionFailure("storage has no bytes") }
            return body(
                UnsafePointer(start.assumingMemoryBound(to: sockaddr.self)),
                socklen_t(bytes.count))
        }
    }
}

/// A failed lookup of a host name.
package struct LookupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
