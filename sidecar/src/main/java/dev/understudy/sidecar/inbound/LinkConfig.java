package dev.understudy.sidecar.inbound;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/**
 * Where the aggregator is told what is being served.
 *
 * @param url base address of its control port, or "" for nowhere
 * @param token of that port, with the role operate; "" for the one that an aggregator of the same user has generated
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
        URI address = URI.create(base + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json));
        String sent = token.isEmpty() ? TokenFile.read(address, Role.ADMIN) : token;
        if (!sent.isEmpty()) {
            request.header("authorization", "Bearer " + sent);
        }
        return request.build();
    }

    /** The token is a secret: it stays out of every log. */
    @Override
    public String toString() {
        return "LinkConfig[url=" + url + ", token=" + (token.isEmpty() ? "none" : "set") + ", debug=" + debug + "]";
    }
}
