internal import GameLogic
internal import JSONReader

/// A value of a pack's file and its place there. Reading it notes every fault and goes on, so that
/// a designer sees all of them at once.
///
/// Where `schema` takes notes there is no value: every question has an answer, and the notes say
/// what was asked. Faults mean nothing then.
struct Node {
    let path: String
    let value: JSONValue
    let notes: Notes
    /// `nil`: a file is read.
    var schema: SchemaNotes?

    /// The faults of one file.
    final class Notes {
        private(set) var faults: [PackFault] = []

        func add(_ fault: PackFault) { faults.append(fault) }
    }

    func fault(_ what: String, severity: PackFault.Severity = .error) {
        notes.add(PackFault(path, what, severity: severity))
    }

    // MARK: Values

    func integer(in range: ClosedRange<Int>) -> Int? {
        if let schema {
            schema.isInteger(in: range)
            return range.lowerBound
        }
        guard case .integer(let found) = value, let number = Int(exactly: found) else {
            return refuse("a whole number")
        }
        guard range.contains(number) else {
            fault("\(number) must be \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    func text() -> String? {
        if let schema {
            schema.isText()
            return ""
        }
        guard case .text(let text) = value else { return refuse("a text") }
        return text
    }

    func text(bytes: ClosedRange<Int>) -> String? {
        schema?.isText(lengths: bytes)
        guard let text = text(), schema == nil else { return nil }
        guard bytes.contains(text.utf8.count) else {
            fault("it must have \(bytes.lowerBound) to \(bytes.upperBound) bytes")
            return nil
        }
        return text
    }

    /// A text of 1 to 32 small letters, digits and hyphens.
    func id() -> String? {
        schema?.isID()
        guard let text = text(), schema == nil else { return nil }
        guard Self.isID(text) else {
            fault("\"\(text)\" is not an id; an id has 1 to 32 of a-z, 0-9 and -")
            return nil
        }
        return text
    }

    static func isID(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// One of the names of `type`, which is called `noun`.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ noun: String, of type: Choice.Type
    ) -> Choice? {
        if let schema {
            return Choice(rawValue: schema.isText(among: type.allCases.map(\.rawValue)))
        }
        return text().flatMap { choice(noun, of: type, named: $0) }
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ noun: String, of type: Choice.Type, named name: String
    ) -> Choice? {
        let choice = Choice(rawValue: name)
        if choice == nil {
            let known = KnownNames(type.allCases.map(\.rawValue))
            fault("there is no \(noun) \"\(name)\"\(known.hint(for: name))")
        }
        return choice
    }

    /// Two whole numbers in the range, of which the first is not the larger one.
    func range(in limits: ClosedRange<Int>) -> ClosedRange<Int>? {
        if let schema {
            schema.isRange(in: limits)
            return limits
        }
        guard case .array(let values) = value, values.count == 2 else {
            return refuse("a range of two whole numbers, such as [20, 40]")
        }
        guard let low = self[0, values].integer(in: limits),
            let high = self[1, values].integer(in: limits)
        else { return nil }
        guard low <= high else {
            fault("\(low) is more than \(high); the smaller number comes first")
            return nil
        }
        return low...high
    }

    // MARK: Lists and tables

    func list(in counts: ClosedRange<Int>) -> [Node] {
        if let schema { return [noting(schema.elements(in: counts))] }
        guard case .array(let values) = value else { return refuse("a list") ?? [] }
        let wanted = "\(counts.lowerBound) to \(counts.upperBound)"
        guard values.count >= counts.lowerBound else {
            fault((values.isEmpty ? "it is empty" : "it has \(values.count)") + "; give \(wanted)")
            return []
        }
        guard values.count <= counts.upperBound else {
            fault("\(values.count) are too many; at most \(counts.upperBound)")
            return []
        }
        return values.indices.map { self[$0, values] }
    }

    /// The value, or those of a list.
    func oneOrMore(max count: Int) -> [Node] {
        if let schema {
            let (one, list) = schema.alternatives()
            return [noting(one)] + noting(list).list(in: 1...count)
        }
        guard case .array = value else { return [self] }
        return list(in: 1...count)
    }

    /// Reads an object in one way, and everything else in the other.
    func read<Result>(_ plain: (Node) -> Result?, orObject object: (Node) -> Result?) -> Result? {
        if let schema {
            let (one, other) = schema.alternatives()
            _ = plain(noting(one))
            return object(noting(other))
        }
        if case .object = value { return object(self) }
        return plain(self)
    }

    /// A table of weights: an object, in the byte order of its keys, or a list of pairs in an order
    /// of its own. The order counts, because dice are rolled along it.
    func weights<Choice: Hashable>(
        _ choice: (Node, String) -> Choice?
    ) -> [Weighted<Choice>] {
        schema?.isWeights(of: nil, in: PackReader.weights)
        return schema == nil ? weighed(choice) : []
    }

    /// A table of the weights of names of `type`, one of which is called `noun`.
    func weights<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        _ noun: String, of type: Choice.Type
    ) -> [Weighted<Choice>] {
        schema?.isWeights(of: type.allCases.map(\.rawValue), in: PackReader.weights)
        return schema == nil ? weighed { $0.choice(noun, of: type, named: $1) } : []
    }

    private func weighed<Choice: Hashable>(
        _ choice: (Node, String) -> Choice?
    ) -> [Weighted<Choice>] {
        switch value {
        case .object(let fields):
            return distinct(fields).compactMap { field in
                weighted(child(field.name, field.value), field.name, choice)
            }
        case .array(let pairs):
            return pairs.indices.compactMap { index in
                let row = self[index, pairs]
                guard case .array(let pair) = row.value, pair.count == 2,
                    case .text(let name) = pair[0]
                else { return row.refuse("a pair, such as [\"foe\", 3]") }
                return weighted(Node(path: row.path, value: pair[1], notes: notes), name, choice)
            }
        case .integer, .number, .text, .truth, .null:
            return refuse("a table of weights, such as {\"foe\": 3}") ?? []
        }
    }

    private func weighted<Choice: Hashable>(
        _ node: Node, _ name: String, _ choice: (Node, String) -> Choice?
    ) -> Weighted<Choice>? {
        guard let weight = node.integer(in: PackReader.weights), let choice = choice(node, name)
        else { return nil }
        return Weighted(choice, weight: weight)
    }

    // MARK: Objects

    /// Reads the fields of an object; `body` asks for each that it knows.
    func object<Result>(_ body: (Fields) -> Result?) -> Result? {
        if let schema {
            schema.isObject()
            return body(Fields(node: self, found: []))
        }
        guard case .object(let found) = value else { return refuse("an object") }
        let fields = Fields(node: self, found: distinct(found))
        let result = body(fields)
        fields.reportUnknown()
        return result
    }

    /// The fields of an object whose keys are texts that the designer gives.
    func named(max count: Int) -> [(name: String, node: Node)] {
        if let schema { return [("", noting(schema.values(max: count)))] }
        guard case .object(let found) = value else { return refuse("an object") ?? [] }
        let fields = distinct(found)
        guard fields.count <= count else {
            fault("\(fields.count) are too many; at most \(count)")
            return []
        }
        return fields.map { ($0.name, child($0.name, $0.value)) }
    }

    /// The fields of an object whose keys are ids of the designer's own things.
    func things(max count: Int) -> [(name: String, node: Node)] {
        schema?.hasIDs()
        let things = named(max: count)
        if schema == nil { for (name, node) in things { ThingReader.checkID(name, node) } }
        return things
    }

    /// The fields of an object whose keys are names of `type`, one of which is called `noun`.
    func named<Choice: RawRepresentable<String> & CaseIterable>(
        _ noun: String, of type: Choice.Type
    ) -> [(choice: Choice, node: Node)] {
        let names = type.allCases.map(\.rawValue)
        if let schema {
            schema.hasNames(names)
            let node = noting(schema.values(max: names.count))
            return type.allCases.prefix(1).map { ($0, node) }
        }
        return named(max: names.count).compactMap { name, node in
            node.choice(noun, of: type, named: name).map { ($0, node) }
        }
    }

    /// The fields in the byte order of their keys; of repeated ones the first.
    private func distinct(_ fields: [JSONValue.Field]) -> [JSONValue.Field] {
        var seen: Set<String> = []
        return JSONValue.sorted(fields).filter { field in
            if seen.insert(field.name).inserted { return true }
            child(field.name, field.value).fault("the field occurs twice; keep one")
            return false
        }
    }

    // MARK: Places

    private subscript(index: Int, values: [JSONValue]) -> Node {
        Node(path: "\(path)[\(index)]", value: values[index], notes: notes)
    }

    func child(_ key: String, _ value: JSONValue) -> Node {
        Node(path: path.isEmpty ? key : "\(path).\(key)", value: value, notes: notes)
    }

    private func noting(_ schema: SchemaNotes) -> Node {
        Node(path: schema.path, value: .null, notes: notes, schema: schema)
    }

    private func refuse<Value>(_ wanted: String) -> Value? {
        fault("it must be \(wanted)")
        return nil
    }

    /// The fields of an object, of which some are known.
    final class Fields {
        private let node: Node
        private let found: [JSONValue.Field]
        private var known: [String] = []

        fileprivate init(node: Node, found: [JSONValue.Field]) {
            self.node = node
            self.found = found
        }

        /// Returns a field; notes a fault when it is missing.
        func required(_ key: String) -> Node? {
            if let noting = noting(key, .required) { return noting }
            let field = optional(key)
            if field == nil {
                node.child(key, .null).fault("the field is missing")
            }
            return field
        }

        /// Returns a field that may be in a file beside this one, with which it is joined before it is
        /// read; notes a fault when it is in neither.
        func requiredInAll(_ key: String) -> Node? {
            noting(key, .optional) ?? required(key)
        }

        func has(_ key: String) -> Bool { found.contains { $0.name == key } }

        func optional(_ key: String) -> Node? {
            if let noting = noting(key, .optional) { return noting }
            known.append(key)
            return found.first { $0.name == key }.map { node.child($0.name, $0.value) }
        }

        private func noting(_ key: String, _ presence: SchemaNotes.Presence) -> Node? {
            node.schema.map { node.noting($0.property(key, presence)) }
        }

        fileprivate func reportUnknown() {
            for field in found where !known.contains(field.name) {
                let hint = KnownNames(known).hint(for: field.name)
                node.child(field.name, field.value).fault("no such field\(hint)")
            }
        }
    }
}
