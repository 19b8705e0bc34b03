/// A number kept in the room of a smaller type: there are as many as heroes, and memory is what
/// limits a server. A number that does not fit becomes the nearest that does.
@propertyWrapper
package struct Compact<Storage: FixedWidthInteger & Sendable>: Hashable, Sendable {
    private var storage: Storage

    package init(wrappedValue: Int) { storage = Storage(clamping: wrappedValue) }

    package var wrappedValue: Int {
        get { Int(storage) }
        set { storage = Storage(clamping: newValue) }
    }
}

extension FixedWidthInteger {
    /// Whether a `Compact` of this type keeps the number as it is.
    static func holds(_ number: Int) -> Bool { Self(exactly: number) != nil }
}
