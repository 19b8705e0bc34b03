extension Phrase {
    /// Creates a phrase from stored parts.
    package init(key: String, arguments: [Argument]) {
        self.key = key
        self.arguments = arguments
    }
}
