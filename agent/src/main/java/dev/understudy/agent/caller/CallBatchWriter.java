package dev.understudy.agent.caller;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.CallNote;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Messages to the aggregator, as JSON; its OpenAPI document says what is in them. Confined to one thread. */
final class CallBatchWriter {
    /** Two processes with the same, see random(4), and in the same namespace have the same clock. */
    private static final Path KERNEL = Path.of("/proc/sys/kernel/random/boot_id");

    private static final Path NAMESPACE = Path.of("/proc/self/ns/time");

    private static final int BYTES_OF_A_CALL = 100;

    private final JsonFactory json = new JsonFactory();
    private final String run;
    private final String clock = clock();

    CallBatchWriter() {
        // no SecureRandom, whose providers the application may be about to choose
        ThreadLocalRandom random = ThreadLocalRandom.current();
        run = new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /**
     * Writes one message.
     *
     * @param sent now
     * @param roundTrip the shortest that a message and its answer took lately; 0 if none was answered yet
     */
    byte[] write(CallBatch batch, long sent, long roundTrip) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(300 + BYTES_OF_A_CALL * batch.calls.size());
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("run", run);
            out.writeStringField("clock", clock);
            out.writeNumberField("sent", sent);
            out.writeNumberField("roundTrip", roundTrip);
            out.writeNumberField("toldUntil", batch.toldUntil);
            if (batch.lostUntil != null) {
                out.writeNumberField("lostUntil", batch.lostUntil);
            }
            out.writeArrayFieldStart("calls");
            for (CallNote call : batch.calls) {
                out.writeStartObject();
                out.writeNumberField("port", call.localPort());
                out.writeNumberField("to", call.port());
                out.writeNumberField("nanos", call.nanos());
                if (call.trace() != null) {
                    out.writeStringField("trace", call.trace());
                }
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** Kernels before 5.6 have none. */
    private static String namespace() throws IOException {
        try {
            return " " + Files.readSymbolicLink(NAMESPACE);
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    private static String clock() {
        try {
            return Files.readString(KERNEL).strip() + namespace();
        } catch (IOException | SecurityException none) {
            return "";
        }
    }
}
