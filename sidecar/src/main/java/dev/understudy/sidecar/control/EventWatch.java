package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.event.EventFeed;
import dev.understudy.sidecar.record.RecordingStatus;
import dev.understudy.sidecar.resync.Epoch;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.VerdictStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /v1/events}: finds out what has changed since it last looked, and publishes that.
 *
 * <p>It reads counters that are kept anyway, so that ten thousand connections that are lost at a time cost their lanes
 * nothing more, and are one event. Confined to the thread that looks.
 */
public final class EventWatch {
    private static final int MOST_DIVERGENCES = 10;
    private static final int LONGEST_TEXT = 200;

    private final EventFeed feed;
    private final List<Watched> listeners;
    private final Map<String, VerdictStore> verdicts;
    private final List<CopyWatch> copies = new ArrayList<>();
    private final Map<String, String> recordings = new HashMap<>();
    private final Resync resync;
    private String epoch = "";
    private long restarts;
    private final Map<String, Long> told = new HashMap<>();
    private final Map<String, Map<List<String>, Boolean>> up = new HashMap<>();

    /** @param verdicts that of each debug JVM by its name */
    public EventWatch(EventFeed feed, List<Watched> listeners, Map<String, VerdictStore> verdicts, Resync resync) {
        this.resync = resync;
        this.feed = feed;
        this.listeners = List.copyOf(listeners);
        this.verdicts = verdicts;
        for (Watched watched : listeners) {
            watched.lanes().forEach(lanes -> copies.add(new CopyWatch(feed, watched.name(), lanes)));
        }
    }

    /** Looks at everything once; reads only. */
    public void look() {
        long at = System.currentTimeMillis();
        copies.forEach(copy -> copy.look(at));
        verdicts.forEach((debug, store) -> divergences(at, debug, store));
        listeners.forEach(watched -> production(at, watched));
        listeners.forEach(watched -> recording(at, watched));
        epoch(at);
        lanes(at);
    }

    /** That of a lane process that isn't the first is at the first look. */
    private void lanes(long at) {
        long now = listeners.stream()
                .mapToLong(watched -> watched.gaps().get().restarts())
                .max()
                .orElse(0);
        if (now > restarts) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("at", at);
            said.put("restarts", now);
            feed.publish("lanes", said);
        }
        restarts = now;
    }

    /** The first epoch is no event. */
    private void epoch(long at) {
        Epoch current = resync.current();
        String now = current.number() + " " + current.state();
        if (!now.equals(epoch) && current.number() > 1) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("at", at);
            said.put("debug", resync.debug());
            said.put("epoch", current.number());
            said.put("cause", current.cause().name());
            said.put("state", current.state());
            said.put("problem", shortened(current.problem()));
            feed.publish("resync", said);
        }
        epoch = now;
    }

    /** The tee's switch was turned. Any thread. */
    public void turned(Watched watched) {
        Tee tee = watched.tee();
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("at", System.currentTimeMillis());
        said.put("listener", watched.name());
        said.put("mode", tee == null ? "none" : tee.mode().word());
        feed.publish("tee", said);
    }

    private void divergences(long at, String debug, VerdictStore store) {
        long before = told.getOrDefault(debug, 0L);
        VerdictStore.Added added = store.after(VerdictKind.DIFFERENT, before);
        told.put(debug, added.count());
        int telling = Math.min(MOST_DIVERGENCES, added.judged().size());
        for (int n = 0; n < telling; n++) {
            Map<String, Object> said = divergence(at, debug, added.judged().get(n));
            said.put("more", n == telling - 1 ? added.count() - before - telling : 0);
            feed.publish("divergence", said);
        }
    }

    private static Map<String, Object> divergence(long at, String debug, Judged judged) {
        List<Difference> counting = judged.verdict().differences().stream()
                .filter(difference -> difference.noise() == null)
                .toList();
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("at", at);
        said.put("listener", judged.listener());
        said.put("debug", debug);
        said.put("connection", judged.connection());
        said.put("exchange", judged.exchange());
        said.put("request", shortened(judged.request()));
        said.put("differences", counting.size());
        said.put("first", counting.isEmpty() ? "" : shortened(counting.get(0).path()));
        return said;
    }

    /** How its addresses fare at the first look is no event. */
    private void production(long at, Watched watched) {
        Map<List<String>, Boolean> before = up.getOrDefault(watched.name(), Map.of());
        Map<List<String>, Boolean> now = new HashMap<>();
        for (TargetStatus target : watched.listener().production()) {
            List<String> address = List.of(target.set(), target.address());
            now.put(address, target.up());
            if (before.getOrDefault(address, target.up()) != target.up()) {
                Map<String, Object> said = new LinkedHashMap<>();
                said.put("at", at);
                said.put("listener", watched.name());
                said.put("set", target.set());
                said.put("address", target.address());
                said.put("up", target.up());
                feed.publish("production", said);
            }
        }
        up.put(watched.name(), now);
    }

    private void recording(long at, Watched watched) {
        RecordingStatus status = watched.recording().status();
        String now = status.state() + " " + status.file();
        String before = recordings.put(watched.name(), now);
        if (!now.equals(before) && !status.file().isEmpty()) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("at", at);
            said.put("listener", watched.name());
            said.put("state", status.state());
            said.put("file", status.file());
            said.put("bytes", status.bytes());
            said.put("ended", shortened(status.ended()));
            feed.publish("recording", said);
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
