package dev.understudy.sidecar.inbound;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.TlsSection;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.TokenFile;
import dev.understudy.relay.tls.CallerTlsConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;

/**
 * Where the aggregator is told what is being served.
 *
 * @param url base address of its control port, or "" for nowhere
 * @param token of that port, with the role operate; "" for the one that an aggregator of the same user has generated
 * @param debug which debug JVM the aggregator answers; "" for the only one, or the first
 * @param tls for an https address
 */
public record LinkConfig(String url, String token, String debug, CallerTlsConfig tls) {
    public LinkConfig {
        if (!tls.isEmpty() && !url.startsWith("https:")) {
            throw new IllegalArgumentException("url: " + (url.isEmpty() ? "none" : url)
                    + " with ca or certificate (expected: an https:// address)");
        }
    }

    /** In plain text, or trusting whom the JDK trusts. */
    public LinkConfig(String url, String token, String debug) {
        this(url, token, debug, CallerTlsConfig.none());
    }

    /** Nobody is told. */
    public static LinkConfig none() {
        return new LinkConfig("", "", "");
    }

    /** Reads the section {@code aggregator}. */
    public static LinkConfig read(Section section) {
        return section.build(
                link -> new LinkConfig(
                        link.optional("url", Value.httpUrlOrEmpty(), ""),
                        link.optional("token", Value.anyText(), ""),
                        link.optional("debug", Value.anyText(), ""),
                        TlsSection.caller(link)),
                none());
    }

    /**
     * What it is sent with.
     *
     * @throws IOException if a file of its TLS can't be read; the message names it
     */
    public HttpClient client(Duration connectTimeout) throws IOException {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout);
        if (!tls.isEmpty()) {
            builder.sslContext(tls.read("aggregator"));
        }
        return builder.build();
    }

    /** What is told there, as JSON. */
    public HttpRequest post(String path, Duration timeout, byte[] json) {
        return call("POST", path, timeout, json);
    }

    /** A call of any method; JSON if it has a body. */
    public HttpRequest call(String method, String path, Duration timeout, byte[] json) {
        HttpRequest.Builder request = request(path, timeout);
        return json.length == 0
                ? request.method(method, HttpRequest.BodyPublishers.noBody()).build()
                : request.header("content-type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(json))
                        .build();
    }

    /** What is read from there. */
    public HttpRequest get(String path, Duration timeout) {
        return call("GET", path, timeout, new byte[0]);
    }

    private HttpRequest.Builder request(String path, Duration timeout) {
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        URI address = URI.create(base + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(timeout);
        String sent = token.isEmpty() ? TokenFile.read(address, Role.ADMIN) : token;
        return sent.isEmpty() ? request : request.header("authorization", "Bearer " + sent);
    }

    /** The token is a secret: it stays out of every log. */
    @Override
    public String toString() {
        return "LinkConfig[url=" + url + ", token=" + (token.isEmpty() ? "none" : "set") + ", debug=" + debug + ", tls="
                + tls + "]";
    }
}
