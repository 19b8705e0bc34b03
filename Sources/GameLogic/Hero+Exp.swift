extension Hero {
    /// Nobody learns more than this.
    package static let expMax = 1_000_000_000

    mutating func learn(_ lesson: Int) {
        exp = min(max(exp, 0), Self.expMax - lesson) + lesson
    }
}
