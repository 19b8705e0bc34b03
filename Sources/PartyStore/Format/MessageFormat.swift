internal import ByteCoding
internal import GameLogic

/// The messages of game masters: each language's code and text.
enum MessageFormat {
    /// More languages than the String Catalog will have.
    private static let textsMax = 64

    static func append(_ message: Message, to bytes: inout ByteWriter) {
        bytes.append(count: message.texts.count)
        for text in message.texts {
            bytes.append(text: text.language)
            bytes.append(text: text.text)
        }
    }

    static func next(_ bytes: inout ByteReader) throws(FormatError) -> Message {
        let count = try bytes.count(max: textsMax)
        var texts: [String: String] = [:]
        var last = ""
        for _ in 0..<count {
            let language = try bytes.text()
            guard language > last else { throw .invalid("a message's languages are not in order") }
            texts[language] = try bytes.text()
            last = language
        }
        guard let message = Message(texts) else { throw .invalid("a message without English") }
        return message
    }
}
