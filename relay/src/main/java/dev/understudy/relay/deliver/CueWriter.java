package dev.understudy.relay.deliver;

import dev.understudy.relay.tls.TlsWrites;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.PromiseNotifier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a window's cues to one debug socket: bytes as bytes, the end of input and the close as a FIN after them.
 *
 * <p>A cue's charge goes back to the window when the kernel has taken it, or never will. Confined to its lane loop.
 */
final class CueWriter {
    private final DuplexChannel channel;
    private final Window window;
    private final Gate gate;
    private final Consumer<DebugEvent> delivered;

    private @Nullable ChannelPromise fin;
    private boolean lastTaken;
    private boolean finPassed;

    /** Tells {@code delivered} each cue once the kernel has taken it. */
    CueWriter(DuplexChannel channel, Window window, Gate gate, Consumer<DebugEvent> delivered) {
        this.channel = channel;
        this.window = window;
        this.gate = gate;
        this.delivered = delivered;
    }

    /**
     * Takes as many cues as the gate admits and the socket has room for, to be flushed by the caller. What the gate
     * throws comes out here.
     *
     * @return whether there is anything to flush
     */
    boolean write() {
        boolean wrote = false;
        while (!lastTaken && channel.isWritable()) {
            DebugEvent cue = window.peek();
            if (cue == null || !gate.admits(cue)) {
                break;
            }
            window.take();
            write(cue);
            wrote = true;
        }
        return wrote;
    }

    private void write(DebugEvent cue) {
        long charge = Window.charge(cue);
        if (cue instanceof DebugEvent.Bytes bytes) {
            int length = bytes.data().readableBytes();
            settle(channel.write(outgoing(bytes, charge, length)), cue, charge, length);
        } else {
            lastTaken = !(cue instanceof DebugEvent.EndOfInput);
            settle(cue instanceof DebugEvent.Reset ? flushed() : fin(), cue, charge, 0);
        }
    }

    private ByteBuf outgoing(DebugEvent.Bytes bytes, long charge, int length) {
        try {
            return gate.outgoing(bytes);
        } catch (Throwable e) {
            window.written(charge, length, false);
            throw e;
        }
    }

    private void settle(ChannelFuture write, DebugEvent cue, long charge, int length) {
        write.addListener(written -> {
            window.written(charge, length, written.isSuccess());
            if (written.isSuccess()) {
                delivered.accept(cue);
            }
        });
    }

    /** Done once everything written before is in the kernel's hands. */
    private ChannelFuture flushed() {
        if (fin != null) {
            return fin;
        }
        return TlsWrites.secured(channel) ? TlsWrites.flushed(channel) : channel.write(Unpooled.EMPTY_BUFFER);
    }

    /** Sends the FIN after everything written before, once. */
    private ChannelFuture fin() {
        if (fin == null) {
            ChannelPromise sent = channel.newPromise();
            ChannelFuture before = flushed();
            fin = sent;
            before.addListener(flushed -> {
                if (flushed.isSuccess()) {
                    finPassed = true;
                    PromiseNotifier.cascade(TlsWrites.endOutput(channel), sent);
                } else {
                    sent.setFailure(flushed.cause());
                }
            });
        }
        return fin;
    }

    /** Whether the close or the reset was taken: nothing follows it. */
    boolean lastTaken() {
        return lastTaken;
    }

    /** Whether the debug JVM was sent the FIN. */
    boolean finPassed() {
        return finPassed;
    }
}
