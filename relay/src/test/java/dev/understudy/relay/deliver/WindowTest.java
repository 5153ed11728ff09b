package dev.understudy.relay.deliver;

import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WindowTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MemoryBudget all = new MemoryBudget(40_000, null);
    private final MemoryBudget budget = new MemoryBudget(20_000, all);
    private final Window window = new Window(budget);

    @AfterEach
    void nothing_isLeft() {
        window.clear(LossReason.SHUTDOWN);
        assertThat(budget.used()).isZero();
        assertThat(all.used()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private DebugEvent.Bytes bytes(int length, long nanos) {
        return new DebugEvent.Bytes(allocator.directBuffer(length, length).writeZero(length), nanos, 1);
    }

    @Test
    void cues_comeOutInOrderAndGiveTheirChargeBack() {
        assertThat(window.offer(bytes(1000, 5))).isTrue();
        assertThat(window.offer(new DebugEvent.EndOfInput(6))).isTrue();
        assertThat(window.bytes()).isEqualTo(1000 + 2 * Window.CUE_OVERHEAD + Window.WINDOW_OVERHEAD);
        assertThat(budget.used()).isEqualTo(window.bytes());
        assertThat(window.oldestNanos(99)).isEqualTo(5);
        assertThat(window.size()).isEqualTo(2);

        DebugEvent first = window.poll();
        assertThat(first).isInstanceOfSatisfying(DebugEvent.Bytes.class, cue -> {
            assertThat(cue.data().readableBytes()).isEqualTo(1000);
            cue.data().release();
        });
        assertThat(budget.used()).isEqualTo(Window.CUE_OVERHEAD + Window.WINDOW_OVERHEAD);
        assertThat(window.poll()).isEqualTo(new DebugEvent.EndOfInput(6));
        assertThat(window.poll()).isNull();
        assertThat(budget.used()).isZero();
        assertThat(window.oldestNanos(99)).isEqualTo(99);
    }

    @Test
    void cueBeingWritten_staysCharged() {
        window.offer(bytes(1000, 1));
        DebugEvent taken = Objects.requireNonNull(window.take());
        long charge = Window.charge(taken);
        assertThat(window.size()).isZero();
        assertThat(budget.used()).isEqualTo(1000 + Window.CUE_OVERHEAD + Window.WINDOW_OVERHEAD);
        ((DebugEvent.Bytes) taken).data().release();
        window.written(charge, 1000, true);
        assertThat(window.deliveredBytes()).isEqualTo(1000);
        assertThat(budget.used()).isZero();
    }

    @Test
    void overflow_isRefusedAndCountedToTheByte() {
        assertThat(window.offer(bytes(15_000, 1))).isTrue();
        assertThat(window.offer(bytes(1_234, 2))).isFalse();
        assertThat(window.refusal()).isEqualTo(LossReason.OVERFLOW_LANE);
        assertThat(window.lostBytes()).isEqualTo(1_234);
        assertThat(window.clear(LossReason.OVERFLOW_LANE)).isEqualTo(15_000);
        assertThat(window.lostBytes()).isEqualTo(16_234);
        assertThat(window.closed()).isEqualTo(LossReason.OVERFLOW_LANE);

        assertThat(window.offer(bytes(10, 3))).isFalse();
        assertThat(window.lostBytes()).isEqualTo(16_244);
        window.clear(LossReason.SHUTDOWN);
        assertThat(window.closed()).isEqualTo(LossReason.OVERFLOW_LANE);
    }

    @Test
    void overflowOfTheSharedBudget_isNamed() {
        assertThat(all.tryReserve(35_000)).isTrue();
        assertThat(window.offer(bytes(10_000, 1))).isFalse();
        assertThat(window.refusal()).isEqualTo(LossReason.OVERFLOW_GLOBAL);
        all.release(35_000);
    }

    @Test
    void entriesWithoutBytes_areBoundedToo() {
        int accepted = 0;
        while (window.offer(new DebugEvent.EndOfInput(accepted)) && accepted < 1000) {
            accepted++;
        }
        assertThat(accepted).isEqualTo((20_000 - Window.WINDOW_OVERHEAD) / Window.CUE_OVERHEAD);
    }

    @Test
    void smallSliceOfABigBuffer_doesNotPinIt() {
        ByteBuf big = allocator.directBuffer(16_000, 16_000).writeZero(16_000);
        ByteBuf slice = big.retainedSlice(100, 300);
        big.release();
        assertThat(window.offer(new DebugEvent.Bytes(slice, 1, 1))).isTrue();
        assertThat(allocator.metric().usedDirectMemory()).isEqualTo(300);
        assertThat(window.bytes()).isEqualTo(300 + Window.CUE_OVERHEAD + Window.WINDOW_OVERHEAD);
    }

    @Test
    void bigSlice_isChargedWithAllItPins() {
        ByteBuf big = allocator.directBuffer(10_000, 10_000).writeZero(10_000);
        ByteBuf slice = big.retainedSlice(0, 9_000);
        big.release();
        assertThat(window.offer(new DebugEvent.Bytes(slice, 1, 1))).isTrue();
        assertThat(window.bytes()).isEqualTo(10_000 + Window.CUE_OVERHEAD + Window.WINDOW_OVERHEAD);
    }
}
