internal import GameLogic
internal import JSONReader

/// The JSON Schema of adventure packs, for designers' editors: what `PackReader` asks of a file.
///
/// It knows the form of a file, not what the file means: `rangers content lint` knows more.
package enum PackSchema {
    /// The schema as a file.
    package static let file = schema.readable

    /// In draft 7, which editors know best.
    static let schema: JSONValue = {
        let readings = Pack.Kind.allCases.map { (kind: $0, notes: notes(of: $0)) }
        // In the order in which a file has them.
        let names = readings.flatMap { $0.notes.properties.map(\.name) }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let required = names.filter { name in readings.allSatisfy { $0.notes.requires(name) } }
        let whole = SchemaNotes()
        whole.isObject()
        for name in names {
            let readers = readings.compactMap { $0.notes.property(named: name) }
            guard let property = readers.first else { continue }
            whole.take(property, required.contains(name) ? .required : .optional)
        }
        let kinds = readings.map { rule(for: $0.kind, $0.notes, names, required) }
        let head = SchemaNotes.object(
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text("Adventure pack of Emoji Rangers")))
        return .object(
            (head.fields ?? []) + (whole.schema(PackFieldMeanings.all).fields ?? [])
                + [JSONValue.Field(name: "allOf", value: .array(kinds))])
    }()

    /// What the reader asks of a pack of this kind.
    private static func notes(of kind: Pack.Kind) -> SchemaNotes {
        let schema = SchemaNotes(answers: ["kind": kind.rawValue])
        let node = Node(path: "", value: .null, notes: Node.Notes(), schema: schema)
        _ = node.object { fields in
            let things = ThingReader(reference: PackReader.reference(in: fields))
            return PackReader(things: things, base: PackReader.Base()).read(fields)
        }
        return schema
    }

    /// Which of the fields a pack of this kind needs besides those of every pack, and which it lacks.
    private static func rule(
        for kind: Pack.Kind, _ notes: SchemaNotes, _ names: [String], _ required: [String]
    ) -> JSONValue {
        let own = names.filter { notes.requires($0) && !required.contains($0) }
        let strange = names.filter { notes.property(named: $0) == nil }
        let isOfKind = SchemaNotes.object(
            (
                "properties",
                SchemaNotes.object(("kind", SchemaNotes.object(("const", .text(kind.rawValue)))))
            ), ("required", .array([.text("kind")])))
        let rule = SchemaNotes.object(
            ("required", .array(own.map(JSONValue.text))),
            (
                "properties",
                .object(strange.map { JSONValue.Field(name: $0, value: .truth(false)) })
            ))
        return SchemaNotes.object(("if", isOfKind), ("then", rule))
    }
}

extension SchemaNotes {
    fileprivate func property(named name: String) -> Property? {
        properties.first { $0.name == name }
    }

    fileprivate func requires(_ name: String) -> Bool {
        property(named: name)?.presence == .required
    }
}
