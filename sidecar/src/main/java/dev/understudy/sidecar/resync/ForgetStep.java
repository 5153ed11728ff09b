package dev.understudy.sidecar.resync;

import dev.understudy.sidecar.inbound.LinkConfig;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Tells the aggregator that the debug JVM won't ask any more for what production's calls got before its input was cut.
 *
 * <p>It would be given to calls of the same form otherwise, in production's order. Told as an age, so that the clocks
 * of the two needn't agree.
 */
record ForgetStep(LinkConfig aggregator) implements Step {
    @Override
    public void run(Occasion occasion) throws IOException, InterruptedException {
        long age = 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - occasion.cutNanos());
        byte[] body = ("{\"olderThanMillis\":" + age + "}").getBytes(StandardCharsets.UTF_8);
        int status;
        try {
            status = aggregator
                    .client(occasion.timeout())
                    .send(aggregator.post("/v1/forget", occasion.timeout(), body), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException failed) {
            throw new IOException("the aggregator keeps replies from before: " + failed, failed);
        }
        if (status != 200) {
            throw new IOException("the aggregator keeps replies from before: it answered " + status);
        }
    }
}
