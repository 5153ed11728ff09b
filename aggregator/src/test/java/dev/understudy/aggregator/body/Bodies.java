package dev.understudy.aggregator.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** What tests do with large bodies, waiting for the files' thread. */
final class Bodies {
    static final int MIB = 1 << 20;

    private Bodies() {}

    /** Bytes that differ everywhere. */
    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static LargeBody written(LargeBodies store, byte[] bytes) {
        BodyWriter writer = store.begin();
        writer.add(bytes);
        return writer.finish();
    }

    /** Whether all of it is there, once that is known. */
    static boolean whole(LargeBody body) throws Exception {
        CompletableFuture<Boolean> whole = new CompletableFuture<>();
        body.whenSettled(whole::complete);
        return whole.get(60, TimeUnit.SECONDS);
    }

    /** The next piece; null if it can't be read back. */
    static byte @Nullable [] next(BodyReader reader) throws Exception {
        CompletableFuture<@Nullable ByteBuf> next = new CompletableFuture<>();
        reader.next(Runnable::run, next::complete);
        ByteBuf piece = next.get(60, TimeUnit.SECONDS);
        if (piece == null) {
            return null;
        }
        byte[] bytes = ByteBufUtil.getBytes(piece);
        piece.release();
        return bytes;
    }

    /** All of it, once it is there; it is discarded with that. */
    static byte[] read(LargeBody body) throws Exception {
        assertThat(whole(body)).isTrue();
        BodyReader reader = body.read();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (reader.hasNext()) {
            byte[] piece = next(reader);
            assertThat(piece).isNotNull();
            all.writeBytes(piece);
        }
        reader.close();
        return all.toByteArray();
    }

    static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.endsWith("lock")).sorted().toList();
        }
    }

    static void flipBit(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int octet = bytes.read();
            bytes.seek(at);
            bytes.write(octet ^ 1);
        }
    }
}
