package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.Stub;
import dev.understudy.aggregator.http.stub.StubReply;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.ArrayList;
import java.util.List;

/** A stub's reply as it is sent: with its length, and marked as no recorded one. */
public final class StubAnswer {
    private static final String STUB = "Understudy-Stub";

    private StubAnswer() {}

    /** The reply to a request of this method. */
    public static HttpAnswer of(Stub stub, String method) {
        StubReply reply = stub.reply();
        List<Header> headers = new ArrayList<>(reply.headers());
        headers.add(new Header(STUB, stub.name().replaceAll("[^ -~]", "?")));
        if (reply.status() != 204 && reply.status() != 304) {
            headers.add(new Header("Content-Length", Integer.toString(reply.body().length)));
        }
        ReplyHead head = new ReplyHead("HTTP/1.1", reply.status(), reply.phrase(), headers);
        byte[] body = method.equals("HEAD") ? new byte[0] : reply.body();
        return new HttpAnswer(head, body, List.of(), HttpAnswer.Framing.COUNTED);
    }
}
