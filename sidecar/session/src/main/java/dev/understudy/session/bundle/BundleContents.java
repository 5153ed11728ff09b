package dev.understudy.session.bundle;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.stream.KeptBlocks;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RequestLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that is in a bundle, read from its entries and not from what it says.
 *
 * @param size bytes of the file
 * @param encrypted whether the file is
 * @param signature whether it is signed, in words
 * @param traffic what the recording holds
 * @param routes how often each route was asked for
 * @param noise how many noise rules there are
 * @param upstreams with what is recorded of each
 */
record BundleContents(
        BundleManifest manifest,
        long size,
        boolean encrypted,
        String signature,
        Contents traffic,
        Map<String, Long> routes,
        int noise,
        List<Recorded> upstreams) {
    private static final int MOST_ROUTES = 1000;

    /**
     * What is recorded of an upstream.
     *
     * @param replies blocks in its journal
     * @param largeBytes of bodies in files of their own
     */
    record Recorded(BundleUpstreams.Settings settings, KeptBlocks replies, long largeBytes) {}

    /**
     * Reads a whole bundle and compares all sums.
     *
     * @param trust what is known of it
     * @throws BundleException if it is none, or damaged, or not to be trusted; the message says where
     */
    static BundleContents read(Path bundle, BundleTrust trust) throws IOException {
        try (BundleFolder folder = BundleFolder.open();
                BundleFile file = trust.open(bundle, folder)) {
            for (BundleManifest.Entry entry : file.manifest().entries()) {
                folder.unpack(file, entry);
            }
            Contents traffic = folder.traffic(bundle);
            List<Recorded> upstreams = new ArrayList<>();
            for (BundleUpstreams.Settings settings : file.upstreams().all()) {
                upstreams.add(recorded(settings, file.journal(settings), folder.path()));
            }
            return new BundleContents(
                    file.manifest(),
                    file.size(),
                    BundleKey.isEncrypted(bundle),
                    signature(file, trust),
                    traffic,
                    routes(traffic),
                    folder.noise(bundle).size(),
                    List.copyOf(upstreams));
        }
    }

    private static String signature(BundleFile file, BundleTrust trust) {
        if (trust.checksSignature()) {
            return "signed by the key that is trusted";
        }
        return file.isSigned() ? "signed, which --signed-by checks" : "not signed";
    }

    private static Recorded recorded(BundleUpstreams.Settings settings, List<BundleManifest.Entry> files, Path folder)
            throws IOException {
        KeptBlocks replies = KeptBlocks.NONE;
        long large = 0;
        for (BundleManifest.Entry entry : files) {
            if (entry.name().contains("/large/")) {
                large += entry.bytes();
            } else {
                try (InputStream in = Files.newInputStream(folder.resolve(entry.name()))) {
                    replies = replies.plus(KeptBlocks.in(in, entry.bytes()));
                }
            }
        }
        return new Recorded(settings, replies, large);
    }

    private static Map<String, Long> routes(Contents traffic) {
        Masking masking = new Masking(Set.of());
        Map<String, Long> routes = new TreeMap<>();
        for (Contents.Summary connection : traffic.connections()) {
            for (RequestLines.Line line : connection.requests()) {
                String route = Folding.route(line.method() + ' ' + masking.target(line.target()));
                boolean listed = routes.size() < MOST_ROUTES || routes.containsKey(route);
                routes.merge(listed ? route : "of other routes", 1L, Long::sum);
            }
        }
        return routes;
    }

    /** Whether something in it is torn off, or can't be replayed. */
    boolean isWhole() {
        return traffic.torn() == null && upstreams.stream().allMatch(each -> each.replies.torn() == 0);
    }

    private long requests() {
        return routes.values().stream().mapToLong(Long::longValue).sum();
    }

    private Instant at(long nanos) {
        return Instant.ofEpochMilli(traffic.begunMillis() + (nanos - traffic.begunNanos()) / 1_000_000);
    }

    private Instant end() {
        return at(traffic.connections().stream()
                .mapToLong(Contents.Summary::lastNanos)
                .max()
                .orElse(traffic.begunNanos()));
    }

    /** In lines for people. */
    List<String> text() {
        List<String> lines = new ArrayList<>();
        lines.add("made " + manifest.created() + " by " + manifest.version() + ", Java " + manifest.java());
        lines.add(size + " bytes, " + manifest.entries().size() + " entries, all sums are right");
        lines.add("as captured: masked as at capture only; " + (encrypted ? "encrypted" : "not encrypted") + ", "
                + signature);
        lines.add("traffic from " + at(traffic.begunNanos()) + " to " + end() + ": "
                + traffic.connections().size() + " connections, " + requests() + " requests");
        if (traffic.torn() != null) {
            lines.add("torn: " + traffic.torn());
        }
        routes.forEach((route, count) -> lines.add("    " + count + "  " + route));
        for (Recorded each : upstreams) {
            lines.add("upstream " + each.settings.name() + " (" + each.settings.protocol() + "): "
                    + each.replies.whole() + " recorded replies, " + each.replies.wholeBytes() + " bytes"
                    + (each.largeBytes > 0 ? ", and " + each.largeBytes + " bytes of large bodies" : "")
                    + (each.replies.torn() > 0 ? "; torn: " + each.replies.torn() + " bytes are cut off" : ""));
        }
        if (noise > 0) {
            lines.add(noise + " noise rules, for places that may differ");
        }
        manifest.entries().forEach(entry -> lines.add("entry " + entry.name() + "  " + entry.bytes() + " bytes"));
        return lines;
    }

    /** The same for programs. */
    String json() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode top = mapper.createObjectNode()
                .put("created", manifest.created().toString())
                .put("version", manifest.version())
                .put("java", manifest.java())
                .put("bytes", size)
                .put("encrypted", encrypted)
                .put("signature", signature)
                .put("from", at(traffic.begunNanos()).toString())
                .put("to", end().toString())
                .put("connections", traffic.connections().size())
                .put("requests", requests())
                .put("whole", isWhole());
        ObjectNode counted = top.putObject("routes");
        routes.forEach(counted::put);
        top.put("noiseRules", noise);
        ArrayNode list = top.putArray("upstreams");
        for (Recorded each : upstreams) {
            list.addObject()
                    .put("name", each.settings.name())
                    .put("protocol", each.settings.protocol())
                    .put("replies", each.replies.whole())
                    .put("bytes", each.replies.wholeBytes())
                    .put("used", each.replies.struck())
                    .put("torn", each.replies.torn())
                    .put("largeBytes", each.largeBytes);
        }
        ArrayNode entries = top.putArray("entries");
        manifest.entries()
                .forEach(entry -> entries.addObject()
                        .put("name", entry.name())
                        .put("bytes", entry.bytes())
                        .put("sha256", entry.sha256()));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(top);
    }
}
