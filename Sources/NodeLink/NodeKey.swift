internal import HTTPServer
package import Secrets

/// The key that all nodes of a game share. Who has it may act for every player and game master.
package struct NodeKey: Sendable {
    package static let bytesMin = 32
    static let bytesMax = 256

    let secret: Secret

    /// Checks that a header can carry the key, and that nobody can guess it.
    package init(_ secret: Secret) throws(NodeLinkError) {
        let bytes = secret.revealed.utf8
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count),
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw .badKey(byteCount: bytes.count) }
        self.secret = secret
    }

    /// Whether a request carries the key, found in constant time.
    func isCarried(by request: Request) -> Bool {
        secret.equals(Secret(request.headers[NodeHeaders.key] ?? ""))
    }

    /// Whether a request carries the key, by its head.
    func isCarried(by head: borrowing RequestHead) -> Bool {
        guard let value = head.text(of: NodeHeaders.keyName) else { return false }
        return secret.equals(Secret(value))
    }
}
