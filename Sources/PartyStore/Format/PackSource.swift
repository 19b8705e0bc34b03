internal import ByteCoding
internal import GameLogic

/// Where a row that names a pack finds it.
protocol PackSource {
    /// Throws when there is no such pack: the row cannot be read without its rules.
    func pack(_ reference: Pack.Reference) throws(FormatError) -> Pack
}

extension Packs: PackSource {
    func pack(_ reference: Pack.Reference) throws(FormatError) -> Pack {
        guard let pack = self[reference] else { throw .unknownPack(reference) }
        return pack
    }
}

extension FormatError {
    static func unknownPack(_ reference: Pack.Reference) -> FormatError {
        .invalid("the file has no pack \(reference)")
    }
}

extension ByteWriter {
    mutating func append(_ reference: Pack.Reference) {
        append(text: reference.id)
        append(count: reference.version)
    }
}

extension ByteReader {
    mutating func pack(from source: any PackSource) throws(FormatError) -> Pack {
        try source.pack(try packReference())
    }

    mutating func packReference() throws(FormatError) -> Pack.Reference {
        let id = try text()
        return Pack.Reference(id: id, version: try number("pack's version"))
    }
}

// MARK: Things

/// The things of `base.json` by fixed numbers. A number is never changed and never reused; other
/// things are 0 and their names.
protocol NumberedThing: Thing {
    /// The numbers are 1, 2, 3 … in this order.
    static var numbered: [Self] { get }
}

extension Item: NumberedThing {
    static let numbered = [
        coin, mushroom, rope, map, acorn, sword, shield, crown, crystal, cloak,
    ]
}

extension Foe: NumberedThing {
    static let numbered = [
        slime, bat, goblin, troll, ghost, storm, Foe("dragon"), Foe("kraken"), Foe("robot"),
    ]
}

extension Boss: NumberedThing {
    static let numbered = [dragon, kraken, robot]
}

extension ByteWriter {
    mutating func append<Value: NumberedThing>(_ thing: Value) {
        if let index = Value.numbered.firstIndex(of: thing) {
            append(byte: UInt8(index + 1))
        } else {
            append(byte: 0)
            append(text: thing.name)
        }
    }
}

extension ByteReader {
    mutating func thing<Value: NumberedThing>(
        _ type: Value.Type = Value.self
    ) throws(FormatError) -> Value {
        let number = try byte()
        guard number > 0 else {
            let thing = Value(try text())
            guard !Value.numbered.contains(thing) else {
                throw .invalid("a \(type) is spelled as text")
            }
            return thing
        }
        guard number <= Value.numbered.count else {
            throw .unknownNumber(UInt64(number), of: "\(type)")
        }
        return Value.numbered[Int(number) - 1]
    }
}
