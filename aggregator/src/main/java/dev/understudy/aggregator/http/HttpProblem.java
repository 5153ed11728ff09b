package dev.understudy.aggregator.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Replies that no upstream gave, as problem documents (RFC 9457). */
public final class HttpProblem {
    /** The header that says by which rules a reply suffered a fault on purpose. */
    public static final String FAULT = "Understudy-Fault";

    private static final ObjectMapper JSON = new ObjectMapper();

    private HttpProblem() {}

    /** Nothing recorded fits. */
    public static HttpAnswer miss(String form, String why, List<String> nearest, boolean withBody) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("title", "No recorded reply");
        problem.put("status", 502);
        problem.put("detail", why);
        problem.put("form", form);
        problem.put("nearest", nearest);
        return reply(502, "Bad Gateway", problem, "keep-alive", withBody);
    }

    /** An error on purpose. */
    public static HttpAnswer fault(Fault.ErrorReply error, Injection injection, boolean withBody) {
        int status = Integer.parseInt(error.code());
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("title", "Injected fault");
        problem.put("status", status);
        problem.put("detail", injection.says(error));
        Header mark = new Header(FAULT, String.join(", ", injection.names()));
        return reply(status, "Injected Fault", problem, "keep-alive", withBody, mark);
    }

    /** There is no room for what the request needs. */
    public static HttpAnswer outOfMemory(boolean withBody) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("title", "Out of memory");
        problem.put("status", 503);
        problem.put("detail", "debug connections hold as much as they may");
        return reply(503, "Service Unavailable", problem, "close", withBody);
    }

    /** The debug JVM sent something else than HTTP/1.x. */
    static HttpAnswer notHttp(String reason) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("title", "Not an HTTP/1.x request");
        problem.put("status", 400);
        problem.put("detail", reason);
        return reply(400, "Bad Request", problem, "close", true);
    }

    private static HttpAnswer reply(
            int status,
            String phrase,
            Map<String, Object> problem,
            String connection,
            boolean withBody,
            Header... marks) {
        try {
            byte[] body = JSON.writeValueAsBytes(problem);
            List<Header> headers = new ArrayList<>(List.of(
                    new Header("Content-Type", "application/problem+json"),
                    new Header("Content-Length", Integer.toString(body.length)),
                    new Header("Connection", connection)));
            headers.addAll(List.of(marks));
            ReplyHead head = new ReplyHead("HTTP/1.1", status, phrase, headers);
            return new HttpAnswer(head, withBody ? body : new byte[0], List.of(), HttpAnswer.Framing.COUNTED);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("strings are always writable as JSON", e);
        }
    }
}
