package dev.understudy.relay.stream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One file of blocks of any lanes, written once from its start to its end. Confined to the spill's thread. */
final class Segment {
    private final Path file;
    private final boolean kept;
    private final Set<SpilledBlock> blocks = new HashSet<>();
    private @Nullable FileChannel channel;
    private long size;
    private long liveBytes;

    private Segment(Path file, @Nullable FileChannel channel, boolean kept) {
        this.file = file;
        this.channel = channel;
        this.kept = kept;
    }

    /** A new file, readable by its owner only. */
    static Segment create(Path file, boolean kept) throws IOException {
        return new Segment(file, ProcessDirectory.create(file), kept);
    }

    /** A file that another process left, of which nothing is known yet but its size. */
    static Segment left(Path file) throws IOException {
        Segment segment = new Segment(file, null, true);
        segment.size = Files.size(file);
        return segment;
    }

    /** There is a block that somebody wants, in a file that was left. */
    SpilledBlock found(long offset, int length) {
        SpilledBlock place = new SpilledBlock(this, offset, length);
        blocks.add(place);
        liveBytes += length;
        return place;
    }

    /** Appends {@code block}; if that fails, the next one takes its place. */
    SpilledBlock append(ByteBuffer block) throws IOException {
        int length = block.remaining();
        FileChannel open = channel();
        for (long at = size; block.hasRemaining(); ) {
            at += open.write(block, at);
        }
        SpilledBlock place = new SpilledBlock(this, size, length);
        adopt(place);
        return place;
    }

    /** Appends bytes that were read from elsewhere: {@code place} is here from now on. */
    void append(ByteBuffer block, SpilledBlock place) throws IOException {
        SpilledBlock here = append(block);
        blocks.remove(here);
        place.segment.blocks.remove(place);
        place.segment.liveBytes -= place.length();
        place.segment = this;
        place.offset = here.offset;
        blocks.add(place);
    }

    private void adopt(SpilledBlock place) {
        blocks.add(place);
        size += place.length();
        liveBytes += place.length();
    }

    /** Fills {@code into} from {@code offset} on. */
    void read(long offset, ByteBuffer into) throws IOException {
        FileChannel open = channel();
        for (long at = offset; into.hasRemaining(); ) {
            int read = open.read(into, at);
            if (read < 0) {
                throw new EOFException(file.getFileName() + " ends at " + at);
            }
            at += read;
        }
    }

    /** Nobody wants that block any more; in a file that is kept, that is written over its beginning. */
    void free(SpilledBlock place) throws IOException {
        if (blocks.remove(place)) {
            liveBytes -= place.length();
            if (kept && !blocks.isEmpty()) {
                strike(place.offset);
            }
        }
    }

    /** The block is about to be moved; should the process die before it was, it is lost rather than there twice. */
    void leaving(SpilledBlock place) throws IOException {
        if (kept) {
            strike(place.offset);
        }
    }

    private void strike(long offset) throws IOException {
        channel()
                .write(
                        ByteBuffer.allocate(Integer.BYTES)
                                .putInt(BlockWriter.STRUCK)
                                .flip(),
                        offset);
    }

    /** The blocks that somebody still wants. */
    List<SpilledBlock> blocks() {
        return List.copyOf(blocks);
    }

    boolean isFree() {
        return blocks.isEmpty();
    }

    /** Bytes in the file. */
    long size() {
        return size;
    }

    /** Bytes in the file that somebody still wants. */
    long liveBytes() {
        return liveBytes;
    }

    /** Closes the file until the next read. */
    void rest() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    void delete() throws IOException {
        rest();
        Files.deleteIfExists(file);
    }

    @Override
    public String toString() {
        return file.getFileName().toString();
    }

    private FileChannel channel() throws IOException {
        if (channel == null) {
            channel = kept
                    ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    : FileChannel.open(file, StandardOpenOption.READ);
        }
        return channel;
    }
}
