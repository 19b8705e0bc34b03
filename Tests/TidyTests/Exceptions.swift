/// Functions that are tables: each with the reason why it is one piece.
enum Exceptions {
    static let longFunctions: [String: String] = [:]
}
