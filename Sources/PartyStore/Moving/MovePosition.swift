internal import ByteCoding

/// The key of the last row that was copied, as bytes.
enum MovePosition {
    static func bytes(of key: [SQLValue]) -> [UInt8] {
        var bytes = ByteWriter()
        for value in key {
            switch value {
            case .integer(let number):
                bytes.append(byte: 0)
                bytes.append(zigzag: number)
            case .text(let text):
                bytes.append(byte: 1)
                bytes.append(text: text)
            case .null, .blob:
                preconditionFailure("a key of a table is a number or a text, not \(value)")
            }
        }
        return bytes.bytes
    }

    /// Returns the key; `nil`: the bytes are damaged.
    static func key(_ bytes: [UInt8]) -> [SQLValue]? {
        bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            var key: [SQLValue] = []
            do throws(ByteError) {
                while reader.left > 0 {
                    switch try reader.byte() {
                    case 0: key.append(.integer(try reader.zigzag()))
                    case 1: key.append(.text(try reader.text()))
                    default: return nil
                    }
                }
            } catch {
                return nil
            }
            return key
        }
    }
}
