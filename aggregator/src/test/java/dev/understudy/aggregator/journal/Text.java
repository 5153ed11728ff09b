package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.ReplyCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A reply of so many characters, for journals with a disk. */
record Text(String text) implements RecordedReply {
    @Override
    public long bytes() {
        return text.length();
    }

    @Override
    public long answer() {
        return Checksum.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static final class Codec implements ReplyCodec<Text> {
        /** Nothing can be written, which turns out once this is open; null if all can. */
        volatile @Nullable CountDownLatch unwritable;

        @Override
        public int format() {
            return 1;
        }

        @Override
        public void encode(Text reply, PackedWriter out) {
            CountDownLatch slow = unwritable;
            if (slow != null) {
                try {
                    slow.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("unwritable");
            }
            out.text(reply.text());
        }

        @Override
        public Text decode(PackedReader in, @Nullable Object kept) throws IOException {
            return new Text(in.text());
        }
    }
}
