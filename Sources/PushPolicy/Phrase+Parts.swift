extension Phrase {
    /// A phrase of parts that were stored.
    package init(key: String, arguments: [Argument]) {
        self.key = key
        self.arguments = arguments
    }
}
