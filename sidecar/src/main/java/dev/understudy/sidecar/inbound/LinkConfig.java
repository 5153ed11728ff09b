package dev.understudy.sidecar.inbound;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/**
 * Where the aggregator is told what is being served.
 *
 * @param url base address of its control port, or "" for nowhere
 * @param token what that port asks for, or ""
 * @param debug which debug JVM the aggregator answers; "" for the only one, or the first
 */
public record LinkConfig(String url, String token, String debug) {

    /** Nobody is told. */
    public static LinkConfig none() {
        return new LinkConfig("", "", "");
    }

    /** Reads the section {@code aggregator}. */
    public static LinkConfig read(Section section) {
        return new LinkConfig(
                section.optional("url", Value.httpUrlOrEmpty(), ""),
                section.optional("token", Value.anyText(), ""),
                section.optional("debug", Value.anyText(), ""));
    }

    /** What is told there, as JSON. */
    public HttpRequest post(String path, Duration timeout, byte[] json) {
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(timeout)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json));
        if (!token.isEmpty()) {
            request.header("authorization", "Bearer " + token);
        }
        return request.build();
    }

    /** The token is a secret: it stays out of every log. */
    @Override
    public String toString() {
        return "LinkConfig[url=" + url + ", token=" + (token.isEmpty() ? "none" : "set") + ", debug=" + debug + "]";
    }
}
