package dev.understudy.sidecar.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.config.ListenerConfig.Framing;
import dev.understudy.sidecar.config.SampleSection;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators have set of one listener at the control port, as opposed to its settings. It is kept for a process
 * that follows this one. Guarded by {@code this}.
 */
public final class OperatorState {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorState.class);
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final String listener;
    private final Predicate<String> keep;
    private @Nullable TeeMode mode;
    private @Nullable Sampling sampling;
    private boolean awaitsSnapshot;
    private String recording = "";

    /** @param keep keeps a text for the process that follows; false if there is no room for it */
    public OperatorState(String listener, Predicate<String> keep) {
        this.listener = listener;
        this.keep = keep;
    }

    /** Takes over what an earlier process has kept; nothing of it if it can't be read. */
    public synchronized void restore(String kept, Framing framing) {
        if (kept.isEmpty()) {
            return;
        }
        try {
            JsonNode state = JSON.readTree(kept);
            JsonNode sample = state.path("sample");
            TeeMode keptMode = state.has("mode") ? TeeMode.of(state.path("mode").asText()) : null;
            sampling = sample.isObject() ? SampleSection.read(sample.toString(), framing) : null;
            mode = keptMode;
            awaitsSnapshot =
                    mode == TeeMode.PAUSED && state.path("awaitsSnapshot").asBoolean();
            recording = state.path("recording").asText();
            if (mode != null || sampling != null) {
                LOG.info("listener {}: the tee is as operators had set it, and not as the settings say", listener);
            }
        } catch (JsonProcessingException | IllegalArgumentException unreadable) {
            LOG.warn(
                    "listener {}: what was set before can't be read, its settings hold: {}",
                    listener,
                    unreadable.getMessage());
        }
    }

    /** The mode of the tee; {@code settings} if no operator has set it. */
    public synchronized TeeMode mode(TeeMode settings) {
        return mode == null ? settings : mode;
    }

    /** What the tee samples; {@code settings} if no operator has set it. */
    public synchronized Sampling sampling(Sampling settings) {
        return sampling == null ? settings : sampling;
    }

    /** Whether the tee is paused until the moment of a snapshot is known. */
    public synchronized boolean awaitsSnapshot() {
        return awaitsSnapshot;
    }

    /** The file that was being recorded to; "" if none was. */
    public synchronized String recording() {
        return recording;
    }

    /** An operator has set the tee; null for what was left as it is. */
    synchronized void tee(@Nullable TeeMode toMode, boolean awaits, @Nullable Sampling toSampling) {
        if (toMode != null) {
            mode = toMode;
            awaitsSnapshot = awaits;
        }
        if (toSampling != null) {
            sampling = toSampling;
        }
        keep();
    }

    /** What is being recorded to; "" for nothing. */
    public synchronized void recording(String file) {
        if (!file.equals(recording)) {
            recording = file;
            keep();
        }
    }

    private void keep() {
        if (!keep.test(write(sampling))) {
            String lost = keep.test(write(null)) ? "its sample" : "what was set of it";
            LOG.warn("listener {}: {} is too long to be kept if the lane process ends", listener, lost);
        }
    }

    private String write(@Nullable Sampling sample) {
        Map<String, Object> state = new LinkedHashMap<>();
        if (mode != null) {
            state.put("mode", mode.word());
            state.put("awaitsSnapshot", awaitsSnapshot);
        }
        if (sample != null) {
            state.put("sample", TeeControl.spell(sample));
        }
        state.put("recording", recording);
        return JSON.valueToTree(state).toString();
    }
}
