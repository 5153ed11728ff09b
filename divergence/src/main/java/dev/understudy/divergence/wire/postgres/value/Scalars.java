package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/** The types that need a few lines each. */
final class Scalars {
    private Scalars() {}

    /** Whole numbers of 2, 4 or 8 bytes. */
    record Int(int bytes, boolean signed) implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            expect(binary, bytes);
            PgReader reader = new PgReader(binary);
            return switch (bytes) {
                case 2 -> Short.toString(reader.int16());
                case 4 -> signed ? Integer.toString(reader.int32()) : Integer.toUnsignedString(reader.int32());
                default -> Long.toString(reader.int64());
            };
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            PgWriter writer = new PgWriter();
            return switch (bytes) {
                case 2 -> writer.int16(Short.parseShort(text)).toBytes();
                case 4 ->
                    writer.int32(signed ? Integer.parseInt(text) : Integer.parseUnsignedInt(text))
                            .toBytes();
                default -> writer.int64(Long.parseLong(text)).toBytes();
            };
        }
    }

    /** {@code t} or {@code f}; a client may write more than that. */
    record Bool() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            expect(binary, 1);
            return binary[0] != 0 ? "t" : "f";
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            return switch (text) {
                case "t", "true", "TRUE", "1" -> new byte[] {1};
                case "f", "false", "FALSE", "0" -> new byte[] {0};
                default -> throw new IllegalArgumentException("not a bool");
            };
        }
    }

    /** Bytes as they are, or as {@code \x…} or with octal escapes. */
    record Bytes() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            if (style.hexBytes()) {
                return "\\x" + HexFormat.of().formatHex(binary);
            }
            StringBuilder text = new StringBuilder(binary.length + 16);
            for (byte b : binary) {
                if (b == '\\') {
                    text.append("\\\\");
                } else if (b < 0x20 || b > 0x7e) {
                    text.append('\\');
                    text.append((char) ('0' + ((b >> 6) & 3)));
                    text.append((char) ('0' + ((b >> 3) & 7)));
                    text.append((char) ('0' + (b & 7)));
                } else {
                    text.append((char) b);
                }
            }
            return text.toString();
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            if (text.startsWith("\\x")) {
                return HexFormat.of().parseHex(text, 2, text.length());
            }
            byte[] escaped = text.getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length);
            for (int i = 0; i < escaped.length; i++) {
                if (escaped[i] != '\\') {
                    bytes.write(escaped[i]);
                } else if (escaped[i + 1] == '\\') {
                    bytes.write(escaped[++i]);
                } else {
                    bytes.write(Integer.parseInt(new String(escaped, i + 1, 3, StandardCharsets.US_ASCII), 8));
                    i += 3;
                }
            }
            return bytes.toByteArray();
        }

        @Override
        public boolean styled() {
            return true;
        }
    }

    /** Sixteen bytes, or the usual hexadecimal groups. */
    record Uuid() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            expect(binary, 16);
            ByteBuffer bytes = ByteBuffer.wrap(binary);
            return new UUID(bytes.getLong(), bytes.getLong()).toString();
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            if (text.length() != 36) {
                throw new IllegalArgumentException("not a plain uuid");
            }
            UUID uuid = UUID.fromString(text);
            return new PgWriter()
                    .int64(uuid.getMostSignificantBits())
                    .int64(uuid.getLeastSignificantBits())
                    .toBytes();
        }
    }

    /** The text behind a version byte. */
    record Jsonb() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            if (binary.length == 0 || binary[0] != 1) {
                throw new IllegalArgumentException("not jsonb of version 1");
            }
            return new String(binary, 1, binary.length - 1, StandardCharsets.UTF_8);
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            return new PgWriter()
                    .int8(1)
                    .bytes(text.getBytes(StandardCharsets.UTF_8))
                    .toBytes();
        }
    }

    static void expect(byte[] binary, int length) {
        if (binary.length != length) {
            throw new IllegalArgumentException("length: " + binary.length + " (expected: " + length + ")");
        }
    }
}
