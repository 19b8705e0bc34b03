internal import Isolation

/// A page in a browser that stands for a phone: keeps its stream of pushes open, over kills of the
/// server, and puts what arrives into the book.
struct BrowserPhone: Sendable {
    /// How long a stream stays open; then the page opens it again.
    private static let streamLength = Duration.seconds(60)
    private static let retry = Duration.milliseconds(100)

    let http: HTTPClient
    /// The player's bearer token.
    let bearer: String
    let activity: String
    /// The name of the phone in the book.
    let token: String
    let phones: PhoneBook
    let number: PhoneBook.Number
    let now: @Sendable () -> Int64

    /// Runs until the activity has ended, or the task is cancelled.
    func run() async {
        while !Task.isCancelled, !phones[number].hasEnded {
            let text = Locked<[UInt8]>([])
            let status = await http.stream(
                "/v1/activities/\(activity)/pushes", token: bearer, for: Self.streamLength
            ) { bytes in
                for message in Self.messages(in: bytes, after: text) { take(message) }
            }
            // It has ended, or is gone.
            if status == 404 || status == 409 { return }
            // Only cancellation throws, which the loop checks.
            try? await Task.sleep(for: Self.retry)
        }
    }

    /// Returns the whole messages so far; the rest waits.
    private static func messages(in bytes: [UInt8], after text: Locked<[UInt8]>) -> [String] {
        text.withLock { text in
            text += bytes
            var messages: [String] = []
            while let end = text.firstRange(of: Array("\n\n".utf8)) {
                messages.append(String(decoding: text[..<end.lowerBound], as: UTF8.self))
                text.removeFirst(end.upperBound)
            }
            return messages
        }
    }

    private func take(_ message: String) {
        let lines = message.split(separator: "\n")
        guard lines.first == "event: push", let data = lines.last, data.hasPrefix("data: ") else {
            return
        }
        let payload = Array(data.dropFirst("data: ".count).utf8)
        // A page does not learn the priority. An alert must have the high one.
        let isAlert = data.contains(#""alert":{"#)
        phones.deliver(
            payload: payload, priority: isAlert ? 10 : 5, token: token, receivedAt: now())
    }
}
