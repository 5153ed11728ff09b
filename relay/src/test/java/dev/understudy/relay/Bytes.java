package dev.understudy.relay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Seeded byte streams, sent in random pieces and told apart by their hash. */
public final class Bytes {
    private static final int LARGE = 100_000;

    private Bytes() {}

    /** Sends {@code length} bytes made from {@code seed}, in pieces of random size, and returns their hash. */
    public static String send(OutputStream out, long seed, long length) throws IOException {
        Random random = new Random(seed);
        MessageDigest hash = sha256();
        for (long left = length; left > 0; ) {
            int size = (int) Math.min(left, random.nextInt(10) == 0 ? LARGE : 1 + random.nextInt(3000));
            byte[] piece = new byte[size];
            random.nextBytes(piece);
            out.write(piece);
            hash.update(piece);
            left -= size;
        }
        out.flush();
        return HexFormat.of().formatHex(hash.digest());
    }

    /** The hash of {@code length} bytes of {@code in}, or of all up to its end if {@code length} is negative. */
    public static String hash(InputStream in, long length) throws IOException {
        MessageDigest hash = sha256();
        byte[] piece = new byte[65536];
        for (long left = length; left != 0; ) {
            int read = in.read(piece, 0, left < 0 ? piece.length : (int) Math.min(left, piece.length));
            if (read < 0) {
                break;
            }
            hash.update(piece, 0, read);
            left -= left < 0 ? 0 : read;
        }
        return HexFormat.of().formatHex(hash.digest());
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs {@code work} on a thread of its own. */
    public static <T> CompletableFuture<T> async(Work<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> {
                    Thread thread = new Thread(task, "test peer");
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    public interface Work<T> {
        T run() throws IOException;
    }
}
