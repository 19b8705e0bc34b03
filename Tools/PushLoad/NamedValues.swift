/// Named values passed between processes: "name=value", in any order.
struct NamedValues {
    private let values: [Substring: Substring]

    init(_ words: some Sequence<some StringProtocol>) throws(BenchError) {
        var values: [Substring: Substring] = [:]
        for word in words {
            let parts = Substring(word).split(separator: "=", maxSplits: 1)
            guard parts.count == 2, values.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw BenchError("'\(word)' is not a name=value that comes once")
            }
        }
        self.values = values
    }

    func text(_ name: String) throws(BenchError) -> String {
        guard let value = values[Substring(name)] else { throw BenchError("\(name)= is missing") }
        return String(value)
    }

    /// Returns an integer within bounds.
    func integer<Value: FixedWidthInteger & LosslessStringConvertible>(
        _ name: String, in bounds: ClosedRange<Value>
    ) throws(BenchError) -> Value {
        let number: Value = try value(name)
        guard bounds.contains(number) else {
            throw BenchError(
                "\(name)=\(number) is not from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    func value<Value: LosslessStringConvertible>(_ name: String) throws(BenchError) -> Value {
        let text = try text(name)
        guard let value = Value(text) else {
            throw BenchError("\(name)=\(text) is not of type \(Value.self)")
        }
        return value
    }
}
