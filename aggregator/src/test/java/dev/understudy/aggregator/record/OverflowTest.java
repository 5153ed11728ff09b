package dev.understudy.aggregator.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of the part of a reply that goes to files. */
class OverflowTest {
    private static final int MIB = 1 << 20;

    private final Overflow overflow = new Overflow();
    private LargeBodies bodies;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        bodies = LargeBodies.open(
                folder, UnpooledByteBufAllocator.DEFAULT, 4L * MIB, MIB, new MemoryBudget(64L * MIB, null));
    }

    @AfterEach
    void close() {
        overflow.abandon();
        bodies.close();
    }

    @Test
    void nothing_isNoneAndNoLoss() {
        assertThat(overflow.any()).isFalse();
        assertThat(overflow.heldBytes()).isZero();
        assertThat(overflow.lost()).isNull();
        assertThat(overflow.take()).isNull();
    }

    @Test
    void bytes_areOneBodyThatIsTakenOnce() {
        overflow.into(bodies).add(new byte[1000]);
        overflow.into(bodies).add(new byte[500]);
        assertThat(overflow.any()).isTrue();
        assertThat(overflow.heldBytes()).isGreaterThanOrEqualTo(1500);
        assertThat(overflow.lost()).isNull();
        assertThat(overflow.take())
                .isNotNull()
                .satisfies(body -> assertThat(body.length()).isEqualTo(1500));
        assertThat(overflow.any()).isFalse();
        assertThat(overflow.take()).isNull();
    }

    @Test
    void moreThanTheFilesHaveRoomFor_isLostForThatReason() {
        overflow.into(bodies).add(new byte[5 * MIB]);
        assertThat(overflow.lost()).isEqualTo(Unrecorded.DISK_FULL);
    }

    @Test
    void whatNobodyWants_holdsNoMemory() {
        BodyWriter into = overflow.into(bodies);
        into.add(new byte[1000]);
        assertThat(into.heldBytes()).isGreaterThanOrEqualTo(1000);
        overflow.abandon();
        assertThat(into.heldBytes()).isZero();
        assertThat(overflow.any()).isFalse();
        assertThat(overflow.heldBytes()).isZero();
        overflow.abandon();
    }
}
