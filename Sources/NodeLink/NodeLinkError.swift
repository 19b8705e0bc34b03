/// Why a node can neither listen for others nor send to them: a mistake in its settings.
package enum NodeLinkError: Error, Hashable, Sendable {
    case badKey(byteCount: Int)
    /// Plain HTTP would carry the key and players' tokens over a network.
    case needsTLS(host: String)
    case cannotListen(String)
    case cannotStart(String)
}

extension NodeLinkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badKey(let count):
            """
            the nodes' key has \(count) bytes; give \(NodeKey.bytesMin) to \(NodeKey.bytesMax) \
            characters of ASCII without blanks, for example from "openssl rand -hex 32"
            """
        case .needsTLS(let host):
            """
            \(host) is not a loopback address, so the nodes' listener needs TLS: give it a \
            certificate and a private key, and the authority that signed the nodes' certificates
            """
        case .cannotListen(let why): why
        case .cannotStart(let why): "requests cannot be forwarded: \(why)"
        }
    }
}
