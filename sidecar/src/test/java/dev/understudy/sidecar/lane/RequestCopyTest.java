package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestCopyTest {
    private final ReplyMemory memory = new ReplyMemory(new MemoryBudget(64 << 10, null));

    @Test
    void pieces_areOneRequest_chargedUntilItIsDropped() {
        RequestCopy copy = new RequestCopy(memory, true);
        ByteBuf piece = Unpooled.wrappedBuffer(new byte[] {1, 2, 3});
        copy.add(piece);
        copy.add(Unpooled.wrappedBuffer(new byte[] {4}));

        assertThat(copy.bytes()).containsExactly(1, 2, 3, 4);
        assertThat(piece.readableBytes()).isEqualTo(3);
        assertThat(memory.used()).isEqualTo(4);
        copy.drop();
        copy.drop();
        assertThat(memory.used()).isZero();
    }

    @Test
    void ofALongRequest_nothingIsKept() {
        RequestCopy copy = new RequestCopy(memory, true);
        copy.add(Unpooled.wrappedBuffer(new byte[RequestCopy.MOST]));
        assertThat(copy.bytes()).hasSize(RequestCopy.MOST);
        copy.add(Unpooled.wrappedBuffer(new byte[1]));

        assertThat(copy.bytes()).isNull();
        assertThat(memory.used()).isZero();
        copy.add(Unpooled.wrappedBuffer(new byte[1]));
        assertThat(copy.bytes()).isNull();
    }

    @Test
    void withoutMemory_nothingIsKept() {
        memory.tryReserve(32 << 10);
        RequestCopy copy = new RequestCopy(memory, true);
        copy.add(Unpooled.wrappedBuffer(new byte[1]));

        assertThat(copy.bytes()).isNull();
        assertThat(new RequestCopy(memory, false).bytes()).isNull();
    }
}
