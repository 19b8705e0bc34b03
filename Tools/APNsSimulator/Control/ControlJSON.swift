internal import HTTP2Server
internal import JSONWriter

/// The JSON of the control interface's responses.
enum ControlJSON {
    /// Returns an object with these fields.
    static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        body(&json)
        json.endObject()
        return json.bytes
    }

    static func counters(
        _ counters: Counters, devicesOffline: Int, _ mode: APNsSimulator.Mode
    ) -> [UInt8] {
        object { json in
            if mode == .trusting { json.field("trusting", true) }
            json.field("requests", counters.requests)
            json.field("accepted", counters.accepted)
            json.field("delivered", counters.delivered)
            json.object("refused") { json in
                for (reason, count) in counters.refused.sorted(by: { $0.key < $1.key }) {
                    json.key(named: reason)
                    json.value(count)
                }
            }
            json.field("faults", counters.faults)
            json.field("doubled", counters.doubledIDs)
            json.field("warned", counters.warned)
            json.field("broadcasts", counters.broadcasts)
            json.field("managed", counters.managed)
            json.object("offline") { json in
                json.field("devices", devicesOffline)
                json.field("stored", counters.offline.stored)
                json.field("replaced", counters.offline.replaced)
                json.field("expired", counters.offline.expired)
                json.field("discarded", counters.offline.discarded)
                json.field("deliveredLate", counters.offline.deliveredLate)
            }
        }
    }

    static func faults(_ lines: [ScriptedFault]) -> [UInt8] {
        object { json in
            json.array("faults", lines) { json, line in
                json.beginObject()
                write(line.fault, &json)
                json.field("met", line.met)
                json.field("done", line.done)
                json.endObject()
            }
        }
    }

    static func fault(_ fault: Fault) -> [UInt8] {
        object { write(fault, &$0) }
    }

    static func channels(_ channels: [Channel], _ feature: BroadcastFeature, at now: Int64)
        -> [UInt8]
    {
        object { json in
            json.field("feature", feature.rawValue)
            json.array("channels", channels) { json, channel in
                json.beginObject()
                json.field("id", channel.id)
                json.field("message-storage-policy", channel.policy.rawValue)
                json.field("createdAt", channel.createdAt)
                json.field("published", channel.published)
                json.field("stored", channel.message(at: now) != nil)
                json.endObject()
            }
        }
    }

    static func pushes(_ records: [NumberedRecord], next: Int) -> [UInt8] {
        object { json in
            json.array("pushes", records) { json, record in
                json.beginObject()
                json.field("number", record.number)
                json.key("push")
                json.raw(record.record.json)
                json.endObject()
            }
            json.field("next", next)
        }
    }

    static func reception(_ reception: HTTP2Server.Reception) -> [UInt8] {
        object { json in
            switch reception.opening {
            case .usual: json.field("opening", "usual")
            case .late(let milliseconds):
                json.field("opening", "late")
                json.field("milliseconds", milliseconds)
            case .silent: json.field("opening", "silent")
            case .invalidBytes: json.field("opening", "http1")
            }
            if let window = reception.initialWindowSize { json.field("window", window) }
            switch reception.replenishing {
            case .atOnce: break
            case .after(let milliseconds): json.field("replenishAfter", milliseconds)
            case .never: json.field("replenish", "never")
            }
            if let streams = reception.maxConcurrentStreams { json.field("streams", streams) }
        }
    }

    /// Writes a fault for display, with shortened tokens.
    private static func write(_ fault: Fault, _ json: inout JSONWriter) {
        json.field("effect", fault.effect.description)
        switch fault.scope {
        case .all: break
        case .token(let token): json.field("token", TokenMask.shortened(token))
        case .channel(let id): json.field("channel", id)
        case .share(let share): json.field("share", share)
        }
        json.field("skipping", fault.skipping)
        json.field("every", fault.every)
        if let times = fault.times { json.field("times", times) }
    }
}
