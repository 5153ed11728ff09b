package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class BlockTest {
    private static final StreamEvent[] EVENTS = StreamEvent.values();

    @Test
    void records_comeBackAsTheyWereWritten() throws DamagedBlock {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            List<String> written = new ArrayList<>();
            ByteBuf block = randomBlock(random, written);
            BlockReader reader = BlockReader.open(block);
            assertThat(reader.connection()).isEqualTo(7);
            assertThat(read(reader)).as("seed " + seed).isEqualTo(written);
            reader.release();
            assertThat(block.refCnt()).isZero();
        }
    }

    @Test
    void position_leadsBackToItsRecord() throws DamagedBlock {
        List<String> written = new ArrayList<>();
        BlockReader reader = BlockReader.open(randomBlock(new Random(5), written));
        reader.skip();
        int second = reader.position();
        while (reader.hasRecord()) {
            reader.skip();
        }
        reader.position(second);
        assertThat(read(reader)).isEqualTo(written.subList(1, written.size()));
        reader.release();
    }

    @Test
    void everyFlippedBit_isNoticed() throws DamagedBlock {
        ByteBuf block = randomBlock(new Random(3), new ArrayList<>());
        for (int bit = 0; bit < block.writerIndex() * 8; bit++) {
            ByteBuf damaged = block.copy();
            damaged.setByte(bit / 8, damaged.getByte(bit / 8) ^ (1 << (bit % 8)));
            if (bit / 8 >= 4 || damaged.getInt(0) != BlockWriter.MAGIC) {
                assertThatThrownBy(() -> BlockReader.open(damaged))
                        .as("bit " + bit)
                        .isInstanceOf(DamagedBlock.class);
                assertThat(damaged.refCnt()).isZero();
            }
        }
        block.release();
    }

    @Test
    void anyBytes_areABlockOrDamaged_andNothingElse() {
        for (long seed = 1; seed <= 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(120)];
            random.nextBytes(bytes);
            ByteBuf block = Unpooled.buffer(128).writeBytes(bytes);
            if (bytes.length >= BlockWriter.HEADER) {
                // deep enough to get past the header, to the records
                block.setInt(0, BlockWriter.MAGIC);
                block.setInt(BlockWriter.LENGTH_AT, bytes.length - BlockWriter.HEADER);
                block.setInt(BlockWriter.CHECKSUM_AT, BlockWriter.checksum(block));
            }
            try {
                BlockReader reader = BlockReader.open(block);
                read(reader);
                reader.release();
            } catch (DamagedBlock expected) {
                assertThat(block.refCnt()).as("seed " + seed).isZero();
            }
        }
    }

    @Test
    void block_growsToItsLimitAndNoFurther() {
        BlockWriter writer = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, 1, 4096);
        assertThat(writer.capacity()).isEqualTo(BlockWriter.smallest());
        int room = writer.room();
        assertThat(writer.capacityWith(room)).isEqualTo(4096);
        ByteBuf bytes = Unpooled.buffer(room).writeZero(room);
        writer.add(StreamEvent.REQUEST, 1, bytes, room);
        assertThat(writer.capacity()).isEqualTo(4096);
        assertThat(writer.room()).isNegative();
        assertThatThrownBy(() -> writer.add(StreamEvent.REQUEST_END, 1, null, 0))
                .isInstanceOf(IllegalArgumentException.class);
        writer.release();
    }

    static ByteBuf randomBlock(Random random, List<String> written) {
        BlockWriter writer = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, 7, 4096);
        for (int n = 2 + random.nextInt(8); n > 0; n--) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            StreamEvent event = EVENTS[random.nextInt(EVENTS.length)];
            long nanos = random.nextLong();
            writer.add(event, nanos, Unpooled.wrappedBuffer(bytes), bytes.length);
            written.add(event + " " + nanos + " " + HexFormat.of().formatHex(bytes));
        }
        return writer.finish();
    }

    private static List<String> read(BlockReader reader) {
        List<String> read = new ArrayList<>();
        while (reader.hasRecord()) {
            ByteBuf data = reader.data();
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes).release();
            read.add(
                    reader.event() + " " + reader.nanos() + " " + HexFormat.of().formatHex(bytes));
            reader.skip();
        }
        return read;
    }
}
