internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import Secrets

/// `/v1/admin/keys`: the named keys of game masters. A key is returned once, when it is created;
/// only its hash is kept.
enum ManageKeys {
    static let routes = [
        APIRoute(
            .get, "/v1/admin/keys", .admin(.owner),
            Contract(
                "lists the keys of game masters",
                returns: .json(
                    .fields([
                        "keys": .list(
                            .fields([
                                "name": .text, "role": ShowAudit.roleSchema, "createdAt": .time,
                                "createdBy": .text,
                            ]))
                    ]))),
            handle: list),
        APIRoute(
            .post, "/v1/admin/keys", .admin(.owner),
            Contract(
                "creates a key", body: NewKey.self, status: 201,
                returns: .json(
                    .fields(["name": .text, "role": ShowAudit.roleSchema, "key": .text])),
                problems: [409]),
            handle: create),
        APIRoute(
            .delete, "/v1/admin/keys/{key}", .admin(.owner),
            Contract("revokes a key", status: 204, returns: .nothing), handle: revoke),
    ]

    /// The most keys at a time.
    static let keysMax = 64
    static let nameLengthMax = 40
    /// 5 bits per character: 260 bits.
    private static let keyLength = 52

    private struct NewKey: BodyFields {
        let name: String
        let role: String

        enum CodingKeys: CodingKey, CaseIterable {
            case name, role
        }

        static var narrower: [String: JSONSchema] {
            [
                "name": .pattern("^[A-Za-z0-9._-]{1,\(nameLengthMax)}$"),
                "role": ShowAudit.roleSchema,
            ]
        }
    }

    @Sendable private static func list(_ request: Request, _ call: Call) async throws -> Response {
        let keys = try await call.game.store.adminKeys()
        var json = JSONWriter()
        json.beginObject()
        json.array("keys", keys) { json, key in
            json.beginObject()
            json.field("name", key.holder.name)
            json.field("role", key.holder.role.rawValue)
            json.field("createdAt", call.game.wall(at: key.createdAt))
            json.field("createdBy", key.createdBy)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func create(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let fields = try Body.decode(NewKey.self, from: request)
        let holder = try holder(fields)
        let key = Secret(RandomText.name(length: keyLength))
        let (audit, now) = (try call.requireAudit(), call.game.now)
        let record = AdminKeyRecord(
            holder: holder, hash: Digest.sha256(key.revealed.utf8), createdAt: now,
            createdBy: try call.gameMaster.name)
        let put = try await call.game.store.insert(
            record, amongAtMost: keysMax,
            as: audit.record(status: 201, after: json(holder), on: holder.name, at: now),
            epoch: call.game.epoch)
        guard put == .written else {
            throw Problem.conflict("There are already \(keysMax) keys: revoke one first.")
        }
        audit.noteWritten()
        return .json(json(holder, key), status: 201)
    }

    private static func holder(_ fields: NewKey) throws -> GameMaster {
        let name = try Text.identifier(fields.name, field: "name", limit: nameLengthMax)
        guard name != Doorkeeper.ownerName else {
            throw Problem.badRequest(
                "The name \"\(name)\" belongs to the server's key file: choose another.")
        }
        guard let role = Role(rawValue: fields.role) else {
            let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("The field \"role\" must be one of \(roles).")
        }
        return GameMaster(name: name, role: role)
    }

    private static func json(_ holder: GameMaster, _ key: Secret? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", holder.name)
        json.field("role", holder.role.rawValue)
        if let key { json.field("key", key.revealed) }
        json.endObject()
        return json.bytes
    }

    @Sendable private static func revoke(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let name = try request.parameter("key")
        let audit = try call.requireAudit()
        let known = try await call.game.store.adminKeys().first { $0.holder.name == name }
        let isRevoked = try await call.game.store.removeAdminKey(
            named: name,
            as: audit.record(
                status: 204, before: known.map { json($0.holder) }, at: call.game.now),
            epoch: call.game.epoch)
        if let known {
            call.game.sessions.endAll(of: known.holder)
            call.game.consoles.close(.key(known))
        }
        guard isRevoked else { throw Problem.notFound("There is no key \(name).") }
        audit.noteWritten()
        // A row that is damaged does not say which key it was.
        if known == nil { try? await call.game.consoles.closeRevoked(call.game.store) }
        return .noContent
    }
}
