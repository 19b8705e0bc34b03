/// Reads a push's body once, without a tree: checks whether APNs accepts it, and collects what the
/// warnings need.
struct PayloadScan {
    private let schema: RequiredFields
    private var outline: ApsOutline?

    private init(_ schema: RequiredFields) { self.schema = schema }

    /// Returns the outline; `nil` unless the body is a JSON object with a non-empty `aps`, which
    /// APNs requires.
    static func outline(
        _ body: UnsafeBufferPointer<UInt8>, _ schema: RequiredFields
    ) -> ApsOutline? {
        var payload = PayloadScan(schema)
        var scan = JSONScan(body)
        do throws(JSONScan.Broken) {
            try scan.document { (scan) throws(JSONScan.Broken) in
                guard scan.start == .object else { return try scan.skip() }
                try scan.object { (scan, name) throws(JSONScan.Broken) in
                    guard name.reads("aps", in: scan.bytes) else { return try scan.skip() }
                    payload.outline = try payload.aps(&scan)
                }
            }
            return payload.outline
        } catch {
            return nil
        }
    }

    /// Scans `aps`. The last of duplicate keys counts, so each starts anew. `nil`: empty.
    private func aps(_ scan: inout JSONScan) throws(JSONScan.Broken) -> ApsOutline? {
        guard scan.start == .object else {
            try scan.skip()
            return nil
        }
        var outline = ApsOutline()
        var isEmpty = true
        try scan.object { (scan, name) throws(JSONScan.Broken) in
            isEmpty = false
            try member(name, &scan, &outline)
        }
        return isEmpty ? nil : outline
    }

    private func member(
        _ name: JSONScan.Text, _ scan: inout JSONScan, _ outline: inout ApsOutline
    ) throws(JSONScan.Broken) {
        let bytes = scan.bytes
        if name.reads("event", in: bytes) {
            outline.event = try event(&scan)
        } else if name.reads("timestamp", in: bytes) {
            outline.timestamp = try number(&scan)
        } else if name.reads("content-state", in: bytes) {
            outline.content = try content(&scan)
        } else if name.reads("alert", in: bytes) {
            outline.alert = try alert(&scan)
        } else if name.reads("stale-date", in: bytes) {
            outline.staleDate = try number(&scan)
        } else if name.reads("dismissal-date", in: bytes) {
            outline.dismissalDate = try number(&scan)
        } else {
            if let key = startKey(name, bytes) { outline.startKeys.insert(key) }
            try scan.skip()
        }
    }

    private func startKey(
        _ name: JSONScan.Text, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> ApsOutline.StartKeys? {
        if name.reads("attributes-type", in: bytes) { return .attributesType }
        if name.reads("attributes", in: bytes) { return .attributes }
        if name.reads("input-push-token", in: bytes) { return .inputPushToken }
        return name.reads("input-push-channel", in: bytes) ? .inputPushChannel : nil
    }

    // MARK: Values

    private func event(_ scan: inout JSONScan) throws(JSONScan.Broken) -> ApsOutline.Event {
        guard scan.start == .string else {
            try scan.skip()
            return .missing
        }
        let event = try scan.string()
        if event.reads("update", in: scan.bytes) { return .update }
        if event.reads("start", in: scan.bytes) { return .start }
        return event.reads("end", in: scan.bytes) ? .end : .other
    }

    private func number(_ scan: inout JSONScan) throws(JSONScan.Broken) -> ApsOutline.Number {
        guard scan.start == .number else {
            try scan.skip()
            return .noNumber
        }
        return .value(try scan.number())
    }

    private func content(_ scan: inout JSONScan) throws(JSONScan.Broken) -> ApsOutline.Content {
        guard scan.start == .object else {
            try scan.skip()
            return .noObject
        }
        var fitting: UInt64 = 0
        try scan.object { (scan, name) throws(JSONScan.Broken) in
            guard let place = schema.place(of: name, in: scan.bytes) else { return try scan.skip() }
            let bit: UInt64 = 1 << UInt64(place)
            if try schema.fits(place, &scan) {
                fitting |= bit
            } else {
                fitting &= ~bit
            }
        }
        return .object(fitting: fitting)
    }

    // MARK: Alerts

    private func alert(_ scan: inout JSONScan) throws(JSONScan.Broken) -> ApsOutline.Alert {
        var alert = ApsOutline.Alert()
        guard scan.start == .object else {
            try scan.skip()
            return alert
        }
        try scan.object { (scan, name) throws(JSONScan.Broken) in
            if name.reads("title", in: scan.bytes) {
                alert.hasTitle = try isReadable(&scan)
            } else if name.reads("body", in: scan.bytes) {
                alert.hasBody = try isReadable(&scan)
            } else {
                if isForeign(name, scan.bytes) { alert.hasForeignKeys = true }
                try scan.skip()
            }
        }
        return alert
    }

    private func isForeign(_ name: JSONScan.Text, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        name.reads("title-loc-key", in: bytes) || name.reads("title-loc-args", in: bytes)
            || name.reads("loc-key", in: bytes) || name.reads("loc-args", in: bytes)
    }

    /// Returns whether the value is text, or an object with a text's key.
    private func isReadable(_ scan: inout JSONScan) throws(JSONScan.Broken) -> Bool {
        guard scan.start == .object else {
            let isText = scan.start == .string
            try scan.skip()
            return isText
        }
        var hasKey = false
        try scan.object { (scan, name) throws(JSONScan.Broken) in
            if name.reads("loc-key", in: scan.bytes) { hasKey = scan.start == .string }
            try scan.skip()
        }
        return hasKey
    }
}
