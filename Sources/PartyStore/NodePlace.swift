/// The name of a node, and the address at which others reach it.
package struct NodePlace: Hashable, Sendable {
    /// The name for people, usually that of its machine.
    package let name: String
    /// Where the proxy reaches it, as "host:port", for players and for game masters; empty: it
    /// cannot.
    package let address: String
    package let adminAddress: String
    /// Where clients reach it without the proxy of all; empty: they do not.
    package let publicURL: String

    /// Creates a place. Without `adminAddress` game masters reach it where players do.
    package init(
        name: String, address: String, adminAddress: String? = nil, publicURL: String = ""
    ) {
        self.name = name
        self.address = address
        self.adminAddress = adminAddress ?? address
        self.publicURL = publicURL
    }
}
