package dev.understudy.relay;

import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.deliver.DebugObserver;
import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.deliver.Deliverer;
import dev.understudy.relay.deliver.Gate;
import dev.understudy.relay.deliver.Window;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The least a floor above a lane can be: tells the debug JVM what production was told, and hashes its replies. */
public final class TestLane implements LaneObserver, DebugObserver {
    public final List<String> events = new ArrayList<>();
    public final Lane lane;
    public final Window window;
    public final Deliverer deliverer;

    public final AtomicLong replyBytes = new AtomicLong();
    public volatile boolean connected;
    public volatile boolean overflowed;
    public volatile boolean ended;
    public volatile LossReason debugEnd = LossReason.NONE;
    public volatile boolean debugOver;

    private final MessageDigest replies = Bytes.sha256();

    public TestLane(EventLoops loops, Lane lane, DebugPeer peer) {
        this.lane = lane;
        this.window = new Window(lane.budget());
        this.deliverer = new Deliverer(loops, lane.loop(), peer, window, Gate.OPEN, this);
    }

    public String replyHash() {
        return HexFormat.of().formatHex(replies.digest());
    }

    private void offer(DebugEvent cue) {
        if (!window.offer(cue) && window.closed() == null) {
            window.clear(window.refusal());
            lane.giveUp(window.refusal());
        }
        deliverer.pump();
    }

    @Override
    public void connected(long nanos) {
        deliverer.pump();
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        if (direction == Direction.REQUEST) {
            offer(new DebugEvent.Bytes(data, nanos, -1));
        } else {
            data.release();
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        if (direction == Direction.REQUEST) {
            offer(new DebugEvent.EndOfInput(nanos));
        }
    }

    @Override
    public void overflowed(LossReason reason, long bytesLost, long nanos) {
        overflowed = true;
        deliverer.close();
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        offer(reason == CloseReason.FINISHED ? new DebugEvent.Close(nanos) : new DebugEvent.Reset(nanos));
        ended = true;
    }

    @Override
    public void connected() {
        connected = true;
    }

    @Override
    public void delivered(DebugEvent cue, long nanos) {
        if (!(cue instanceof DebugEvent.Bytes)) {
            events.add("delivered " + cue.getClass().getSimpleName());
        }
    }

    @Override
    public void reply(ByteBuf data, long nanos) {
        replies.update(data.nioBuffer());
        replyBytes.addAndGet(data.readableBytes());
        data.release();
    }

    @Override
    public void replyEnd(long nanos) {
        events.add("replyEnd");
    }

    @Override
    public void closed(LossReason reason, long nanos) {
        events.add("closed " + reason);
        debugEnd = reason;
        debugOver = true;
    }
}
