/// A value that few have, kept apart: it takes its room only where it is not the usual one, and a
/// copy of its owner copies a reference.
package struct Apart<Value: Hashable & Sendable & Usual>: Sendable {
    /// It is not changed while another owner has it (`isKnownUniquelyReferenced`).
    private final class Box: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    /// `nil`: the usual value.
    private var box: Box?

    package init() {}

    package init(_ value: Value) { if value != Value.usual { box = Box(value) } }

    package var value: Value {
        _read {
            if let box {
                yield box.value
            } else {
                yield Value.usual
            }
        }
        _modify {
            var own = box ?? Box(Value.usual)
            box = nil
            if !isKnownUniquelyReferenced(&own) { own = Box(own.value) }
            defer { box = own }
            yield &own.value
        }
    }
}

/// A type with a usual value, which is made once: it is read far more often than any other.
package protocol Usual {
    static var usual: Self { get }
}

extension Apart: Hashable {
    package static func == (left: Apart, right: Apart) -> Bool {
        left.box === right.box || left.value == right.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Home: Usual {
    package static let usual = Home()
}

extension Outing: Usual {
    package static let usual = Outing()
}

extension Adventure.Course: Usual {
    package static let usual = Adventure.Course()
}
