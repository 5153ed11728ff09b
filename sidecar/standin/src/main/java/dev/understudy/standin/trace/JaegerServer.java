package dev.understudy.standin.trace;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The query API of a Jaeger that runs. It gets 10 s to be reached and for each read, and 64 MiB for each reply. */
public final class JaegerServer {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final long MOST_BYTES = 64L << 20;

    private final String base;
    private final long mostBytes;

    /**
     * @param address such as {@code http://localhost:16686}, with what stands before {@code /api}
     * @throws IOException if it is no address
     */
    public JaegerServer(String address) throws IOException {
        this(address, MOST_BYTES);
    }

    JaegerServer(String address, long mostBytes) throws IOException {
        this.mostBytes = mostBytes;
        try {
            URI uri = new URI(address);
            if (uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
                throw new IOException(address + ": no address (expected: such as http://localhost:16686)");
            }
            this.base = address.replaceAll("/+$", "");
        } catch (URISyntaxException wrong) {
            throw new IOException(address + ": no address (expected: such as http://localhost:16686)", wrong);
        }
    }

    /**
     * Adds the spans of its latest traces to a store.
     *
     * @param service whose traces are asked for; null for those of every service
     * @param limit how many traces of each service are asked for
     * @throws IOException if it can't be reached or answers something else; the message names the address
     */
    public void read(@Nullable String service, int limit, TraceStore store) throws IOException {
        long before = store.seen();
        List<String> services = service == null ? services() : List.of(service);
        for (String each : services) {
            String path = "/api/traces?service=" + encode(each) + "&limit=" + limit;
            try (InputStream in = open(path)) {
                TraceParser.traces(in, base + path, store);
            }
        }
        if (store.seen() == before) {
            throw new IOException(base + ": no traces of " + services + " (expected: those of the last two days)");
        }
    }

    private List<String> services() throws IOException {
        String path = "/api/services";
        try (InputStream in = open(path)) {
            return TraceParser.services(in, base + path);
        }
    }

    private InputStream open(String path) throws IOException {
        try {
            URLConnection connection = URI.create(base + path).toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            connection.setRequestProperty("Accept", "application/json");
            if (connection instanceof HttpURLConnection http) {
                http.setInstanceFollowRedirects(false);
                checkStatus(http);
            }
            return new BoundedStream(connection.getInputStream(), mostBytes, "a smaller reply, by --limit");
        } catch (IOException | IllegalArgumentException unreachable) {
            throw new IOException(base + path + ": " + unreachable.getMessage(), unreachable);
        }
    }

    private static void checkStatus(HttpURLConnection http) throws IOException {
        int status = http.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            http.disconnect();
            throw new IOException("status " + status + " (expected: 200, from Jaeger's query API)");
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
