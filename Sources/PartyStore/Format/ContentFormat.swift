internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// The content and alerts of activities: words by number, names by their index in the roster.
enum ContentFormat {
    /// The most gaps in a text.
    private static let argumentsMax = 16

    // MARK: Content

    static func write(_ content: LocalizableContent, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(content.health)
        write(content.text, roster, to: &bytes)
    }

    static func write(_ text: LocalizableText, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(word: text.key)
        if case .message(let message)? = text.arguments.first {
            MessageFormat.append(message, to: &bytes)
            return
        }
        bytes.append(count: text.arguments.count)
        for argument in text.arguments { write(argument, roster, to: &bytes) }
        bytes.append(text.telling)
    }

    static func read(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> LocalizableContent {
        let health = try bytes.health()
        return LocalizableContent(health: health, text: try text(&bytes, roster))
    }

    static func text(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> LocalizableText {
        let key = try bytes.word()
        guard key != LocalizableText.messageKey else {
            return LocalizableText(try MessageFormat.next(&bytes))
        }
        let count = try bytes.count(max: argumentsMax)
        var arguments: [LocalizableText.Argument] = []
        arguments.reserveCapacity(count)
        for _ in 0..<count { arguments.append(try argument(&bytes, roster)) }
        return LocalizableText(key: key, arguments: arguments, telling: try bytes.telling())
    }

    /// Codes from here on are counts. No roster has as many heroes.
    private static let countsFrom: UInt64 = 1 << 16
    private static let countMax = 1 << 40

    /// A name, or a count.
    private static func write(
        _ argument: LocalizableText.Argument, _ roster: Roster, to bytes: inout ByteWriter
    ) {
        switch argument {
        case .name(let name): write(name: name, roster, to: &bytes)
        case .count(let count): bytes.append(varint: countsFrom + UInt64(max(count, 0)))
        case .message: preconditionFailure("a message is a text of its own")
        }
    }

    private static func argument(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> LocalizableText.Argument {
        let code = try bytes.varint()
        guard code < countsFrom else {
            guard let count = Int(exactly: code - countsFrom), count <= countMax else {
                throw .invalid("a text has a count that is too large")
            }
            return .count(count)
        }
        return .name(try name(code, &bytes, roster))
    }

    // MARK: Alerts

    static func write(_ alert: Alert, _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(word: alert.titleKey)
        write(alert.titleArguments, roster, to: &bytes)
        bytes.append(word: alert.bodyKey)
        write(alert.bodyArguments, roster, to: &bytes)
        bytes.append(byte: alert.sound == nil ? 0 : 1)
        if let sound = alert.sound { bytes.append(word: sound) }
    }

    static func alert(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> Alert {
        let title = try bytes.word()
        let titleArguments = try names(&bytes, roster)
        let body = try bytes.word()
        let bodyArguments = try names(&bytes, roster)
        var flags = try bytes.flags(1)
        return Alert(
            titleKey: title, titleArguments: titleArguments, bodyKey: body,
            bodyArguments: bodyArguments, sound: flags.next() ? try bytes.word() : nil)
    }

    private static func write(_ names: [String], _ roster: Roster, to bytes: inout ByteWriter) {
        bytes.append(count: names.count)
        for name in names { write(name: name, roster, to: &bytes) }
    }

    private static func names(
        _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> [String] {
        let count = try bytes.count(max: argumentsMax)
        var names: [String] = []
        names.reserveCapacity(count)
        for _ in 0..<count { names.append(try name(try bytes.varint(), &bytes, roster)) }
        return names
    }

    // MARK: Names

    /// 0: a text follows. From 1 on: the index in the roster.
    private static func write(name: String, _ roster: Roster, to bytes: inout ByteWriter) {
        if let index = roster.index(ofName: name) {
            bytes.append(count: index + 1)
        } else {
            bytes.append(count: 0)
            bytes.append(text: name)
        }
    }

    private static func name(
        _ code: UInt64, _ bytes: inout ByteReader, _ roster: Roster
    ) throws(FormatError) -> String {
        guard code > 0 else { return try bytes.text() }
        guard code <= UInt64(roster.tags.count) else {
            throw .invalid("it names a hero that is not in its list")
        }
        return roster.tags[Int(code) - 1].name
    }
}
