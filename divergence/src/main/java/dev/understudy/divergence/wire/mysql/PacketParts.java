package dev.understudy.divergence.wire.mysql;

/** The parts in which a payload is sent: all but the last have {@link PacketFramer#FULL} bytes. */
public final class PacketParts {
    private PacketParts() {}

    /** Is told a part. */
    @FunctionalInterface
    public interface Part {
        /**
         * Takes a part.
         *
         * @param header the receiver's own; its last byte, the sequence, is 0
         * @param from where the part begins in the payload
         * @param length its bytes
         */
        void part(byte[] header, int from, int length);
    }

    /** Cuts a payload of so many bytes. */
    public static void each(int bytes, Part told) {
        int from = 0;
        int length;
        do {
            length = Math.min(PacketFramer.FULL, bytes - from);
            told.part(header(length), from, length);
            from += length;
        } while (length == PacketFramer.FULL);
    }

    /** The header of a part of so many bytes, with sequence 0. */
    public static byte[] header(int length) {
        return new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), 0};
    }
}
