internal import JSONReader
internal import JSONWriter
internal import PartyStore

/// The push statistics of several nodes as one. Their clocks are the database's, so their seconds
/// are the same.
struct MergedPushStatistics {
    /// Of each node, with its name, the one that responds first.
    private let all: [(node: String, value: JSONValue)]

    init(_ own: JSONValue, of node: String, _ others: OtherNodes) {
        all =
            [(node, own)]
            + others.values.map {
                ($0.node.place.name, $0.value[OtherNodes.statistics] ?? .null)
            }
    }

    func write(to json: inout JSONWriter) {
        writeSeries("seconds", to: &json)
        writeSeries("minutes", to: &json)
        writeCounts("answers", by: ["status", "reason"], of: "count", to: &json)
        writeLatency(to: &json)
        writeHosts(to: &json)
        json.field("quarantined", all.reduce(0) { $0 + ($1.value["quarantined"]?.integer ?? 0) })
        let refusals = lists("refusals").sorted {
            ($0["at"]?.integer ?? 0) > ($1["at"]?.integer ?? 0)
        }
        json.array("refusals", refusals.prefix(PushStatistics.refusalsMax)) { $0.value($1) }
    }

    private func lists(_ name: String) -> [JSONValue] {
        all.flatMap { $0.value[name]?.elements ?? [] }
    }

    /// Adds a field of the same element of each node's list.
    private func sum(
        of field: String, at index: Int, _ list: (JSONValue) -> JSONValue?
    ) -> Int64 {
        all.reduce(0) { sum, one in
            guard let elements = list(one.value)?.elements, elements.indices.contains(index) else {
                return sum
            }
            return sum + (elements[index][field]?.integer ?? 0)
        }
    }

    private func writeSeries(_ name: String, to json: inout JSONWriter) {
        json.key(named: name)
        json.beginObject()
        for part in ["high", "low", "refused"] {
            var sums = [Int64](repeating: 0, count: PushStatistics.span)
            for one in all {
                let counts = one.value[name]?[part]?.elements ?? []
                for (index, count) in counts.prefix(sums.count).enumerated() {
                    sums[index] += count.integer ?? 0
                }
            }
            json.key(named: part)
            json.beginArray()
            for sum in sums { json.value(sum) }
            json.endArray()
        }
        json.endObject()
    }

    /// Adds the counts of what is named the same, the most frequent first.
    private func writeCounts(
        _ name: String, by names: [String], of count: String, to json: inout JSONWriter
    ) {
        var order: [[JSONValue]] = []
        var sums: [[JSONValue]: Int64] = [:]
        for one in lists(name) {
            let key = names.map { one[$0] ?? .null }
            if sums[key] == nil { order.append(key) }
            sums[key, default: 0] += one[count]?.integer ?? 0
        }
        let sorted = order.enumerated().sorted {
            (-(sums[$0.element] ?? 0), $0.offset) < (-(sums[$1.element] ?? 0), $1.offset)
        }
        json.key(named: name)
        json.beginArray()
        for (_, key) in sorted {
            json.beginObject()
            for (name, value) in zip(names, key) {
                json.key(named: name)
                json.value(value)
            }
            json.key(named: count)
            json.value(sums[key] ?? 0)
            json.endObject()
        }
        json.endArray()
    }

    private func writeLatency(to json: inout JSONWriter) {
        let buckets = PushStatistics.latencyBounds.count + 1
        ShowPushStatistics.write(
            latencies: (0..<buckets).map { index in
                Int(sum(of: "count", at: index) { $0["latency"]?["buckets"] })
            }, to: &json)
    }

    /// Each node has connections of its own.
    private func writeHosts(to json: inout JSONWriter) {
        let hosts = all.flatMap { one in
            (one.value["hosts"]?.elements ?? []).map { (node: one.node, fields: $0.fields ?? []) }
        }
        json.array("hosts", hosts) { json, host in
            json.value(
                JSONValue.object(
                    host.fields + [JSONValue.Field(name: "node", value: .text(host.node))]))
        }
    }
}
