/// SplitMix64: the same frames and mutations for the same seed.
struct FuzzDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(sides))
    }

    mutating func pick<Element>(_ all: [Element]) -> Element { all[roll(all.count)] }

    /// A frame that a faulty peer might send: bits flipped, cut short, doubled, lengthened.
    mutating func mutate(_ frame: [UInt8]) -> [UInt8] {
        var frame = frame
        switch roll(6) {
        case 0: frame = Array(frame.prefix(roll(frame.count + 1)))
        case 1: frame += frame
        case 2: frame.insert(UInt8(roll(256)), at: roll(frame.count + 1))
        case 3: frame[roll(min(9, frame.count))] = UInt8(roll(256))
        default:
            for _ in 0...roll(4) { frame[roll(frame.count)] ^= 1 << UInt8(roll(8)) }
        }
        return frame
    }
}
