internal import APNsClient
package import OptionParsing
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `rangers doctor`: whether a server can run here, or why the one that runs does not do well. Takes
/// the settings of `rangers serve`, changes nothing, and may run beside the server.
package struct Doctor: Sendable {
    package static let options = Options(
        command: "rangers doctor",
        summary: """
            Checks settings, data file or database, disk, clock, name resolution, APNs and the \
            running server, with the settings of `rangers serve`. Prints a line per check, with what \
            to do, and exits with 1 if there is a problem. Without --repair it changes nothing, and \
            can run while the server runs. To check the key it sends one push to a token that no \
            device has. With --public-url it opens event streams through the proxy, and says how \
            many it carries, which takes a minute. With --nginx it only prints a configuration of \
            nginx.
            """,
        ServerConfiguration.options.options + [
            .toggle(
                "repair", "First rebuild damaged indices of the file; stop the server beforehand"),
            .toggle("json", "Print the findings as JSON"),
            .toggle(
                "nginx",
                "Only print a configuration of nginx in front of this server, and of the others "
                    + "that share its database"),
        ])

    private let values: OptionValues
    let probes: DoctorProbes

    package init(_ values: OptionValues, probes: DoctorProbes = .system) {
        self.values = values
        self.probes = probes
    }

    /// Runs all checks, in the order of dependence.
    package func findings() async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let configuration: ServerConfiguration?
        do throws(OptionsError) {
            configuration = try ServerConfiguration(values)
            findings.append(DoctorFinding("settings", .ok, "rangers serve would accept them"))
        } catch {
            configuration = nil
            findings.append(
                DoctorFinding(
                    "settings", .problem, error.description,
                    action: "correct it; rangers serve does not start"))
        }
        findings += await fileFindings()
        findings += await databaseFindings()
        if let configuration {
            findings += await apnsFindings(configuration, configuration.apns, named: "apns")
            if let sandbox = configuration.sandbox {
                findings += await apnsFindings(configuration, sandbox, named: "sandbox")
            }
        }
        findings += serverFindings(key: configuration?.settings.adminKey)
        let isReady = findings.contains { $0.check == "server" && $0.status == .ok }
        if isReady, let configuration { findings += proxyFindings(configuration) }
        return findings
    }

    /// Returns a configuration of nginx in front of this server, whether it runs or not, and of
    /// those that share its database.
    ///
    /// - Throws: `OptionsError` or `StoreError`.
    package func nginxFile() async throws -> String {
        let (host, port) = try values.address("listen")
        let alone = NodeAddress(host: host, port: port)?.description ?? ""
        guard let own = try NodeOptions(values).place(),
            case .database(let address) = try PlaceOptions.place(values)
        else { return NginxFile(of: [NodePlace(name: "", address: alone)]).text }
        let others = try await PostgreSQLStore.nodes(of: address)
        guard own.address.isEmpty else { return NginxFile(of: others + [own]).text }
        // It cannot join them.
        if others.contains(where: { !$0.address.isEmpty }) {
            _ = try values.required("node-address")
        }
        return NginxFile(of: [NodePlace(name: own.name, address: alone)]).text
    }

    // MARK: The file and its disk

    private func fileFindings() async -> [DoctorFinding] {
        guard let path = values.text("data"), (try? PlaceOptions.isDatabase(values)) != true
        else { return [] }
        var findings = DoctorFile(path: path, probes: probes).findings()
        if values.isOn("repair") { findings.append(await repair(path)) }
        do throws(StoreError) {
            let report = try await SQLiteStore.report(onFile: path)
            findings.append(.schema)
            findings += report.move.map { [DoctorFinding("move", .problem, $0)] } ?? []
            findings += rowFindings(report)
            findings.append(clockFinding(newest: report.newest))
        } catch {
            guard probes.file(path) != nil else { return findings + [clockFinding(newest: nil)] }
            findings.append(
                DoctorFinding(
                    "rows", .problem, "\(error)",
                    action: "if the file is damaged, keep a copy and restore the newest backup"))
            findings.append(clockFinding(newest: nil))
        }
        return findings
    }

    private func databaseFindings() async -> [DoctorFinding] {
        guard case .database(let address)? = try? PlaceOptions.place(values) else { return [] }
        do throws(StoreError) {
            let report = try await PostgreSQLStore.report(on: address)
            return DoctorDatabase(report: report).findings(at: probes.now())
                + [clockFinding(newest: report.newest)]
        } catch {
            return [
                DoctorFinding(
                    "database", .problem, "\(error)",
                    action: "check the address, the network and the rights of its user"),
                clockFinding(newest: nil),
            ]
        }
    }

    private func rowFindings(_ report: FileReport) -> [DoctorFinding] {
        guard !report.problems.isEmpty else {
            return [DoctorFinding("rows", .ok, "every page and checksum is correct")]
        }
        return report.problems.map {
            DoctorFinding(
                "rows", .problem, $0,
                action: "stop the server, keep a copy of the file, and restore the newest backup")
        }
    }

    /// Rebuilds damaged indices.
    private func repair(_ path: String) async -> DoctorFinding {
        do throws(StoreError) {
            let repair = try await SQLiteStore.repairIndices(ofFile: path)
            guard !repair.problems.isEmpty else {
                return DoctorFinding("indices", .ok, "there was nothing to repair")
            }
            return DoctorFinding(
                "indices", .ok, "rebuilt: " + repair.problems.joined(separator: "; "))
        } catch {
            return DoctorFinding(
                "indices", .problem, "not repaired: \(error)",
                action: "stop the server if it is running; otherwise restore the newest backup")
        }
    }

    // MARK: The clock

    /// How far a clock may be behind the newest row, in milliseconds.
    private static let clockSlack: Int64 = 60_000

    private func clockFinding(newest: WallTime?) -> DoctorFinding {
        let now = probes.now()
        let action = "set the clock, and keep it right with chrony or systemd-timesyncd"
        guard now.milliseconds >= Self.released else {
            return DoctorFinding(
                "clock", .problem, "it is \(now.inWords), before this program was built",
                action: action)
        }
        if let newest, newest.milliseconds > now.milliseconds + Self.clockSlack {
            return DoctorFinding(
                "clock", .problem,
                "it is \(now.inWords), but the newest row is from \(newest.inWords)",
                action: action)
        }
        return DoctorFinding("clock", .ok, now.inWords)
    }

    /// 2026-01-01, in milliseconds since 1970: no clock that is right shows an earlier time.
    private static let released: Int64 = 1_767_225_600_000

    // MARK: The running server

    private func serverFindings(key: Secret?) -> [DoctorFinding] {
        guard let address = try? values.address("listen") else { return [] }
        let hasOwn = values.text("admin-listen") != nil
        guard let admin = try? values.address(hasOwn ? "admin-listen" : "listen") else { return [] }
        return DoctorServer(address: address, admin: admin, probes: probes, key: key).findings()
    }

    /// Without TLS there is no proxy.
    private func proxyFindings(_ configuration: ServerConfiguration) -> [DoctorFinding] {
        guard let url = configuration.settings.publicURL, url.isSecure else { return [] }
        guard values.text("admin-listen") == nil || values.isTyped("public-url") else {
            return [
                DoctorFinding(
                    "proxy", .skipped, "the public URL is that of game masters",
                    action: "give that of players: rangers doctor --public-url URL")
            ]
        }
        return [
            DoctorProxy(url: url, key: configuration.settings.adminKey, probes: probes).finding()
        ]
    }
}
