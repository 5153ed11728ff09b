package dev.understudy.sidecar.inbound;

import dev.understudy.relay.tls.WatchedFiles;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends to the aggregator; reads the files of its TLS again when they were renewed. For one thread at a time. */
public final class LinkClient {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(LinkClient.class);

    private final LinkConfig config;
    private final WatchedFiles files;
    private HttpClient http;

    /** @throws IOException if a file can't be read; the message names it */
    public LinkClient(LinkConfig config) throws IOException {
        this.config = config;
        this.files = new WatchedFiles(config.tls().files());
        files.changed();
        this.http = config.client(PATIENCE);
    }

    /** Where it sends to. */
    String url() {
        return config.url();
    }

    /** Posts JSON and returns the reply, whatever it is. */
    HttpResponse<byte[]> post(String path, byte[] json) throws IOException, InterruptedException {
        return http.send(config.post(path, PATIENCE, json), BodyHandlers.ofByteArray());
    }

    /** Looks for renewed files, once something wasn't taken; what is wrong with them leaves all as it was. */
    void refresh() {
        if (files.changed()) {
            try {
                http = config.client(PATIENCE);
                LOG.info("aggregator: the files were read again");
            } catch (IOException wrong) {
                LOG.warn("the link to the aggregator stays as it was: {}", wrong.getMessage());
            }
        }
    }
}
