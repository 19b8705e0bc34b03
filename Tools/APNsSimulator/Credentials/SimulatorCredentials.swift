package import APNsClient
internal import Foundation
package import HTTP2Server

/// The simulator's credentials: a CA, a server certificate for the loopback, an ES256 provider key.
/// Created once in a directory, then loaded from it.
package struct SimulatorCredentials: Sendable {
    /// The CA that clients must trust: `ca.pem`.
    package let caFile: String
    /// The provider key that must sign pushes: `AuthKey_SIMULATOR1.p8`.
    package let providerKeyFile: String
    /// `kid` and `iss`.
    package let keyID: String
    package let teamID: String

    private let publicKey: ES256PublicKey
    private let server: ServerIdentity
    private let authority: CertificateAuthority
    private let hosts: [String]
    private let madeAt: Int64

    /// Ids in Apple's format: ten characters.
    package static let keyIDDefault = "SIMULATOR1"
    package static let teamIDDefault = "RANGERTEAM"

    private static let loopback = ["localhost", "127.0.0.1", "::1"]

    /// The validity of created certificates, in days.
    package struct Validity: Sendable {
        let authority: Int
        let server: Int
        /// A server certificate that expires sooner is issued again.
        let renewal: Int64

        /// Ten years, and 397 days as for public certificates.
        package static let usual = Validity(authority: 3_650, server: 397, renewal: 30)
        /// Long enough for tests to ignore the date.
        package static let century = Validity(authority: 36_500, server: 36_500, renewal: 30)
    }

    private enum File {
        static let authority = "ca.pem"
        static let authorityKey = "ca-key.pem"
        static let server = "server.pem"
        static let serverKey = "server-key.pem"
        static func providerKey(_ keyID: String) -> String { "AuthKey_\(keyID).p8" }
    }

    /// Loads the directory's credentials and creates missing ones. Directory and keys are
    /// accessible to their owner only.
    ///
    /// - Parameters:
    ///   - directory: Created if it does not exist.
    ///   - keyID: `kid` of the provider key, and part of its file's name.
    ///   - teamID: `iss` of provider tokens.
    ///   - hosts: Further names and addresses of the simulator.
    ///   - validity: The validity of created certificates.
    ///   - now: Seconds since 1970.
    /// - Throws: When a file cannot be read or written, or is invalid.
    package init(
        directory: String, keyID: String = keyIDDefault, teamID: String = teamIDDefault,
        hosts: [String] = [], validity: Validity = .usual, now: Int64
    ) throws(CredentialsError) {
        let folder = try PrivateFolder(directory)
        self.keyID = keyID
        self.teamID = teamID
        caFile = folder.path(of: File.authority)
        providerKeyFile = folder.path(of: File.providerKey(keyID))
        authority = try Self.authority(in: folder, validity, now: now)
        self.hosts = Self.loopback + hosts
        madeAt = now
        server = try Self.server(in: folder, authority, validity, hosts: self.hosts, now: now)
        publicKey = try Self.providerKey(in: folder, name: File.providerKey(keyID))
    }

    /// Returns the settings of a simulator with these credentials.
    package func settings(
        bundleID: String, schema: LiveActivitySchema
    ) -> APNsSimulator.Settings {
        var settings = APNsSimulator.Settings(
            bundleID: bundleID, schema: schema,
            providerKeys: [ProviderKey(keyID: keyID, teamID: teamID, publicKey: publicKey)],
            identity: server)
        settings.flawedIdentity = { flaw throws(CredentialsError) in try identity(with: flaw) }
        return settings
    }

    /// Creates a server certificate that clients must refuse; it is not stored.
    package func identity(with flaw: CertificateFlaw) throws(CredentialsError) -> ServerIdentity {
        do {
            return try flaw.identity(for: hosts, issuedBy: authority, now: madeAt)
        } catch {
            throw CredentialsError("no \(flaw.rawValue) certificate could be created: \(error)")
        }
    }

    // MARK: Creating and loading

    private static func authority(
        in folder: PrivateFolder, _ validity: Validity, now: Int64
    ) throws(CredentialsError) -> CertificateAuthority {
        let names = "\(folder.path(of: File.authority)) and \(File.authorityKey)"
        let certificate = try folder.read(File.authority)
        let key = try folder.readSecret(File.authorityKey)
        do {
            if let certificate, let key {
                let authority = try CertificateAuthority(
                    certificatePEM: certificate, privateKeyPEM: key)
                guard CertificateDates.covers(certificate, until: now) else {
                    throw CredentialsError(
                        "the CA \(folder.path(of: File.authority)) has expired: delete the "
                            + "directory, and clients must trust the new CA")
                }
                return authority
            }
            guard certificate == nil, key == nil else {
                throw CredentialsError("one of \(names) is missing: delete the other")
            }
            let authority = try CertificateAuthority(
                commonName: "APNs simulator CA", validFrom: now - inForceSeconds,
                validDays: validity.authority)
            try folder.write(File.authorityKey, authority.privateKeyPEM, .secret)
            try folder.write(File.authority, authority.certificatePEM, .open)
            return authority
        } catch let error as CredentialsError {
            throw error
        } catch {
            throw CredentialsError("\(names) cannot be used (\(error)): delete both")
        }
    }

    /// As Apple's, a certificate has been in force for days, so that a client whose clock is two
    /// days back accepts it.
    private static let inForceSeconds: Int64 = 7 * 86_400

    private static func server(
        in folder: PrivateFolder, _ authority: CertificateAuthority, _ validity: Validity,
        hosts: [String], now: Int64
    ) throws(CredentialsError) -> ServerIdentity {
        if let certificate = try folder.read(File.server),
            let key = try folder.readSecret(File.serverKey)
        {
            let identity = ServerIdentity(certificatePEM: certificate, privateKeyPEM: key)
            let soon = now + validity.renewal * 86_400
            if identity.isUsable(until: soon, for: hosts, issuedBy: authority) { return identity }
        }
        do {
            let issued = try authority.issue(
                hosts: hosts, validFrom: now - inForceSeconds, validDays: validity.server)
            try folder.write(File.serverKey, issued.privateKeyPEM, .secret)
            try folder.write(File.server, issued.certificatePEM, .open)
            return issued
        } catch let error as CredentialsError {
            throw error
        } catch {
            throw CredentialsError("no server certificate could be issued: \(error)")
        }
    }

    private static func providerKey(
        in folder: PrivateFolder, name: String
    ) throws(CredentialsError) -> ES256PublicKey {
        do {
            if let text = try folder.readSecret(name) {
                return try ES256PublicKey(of: ES256PrivateKey(PrivateKeyPEM(text)))
            }
            let pem = try ES256PrivateKey.generate()
            try folder.write(name, pem.text, .secret)
            return try ES256PublicKey(of: ES256PrivateKey(pem))
        } catch let error as CredentialsError {
            throw error
        } catch {
            throw CredentialsError("\(folder.path(of: name)) cannot be used: \(error)")
        }
    }
}

/// Credentials that cannot be loaded or created; one sentence with what to do.
package struct CredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
