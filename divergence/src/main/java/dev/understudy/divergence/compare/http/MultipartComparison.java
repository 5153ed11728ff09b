package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.MultipartText;
import dev.understudy.divergence.content.MultipartText.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares bodies in several parts, part by part in their order. The boundary, which each side makes up, means nothing.
 */
final class MultipartComparison {
    private static final String BOUNDARY = "boundary";
    private static final String TYPE = "content-type";

    private static final Pattern FIELD = Pattern.compile("[; ]name=\"([^\"]{1,100})\"");

    private final ContentComparison bodies;
    private final Differences differences;

    MultipartComparison(ContentComparison bodies, Differences differences) {
        this.bodies = bodies;
        this.differences = differences;
    }

    /**
     * Debug's reply as it were with production's boundary, if both can be read with their own; otherwise as it is.
     *
     * @param head is told that the boundaries differ
     */
    static HttpReply aligned(HttpReply production, HttpReply debug, Differences head) {
        List<String> ours = production.head().all("Content-Type");
        List<String> theirs = debug.head().all("Content-Type");
        if (ours.size() != 1 || theirs.size() != 1 || ours.equals(theirs) || encoded(production) || encoded(debug)) {
            return debug;
        }
        MediaType type = MediaType.of(ours.get(0));
        MediaType other = MediaType.of(theirs.get(0));
        if (type == null
                || other == null
                || !type.isMultipart()
                || !withoutBoundary(type).equals(withoutBoundary(other))) {
            return debug;
        }
        String boundary = type.parameters().get(BOUNDARY);
        String old = other.parameters().get(BOUNDARY);
        if (boundary == null || old == null || MultipartText.parse(production.body(), boundary) == null) {
            return debug;
        }
        byte[] body = MultipartText.rebounded(debug.body(), old, boundary);
        if (body == null) {
            return debug;
        }
        head.noise("header.Content-Type", Difference.Type.VALUE, ours.get(0), theirs.get(0), Noise.CONTENT_FORM);
        return new HttpReply(
                debug.interim(),
                debug.head().with("Content-Type", ours.get(0)),
                body,
                body.length,
                new byte[0],
                debug.trailers(),
                debug.complete(),
                debug.begun(),
                debug.ended());
    }

    /** Whether both could be read; then all that differs is told. */
    boolean compare(String path, MediaType type, byte[] ours, byte[] theirs) {
        String boundary = type.parameters().get(BOUNDARY);
        List<Part> production = MultipartText.parse(ours, boundary);
        List<Part> debug = production == null ? null : MultipartText.parse(theirs, boundary);
        if (production == null || debug == null) {
            return false;
        }
        if (production.size() != debug.size()) {
            differences.real(
                    path + ".parts", Difference.Type.LENGTH, production.size() + " parts", debug.size() + " parts");
            return true;
        }
        for (int i = 0; i < production.size() && !differences.full(); i++) {
            part(path + ".parts[" + i + "]" + name(production.get(i)), production.get(i), debug.get(i));
        }
        return true;
    }

    private void part(String path, Part production, Part debug) {
        Map<String, String> ours = production.headers();
        Map<String, String> theirs = debug.headers();
        if (ours == null || theirs == null) {
            if (!production.head().equals(debug.head())) {
                differences.real(path + ".headers", Difference.Type.VALUE, production.head(), debug.head());
            }
        } else if (!ours.equals(theirs)) {
            headers(path, ours, theirs);
        } else if (!production.head().equals(debug.head())) {
            differences.noise(
                    path + ".headers", Difference.Type.VALUE, production.head(), debug.head(), Noise.HEADER_FORM);
        }
        if (!Arrays.equals(production.body(), debug.body())) {
            bodies.part(path, type(ours), type(theirs), production.body(), debug.body());
        }
    }

    /** The field that a part is, if it says so, by which masking knows a secret one. */
    private static String name(Part part) {
        Matcher matcher = FIELD.matcher(part.head());
        return matcher.find() ? "." + matcher.group(1) : "";
    }

    private void headers(String path, Map<String, String> ours, Map<String, String> theirs) {
        TreeSet<String> names = new TreeSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        for (String name : names) {
            String production = ours.get(name);
            String debug = theirs.get(name);
            if (production == null || debug == null) {
                Difference.Type type = debug == null ? Difference.Type.MISSING : Difference.Type.EXTRA;
                differences.real(path + ".header." + name, type, production, debug);
            } else if (!production.equals(debug)) {
                differences.real(path + ".header." + name, Difference.Type.VALUE, production, debug);
            }
        }
    }

    private static @Nullable MediaType type(@Nullable Map<String, String> headers) {
        return headers == null ? null : MediaType.of(headers.get(TYPE));
    }

    private static boolean encoded(HttpReply reply) {
        return !reply.complete() || !reply.held() || reply.head().first("Content-Encoding") != null;
    }

    private static MediaType withoutBoundary(MediaType type) {
        Map<String, String> others = new TreeMap<>(type.parameters());
        others.remove(BOUNDARY);
        return new MediaType(type.type(), others);
    }
}
