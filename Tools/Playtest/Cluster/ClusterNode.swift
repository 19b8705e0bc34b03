internal import Programs

/// One node of a cluster: a server, and the relays between it and the rest.
final class ClusterNode: Sendable {
    /// "A", "B", …
    let name: String
    let server: ServerProcess
    /// One for each route to the database.
    let database: [TCPRelay]
    /// Before its address for other nodes; `nil`: it is alone.
    let peers: TCPRelay?

    struct Place {
        let number: Int
        let executable: String
        let folder: TestbedFolder
        /// The arguments that all nodes have.
        let arguments: [String]
        /// The file with the key of all nodes; `nil`: it is alone.
        let keyFile: String?
        let databasePorts: [UInt16]
        let forgeries: [TCPRelay.Forgery]
    }

    init(_ place: Place) throws(ProgramError) {
        name = ["A", "B", "C", "D", "E"][place.number]
        var relays: [TCPRelay] = []
        for port in place.databasePorts {
            relays.append(try TCPRelay(to: port, forging: place.forgeries))
        }
        database = relays
        let hosts = relays.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        var arguments =
            place.arguments + [
                "--store", "postgresql://rangers@\(hosts)/postgres", "--node-name", name,
            ]
        if let keyFile = place.keyFile {
            let listener = try LoopbackPort.free()
            let relay = try TCPRelay(to: listener)
            peers = relay
            arguments += [
                "--nodes-listen", "127.0.0.1:\(listener)",
                "--nodes-address", "127.0.0.1:\(relay.port)", "--nodes-key-file", keyFile,
            ]
        } else {
            peers = nil
        }
        server = ServerProcess(
            executable: place.executable, arguments: arguments,
            logFile: place.folder.path + "/node-\(name).log",
            // A node that lost its lease begins anew in the same process, at the same address.
            port: Int(try LoopbackPort.free()))
    }

    func beDatabase(_ conduct: TCPRelay.Conduct) {
        for relay in database { relay.be(conduct) }
    }
}
