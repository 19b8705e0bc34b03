internal import COpenSSL

/// Ciphertext that waits for the socket. A custom BIO lets OpenSSL write directly to the buffer
/// that `send` reads. OpenSSL's memory BIO copies every byte twice more, and clears what was read.
final class OutboundBytes {
    private enum Limit {
        /// The room kept after everything was sent: a full batch and the record that filled it.
        static let kept = 96 * 1_024
    }

    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var sent = 0
    private var end = 0

    deinit { memory.deallocate() }

    /// The waiting bytes, valid until the next call.
    var waiting: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[sent..<end])
    }

    var isEmpty: Bool { sent == end }

    /// Removes the bytes that the socket has taken.
    func drop(_ count: Int) {
        sent += count
        guard isEmpty else { return }
        (sent, end) = (0, 0)
        if memory.count > Limit.kept {
            memory.deallocate()
            memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
    }

    fileprivate func append(_ bytes: UnsafeRawBufferPointer) {
        if memory.count - end < bytes.count { makeRoom(for: bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// Reuses the space of sent bytes, or allocates more.
    private func makeRoom(for count: Int) {
        let left = waiting
        if memory.count - left.count >= count {
            memory.copyMemory(from: left)
        } else {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(2 * memory.count, left.count + count), alignment: 16)
            larger.copyMemory(from: left)
            memory.deallocate()
            memory = larger
        }
        (sent, end) = (0, left.count)
    }
}

// MARK: - OpenSSL's BIO

extension OutboundBytes {
    /// Creates a BIO that writes here. The caller owns it; it must not outlive this object.
    func makeBIO() -> OpaquePointer? {
        guard let bio = BIO_new(OpaquePointer(bitPattern: Self.method)) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// OpenSSL's write method, created once and never freed. Stored as an address, because pointers
    /// are not sendable.
    private static let method: UInt = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "outbound bytes")
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let user = BIO_get_data(bio), let bytes, count > 0 else { return 0 }
            Unmanaged<OutboundBytes>.fromOpaque(user)._withUnsafeGuaranteedRef {
                $0.append(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
            return count
        }
        // Nothing is buffered, so flushing succeeds; other commands do not apply.
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return UInt(bitPattern: method)
    }()
}
