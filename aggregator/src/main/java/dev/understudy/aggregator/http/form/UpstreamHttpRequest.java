package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One request as it comes in, up to its form; of the body only length and hash are kept, and its bytes if they are few
 * enough for whoever wants them. Confined to its connection.
 */
public final class UpstreamHttpRequest {
    /** Memory of hashes and of what reads the body. */
    private static final long PER_REQUEST = 1_000;

    /** Memory of a header besides its characters. */
    private static final long PER_HEADER = 160;

    private final RequestHead head;
    private final FormRule rule;
    private final MessageDigest hash = Sha256.digest();
    private ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
    private final int wanted;
    private final int keep;
    private final BodySpelling spelling;
    private final @Nullable MultipartType multipart;
    private final @Nullable MultipartBody parts;
    private final long headMemory;
    private long length;

    /** Keeps no bytes but for what the rule asks for. */
    public UpstreamHttpRequest(RequestHead head, FormRule rule) {
        this(head, rule, 0);
    }

    /** @param wanted bytes that a body may have to be kept beyond the form */
    public UpstreamHttpRequest(RequestHead head, FormRule rule, int wanted) {
        this.head = head;
        this.rule = rule;
        this.headMemory = memory(head);
        this.spelling = BodySpelling.of(head, rule);
        this.wanted = wanted;
        this.keep = spelling == BodySpelling.BYTES ? wanted : Math.max(wanted, BodySpelling.LONGEST);
        this.multipart = MultipartType.of(head);
        this.parts = multipart == null ? null : new MultipartBody(multipart.boundary(), Sha256.digest());
    }

    public RequestHead head() {
        return head;
    }

    /** A piece of the body. */
    public void body(ByteBuffer content) {
        length += content.remaining();
        if (length <= keep) {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            kept.writeBytes(bytes);
        } else {
            kept = new ByteArrayOutputStream(0);
        }
        if (parts != null) {
            parts.feed(content.duplicate());
        }
        hash.update(content);
    }

    /** The body; null if it is longer than what is wanted. */
    public byte @Nullable [] body() {
        return length <= wanted ? kept.toByteArray() : null;
    }

    /** Bytes of the body that are kept. */
    public int heldBytes() {
        return kept.size();
    }

    /** Memory that all of the request takes. */
    public long heldMemory() {
        return PER_REQUEST + headMemory + 2L * kept.size();
    }

    /** Memory that the head takes. */
    public long headMemory() {
        return headMemory;
    }

    private static long memory(RequestHead head) {
        long bytes = 2L * head.target().length();
        for (Header header : head.headers()) {
            bytes += PER_HEADER + header.name().length() + header.value().length();
        }
        return bytes;
    }

    /** The form of the complete request, of whose body no more is kept then than is wanted; to be called once. */
    public Form form() {
        Form form = whole();
        if (length > wanted) {
            kept = new ByteArrayOutputStream(0);
        }
        return form;
    }

    private Form whole() {
        byte[] digest = hash.digest();
        RequestOutline.Builder outline = new RequestOutline.Builder();
        byte[] undelimited = parts == null ? null : parts.digest();
        if (multipart != null && undelimited != null) {
            RequestHead counted = head.with("content-type", multipart.rest());
            outline.add("body", Arrays.hashCode(undelimited));
            return form(counted, Arrays.copyOf(undelimited, undelimited.length + 2), outline); // nor to any JSON's
        }
        if (spelling != BodySpelling.BYTES && length > 0 && length <= BodySpelling.LONGEST) {
            byte[] counted = spelling.counted(kept.toByteArray(), rule, outline);
            if (counted != null) {
                digest = hash.digest(counted);
                return form(head, Arrays.copyOf(digest, digest.length + 1), outline); // equal to no whole body's
            }
            outline = new RequestOutline.Builder();
        }
        if (length > 0) {
            outline.add("body", Arrays.hashCode(digest));
        }
        return form(head, digest, outline);
    }

    private Form form(RequestHead counted, byte[] bodyHash, RequestOutline.Builder body) {
        return HttpForms.of(rule, counted, length, bodyHash, body).in(TraceId.ofTraceparent(head.first("traceparent")));
    }

    /**
     * The form of a request of which only the beginning counts.
     *
     * @param kind in one word or more
     * @param beginning what counts of the body
     */
    public Form beginning(String kind, byte[] beginning) {
        return HttpForms.beginning(rule, head, kind, beginning).in(TraceId.ofTraceparent(head.first("traceparent")));
    }

    /** What is known of a request that was answered with this status and then cut off; equal to no other form. */
    public Form cutOff(int status) {
        String whole = head.first("content-length");
        String kind = "body that was answered (%d) and then cut off after %d%s bytes"
                .formatted(status, length, whole == null ? "" : " of " + whole);
        return beginning(kind, new byte[0]);
    }
}
