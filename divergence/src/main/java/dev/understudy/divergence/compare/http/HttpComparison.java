package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.Verdicts;
import dev.understudy.divergence.compare.http.HeaderComparison.Side;
import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.List;

/**
 * Compares the replies of one exchange: status, headers, body, trailers, in full.
 *
 * <p>Keeps nothing between calls but identities; may be used by several threads at once.
 */
public final class HttpComparison {
    private final ComparisonRules rules;
    private final IdentityMap identities;
    private final ProtobufSchema schema;

    /** One that knows Protocol Buffers' messages by the numbers of their fields only. */
    public HttpComparison(ComparisonRules rules, IdentityMap identities) {
        this(rules, identities, ProtobufSchema.NONE);
    }

    /** @param schema of the messages that bodies may hold */
    public HttpComparison(ComparisonRules rules, IdentityMap identities, ProtobufSchema schema) {
        this.rules = rules;
        this.identities = identities;
        this.schema = schema;
    }

    /** The same, with other identities. */
    public HttpComparison with(IdentityMap others) {
        return new HttpComparison(rules, others, schema);
    }

    /** As {@link #compare(String, HttpReply, HttpReply)}, of a request that nobody knows. */
    public Verdict compare(HttpReply production, HttpReply debug) {
        return compare("", production, debug);
    }

    /**
     * What differs and whether it matters; identities are learned on the way. Never throws on what a JVM sent.
     *
     * <p>If one of the replies was cut off, what is there is compared: a difference in it makes the verdict
     * DIFFERENT, otherwise it is NOT_COMPARED.
     *
     * @param request method and target: by route is known what each side makes up, and the path of a gRPC method says
     *     what its reply's messages are; empty if nobody knows it
     */
    public Verdict compare(String request, HttpReply production, HttpReply debug) {
        try {
            return verdict(request, production, debug);
        } catch (RuntimeException | StackOverflowError e) {
            return Verdict.notCompared(NotCompared.INTERNAL);
        }
    }

    private Verdict verdict(String request, HttpReply production, HttpReply debug) {
        IdentityDraft draft = new IdentityDraft(identities, request);
        String target = request.substring(request.indexOf(' ') + 1);
        ValueNoise noise = new ValueNoise(rules, draft, production.span(), debug.span());
        HeaderComparison headers = new HeaderComparison(rules, draft, noise);
        boolean complete = production.complete() && debug.complete();
        Differences start = new Differences(rules);
        Differences head = new Differences(rules);
        Differences rest = new Differences(rules);
        status("", production.head(), debug.head(), start);
        interim(production.interim(), debug.interim(), headers, start);
        // first what identities are learned from, then the places where they may occur
        new CookieComparison(draft, noise, head)
                .compare(production.head().all("Set-Cookie"), debug.head().all("Set-Cookie"));
        HttpReply aligned = MultipartComparison.aligned(production, debug, head);
        NotCompared open = complete ? null : NotCompared.INCOMPLETE;
        if (complete) {
            ProtobufBodies protobuf = new ProtobufBodies(schema, target, rules.maxDecoded());
            BodyComparison bodies = new BodyComparison(rules, protobuf, draft, noise, rest);
            bodies.compare(production, aligned);
            open = bodies.unread();
        }
        Side debugSide = new Side(side(aligned, complete).headers(), debug.bodyLength());
        HeaderComparison described = open == null && rest.onlyNoise() ? headers.ofEquivalent() : headers;
        described.compare("header.", side(production, complete), debugSide, head);
        if (complete) {
            headers.compare("trailer.", new Side(production.trailers(), -1), new Side(debug.trailers(), -1), rest);
        }
        Verdict verdict = Verdicts.of(open, List.of(start, head, rest), rules);
        if (open == null) {
            draft.commit(verdict.kind() == VerdictKind.DIFFERENT ? real(verdict) : List.of());
        }
        return verdict;
    }

    /** The paths of what differs, and not by noise. */
    private static List<String> real(Verdict verdict) {
        return verdict.differences().stream()
                .filter(difference -> difference.noise() == null)
                .map(Difference::path)
                .toList();
    }

    private static void status(String prefix, ReplyHead production, ReplyHead debug, Differences differences) {
        if (production.status() != debug.status()) {
            differences.real(
                    prefix + "status",
                    Difference.Type.STATUS,
                    Integer.toString(production.status()),
                    Integer.toString(debug.status()));
        } else if (!production.reason().equals(debug.reason())) {
            differences.real(prefix + "reason", Difference.Type.VALUE, production.reason(), debug.reason());
        }
        if (!production.version().equals(debug.version())) {
            differences.real(prefix + "version", Difference.Type.VALUE, production.version(), debug.version());
        }
    }

    private static void interim(
            List<ReplyHead> ours, List<ReplyHead> theirs, HeaderComparison headers, Differences differences) {
        if (ours.size() != theirs.size()) {
            differences.real("interim", Difference.Type.LENGTH, ours.size() + " replies", theirs.size() + " replies");
            return;
        }
        for (int i = 0; i < ours.size(); i++) {
            String prefix = "interim[" + i + "].";
            status(prefix, ours.get(i), theirs.get(i), differences);
            headers.compare(
                    prefix + "header.",
                    new Side(ours.get(i).headers(), -1),
                    new Side(theirs.get(i).headers(), -1),
                    differences);
        }
    }

    /** Of a reply cut off the true length of its body is unknown, so its Content-Length says nothing. */
    private static Side side(HttpReply reply, boolean complete) {
        List<Header> headers = reply.head().headers();
        if (!complete) {
            headers = reply.head().without("Content-Length").headers();
        }
        return new Side(headers, reply.bodyLength());
    }
}
