internal import APNsClient
internal import Foundation
internal import RangersServer

/// `rangers push`: one Live Activity push from a terminal, sent or only shown.
enum PushCommand {
    static let command = Command("push", "Send one push, or show it with its curl twin", run: run)

    private static let options = Options(
        command: "rangers push",
        summary: """
            Sends one Live Activity push and exits with 0 if APNs accepts it. Dates are seconds \
            since 1970, or +SECONDS from now.
            """,
        modes + content + alert + delivery)

    private static let modes = [
        Option.toggle("dry-run", "Print the exact request and the curl command; send nothing"),
        .toggle("show-secrets", "Print tokens as they are instead of as shell variables"),
        .toggle("print-provider-token", "Print a fresh provider token and do nothing else"),
    ]

    private static let content = [
        Option("token", "HEX", "The Live Activity's push token", visibility: .secret),
        Option("event", "update|end", "What the push does", default: "update"),
        Option("health", "0…1", "currentHealthLevel of the content state"),
        Option("description", "TEXT", "eventDescription of the content state"),
        Option("timestamp", "DATE", "When the content became true", default: "+0"),
        Option("stale-date", "DATE", "When an update counts as old"),
        Option("dismissal-date", "DATE", "When an ended activity leaves the Lock Screen"),
        Option("relevance-score", "NUMBER", "Larger is nearer to the top"),
        Option("payload", "FILE", "A payload to send as it is; - for standard input"),
    ]

    private static let alert = [
        Option("alert-title", "TEXT", "The alert's title"),
        Option("alert-title-loc-key", "KEY", "Its key in the app's String Catalog instead"),
        Option("alert-title-loc-arg", "TEXT", "What fills the key's gaps", kind: .list),
        Option("alert-body", "TEXT", "The alert's body"),
        Option("alert-body-loc-key", "KEY", "Its key in the app's String Catalog instead"),
        Option("alert-body-loc-arg", "TEXT", "What fills the key's gaps", kind: .list),
        Option("sound", "NAME", "The alert's sound: default, or a file in the app"),
    ]

    private static let delivery = [
        Option("priority", "5|10", "5 when convenient, 10 at once", default: "10"),
        Option("expiration", "DATE", "How long APNs may keep it; 0: one attempt"),
        Option("apns-host", "HOST", "APNs", default: "api.sandbox.push.apple.com"),
        Option("apns-port", "PORT", "443, or Apple's alternative 2197", default: "443"),
        Option("apns-ca", "FILE", "Trusted roots in PEM, instead of the system's"),
        Option("apns-key", "FILE.p8", "The APNs authentication key from Apple"),
        Option("apns-key-id", "ID", "The key's id: ten characters"),
        Option("apns-team-id", "ID", "The team's id: ten characters"),
        Option("bundle-id", "ID", "The app's bundle id, without a suffix"),
    ]

    private static func run(_ arguments: [String]) async -> Int32 {
        await options.run(arguments) { values throws(OptionsError) in
            let sender = try PushSender(values)
            if values.isOn("print-provider-token") {
                return report { try sender.providerToken().jwt }
            }
            let now = Int64(Date().timeIntervalSince1970)
            let request = try PushDraft(values, now: now).request()
            guard values.isOn("dry-run") else { return await send(request, by: sender) }
            return report { try sender.show(request) }
        }
    }

    /// Prints what `text` makes, or says why it cannot be made.
    private static func report(_ text: () throws -> String) -> Int32 {
        do {
            Terminal.print(try text() + "\n")
            return 0
        } catch {
            Terminal.complain("rangers push: \(error)")
            return 1
        }
    }

    private static func send(_ request: PushRequest, by sender: PushSender) async -> Int32 {
        do {
            try request.validate()
            let outcome = try await sender.send(request)
            guard case .accepted(let uniqueID) = outcome else {
                Terminal.complain("\(describe(outcome)); apns-id \(request.id)")
                return 1
            }
            let unique = uniqueID.map { "; apns-unique-id \($0)" } ?? ""
            Terminal.print("200 accepted; apns-id \(request.id)\(unique)\n")
            return 0
        } catch {
            Terminal.complain("rangers push: \(error)")
            return 1
        }
    }

    private static func describe(_ outcome: APNsClient.Outcome) -> String {
        switch outcome {
        case .accepted: return "200 accepted"
        case .refused(let refusal):
            let since = refusal.timestamp.map { " since \($0) ms" } ?? ""
            return "\(refusal.status) \(refusal.reason)\(since)"
        case .notSent(let why), .heldBack(let why, _): return "not sent: \(why)"
        case .unknown(let why): return "sent, but not answered: \(why)"
        }
    }
}
