/// Which of several reads of the same rows counts, whichever ends first: the one that began last.
/// Each change is followed by a read that begins after it, so that one knows of every change.
struct ReadOrder {
    private var begun = 0
    private var newest = 0
    private var outdated = 0

    /// Returns the number of a read that begins now.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Returns whether what this read brings replaces what is known, which it then has.
    mutating func take(_ number: Int) -> Bool {
        guard number > newest else { return false }
        newest = number
        return true
    }

    /// Lets no read count that has begun already: it may not know of a change that is in force.
    mutating func outdateAll() {
        newest = begun
        outdated = begun
    }

    /// Whether a read must be repeated, because no later one may know what it knows.
    func isOutdated(_ number: Int) -> Bool { number <= outdated }
}
