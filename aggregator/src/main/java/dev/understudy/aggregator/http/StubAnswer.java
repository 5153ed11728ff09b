package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.Stub;
import dev.understudy.aggregator.http.stub.StubReply;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** A stub's reply as it is sent: with its length, and marked as no recorded one. */
final class StubAnswer {
    private static final String STUB = "Understudy-Stub";

    private StubAnswer() {}

    /** @param faults what it was made to suffer on purpose */
    static ByteBuf wire(Stub stub, String method, List<String> faults) {
        StubReply reply = stub.reply();
        List<Header> headers = new ArrayList<>(reply.headers());
        headers.add(new Header(STUB, stub.name().replaceAll("[^ -~]", "?")));
        if (!faults.isEmpty()) {
            headers.add(new Header(HttpProblem.FAULT, String.join(", ", faults)));
        }
        if (reply.status() != 204 && reply.status() != 304) {
            headers.add(new Header("Content-Length", Integer.toString(reply.body().length)));
        }
        byte[] head = new ReplyHead("HTTP/1.1", reply.status(), reply.phrase(), headers).encode();
        return method.equals("HEAD") ? Unpooled.wrappedBuffer(head) : Unpooled.wrappedBuffer(head, reply.body());
    }
}
