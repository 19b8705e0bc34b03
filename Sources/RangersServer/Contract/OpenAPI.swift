internal import HTTPServer
internal import JSONWriter
internal import OptionParsing

/// The description of the API (OpenAPI 3.1), from the routes' own values.
enum OpenAPI {
    /// `GET /openapi.json` returns it.
    static let route = APIRoute(
        .get, "/openapi.json", .anyone,
        Contract(
            "returns this API's description in OpenAPI 3.1",
            returns: .json(
                .fields([
                    "openapi": .text, "info": .fields([:]), "paths": .fields([:]),
                    "components": .fields([:]),
                ])))
    ) { _, _ in Response(response) }

    /// Created at the first request.
    private static let response = PreparedResponse(.json(json(of: Routes.all)))

    static func json(of routes: [APIRoute]) -> [UInt8] {
        var json = JSONWriter(reserving: 64 * 1024)
        var components: [String: JSONSchema] = [:]
        json.beginObject()
        json.field("openapi", "3.1.0")
        json.object("info") { json in
            json.field("title", "Emoji Rangers party mode")
            json.field("version", Version.current)
        }
        json.key("paths")
        json.beginObject()
        for template in templates(of: routes) {
            json.key(named: template)
            json.beginObject()
            for route in routes where route.template == template {
                json.key(named: route.method.rawValue.lowercased())
                write(route, to: &json, &components)
            }
            json.endObject()
        }
        json.endObject()
        write(&components, to: &json)
        json.endObject()
        return json.bytes
    }

    /// Each path once, in the order of the routes.
    private static func templates(of routes: [APIRoute]) -> [String] {
        var seen: Set<String> = []
        return routes.map(\.template).filter { seen.insert($0).inserted }
    }

    // MARK: Operations

    private static func write(
        _ route: APIRoute, to json: inout JSONWriter, _ components: inout [String: JSONSchema]
    ) {
        guard let contract = route.described else { return json.raw(Array("{}".utf8)) }
        json.beginObject()
        json.field("operationId", operationID(of: route))
        json.field("summary", contract.summary)
        switch route.access {
        case .anyone, .signIn: json.array("security", [Int]()) { $0.value($1) }
        case .player: writeSecurity("player", to: &json)
        case .doctor: writeSecurity("doctor", to: &json)
        case .admin: writeSecurity("gameMaster", "console", to: &json)
        }
        writeParameters(of: route, contract, to: &json, &components)
        if let body = contract.body {
            json.key("requestBody")
            json.beginObject()
            json.field("required", body.properties.contains { $0.presence == .required })
            writeContent("application/json", body, to: &json, &components)
            json.endObject()
        }
        writeResponses(of: route, contract, to: &json, &components)
        json.endObject()
    }

    /// "getV1PartiesPartyStream"
    private static func operationID(of route: APIRoute) -> String {
        let words = route.template.split { !$0.isLetter && !$0.isNumber }
        return route.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Writes the schemes of which a caller uses one.
    private static func writeSecurity(_ schemes: StaticString..., to json: inout JSONWriter) {
        json.array("security", schemes) { json, scheme in
            json.beginObject()
            json.array(scheme, [Int]()) { $0.value($1) }
            json.endObject()
        }
    }

    private static func writeParameters(
        of route: APIRoute, _ contract: Contract, to json: inout JSONWriter,
        _ components: inout [String: JSONSchema]
    ) {
        let parts = route.parameterNames.map {
            ($0, "path", Contract.Parameter.schema(ofPathPart: $0))
        }
        let headers =
            route.access == .player && route.method == .post
            ? [("Idempotency-Key", "header", IdempotencyKey.schema)] : []
        let parameters = parts + contract.query.map { ($0.name, "query", $0.schema) } + headers
        guard !parameters.isEmpty else { return }
        json.key("parameters")
        json.beginArray()
        for (name, place, schema) in parameters {
            json.beginObject()
            json.field("name", name)
            json.field("in", place)
            json.field("required", place == "path")
            json.key("schema")
            schema.write(to: &json, &components)
            json.endObject()
        }
        json.endArray()
    }

    // MARK: Responses

    private static func writeResponses(
        of route: APIRoute, _ contract: Contract, to json: inout JSONWriter,
        _ components: inout [String: JSONSchema]
    ) {
        json.key("responses")
        json.beginObject()
        json.key(named: "\(contract.status)")
        json.beginObject()
        json.field("description", contract.summary)
        switch contract.content {
        case .nothing: break
        case .json(let schema): writeContent("application/json", schema, to: &json, &components)
        case .text(let type): writeContent(type, .text, to: &json, &components)
        case .events(let schema):
            writeContent("text/event-stream", schema, to: &json, &components)
        }
        json.endObject()
        if route.method == .get, case .json = contract.content {
            json.object("304") { $0.field("description", "unchanged since this ETag") }
        }
        for status in route.problems {
            json.key(named: "\(status)")
            json.beginObject()
            json.field("$ref", "#/components/responses/Problem")
            json.endObject()
        }
        json.endObject()
    }

    private static func writeContent(
        _ type: String, _ schema: JSONSchema, to json: inout JSONWriter,
        _ components: inout [String: JSONSchema]
    ) {
        json.key("content")
        json.beginObject()
        json.key(named: type)
        json.beginObject()
        json.key("schema")
        schema.write(to: &json, &components)
        json.endObject()
        json.endObject()
    }

    // MARK: Components

    /// The data of the messages in an event stream, which OpenAPI 3.1 cannot attach to it; events
    /// and the party have schemas anyway.
    private static let messageSchemas =
        [StreamCards.schema, StreamProgress.closedSchema] + StreamConsole.dataSchemas

    static let problemSchema = JSONSchema.named(
        "Problem",
        .fields([
            "type": .text, "title": .text, "status": .integer(400...599), "detail": .text,
        ]))

    private static func write(
        _ components: inout [String: JSONSchema], to json: inout JSONWriter
    ) {
        json.key("components")
        json.beginObject()
        json.key("responses")
        json.beginObject()
        json.key("Problem")
        json.beginObject()
        json.field("description", "a refusal (RFC 9457)")
        writeContent("application/problem+json", problemSchema, to: &json, &components)
        json.endObject()
        json.endObject()
        json.object("securitySchemes") { json in
            for scheme in ["player", "gameMaster", "doctor"] as [StaticString] {
                json.object(scheme) { json in
                    json.field("type", "http")
                    json.field("scheme", "bearer")
                }
            }
            json.object("console") { json in
                json.field("type", "apiKey")
                json.field("in", "cookie")
                json.field("name", "__Host-rangers")
            }
        }
        json.key("schemas")
        json.beginObject()
        for case .named(let name, let schema) in messageSchemas { components[name] = schema }
        // Writing one may add others.
        var written: Set<String> = []
        while let next = components.keys.filter({ !written.contains($0) }).min() {
            written.insert(next)
            json.key(named: next)
            components[next]?.write(to: &json, &components)
        }
        json.endObject()
        json.endObject()
    }
}
