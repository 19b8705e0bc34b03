/// Bytes that mean something in a head, in places where they do not belong.
private let pieces = [
    "\r", "\n", "\r\n", "\r\n\r\n", "\0", " ", ":", "%", "%00", "HTTP/1.1", "HTTP/9.9", "0\r\n",
    "content-length: 3\r\n", "transfer-encoding: chunked\r\n", "host: y\r\n", "\u{ff}",
    "ffffffff",
].map { Array($0.utf8) }

/// One of the samples, changed in up to three places.
func mutant(of samples: [[UInt8]], _ random: inout TestRandom) -> [UInt8] {
    var bytes = samples[random.below(samples.count)]
    for _ in 0..<random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.below(20)))
        default: bytes.insert(contentsOf: bytes[..<place], at: random.below(bytes.count))
        }
        if bytes.isEmpty { bytes = [0] }
    }
    return bytes
}

/// SplitMix64: the same bytes for the same seed.
struct TestRandom {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
