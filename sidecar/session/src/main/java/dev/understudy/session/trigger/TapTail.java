package dev.understudy.session.trigger;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads recordings that are being written, from where it read last. Confined to one thread.
 *
 * <p>A block's checksum is right only once it is whole, so a half-written one is read next time.
 */
final class TapTail {
    /** Connections that are followed at a time; of more the oldest are given up. */
    private static final int MOST = 1_000;

    /** Bytes that one look reads of a file, so that a look ends. */
    private static final long AT_ONCE = 64L << 20;

    private final List<String> texts;
    private final Consumer<TapExchange> sink;
    private final Map<Path, Long> positions = new HashMap<>();
    private final Map<String, TapConversation> open = new LinkedHashMap<>();

    /** @param texts what is looked for in replies, by the number of the rule */
    TapTail(List<String> texts, Consumer<TapExchange> sink) {
        this.texts = texts;
        this.sink = sink;
    }

    /** Reads what is new in files, the oldest first; those that aren't named any more are forgotten. */
    void read(List<Path> files) {
        positions.keySet().retainAll(Set.copyOf(files));
        for (Path file : files) {
            try {
                read(file);
            } catch (IOException gone) {
                // it is deleted, or not begun yet: the next look shows
            }
        }
    }

    private void read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (RecordingReader recording = RecordingReader.open(file)) {
            long begin = positions.getOrDefault(file, recording.position());
            long at = begin;
            try {
                while (at - begin < AT_ONCE) {
                    BlockReader block = recording.blockAt(at);
                    at += block.capacity();
                    read(file, block);
                }
            } catch (IOException end) {
                // nothing whole follows yet
            }
            positions.put(file, at);
        }
    }

    private void read(Path file, BlockReader block) {
        try {
            String key = file.getFileName() + "/" + block.connection();
            for (; block.hasRecord(); block.skip()) {
                take(key, block);
            }
        } finally {
            block.release();
        }
    }

    private void take(String key, BlockReader block) {
        switch (block.event()) {
            case REQUEST, REPLY, REPLY_END -> of(key).read(block);
            case CLOSED, LOST -> open.remove(key);
            case OPENED, PREFACE, CONNECTED, REQUEST_END -> {}
        }
    }

    private TapConversation of(String key) {
        TapConversation conversation = open.computeIfAbsent(key, first -> new TapConversation(texts, sink));
        if (open.size() > MOST) {
            open.remove(open.keySet().iterator().next());
        }
        return conversation;
    }
}
