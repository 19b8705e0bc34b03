internal import APNsClient
internal import HTTP2

extension AppleSide {
    /// Accepts a clearly valid push and writes the response. `false`: nothing has happened, and
    /// `receive` must handle it. For a simulator without listeners: there is no record.
    mutating func pass(
        _ arrival: HTTP2Arrival, on connection: HTTP2Server.ConnectionID, at now: Int64,
        _ draft: inout HTTP2Draft
    ) -> Bool {
        guard script.isEmpty, devices.isEmpty, registry.isOpen,
            let ticket = express.ticket(for: arrival, on: connection, at: now)
        else { return false }
        counters.requests += 1
        counters.accepted += 1
        let id = ticket.id ?? dice.uuidBits()
        if !ids.insert(id) { counters.doubledIDs += 1 }
        if let aps = ticket.aps, isWarnedAbout(aps, ticket, at: now) { counters.warned += 1 }
        draft.begin(status: "200")
        draft.add("apns-id", count: UUIDText.count) { text in
            if let range = ticket.idRange {
                _ = text.update(fromContentsOf: arrival.bytes[range])
            } else {
                UUIDText.write(id, into: text)
            }
        }
        if rules.environment == .sandbox {
            let uniqueID = dice.uuidBits()
            draft.add("apns-unique-id", count: UUIDText.count) {
                UUIDText.write(uniqueID, into: $0)
            }
        }
        return true
    }

    /// Handles what the express lane does not, and admits its senders to the lane.
    mutating func receive(
        _ arrival: HTTP2Arrival, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) -> Reaction {
        let request = HTTP2Request(arrival)
        let reaction = receive(request, on: connection, at: now)
        if case .accepted = reaction.record.outcome,
            let token = verified(request.header("authorization"), at: now)
        {
            express.admit(arrival, token, on: connection)
        }
        return reaction
    }

    private mutating func isWarnedAbout(
        _ aps: ApsOutline, _ ticket: ExpressLane.Ticket, at now: Int64
    ) -> Bool {
        forgetOldActivities()
        var findings = DeviceFindings()
        activities.update(ticket.token.word) { activity in
            findings = warnings.rules.findings(
                in: aps, priority: ticket.priority, activity: &activity, now: now)
        }
        return !findings.isEmpty
    }
}
