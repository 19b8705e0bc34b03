internal import GameLogic
internal import HTTPServer

/// What a route takes and returns, for `GET /openapi.json`.
struct Contract: RouteContract {
    /// What a success has in its body.
    enum Content: Sendable {
        case nothing
        case json(JSONSchema)
        /// Another media type.
        case text(String)
        /// Server-sent events, with the schema of one.
        case events(JSONSchema)
    }

    /// A parameter of the query.
    struct Parameter: Sendable {
        let name: String
        let schema: JSONSchema
    }

    /// "returns the party", as docs/reference/api.md says it.
    let summary: String
    /// The body's schema; `nil`: the request has none.
    let body: JSONSchema?
    let query: [Parameter]
    let status: Int
    let content: Content
    /// The refusals besides those of every route.
    let problems: [Int]

    /// Creates the contract of a route with a body; an empty one counts as an object without fields.
    init(
        _ summary: String, body: (some BodyFields).Type, query: [Parameter] = [],
        status: Int = 200, returns content: Content, problems: [Int] = []
    ) {
        self.summary = summary
        self.body = BodySchema.of(body)
        self.query = query
        self.status = status
        self.content = content
        self.problems = problems
    }

    /// Creates the contract of a route whose body is a document with a form of its own.
    init(
        _ summary: String, document: JSONSchema, query: [Parameter] = [],
        returns content: Content, problems: [Int] = []
    ) {
        self.summary = summary
        body = document
        self.query = query
        status = 200
        self.content = content
        self.problems = problems
    }

    /// Creates the contract of a route without a body.
    init(
        _ summary: String, query: [Parameter] = [], status: Int = 200,
        returns content: Content, problems: [Int] = []
    ) {
        self.summary = summary
        body = nil
        self.query = query
        self.status = status
        self.content = content
        self.problems = problems
    }
}

extension Contract.Content {
    static let party = Contract.Content.json(PartyView.schema)
    /// For members the party, for former ones its outcome.
    static let visibleParty = Contract.Content.json(
        .any(of: [PartyView.schema, PartyView.formerSchema]))
}

extension Route<Access, Call> {
    /// The route's contract; every route of `Routes` has one.
    var described: Contract? { contract as? Contract }

    /// The refusals that the route may return.
    var problems: [Int] {
        guard let contract = described else { return [] }
        // Malformed HTTP, too long a path, too many requests, too large headers, our own fault, too
        // much to do.
        var statuses: Set = [400, 414, 429, 431, 500, 503]
        statuses.formUnion(contract.problems)
        if contract.body != nil { statuses.insert(413) }
        switch access {
        case .anyone, .signIn: break
        case .player:
            statuses.insert(401)
            // An Idempotency-Key may belong to another request, or to a response with a secret.
            if method == .post { statuses.formUnion([409, 422]) }
        case .doctor: statuses.insert(401)
        case .admin: statuses.formUnion([401, 403])
        }
        if template.contains("{") { statuses.insert(404) }
        return statuses.sorted()
    }
}

extension Contract.Parameter {
    /// The number of an event.
    static let after = Contract.Parameter(name: "after", schema: .integer(0...Int(Int32.max)))

    /// Longer ids exist nowhere.
    static let idLengthMax = 64

    /// The schema of a part of a path, by its name.
    static func schema(ofPathPart name: String) -> JSONSchema {
        switch name {
        case "activity", "device": Text.identifierSchema
        case "name": .string(pattern: nil, lengths: 1...Hero.heroTypeLengthMax)
        default: .string(pattern: nil, lengths: 1...idLengthMax)
        }
    }
}
