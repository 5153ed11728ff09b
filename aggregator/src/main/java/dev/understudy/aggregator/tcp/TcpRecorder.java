package dev.understudy.aggregator.tcp;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import java.nio.ByteBuffer;

/** Takes down what is said on one production connection. Confined to its lane loop. */
final class TcpRecorder implements ConnectionRecorder {
    private final Recording<RecordedReply> recording;
    private final Conversation conversation;
    private boolean replying;

    TcpRecorder(Recording<RecordedReply> recording, Conversations conversations) {
        this.recording = recording;
        Conversations.Opened opened = conversations.open();
        this.conversation = opened.conversation();
        if (opened.dropped() > 0) {
            recording.dropped(Unrecorded.UNHEARD, opened.dropped());
        }
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        replying = false;
        add(TcpSegment.Kind.REQUEST, data);
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        if (!replying) {
            recording.turn();
        }
        replying = true;
        add(TcpSegment.Kind.REPLY, data);
    }

    @Override
    public void requestEnd(long nanos) {
        conversation.add(new TcpSegment(TcpSegment.Kind.REQUEST_END));
    }

    @Override
    public void replyEnd(long nanos) {
        conversation.add(new TcpSegment(TcpSegment.Kind.REPLY_END));
    }

    @Override
    public void closed(long nanos) {
        conversation.add(new TcpSegment(TcpSegment.Kind.CLOSED));
    }

    @Override
    public void lost(long nanos) {
        conversation.add(new TcpSegment(TcpSegment.Kind.LOST));
    }

    private void add(TcpSegment.Kind kind, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        if (bytes.length > 0 && !conversation.add(new TcpSegment(kind, bytes))) {
            recording.unframed(Unrecorded.TOO_LARGE, "no room for what the debug JVM hasn't been played yet");
        }
    }
}
