internal import HTTP2

/// The positions of the headers that `PushFacts` would read, in a request's bytes.
struct ExpressHeaders {
    private(set) var authorization: Range<Int>?
    private(set) var id: Range<Int>?
    private(set) var topic: Range<Int>?
    private(set) var pushType: Range<Int>?
    private(set) var priority: Range<Int>?
    private(set) var expiration: Range<Int>?
    private(set) var collapseID: Range<Int>?

    private var hasDuplicates = false

    /// Finds the headers; `nil` when one of them is repeated.
    init?(_ fields: [HTTP2Arrival.Field], in bytes: UnsafeBufferPointer<UInt8>) {
        for field in fields { take(bytes.part(field.name), field.value) }
        if hasDuplicates { return nil }
    }

    private static func set(
        _ header: inout Range<Int>?, _ value: Range<Int>, _ hasDuplicates: inout Bool
    ) {
        if header != nil { hasDuplicates = true }
        header = value
    }

    private mutating func take(_ name: UnsafeBufferPointer<UInt8>, _ value: Range<Int>) {
        switch name.count {
        case 7 where name.reads("apns-id"): Self.set(&id, value, &hasDuplicates)
        case 10 where name.reads("apns-topic"): Self.set(&topic, value, &hasDuplicates)
        case 13 where name.reads("authorization"): Self.set(&authorization, value, &hasDuplicates)
        case 13 where name.reads("apns-priority"): Self.set(&priority, value, &hasDuplicates)
        case 14 where name.reads("apns-push-type"): Self.set(&pushType, value, &hasDuplicates)
        case 15 where name.reads("apns-expiration"): Self.set(&expiration, value, &hasDuplicates)
        case 16 where name.reads("apns-collapse-id"): Self.set(&collapseID, value, &hasDuplicates)
        default: break
        }
    }
}
