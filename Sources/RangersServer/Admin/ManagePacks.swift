internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import PartyStore
internal import Secrets
internal import PushPolicy

/// `/v1/admin/packs`: the adventure packs. A director publishes one, and parties can play it at
/// once; a version's rules never change, its words may.
enum ManagePacks {
    private static let path = "/v1/admin/packs"
    static let routes = [
        APIRoute(
            .get, path, .admin(.observer),
            Contract(
                "lists all versions of adventure packs",
                returns: .json(.fields(["packs": .list(schema)]))),
            handle: list),
        APIRoute(
            .put, path + "/{pack}", .admin(.director),
            Contract(
                "publishes an adventure pack", document: .object([], .allowed),
                query: [
                    Contract.Parameter(
                        name: "status", schema: .choice([name(.draft), name(.published)])),
                    Contract.Parameter(name: "acceptWarnings", schema: .choice(["true"])),
                ],
                returns: .json(schema), problems: [409, 422]),
            handle: put),
        APIRoute(
            .delete, path + "/{pack}/{version}", .admin(.director),
            Contract(
                "retires a version: new adventures play the one before",
                returns: .json(schema)),
            handle: retire),
    ]

    /// `GET /adventure.schema.json` returns what a designer's editor knows of a pack's file.
    static let schemaRoute = APIRoute(
        .get, "/adventure.schema.json", .anyone,
        Contract("returns the JSON Schema of adventure packs", returns: .json(.fields([:])))
    ) { _, _ in Response(schemaResponse) }

    private static let schemaResponse = PreparedResponse(.json(PackSchema.file))

    /// The largest body of a request; `nil`: that of every other.
    static func bodyBytesMax(of head: borrowing RequestHead) -> Int? {
        let packs = Array((path + "/").utf8)
        return head.method == .put && head.path.starts(with: packs) ? PackDocument.bytesMax : nil
    }

    private static let schema = JSONSchema.named(
        "Pack",
        .fields([
            "id": .text, "version": .whole, "status": .choice(PackRecord.Status.allCases.map(name)),
            "title": .text, "minutes": .whole, "level": .whole,
            "rulesHash": .text, "warnings": .list(.text),
        ]))

    private static func name(_ status: PackRecord.Status) -> String {
        switch status {
        case .draft: "draft"
        case .published: "published"
        case .retired: "retired"
        }
    }

    @Sendable private static func list(_ request: Request, _ call: Call) async -> Response {
        var json = JSONWriter()
        json.beginObject()
        json.array("packs", call.game.packs.all) { write($1, to: &$0) }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func put(_ request: Request, _ call: Call) async throws -> Response {
        let id = try request.parameter("pack")
        let status = try status(in: request)
        let document = try document(in: request)
        guard document.pack.reference.id == id else {
            throw Problem.badRequest(
                "The pack's \"id\" is \"\(document.pack.reference.id)\", not \"\(id)\" as in the "
                    + "path.")
        }
        guard document.warnings.isEmpty || request.query["acceptWarnings"] == "true" else {
            throw Problem.unprocessable(
                PackFaults(faults: document.warnings).description
                    + "\nSend \"?acceptWarnings=true\" to accept this.")
        }
        return try await write(PackCatalog.Entry(document: document, status: status), call)
    }

    @Sendable private static func retire(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let known = try call.game.packs.entry(in: request)
        let (audit, game) = (try call.requireAudit(), call.game)
        let retired = PackCatalog.Entry(document: known.document, status: .retired)
        let isRetired = try await game.store.retire(
            known.reference,
            as: audit.record(status: 200, before: json(known), after: json(retired), at: game.now),
            epoch: game.epoch)
        guard isRetired else { throw Problem.notFound("There is no pack \(known.reference).") }
        audit.noteWritten()
        return try await follow(retired, game)
    }

    private static func status(in request: Request) throws(Problem) -> PackRecord.Status {
        guard let text = request.query["status"] else { return .published }
        let choices = [PackRecord.Status.draft, .published]
        guard let status = choices.first(where: { name($0) == text }) else {
            throw Problem.badRequest("The query's \"status\" must be \"draft\" or \"published\".")
        }
        return status
    }

    private static func document(in request: Request) throws(Problem) -> PackDocument {
        // As everywhere, an empty body stands for an object without fields.
        let body = request.body.isEmpty ? Array("{}".utf8) : request.body
        try checkObject(body)
        do throws(PackFaults) {
            return try PackDocument(json: body)
        } catch {
            throw Problem.unprocessable(error.description)
        }
    }

    private static func checkObject(_ body: [UInt8]) throws(Problem) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: body)
        } catch {
            throw Problem.badRequest("The body is not JSON: \(error).")
        }
        guard case .object = value else {
            throw Problem.badRequest("The body must be a JSON object.")
        }
    }

    /// Writes a version with the call's row of the audit log, then lets new adventures play it.
    private static func write(_ entry: PackCatalog.Entry, _ call: Call) async throws -> Response {
        let (audit, game) = (try call.requireAudit(), call.game)
        let before = game.packs.entry(entry.reference)
        let put = try await game.store.put(
            PackRecord(entry.document, status: entry.status),
            amongAtMost: PackCatalog.versionsMax,
            as: audit.record(
                status: 200, before: before.map(json), after: json(entry), at: game.now),
            epoch: game.epoch)
        switch put {
        case .written: break
        case .otherRules: throw Problem.conflict(PackError.otherRules(entry.reference).description)
        case .noRoom:
            throw Problem.conflict(
                "There are \(PackCatalog.versionsMax) versions of packs already, the most that a "
                    + "server keeps.")
        }
        audit.noteWritten()
        return try await follow(entry, game)
    }

    /// Puts a version as it is in the store now into force, and returns it.
    private static func follow(_ entry: PackCatalog.Entry, _ game: Game) async throws -> Response {
        try await game.packs.reload(game.dependencies)
        // They have the earlier words.
        game.snapshots.forgetAll()
        return .json(json(game.packs.entry(entry.reference) ?? entry))
    }

    private static func json(_ entry: PackCatalog.Entry) -> [UInt8] {
        var json = JSONWriter()
        write(entry, to: &json)
        return json.bytes
    }

    private static func write(_ entry: PackCatalog.Entry, to json: inout JSONWriter) {
        let document = entry.document
        json.beginObject()
        json.field("id", entry.reference.id)
        json.field("version", entry.reference.version)
        json.field("status", name(entry.status))
        json.field("title", document.texts.text(PackTexts.title, in: .english))
        json.field("minutes", document.minutes)
        json.field("level", document.level)
        json.field("rulesHash", Digest.hex(document.rulesHash))
        json.array("warnings", document.warnings) { $0.value($1.description) }
        json.endObject()
    }
}

extension PackCatalog {
    /// Returns the version that a path names.
    func entry(in request: Request) throws(Problem) -> Entry {
        let (id, version) = (try request.parameter("pack"), try request.parameter("version"))
        let known = Int(version).flatMap { entry(Pack.Reference(id: id, version: $0)) }
        guard let known else { throw Problem.notFound("There is no pack \(id)/\(version).") }
        return known
    }
}
