import Foundation
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// D1: `GET /openapi.json`, docs/reference/api.md and the server say the same.
@Suite("D1: the description of the API", .timeLimit(.minutes(1)), .simulated)
struct ContractTests {
    private static func document() async throws -> Value {
        let server = try await TestServer()
        let answer = await server.send(.get, "/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/json")
        await server.server.drain()
        return answer.body
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func page() throws -> String {
        try String(contentsOf: root.appending(path: "docs/reference/api.md"), encoding: .utf8)
    }

    @Test("D1: every route has a contract, with the words of docs/reference/api.md")
    func summaries() throws {
        let page = try Self.page()
        for route in Routes.all {
            let contract = try #require(
                route.described, "\(route.method.rawValue) \(route.template)")
            let row = page.split(separator: "\n").first {
                $0.hasPrefix("| \(route.method.rawValue) | `\(route.template)` |")
            }
            #expect(row?.hasSuffix("| \(contract.summary) |") == true, "\(route.template)")
        }
    }

    @Test("D1: the document has every route, with its parameters, body, access and refusals")
    func operations() async throws {
        let document = try await Self.document()
        #expect(document["openapi"].string == "3.1.0")
        var names: [String] = []
        for route in Routes.all {
            let operation = document["paths"][route.template][route.method.rawValue.lowercased()]
            let contract = try #require(route.described)
            names.append(try #require(operation["operationId"].string))
            let parts = operation["parameters"].array.filter { $0["in"].string == "path" }
            #expect(parts.compactMap { $0["name"].string } == route.parameterNames)
            #expect(
                operation["security"].array.isEmpty
                    == [.anyone, .signIn].contains(route.access))
            for status in [contract.status] + route.problems {
                #expect(!operation["responses"]["\(status)"].isNull, "\(route.template)")
            }
            let schema = operation["requestBody"]["content"]["application/json"]["schema"]
            #expect(schema.isNull == (contract.body == nil))
            let fields = Set(contract.body?.properties.map(\.name) ?? [])
            guard case .object(let described) = schema["properties"] else { continue }
            #expect(Set(described.keys) == fields)
            // A pack has a form of its own, which docs/reference/game.md describes.
            let isDocument = route.template == "/v1/admin/packs/{pack}"
            #expect(schema["additionalProperties"].bool == (isDocument ? nil : false))
        }
        #expect(Set(names).count == Routes.all.count)
    }

    /// What Scripts/contract accepts although the document says otherwise.
    private struct Accepted: Decodable {
        let operations: [String]?
        let words: [String]
    }

    @Test("D1: what schemathesis must accept has an operation and words of the server")
    func exceptions() throws {
        let file = try Data(
            contentsOf: Self.root.appending(path: "Tests/Contract/exceptions.json"))
        let exceptions = try JSONDecoder().decode([Accepted].self, from: file)
        let sources = Self.root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        let code = try paths.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }
            .joined().replacing("\\\"", with: "\"")
        let operations = Set(Routes.all.map { "\($0.method.rawValue) \($0.template)" })
        #expect(exceptions.count > 5)
        for exception in exceptions {
            #expect(operations.isSuperset(of: exception.operations ?? []))
            // Without the code itself, which would be in the message.
            #expect(exception.words.filter { !code.contains($0) } == [])
        }
    }

    @Test("D1: every reference in the document leads somewhere")
    func references() async throws {
        let document = try await Self.document()
        var count = 0
        func visit(_ value: Value) {
            if let reference = value["$ref"].string {
                let target = reference.split(separator: "/").dropFirst()
                    .reduce(document) { $0[String($1)] }
                #expect(!target.isNull, "\(reference)")
                count += 1
            }
            if case .object(let fields) = value { for field in fields.values { visit(field) } }
            for element in value.array { visit(element) }
        }
        visit(document)
        #expect(count > 50)
    }

    @Test("D1: a body's schema is what its type decodes")
    func body() throws {
        let body = try #require(PutActivity.route.described?.body)
        let required = body.properties.filter { $0.presence == .required }.map(\.name)
        let optional = body.properties.filter { $0.presence == .optional }.map(\.name)
        #expect(required == [])
        #expect(
            optional == [
                "hero", "pushToken", "page", "environment", "frequentPushesEnabled", "language",
                "osVersion", "device", "stateVersion", "revision", "utcOffsetMinutes", "quietHours",
            ])
        let action = try #require(PerformAction.route.described?.body?.properties[1].schema)
        guard case .choice(let actions) = action else {
            Issue.record("an action is one of several words")
            return
        }
        #expect(actions == ["usePotion", "leave", "claimLead", "follow"])
        let listed = try #require(Reconcile.route.described?.body?.properties[1].schema)
        guard case .array(let element, countMax: Reconcile.activitiesMax) = listed else {
            Issue.record("activities are an array")
            return
        }
        #expect(element.properties.map(\.name) == ["id", "hero", "state", "pushToken"])
    }

    @Test("T5: a PUT whose fields may be omitted is one that keeps what is omitted")
    func partial() {
        let partial = Routes.all.filter { route in
            let fields = route.described?.body?.properties ?? []
            return route.method == .put && fields.contains { $0.presence == .optional }
        }
        #expect(
            Set(partial.map(\.template)) == [
                "/v1/activities/{activity}", "/v1/heroes/{hero}/orders",
                // Its name belongs to one decision of three, and to no other.
                "/v1/admin/heroes/{hero}/name",
            ])
    }

    @Test("D1: docs/reference/api.md names every field of a body, and no field that does not exist")
    func fields() async throws {
        let page = try Self.page()
        for route in Routes.all {
            for property in route.described?.body?.properties ?? [] {
                #expect(
                    page.contains("\"\(property.name)\":"), "\(property.name) of \(route.template)")
            }
        }
        let document = try await Self.document()
        var known: Set<String> = []
        func visit(_ value: Value) {
            guard case .object(let fields) = value else {
                for element in value.array { visit(element) }
                return
            }
            if case .object(let properties) = value["properties"] {
                known.formUnion(properties.keys)
            }
            for field in fields.values { visit(field) }
        }
        visit(document)
        let shown = page.matches(of: /"([A-Za-z]+)": ?/).map { String($0.1) }
        #expect(shown.count > 100)
        // The states in the audit log are open objects, and the payloads of pages are text.
        #expect(Set(shown).subtracting(known) == ["nextEvent", "aps"])
    }

    @Test("the check of responses finds a missing, a wrong and an undescribed field")
    func control() {
        func findings(_ value: Value) -> [String] {
            PartyView.cardSchema.findings(in: value, at: "card")
        }
        let text = Value.string("Power Panda found a sword!")
        #expect(
            findings(.object(["currentHealthLevel": .number(0.5), "eventDescription": text])) == [])
        #expect(findings(.object(["eventDescription": text])).count == 1)
        #expect(
            findings(.object(["currentHealthLevel": .number(2), "eventDescription": text])).count
                == 1)
        #expect(
            findings(
                .object([
                    "currentHealthLevel": .number(0.5), "eventDescription": text, "mood": text,
                ])
            ).count == 1)
    }
}
