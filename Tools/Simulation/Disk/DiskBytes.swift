/// The bytes of a file: memory that grows, and zeros behind it up to the file's size.
struct DiskBytes: ~Copyable {
    /// The file's size.
    private(set) var count = 0
    /// How many bytes there are in memory; what is behind them is zero.
    private(set) var stored = 0
    private var capacity = 0
    private var memory: UnsafeMutableRawPointer?

    init() {}

    deinit { memory?.deallocate() }

    /// Sets the size. Bytes behind it are forgotten, new ones are zero.
    mutating func resize(to size: Int) {
        count = size
        stored = min(stored, size)
    }

    private mutating func store(upTo end: Int) {
        if end > capacity {
            let grown = max(end, 2 * capacity, 1 << 16)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
            if let memory {
                larger.copyMemory(from: memory, byteCount: stored)
                memory.deallocate()
            }
            (memory, capacity) = (larger, grown)
        }
        guard end > stored, let memory else { return }
        (memory + stored).initializeMemory(as: UInt8.self, repeating: 0, count: end - stored)
        stored = end
    }

    /// Copies bytes out, as many as there are. Returns their number.
    func read(_ target: UnsafeMutableRawPointer, count wanted: Int, at place: Int) -> Int {
        let length = min(wanted, count - place)
        guard length > 0 else { return 0 }
        let inMemory = max(0, min(length, stored - place))
        if inMemory > 0, let memory {
            target.copyMemory(from: memory + place, byteCount: inMemory)
        }
        if inMemory < length {
            (target + inMemory).initializeMemory(
                as: UInt8.self, repeating: 0, count: length - inMemory)
        }
        return length
    }

    /// Writes bytes; the file grows where they end behind it.
    mutating func write(_ source: UnsafeRawPointer, count length: Int, at place: Int) {
        guard length > 0 else { return }
        count = max(count, place + length)
        store(upTo: max(stored, place + length))
        if let memory { (memory + place).copyMemory(from: source, byteCount: length) }
    }

    /// Returns a range; zeros behind the end.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            guard let base = buffer.baseAddress else { return }
            let length = read(base, count: range.count, at: range.lowerBound)
            buffer[length...].initialize(repeating: 0)
            filled = range.count
        }
    }

    /// Calls `body` with what is in memory.
    func withStored<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: memory, count: stored))
    }

    mutating func flip(bit: Int) {
        let byte = bit / 8
        guard byte < count else { return }
        store(upTo: max(stored, byte + 1))
        if let memory {
            let value = memory.load(fromByteOffset: byte, as: UInt8.self)
            memory.storeBytes(of: value ^ 1 << UInt8(bit % 8), toByteOffset: byte, as: UInt8.self)
        }
    }
}
