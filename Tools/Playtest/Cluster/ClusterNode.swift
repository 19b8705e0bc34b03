internal import Programs

/// One node of a cluster: a server, and the relays between it and the rest.
final class ClusterNode: Sendable {
    /// "A", "B", …
    let name: String
    let server: ServerProcess
    /// One for each route to the database.
    let database: [TCPRelay]
    /// The proxy's way to it.
    let front: TCPRelay
    /// What `rangers doctor --nginx` needs to know of it.
    private let place: [String]

    struct Place {
        let number: Int
        let executable: String
        let folder: TestbedFolder
        /// The arguments that all nodes have.
        let arguments: [String]
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
        // A node that lost its lease begins anew in the same process, at the same address.
        let port = try LoopbackPort.free()
        front = try TCPRelay(to: port, from: NginxProxy.host)
        let hosts = relays.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        self.place = [
            "--store", "postgresql://rangers@\(hosts)/postgres", "--node-name", name,
            "--node-address", "127.0.0.1:\(front.port)",
        ]
        server = ServerProcess(
            executable: place.executable,
            arguments: place.arguments + self.place + ["--behind-proxy", NginxProxy.address],
            logFile: place.folder.path + "/node-\(name).log", port: Int(port))
    }

    func beDatabase(_ conduct: TCPRelay.Conduct) {
        for relay in database { relay.be(conduct) }
    }

    /// Returns the file of nginx for all nodes that have started.
    func nginxFile(by executable: String) async throws -> String {
        let doctor = Program(executable, ["doctor", "--nginx"] + place)
        let printed = try await doctor.printed()
        guard printed.end == 0 else {
            throw NginxFault("rangers doctor --nginx ended with \(printed.end ?? -1)")
        }
        return printed.text
    }
}
