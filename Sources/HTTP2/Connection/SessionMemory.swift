internal import CNGHTTP2
internal import Glibc

/// An allocator of small blocks for one session. nghttp2 allocates and frees a dozen blocks for
/// every request, a thousand requests at a time, which is more than the C library's allocator
/// caches. Freed blocks are kept for reuse, never more than the session's peak.
///
/// Confined to the session's thread, and outlives the session.
final class SessionMemory {
    /// The header of each block: its length in steps. Keeps the alignment of `malloc`.
    private static let headSize = 16
    private static let step = 32
    /// Longer blocks come from the C library.
    private static let stepsMax = 64

    /// The first free block of each length; each free block points to the next.
    private let free: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init() {
        free = .allocate(capacity: Self.stepsMax + 1)
        free.initialize(repeating: nil, count: Self.stepsMax + 1)
    }

    deinit {
        for steps in 0...Self.stepsMax {
            while let piece = Self.pop(steps, from: free) { Glibc.free(piece - Self.headSize) }
        }
        free.deallocate()
    }

    /// The functions for nghttp2.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: free,
            malloc: { size, user in SessionMemory.take(size, user) },
            free: { piece, user in SessionMemory.release(piece, user) },
            calloc: { count, size, user in
                let piece = SessionMemory.take(count * size, user)
                if let piece { memset(piece, 0, count * size) }
                return piece
            },
            realloc: { piece, size, user in SessionMemory.resize(piece, size, user) })
    }

    private static func take(
        _ size: Int, _ user: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        let steps = (size + step - 1) / step
        if steps <= stepsMax, let piece = pop(steps, from: lists(user)) { return piece }
        guard let block = malloc(headSize + steps * step) else { return nil }
        block.storeBytes(of: steps, as: Int.self)
        return block + headSize
    }

    private static func release(
        _ piece: UnsafeMutableRawPointer?, _ user: UnsafeMutableRawPointer?
    ) {
        guard let piece else { return }
        let steps = steps(of: piece)
        guard steps <= stepsMax, steps > 0, let lists = lists(user) else {
            return Glibc.free(piece - headSize)
        }
        piece.storeBytes(of: lists[steps], as: UnsafeMutableRawPointer?.self)
        lists[steps] = piece
    }

    private static func resize(
        _ piece: UnsafeMutableRawPointer?, _ size: Int, _ user: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let piece else { return take(size, user) }
        let room = steps(of: piece) * step
        guard size > room else { return piece }
        guard let larger = take(size, user) else { return nil }
        memcpy(larger, piece, room)
        release(piece, user)
        return larger
    }

    private static func pop(
        _ steps: Int, from lists: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> UnsafeMutableRawPointer? {
        guard let lists, let piece = lists[steps] else { return nil }
        lists[steps] = piece.load(as: UnsafeMutableRawPointer?.self)
        return piece
    }

    private static func steps(of piece: UnsafeMutableRawPointer) -> Int {
        (piece - headSize).load(as: Int.self)
    }

    private static func lists(
        _ user: UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        user?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}
